//! The scoreboard: all segments that are sent and not cumulatively acknowledged.
//!
//! | part | owns |
//! |---|---|
//! | [`Segment`] | stamp and state of one segment |
//! | [`Ring`] | the segments, in the orders of sequence numbers and of transmission |
//! | [`Sums`] | sums of bytes in flight, `SACKed`, lost and retransmitted |
//! | [`LostQueue`] | the lost segments that wait for their retransmission |
//!
//! Only rare operations walk over all segments: an undo, and cutting a segment for a shrunk window.
//! `delivery` takes ACKs in, `loss` marks losses, and `cut` cuts segments again.

mod cut;
mod delivery;
mod loss;
mod ring;
mod segment;
mod sums;

use std::ops::Range;

use self::loss::LostQueue;
use self::ring::Ring;
use self::segment::flag;
use self::sums::{Sizes, Sums};
use super::range_set::RangeSet;
use crate::transport::plan::WindowCounting;

pub use self::segment::Segment;

/// The segments that are out, by numbers that grow by one with each segment sent.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    ring: Ring,
    lost_queue: LostQueue,
    /// Bytes selectively acknowledged, above the cumulative ACK.
    sacked: RangeSet,
    sums: Sums,
    una: u64,
    next: u64,
    /// The latest cumulative ACK that ended within a segment; 0: none did.
    acked_into: u64,
    sizes: Sizes,
}

impl Scoreboard {
    /// An empty scoreboard.
    #[must_use]
    pub fn new(mss: u64, counting: WindowCounting) -> Self {
        Self {
            ring: Ring::default(),
            lost_queue: LostQueue::default(),
            sacked: RangeSet::default(),
            sums: Sums::default(),
            una: 0,
            next: 0,
            acked_into: 0,
            sizes: Sizes::new(mss, counting),
        }
    }

    /// Size of a segment of `len` bytes in every sum of the window.
    #[must_use]
    #[inline]
    pub fn weight(&self, len: u64) -> u64 {
        self.sizes.weight(len)
    }
    /// Size of the bytes from `start` to `end` in every sum of the window.
    pub(crate) fn weight_of(&self, start: u64, end: u64) -> u64 {
        self.sizes.weight_of_all(end - start)
    }
    /// SND.UNA.
    #[must_use]
    pub fn una(&self) -> u64 {
        self.una
    }
    /// SND.NXT.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.next
    }
    /// Ranges selectively acknowledged.
    #[must_use]
    pub fn sacked(&self) -> &RangeSet {
        &self.sacked
    }
    /// Number of segments out.
    #[must_use]
    pub fn segments(&self) -> u64 {
        self.ring.count()
    }
    /// Number of the oldest segment.
    #[must_use]
    pub fn first_number(&self) -> Option<u64> {
        (self.ring.count() > 0).then_some(self.ring.numbers().start)
    }
    /// Number of the newest segment.
    pub(crate) fn last_number(&self) -> Option<u64> {
        (self.ring.count() > 0).then(|| self.ring.numbers().end - 1)
    }
    /// A segment by its number.
    #[must_use]
    pub fn get(&self, number: u64) -> &Segment {
        self.ring.get(number)
    }
    /// A segment by its number, to stamp it.
    pub fn get_mut(&mut self, number: u64) -> &mut Segment {
        self.ring.get_mut(number)
    }
    /// The segment transmitted longest ago among those neither delivered nor lost.
    #[must_use]
    pub fn oldest(&self) -> Option<u64> {
        self.ring.oldest()
    }
    /// The segment transmitted next after another one, among those neither delivered nor lost.
    #[must_use]
    pub fn newer(&self, number: u64) -> Option<u64> {
        self.ring.newer(number)
    }

    /// Sends new data.
    #[inline]
    pub fn push(&mut self, segment: Segment) {
        debug_assert_eq!(segment.seq, self.next, "new data is sent in order");
        self.next = segment.end();
        self.sums.on_sent(self.weight(u64::from(segment.len)));
        self.ring.push(segment);
    }

    /// Sends a segment again. After an undo, a timeout may send a segment again whose earlier copy
    /// is still out. Both copies then count until nothing is out, as in Linux's `retrans_out`.
    pub fn retransmit(&mut self, number: u64) {
        let segment = self.ring.get_mut(number);
        segment.put(flag::RETRANS, true);
        self.sums.on_retransmission(self.sizes.weight(u64::from(segment.len)));
        self.repeat(number);
    }

    /// Sends a segment again as a tail loss probe. The probe does not count as in flight (Linux's
    /// `tcp_send_loss_probe` leaves `retrans_out` as it is).
    pub(crate) fn repeat(&mut self, number: u64) {
        let segment = self.ring.get_mut(number);
        segment.put(flag::EVER_RETRANS, true);
        segment.put(flag::JUDGED, false);
        // RACK does not look for a probe's copy of a lost or delivered segment.
        let is_expected = segment.has(flag::RETRANS) || !segment.has(flag::LOST | flag::SACKED);
        self.ring.unlink(number);
        if is_expected {
            self.ring.link(number);
        }
    }

    /// Numbers of the segments between the bytes `start` and `end`.
    pub(crate) fn between(&self, start: u64, end: u64) -> Range<u64> {
        let (start, end) = (start.max(self.una), end.min(self.next));
        if start >= end {
            return 0..0;
        }
        let mut first = self.find(start);
        if self.get(first).seq < start {
            first += 1;
        }
        let mut last = first;
        while last < self.ring.numbers().end && self.get(last).end() <= end {
            last += 1;
        }
        first..last
    }

    /// Number of the segment that contains `seq`.
    pub(crate) fn find(&self, seq: u64) -> u64 {
        self.ring.find(seq, self.una, self.sizes.mss())
    }
}
