//! Packets as they are kept between links and hosts: 32 bytes, and 32 more for those with SACK
//! blocks or marks to report.

use super::{Ecn, MAX_SACK_BLOCKS, Packet, SackBlock};

/// Window that data packets advertise: the simulator's data flows in one direction only.
const DATA_WINDOW: u32 = 65_535;

// The bits of a packet. One number is copied and changed faster than four bytes.
/// Links passed so far, times 256; the TCP flags are below.
const HOP: u32 = 0xff << HOP_SHIFT;
const HOP_SHIFT: u32 = 8;
/// ECN field.
const ECN: u32 = 3 << ECN_SHIFT;
const ECN_SHIFT: u32 = 16;
/// Number of SACK blocks.
const SACKS: u32 = 3 << SACKS_SHIFT;
const SACKS_SHIFT: u32 = 18;
const IS_REVERSE: u32 = 1 << 20;
const IS_CORRUPT: u32 = 1 << 21;
/// The [`Extra`] follows.
const HAS_EXTRA: u32 = 1 << 22;
/// A data packet acknowledges the receiver's FIN.
const ACKS_FIN: u32 = 1 << 23;
/// Class of the packet.
const PRIORITY: u32 = 15 << PRIORITY_SHIFT;
const PRIORITY_SHIFT: u32 = 24;
/// The packet is a datagram.
const IS_DATAGRAM: u32 = 1 << 28;
/// The packet has payload, and its size stands in place of the window.
const HAS_PAYLOAD: u32 = 1 << 29;
/// ECN field before the queue of the present link marked the packet; 0: it did not.
const UNMARKED: u32 = 3 << UNMARKED_SHIFT;
const UNMARKED_SHIFT: u32 = 30;

/// A packet without SACK blocks.
#[derive(Clone, Copy, Debug, Default)]
pub struct Thin {
    /// Sequence number of data, acknowledgment of an ACK, sending time of a datagram.
    number: u64,
    /// Index of the flow.
    pub flow: u32,
    /// Bytes on a link.
    pub wire_size: u32,
    ts_val: u32,
    ts_ecr: u32,
    /// Window; for packets with payload, its size.
    window: u32,
    bits: u32,
}

/// The part that few packets have.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extra {
    sacks: [SackBlock; MAX_SACK_BLOCKS],
    connection: u32,
    ce_bytes: u32,
}

impl Thin {
    /// The packet without its [`Extra`].
    #[expect(clippy::cast_possible_truncation, reason = "flag bits in use are below 256")]
    #[expect(clippy::inline_always, reason = "once per packet, whose fields are known")]
    #[inline(always)]
    #[must_use]
    pub fn of(packet: &Packet) -> Self {
        let has_payload = packet.payload > 0;
        // A TCP packet has the ACK bit, or the SYN bit.
        let is_datagram = packet.flags == 0;
        let has_extra = packet.sack_count > 0 || packet.connection > 0 || packet.ce_bytes > 0;
        let bit = |is_set: bool, bit: u32| if is_set { bit } else { 0 };
        let is_data = !packet.is_reverse && !is_datagram;
        Self {
            number: if is_data { packet.seq } else { packet.ack },
            flow: packet.flow,
            wire_size: packet.wire_size,
            ts_val: if is_datagram { packet.seq as u32 } else { packet.ts_val },
            ts_ecr: if is_datagram { packet.window } else { packet.ts_ecr },
            window: if has_payload { packet.payload } else { packet.window },
            bits: u32::from(packet.flags as u8)
                | u32::from(packet.hop) << HOP_SHIFT
                | (packet.ecn as u32) << ECN_SHIFT
                | u32::from(packet.sack_count) << SACKS_SHIFT
                | bit(packet.is_reverse, IS_REVERSE)
                | bit(packet.is_corrupt, IS_CORRUPT)
                | bit(has_extra, HAS_EXTRA)
                | bit(is_data && packet.ack > 0, ACKS_FIN)
                | u32::from(packet.priority) << PRIORITY_SHIFT
                | bit(is_datagram, IS_DATAGRAM)
                | bit(has_payload, HAS_PAYLOAD),
        }
    }

    /// Whether an [`Extra`] belongs to the packet.
    #[inline]
    #[must_use]
    pub const fn has_extra(&self) -> bool {
        self.bits & HAS_EXTRA > 0
    }

    /// Whether the packet travels from receiver to sender.
    #[inline]
    #[must_use]
    pub const fn is_reverse(&self) -> bool {
        self.bits & IS_REVERSE > 0
    }

