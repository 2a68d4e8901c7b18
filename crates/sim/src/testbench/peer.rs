//! The other end of the connection, which the test plays. It fills in the fields that the test
//! leaves open in a packet.

use crate::packet::{Ecn, MAX_SACK_BLOCKS, Packet, SackBlock, flags};

/// A packet that arrives at the host. `None` leaves a field to the peer.
#[derive(Clone, Debug, Default)]
pub struct Arriving {
    /// First byte of data.
    pub seq: u64,
    /// Payload, bytes.
    pub payload: u32,
    /// Next byte expected; used if `flags` has ACK.
    pub ack: u64,
    /// TCP flag bits.
    pub flags: u16,
    /// Advertised window, bytes; `None`: as before, at first 1 GiB.
    pub window: Option<u32>,
    /// SACK blocks, absolute; those beyond the third are left out.
    pub sacks: Vec<(u64, u64)>,
    /// Timestamp of the peer; `None`: of now.
    pub stamp: Option<u32>,
    /// Timestamp echoed; `None`: that of the first segment that this ACK advances over, as last
    /// sent (RFC 7323 section 4.3).
    pub echo: Option<u32>,
    /// ECN field.
    pub ecn: Ecn,
    /// Payload bytes received CE-marked so far (accurate ECN feedback).
    pub marked: u32,
}

/// State of the peer.
pub struct Peer {
    window: u32,
    /// RFC 7323's `TS.Recent` and `Last.ACK.sent`.
    ts_recent: u32,
    last_ack: u64,
    /// All data packets of the host: first byte, end, timestamp.
    data: Vec<(u64, u64, u32)>,
}

impl Default for Peer {
    fn default() -> Self {
        Self { window: 1 << 30, ts_recent: 0, last_ack: 0, data: Vec::new() }
    }
}

impl Peer {
    /// Notes a packet that the host sent.
    pub fn note_sent(&mut self, packet: &Packet) {
        if packet.has(flags::SYN) {
            self.ts_recent = packet.ts_val;
        }
        if packet.span() > 0 {
            self.data.push((packet.seq, packet.seq + packet.span(), packet.ts_val));
        }
    }

    /// Makes the packet that arrives. `now` is the peer's clock; `is_reverse` says that the peer
    /// receives the host's data.
    pub fn packet(&mut self, arriving: &Arriving, now: u32, is_reverse: bool) -> Packet {
        self.window = arriving.window.unwrap_or(self.window);
        if is_reverse {
            self.advance(arriving.ack);
            self.ts_recent = arriving.echo.unwrap_or(self.ts_recent);
        }
        let mut sacks = [SackBlock::default(); MAX_SACK_BLOCKS];
        let relative = |byte: u64| {
            i32::try_from(byte.cast_signed() - arriving.ack.cast_signed()).unwrap_or(i32::MAX)
        };
        for (slot, (start, end)) in sacks.iter_mut().zip(&arriving.sacks) {
            *slot = SackBlock { start: relative(*start), end: relative(*end) };
        }
        #[expect(clippy::cast_possible_truncation, reason = "three at most")]
        let sack_count = arriving.sacks.len().min(MAX_SACK_BLOCKS) as u8;
        Packet {
            seq: arriving.seq,
            payload: arriving.payload,
            ack: arriving.ack,
            window: if is_reverse { self.window } else { 65_535 },
            ts_val: arriving.stamp.unwrap_or(now),
            ts_ecr: if is_reverse { self.ts_recent } else { arriving.echo.unwrap_or(0) },
            ce_bytes: arriving.marked,
            flags: arriving.flags,
            ecn: arriving.ecn,
            sack_count,
            is_reverse,
            sacks,
            ..Packet::default()
        }
    }

    fn advance(&mut self, ack: u64) {
        if ack <= self.last_ack {
            return;
        }
        // The segment that the ACK advances over first, as transmitted last.
        let first = self
            .data
            .iter()
            .rev()
            .find(|(start, end, _)| *start <= self.last_ack && self.last_ack < *end);
        self.ts_recent = first.map_or(self.ts_recent, |sent| sent.2);
        self.last_ack = ack;
    }
}
