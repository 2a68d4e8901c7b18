//! One connection of a flow: the agreements of its SYNs, by which its packets' numbers are read.

use ackclock_sim::packet::{MAX_SACK_BLOCKS, Packet, SackBlock, flags};

use super::offsets::Offsets;
use crate::frame::{Header, Tcp};

/// A connection, from its SYN on.
#[derive(Clone, Copy, Debug)]
pub struct Connection {
    /// Number of the connection within its flow, from 0.
    pub number: u32,
    /// The sender's port, by which connections are told apart.
    pub port: u16,
    syn: u32,
    /// Sequence numbers of the sender.
    data: Offsets,
    /// Sequence numbers of the receiver, once it has answered.
    back: Option<Offsets>,
    /// Shifts of the sender's and the receiver's windows.
    scale: [u8; 2],
}

impl Connection {
    /// The connection that a sender's packet opens. If its SYN was not seen, the connection begins
    /// with the packet's first byte.
    #[must_use]
    pub fn open(number: u32, port: u16, tcp: &Tcp) -> Self {
        let is_syn = tcp.flags & flags::SYN != 0;
        let syn = if is_syn { tcp.seq } else { tcp.seq.wrapping_sub(1) };
        Self {
            number,
            port,
            syn,
            data: Offsets::after_syn(syn),
            back: None,
            scale: [tcp.window_scale.unwrap_or(0), 0],
        }
    }

    /// Whether a SYN from this port opens another connection; otherwise it repeats this one's SYN.
    #[must_use]
    pub const fn is_other(&self, port: u16, tcp: &Tcp) -> bool {
        port != self.port || tcp.seq != self.syn
    }

    /// The simulator's packet for a header of flow `flow`.
    pub fn packet(&mut self, flow: u32, header: &Header, tcp: &Tcp, is_reverse: bool) -> Packet {
        let is_syn = tcp.flags & flags::SYN != 0;
        if is_reverse && (is_syn || self.back.is_none()) {
            let syn = if is_syn { tcp.seq } else { tcp.seq.wrapping_sub(1) };
            self.back = Some(Offsets::after_syn(syn));
            if is_syn {
                self.scale[1] = tcp.window_scale.unwrap_or(0);
                // RFC 7323, section 2.2: windows are scaled only if both SYNs have the option.
                if tcp.window_scale.is_none() {
                    self.scale[0] = 0;
                }
            }
        }
        let mut back = self.back.unwrap_or(Offsets::after_syn(tcp.ack.wrapping_sub(1)));
        let (own, other) =
            if is_reverse { (&mut back, &mut self.data) } else { (&mut self.data, &mut back) };
        let seq = if is_syn { 0 } else { own.of(tcp.seq) };
        let has_ack = tcp.flags & flags::ACK != 0;
        let ack = if has_ack { other.of(tcp.ack) } else { 0 };
        if self.back.is_some() {
            self.back = Some(back);
        }
        let shift = if is_syn { 0 } else { self.scale[usize::from(is_reverse)] };
        let (ts_val, ts_ecr) = tcp.timestamps.unwrap_or((0, 0));
        let mut packet = Packet {
            seq,
            ack,
            flow,
            wire_size: u32::from(header.ip_bytes),
            payload: u32::from(header.payload_bytes),
            window: u32::from(tcp.window) << shift,
            ts_val,
            ts_ecr,
            flags: tcp.flags,
            ecn: header.ecn,
            is_reverse,
            connection: self.number,
            ..Packet::default()
        };
        // A fourth block fits only without timestamps. The record leaves it out; the frame has it.
        let blocks = &tcp.sack[..usize::from(tcp.sack_blocks).min(MAX_SACK_BLOCKS)];
        for (place, (start, end)) in packet.sacks.iter_mut().zip(blocks) {
            *place = SackBlock {
                start: start.wrapping_sub(tcp.ack).cast_signed(),
                end: end.wrapping_sub(tcp.ack).cast_signed(),
            };
            packet.sack_count += 1;
        }
        packet
    }
}