    /// Whether an impairment changed bits of the packet.
    #[inline]
    #[must_use]
    pub const fn is_corrupt(&self) -> bool {
        self.bits & IS_CORRUPT > 0
    }

    /// Whether the packet has payload.
    #[inline]
    #[must_use]
    pub const fn has_payload(&self) -> bool {
        self.bits & HAS_PAYLOAD > 0
    }

    /// Links passed so far.
    #[inline]
    #[must_use]
    pub const fn hop(&self) -> u8 {
        ((self.bits & HOP) >> HOP_SHIFT) as u8
    }

    /// Sets the number of links passed so far.
    #[inline]
    pub fn set_hop(&mut self, hop: u8) {
        self.bits = self.bits & !HOP | u32::from(hop) << HOP_SHIFT;
    }

    /// The ECN field.
    #[inline]
    #[must_use]
    pub const fn ecn(&self) -> Ecn {
        match (self.bits & ECN) >> ECN_SHIFT {
            0 => Ecn::NotEct,
            1 => Ecn::Ect1,
            2 => Ecn::Ect0,
            _ => Ecn::Ce,
        }
    }

    /// Sets the ECN field.
    #[inline]
    pub const fn set_ecn(&mut self, ecn: Ecn) {
        self.bits = self.bits & !ECN | (ecn as u32) << ECN_SHIFT;
    }

    /// Marks the packet CE. Until it leaves the link, it remembers the ECT codepoint that it had.
    #[inline]
    pub const fn mark(&mut self) {
        self.bits = self.bits & !UNMARKED | (self.ecn() as u32) << UNMARKED_SHIFT;
        self.set_ecn(Ecn::Ce);
    }

    /// The ECN field with which the packet reached the present link.
    #[must_use]
    pub const fn unmarked(&self) -> Ecn {
        match (self.bits & UNMARKED) >> UNMARKED_SHIFT {
            0 => self.ecn(),
            1 => Ecn::Ect1,
            _ => Ecn::Ect0,
        }
    }

    /// Class of the packet for classful disciplines.
    #[inline]
    #[must_use]
    pub const fn priority(&self) -> u8 {
        ((self.bits & PRIORITY) >> PRIORITY_SHIFT) as u8
    }

    /// The packet as it enters its next link or its host, with this ECN field.
    #[inline]
    #[must_use]
    pub const fn passed_on(mut self, ecn: Ecn) -> Self {
        self.bits += 1 << HOP_SHIFT;
        self.bits = self.bits & !(ECN | UNMARKED) | (ecn as u32) << ECN_SHIFT;
        self
    }

    /// The packet.
    #[inline]
    #[must_use]
    pub fn packet(&self, extra: &Extra) -> Packet {
        self.unpack(extra, self.bits & IS_DATAGRAM > 0, self.is_reverse())
    }

    /// The packet, which is a TCP packet of this direction, without its [`Extra`].
    #[expect(clippy::inline_always, reason = "once per packet, of which few fields are read")]
    #[inline(always)]
    #[must_use]
    pub fn tcp_packet(&self, is_reverse: bool) -> Packet {
        self.unpack(&Extra::default(), false, is_reverse)
    }

    #[expect(clippy::inline_always, reason = "once per packet, of which few fields are read")]
    #[inline(always)]
    fn unpack(&self, extra: &Extra, is_datagram: bool, is_reverse: bool) -> Packet {
        let is_data = !is_reverse && !is_datagram;
        let payload = if !is_reverse && self.has_payload() { self.window } else { 0 };
        Packet {
            seq: match (is_data, is_datagram) {
                (true, _) => self.number,
                (_, true) => u64::from(self.ts_val),
                _ => 0,
            },
            ack: if is_data { u64::from(self.bits & ACKS_FIN > 0) } else { self.number },
            flow: self.flow,
            wire_size: self.wire_size,
            payload,
            window: match (is_datagram, is_data) {
                (true, _) => self.ts_ecr,
                (_, true) => DATA_WINDOW,
                _ => self.window,
            },
            ts_val: if is_datagram { 0 } else { self.ts_val },
            ts_ecr: if is_datagram { 0 } else { self.ts_ecr },
            ce_bytes: extra.ce_bytes,
            flags: (self.bits & 0xff) as u16,
            hop: self.hop(),
            ecn: self.ecn(),
            sack_count: ((self.bits & SACKS) >> SACKS_SHIFT) as u8,
            is_reverse,
            is_corrupt: self.is_corrupt(),
            priority: self.priority(),
            sacks: extra.sacks,
            connection: extra.connection,
        }
    }
}

