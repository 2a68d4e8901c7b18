//! One segment of the scoreboard.

use ackclock_units::Time;

/// State of a segment.
pub(super) mod flag {
    pub const SACKED: u16 = 1;
    pub const LOST: u16 = 2;
    /// The segment was retransmitted, and that copy is still out.
    pub const RETRANS: u16 = 4;
    pub const EVER_RETRANS: u16 = 8;
    pub const APP_LIMITED: u16 = 16;
    pub const FIN: u16 = 32;
    /// The segment is linked in transmission order.
    pub const LINKED: u16 = 64;
    /// The segment begins one of the host's segments.
    pub const HOST_START: u16 = 128;
    /// RACK has declared the segment lost, and it was not sent again since.
    pub const JUDGED: u16 = 256;
}

/// A link to no segment.
pub(super) const NONE: u32 = u32::MAX;

/// Neighbours of a segment in transmission order: low bits of their numbers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Links {
    pub(super) older: u32,
    pub(super) newer: u32,
}

impl Default for Links {
    fn default() -> Self {
        Self { older: NONE, newer: NONE }
    }
}

/// A segment that is out; a cache line.
#[derive(Clone, Copy, Debug, Default)]
pub struct Segment {
    /// First byte.
    pub seq: u64,
    /// Last transmission.
    pub sent_at: Time,
    /// Bytes that the connection had delivered at the last transmission.
    pub delivered: u64,
    /// When `delivered` had last grown.
    pub delivered_at: Time,
    /// Start of the send interval at the last transmission.
    pub first_sent_at: Time,
    /// Bytes that the connection had lost at the last transmission, modulo 2^32.
    pub lost: u32,
    /// Sequence space covered, a FIN included.
    pub len: u32,
    /// Bytes in flight after the last transmission.
    pub tx_in_flight: u32,
    pub(super) links: Links,
    pub(super) flags: u16,
}

impl Segment {
    /// A segment not yet sent.
    #[must_use]
    pub fn new(seq: u64, len: u32, fin: bool) -> Self {
        Self { seq, len, flags: if fin { flag::FIN } else { 0 }, ..Self::default() }
    }
    /// The segment of equal length that follows this one in its burst. `weight`: bytes that each of
    /// them adds to the bytes in flight.
    #[must_use]
    #[inline]
    pub(crate) fn next_of_burst(mut self, weight: u64) -> Self {
        self.seq = self.end();
        self.tx_in_flight =
            u32::try_from(u64::from(self.tx_in_flight) + weight).unwrap_or(u32::MAX);
        self.set_host_start(false);
        self
    }
    /// The byte after the last.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.seq + u64::from(self.len)
    }
    /// Whether the segment carries the FIN.
    pub(crate) fn is_fin(&self) -> bool {
        self.has(flag::FIN)
    }
    /// Whether the segment is selectively acknowledged.
    #[must_use]
    pub fn is_sacked(&self) -> bool {
        self.has(flag::SACKED)
    }
    /// Whether the segment is declared lost.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.has(flag::LOST)
    }
    /// Whether a retransmission is neither acknowledged nor lost.
    #[must_use]
    pub fn is_retransmission_out(&self) -> bool {
        self.has(flag::RETRANS)
    }
    /// Whether RACK has declared the segment lost since it was last sent.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.has(flag::JUDGED)
    }
    /// Whether the segment was ever retransmitted.
    #[must_use]
    pub fn was_retransmitted(&self) -> bool {
        self.has(flag::EVER_RETRANS)
    }
    /// Whether the application limited the sender at the last transmission.
    pub(crate) fn is_app_limited(&self) -> bool {
        self.has(flag::APP_LIMITED)
    }
    /// Notes whether the application limits the sender.
    pub(crate) fn set_app_limited(&mut self, limited: bool) {
        self.put(flag::APP_LIMITED, limited);
    }
    /// Notes whether the segment begins one of the host's segments. The host sends again at once
    /// the segments that it has handed over at once.
    pub(crate) fn set_host_start(&mut self, begins: bool) {
        self.put(flag::HOST_START, begins);
    }
    /// Whether one of these flags is set.
    pub(super) fn has(&self, bits: u16) -> bool {
        self.flags & bits != 0
    }
    /// Sets or clears these flags.
    pub(super) fn put(&mut self, bits: u16, on: bool) {
        if on {
            self.flags |= bits;
        } else {
            self.flags &= !bits;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Windows are as long as a path is, and each ACK comes back to their oldest end.
    #[test]
    fn a_segment_is_a_cache_line() {
        assert_eq!(size_of::<Segment>(), 64);
    }
}
