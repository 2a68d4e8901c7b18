//! Packets: small and `Copy`, with SACK blocks inline, so that sending a packet allocates nothing.

mod thin;

pub use thin::{Extra, Thin};

/// TCP flag bits, as on the wire (RFC 9293 section 3.1).
pub mod flags {
    /// No more data from the sender.
    pub const FIN: u16 = 0x01;
    /// Synchronise sequence numbers.
    pub const SYN: u16 = 0x02;
    /// Push: the sender has no more data at once, so the application should get what has arrived.
    pub const PSH: u16 = 0x08;
    /// The acknowledgment field is valid.
    pub const ACK: u16 = 0x10;
    /// ECN echo (RFC 3168).
    pub const ECE: u16 = 0x40;
    /// Congestion window reduced (RFC 3168).
    pub const CWR: u16 = 0x80;
}

/// The ECN field of the IP header (RFC 3168 section 5).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
#[repr(u8)]
pub enum Ecn {
    /// Not ECN-capable.
    #[default]
    NotEct = 0,
    /// ECT(1).
    Ect1 = 1,
    /// ECT(0).
    Ect0 = 2,
    /// Congestion experienced.
    Ce = 3,
}

/// SACK blocks that fit beside timestamps (RFC 2018 section 3).
pub const MAX_SACK_BLOCKS: usize = 3;

/// A half-open range of sequence numbers, relative to the packet's `ack`; negative for a D-SACK
/// below it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SackBlock {
    /// First byte, relative to `ack`.
    pub start: i32,
    /// The byte after the last, relative to `ack`.
    pub end: i32,
}

/// A TCP segment or a datagram in the network. Sequence numbers are byte offsets from the first
/// data byte and never wrap.
#[derive(Clone, Copy, Debug, Default)]
pub struct Packet {
    /// Offset of the first payload byte (data), or of the sender's next byte (pure ACK).
    pub seq: u64,
    /// Offset of the next byte expected, if `flags` has ACK.
    pub ack: u64,
    /// Index of the flow.
    pub flow: u32,
    /// Bytes that the packet occupies on a link.
    pub wire_size: u32,
    /// Payload, bytes.
    pub payload: u32,
    /// Advertised window, bytes, unscaled.
    pub window: u32,
    /// Timestamp of the packet's sender, in ticks of its timestamp clock.
    pub ts_val: u32,
    /// Echoed timestamp, in ticks of the clock that it came from.
    pub ts_ecr: u32,
    /// Payload bytes received CE-marked so far (accurate ECN feedback), modulo 2^32.
    pub ce_bytes: u32,
    /// TCP flag bits.
    pub flags: u16,
    /// Number of links passed so far.
    pub hop: u8,
    /// ECN field.
    pub ecn: Ecn,
    /// Number of SACK blocks in use.
    pub sack_count: u8,
    /// Whether the packet travels from receiver to sender.
    pub is_reverse: bool,
    /// Whether an impairment changed bits of the packet. The packet goes on through the network,
    /// and the host at the end discards it.
    pub is_corrupt: bool,
    /// Class of the packet for classful disciplines (Linux's `SO_PRIORITY`, 0 to 15).
    pub priority: u8,
    /// SACK blocks, the most recent first.
    pub sacks: [SackBlock; MAX_SACK_BLOCKS],
    /// Number of the connection, from 0, if a session opens the flow again and again.
    pub connection: u32,
}

impl Packet {
    /// Whether all of `bits` are set.
    #[must_use]
    pub const fn has(&self, bits: u16) -> bool {
        self.flags & bits == bits
    }
    /// Whether both packets belong to one flow and travel in the same direction.
    #[must_use]
    pub const fn is_of_same_flow(&self, other: &Self) -> bool {
        self.flow == other.flow && self.is_reverse == other.is_reverse
    }
    /// Sequence space of the packet: the payload and a FIN.
    #[must_use]
    pub const fn span(&self) -> u64 {
        self.payload as u64 + if self.has(flags::FIN) { 1 } else { 0 }
    }
    /// Index of the stored frame that this packet stands for, if the hosts are real. The index lies
    /// in `ce_bytes`, which only the simulated transport reads, so that packets grow by nothing.
    #[must_use]
    pub const fn frame(&self) -> u32 {
        self.ce_bytes
    }
    /// Copies the packet to stand for the stored frame with this index.
    #[must_use]
    pub const fn with_frame(self, ticket: u32) -> Self {
        Self { ce_bytes: ticket, ..self }
    }
    /// Absolute range of a SACK block: first byte and end.
    #[must_use]
    #[inline]
    pub fn range_of(&self, block: &SackBlock) -> (u64, u64) {
        let at = |offset: i32| self.ack.saturating_add_signed(i64::from(offset));
        (at(block.start), at(block.end))
    }
    /// Absolute ranges of all SACK blocks.
    pub fn sack_ranges(&self) -> impl Iterator<Item = (u64, u64)> + '_ {
        self.sacks[..usize::from(self.sack_count)].iter().map(|block| self.range_of(block))
    }
}

/// Bytes of the SACK option with `blocks` blocks, padded to 32 bits (RFC 2018 section 3).
#[must_use]
pub const fn sack_option_bytes(blocks: u8) -> u32 {
    if blocks == 0 { 0 } else { 4 + 8 * blocks as u32 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thousands of packets are in flight at once, so their size decides what the cache holds.
    #[test]
    fn a_packet_is_eighty_bytes() {
        assert_eq!(size_of::<Packet>(), 80);
    }
}