impl Extra {
    /// The part of a packet that its [`Thin`] leaves out.
    #[inline]
    #[must_use]
    pub const fn of(packet: &Packet) -> Self {
        Self { sacks: packet.sacks, connection: packet.connection, ce_bytes: packet.ce_bytes }
    }

    /// The bits, in the place of a packet.
    #[must_use]
    pub const fn stored(&self) -> Thin {
        let [first, second, third] = self.sacks;
        Thin {
            number: (first.start.cast_unsigned() as u64) << 32 | first.end.cast_unsigned() as u64,
            flow: second.start.cast_unsigned(),
            wire_size: second.end.cast_unsigned(),
            ts_val: third.start.cast_unsigned(),
            ts_ecr: third.end.cast_unsigned(),
            window: self.connection,
            bits: self.ce_bytes,
        }
    }

    /// The reverse of [`Extra::stored`].
    #[expect(clippy::cast_possible_truncation, reason = "the two halves of a number")]
    #[must_use]
    pub const fn restored(bits: &Thin) -> Self {
        Self {
            sacks: [
                SackBlock {
                    start: ((bits.number >> 32) as u32).cast_signed(),
                    end: (bits.number as u32).cast_signed(),
                },
                SackBlock { start: bits.flow.cast_signed(), end: bits.wire_size.cast_signed() },
                SackBlock { start: bits.ts_val.cast_signed(), end: bits.ts_ecr.cast_signed() },
            ],
            connection: bits.window,
            ce_bytes: bits.bits,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::flags;

    fn same(packet: &Packet) {
        let extra = Extra::of(packet);
        let thin = Thin::of(packet);
        assert_eq!(thin.has_extra(), extra != Extra::default());
        assert_eq!(Extra::restored(&extra.stored()), extra);
        assert_eq!(format!("{:?}", thin.packet(&extra)), format!("{packet:?}"));
    }

    /// Thousands of packets are in flight at once, so that their size decides what the cache holds.
    #[test]
    fn a_packet_is_kept_in_thirty_two_bytes() {
        assert_eq!(size_of::<Thin>(), 32);
        assert_eq!(size_of::<Extra>(), 32);
    }

    #[test]
    fn every_kind_of_packet_comes_out_as_it_went_in() {
        let data = Packet {
            seq: 1 << 40,
            ack: 1,
            flow: 7,
            wire_size: 1500,
            payload: 1448,
            window: DATA_WINDOW,
            ts_val: 11,
            ts_ecr: 12,
            flags: flags::ACK | flags::PSH,
            hop: 3,
            ecn: Ecn::Ect0,
            is_corrupt: true,
            priority: 15,
            ..Packet::default()
        };
        same(&data);
        same(&Packet { payload: 0, wire_size: 52, flags: flags::SYN, ..data });
        same(&Packet { connection: 4, ecn: Ecn::Ce, ..data });
        let ack = Packet {
            ack: 1 << 40,
            flow: 7,
            wire_size: 52,
            window: 1 << 30,
            ts_val: 11,
            ts_ecr: 12,
            flags: flags::ACK | flags::ECE | flags::CWR,
            is_reverse: true,
            ..Packet::default()
        };
        same(&ack);
        let block = SackBlock { start: -5, end: 9 };
        same(&Packet { sack_count: 3, sacks: [block; 3], ce_bytes: 8, ..ack });
        same(&Packet {
            seq: 99,
            ack: 123_456,
            payload: 160,
            window: u32::MAX,
            flow: 2,
            wire_size: 200,
            ..Packet::default()
        });
    }

    #[test]
    fn a_mark_remembers_the_codepoint_until_the_packet_leaves_the_link() {
        for ecn in [Ecn::Ect0, Ecn::Ect1] {
            let mut thin = Thin::of(&Packet { ecn, flags: flags::ACK, ..Packet::default() });
            assert_eq!(thin.unmarked(), ecn);
            thin.mark();
            assert_eq!((thin.ecn(), thin.unmarked()), (Ecn::Ce, ecn));
            let next = thin.passed_on(Ecn::Ce);
            assert_eq!((next.ecn(), next.unmarked()), (Ecn::Ce, Ecn::Ce));
        }
    }
}
