//! Sums of bytes over the segments, and the bytes that a segment adds to them.

use super::Scoreboard;
use super::segment::{Segment, flag};
use crate::transport::plan::WindowCounting;

/// Size of a full segment, and of any segment in the sums.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    mss: u32,
    /// Size of every segment in the sums; 0: the segment's length.
    unit: u32,
}

impl Sizes {
    pub fn new(mss: u64, counting: WindowCounting) -> Self {
        let mss = u32::try_from(mss).unwrap_or(u32::MAX);
        let unit = match counting {
            WindowCounting::Bytes => 0,
            WindowCounting::Packets => mss,
        };
        Self { mss, unit }
    }

    pub fn mss(self) -> u64 {
        self.mss.into()
    }

    /// Size in the sums of a segment of `len` bytes.
    #[inline]
    pub fn weight(self, len: u64) -> u64 {
        if self.unit > 0 { self.unit.into() } else { len }
    }

    /// Size in the sums of `count` segments that have `bytes` together.
    #[inline]
    pub fn weight_of(self, count: u64, bytes: u64) -> u64 {
        if self.unit > 0 { count * u64::from(self.unit) } else { bytes }
    }

    /// Size in the sums of `bytes` that are cut into full segments.
    pub fn weight_of_all(self, bytes: u64) -> u64 {
        if self.unit > 0 { bytes.next_multiple_of(self.unit.into()) } else { bytes }
    }
}

/// Sums over the segments, in bytes.
#[derive(Clone, Debug, Default)]
pub(super) struct Sums {
    /// RFC 6675's pipe, kept instead of computed. Modulo 2^64: without SACK, bytes that only seem
    /// `SACKed` may leave before they are counted again.
    inflight: u64,
    sacked: u64,
    lost: u64,
    retrans: u64,
}

impl Sums {
    fn add_inflight(&mut self, weight: u64) {
        self.inflight = self.inflight.wrapping_add(weight);
    }

    /// Segments leave that were sent once and not declared lost.
    #[inline]
    pub fn take_inflight(&mut self, weight: u64) {
        self.inflight = self.inflight.wrapping_sub(weight);
    }

    /// New data is sent.
    pub fn on_sent(&mut self, weight: u64) {
        self.add_inflight(weight);
    }

    /// Whether nothing is `SACKed`, lost or sent again.
    #[inline]
    pub fn are_all_in_flight(&self) -> bool {
        self.sacked | self.lost | self.retrans == 0
    }

    /// A retransmission is sent.
    pub fn on_retransmission(&mut self, weight: u64) {
        self.retrans += weight;
        self.add_inflight(weight);
    }

    /// A retransmission is not out any more.
    pub fn end_retransmission(&mut self, weight: u64) {
        self.retrans -= weight;
        self.take_inflight(weight);
    }

    /// A segment is declared lost.
    pub fn on_lost(&mut self, weight: u64) {
        self.lost += weight;
        self.take_inflight(weight);
    }

    /// Losses are taken back: the segments are in flight again.
    pub fn unmark_lost(&mut self) {
        let lost = core::mem::take(&mut self.lost);
        self.add_inflight(lost);
    }

    /// A segment with these flags, which is not `SACKed`, is delivered.
    #[inline]
    fn take_out(&mut self, flags: u16, weight: u64) {
        if flags & flag::LOST == 0 {
            self.take_inflight(weight);
        } else {
            self.lost -= weight;
        }
        if flags & flag::RETRANS != 0 {
            self.end_retransmission(weight);
        }
    }

    /// A segment with these flags is selectively acknowledged.
    #[inline]
    pub fn on_sacked(&mut self, flags: u16, weight: u64) {
        self.take_out(flags, weight);
        self.sacked += weight;
    }

    /// Selective acknowledgments are taken back: the segments are in flight again.
    pub fn unmark_sacked(&mut self) {
        let sacked = core::mem::take(&mut self.sacked);
        self.add_inflight(sacked);
    }

    /// A segment with these flags is cumulatively acknowledged.
    #[inline]
    pub fn on_acked(&mut self, flags: u16, weight: u64) {
        if flags & (flag::SACKED | flag::LOST | flag::RETRANS) == 0 {
            self.take_inflight(weight);
        } else if flags & flag::SACKED != 0 {
            self.sacked -= weight;
        } else {
            self.take_out(flags, weight);
        }
    }

    /// All segments are acknowledged, so no retransmission is out.
    pub fn end_retransmissions(&mut self) {
        let retrans = core::mem::take(&mut self.retrans);
        self.take_inflight(retrans);
    }

    /// Adds a segment `times` times, which may be negative.
    pub fn add(&mut self, segment: &Segment, weight: u64, times: i64) {
        let weight = weight.cast_signed() * times;
        let add = |sum: &mut u64, counts: bool| {
            if counts {
                *sum = sum.saturating_add_signed(weight);
            }
        };
        add(&mut self.inflight, !segment.is_sacked() && !segment.is_lost());
        add(&mut self.inflight, segment.has(flag::RETRANS));
        add(&mut self.sacked, segment.is_sacked());
        add(&mut self.lost, segment.is_lost());
        add(&mut self.retrans, segment.has(flag::RETRANS));
    }
}

impl Scoreboard {
    /// Bytes sent and not cumulatively acknowledged.
    #[must_use]
    pub fn outstanding(&self) -> u64 {
        let Sums { inflight, sacked, lost, retrans } = self.sums;
        inflight.wrapping_add(sacked + lost).wrapping_sub(retrans)
    }
    /// Bytes sent and neither acknowledged nor lost. Retransmissions count again.
    #[must_use]
    pub fn inflight(&self) -> u64 {
        self.sums.inflight
    }
    /// Bytes selectively acknowledged.
    #[must_use]
    pub fn sacked_bytes(&self) -> u64 {
        self.sums.sacked
    }
    /// Bytes declared lost and not delivered since.
    #[must_use]
    pub fn lost_bytes(&self) -> u64 {
        self.sums.lost
    }
    /// Bytes of retransmissions that are out.
    #[must_use]
    pub fn retrans_bytes(&self) -> u64 {
        self.sums.retrans
    }

    /// Counts `bytes` as `SACKed`, which without SACK duplicate ACKs stand for (as in Linux).
    pub(crate) fn emulate_sacked(&mut self, bytes: u64) {
        let outstanding = self.outstanding();
        // At least one segment is missing: a lost one, or the first, which has a byte more than a
        // full one if a FIN goes with it.
        let first =
            self.first_number().map_or(0, |number| self.weight(self.get(number).len.into()));
        let missing = self.sums.lost.max(outstanding.min(self.sizes.mss())).max(first);
        self.sums.unmark_sacked();
        self.sums.sacked = bytes.min(outstanding - missing);
        self.sums.take_inflight(self.sums.sacked);
    }
}

#[cfg(test)]
mod tests {
    use super::super::{Scoreboard, Segment};
    use crate::transport::plan::WindowCounting;

    #[test]
    fn a_first_segment_with_a_fin_is_missing_as_a_whole() {
        let mut board = Scoreboard::new(1000, WindowCounting::Bytes);
        board.push(Segment::new(0, 1001, false));
        board.emulate_sacked(1000);
        assert_eq!((board.sacked_bytes(), board.inflight()), (0, 1001));
        board.push(Segment::new(1001, 1000, false));
        board.emulate_sacked(1000);
        assert_eq!((board.sacked_bytes(), board.inflight()), (1000, 1001));
    }
}
