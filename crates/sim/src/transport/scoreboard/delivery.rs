//! How the scoreboard takes in acknowledgments.

use super::Scoreboard;
use super::segment::{Segment, flag};
use crate::transport::range_set::RangeSet;

impl Scoreboard {
    /// Acknowledges cumulatively up to `ack`. Passes each segment that leaves and its weight to
    /// `leaves` before. A segment that is acknowledged in part stays whole until the rest is
    /// acknowledged, or it is sent again.
    #[expect(
        clippy::inline_always,
        reason = "once per ACK, and what it notes of segments would go through memory"
    )]
    #[inline(always)]
    pub(crate) fn acknowledge(&mut self, ack: u64, mut leaves: impl FnMut(&Segment, u64)) {
        debug_assert!(ack <= self.next, "acknowledges what was never sent");
        while self.ring.count() > 0 {
            let segment = self.ring.get(self.ring.numbers().start);
            let (end, flags) = (segment.end(), segment.flags);
            if end > ack {
                if segment.seq < ack {
                    self.acked_into = ack;
                }
                break;
            }
            let weight = self.weight(u64::from(segment.len));
            leaves(segment, weight);
            self.sums.on_acked(flags, weight);
            self.ring.pop();
            self.una = end;
        }
        if !self.sacked.is_empty() {
            self.sacked.remove_below(self.una);
        }
        if self.ring.count() == 0 {
            self.lost_queue.clear();
            self.sums.end_retransmissions();
        }
    }

    /// The oldest segment, if all segments are in flight and were sent once, in order.
    #[inline]
    pub(crate) fn first_in_order(&self) -> Option<&Segment> {
        let is_in_order =
            self.ring.is_in_order() && self.sums.are_all_in_flight() && self.sacked.is_empty();
        (is_in_order && self.ring.count() > 0).then(|| self.ring.get(self.ring.numbers().start))
    }

    /// [`Scoreboard::acknowledge`] where [`Scoreboard::first_in_order`] is a segment that `ack`
    /// acknowledges. Returns the last segment that leaves, and the weight of all that leave.
    #[expect(clippy::inline_always, reason = "once per ACK, whose facts go through memory")]
    #[inline(always)]
    pub(crate) fn acknowledge_in_order(&mut self, ack: u64) -> (Segment, u64) {
        let (numbers, mut count) = (self.ring.numbers(), 1_u32);
        let mut last = self.ring.get(numbers.start);
        let start = last.seq;
        while last.end() < ack && numbers.start + u64::from(count) < numbers.end {
            let next = self.ring.get(numbers.start + u64::from(count));
            if next.end() > ack {
                self.acked_into = ack;
                break;
            }
            (last, count) = (next, count + 1);
        }
        let last = *last;
        let weight = self.sizes.weight_of(count.into(), last.end() - start);
        self.una = last.end();
        self.sums.take_inflight(weight);
        self.ring.pop_in_order(count);
        if self.ring.count() == 0 {
            self.lost_queue.clear();
        }
        (last, weight)
    }

    /// Takes in a SACK block. Passes each newly `SACKed` segment and its weight to `news` first.
    #[inline]
    pub(crate) fn sack(&mut self, start: u64, end: u64, mut news: impl FnMut(&Segment, u64)) {
        let (start, end) = (start.max(self.una), end.min(self.next));
        if start >= end {
            return;
        }
        let Self { ring, sacked, sums, sizes, una, .. } = self;
        // A newly covered part counts for whole segments.
        sacked.insert(start, end, |from, to| {
            for number in ring.find(from, *una, sizes.mss())..ring.numbers().end {
                let segment = ring.get_mut(number);
                let flags = segment.flags;
                if segment.seq >= to || segment.end() > end {
                    break;
                }
                if segment.seq >= start && flags & flag::SACKED == 0 {
                    let weight = sizes.weight(u64::from(segment.len));
                    news(segment, weight);
                    segment.put(flag::LOST | flag::RETRANS, false);
                    segment.put(flag::SACKED, true);
                    sums.on_sacked(flags, weight);
                    ring.unlink(number);
                }
            }
        });
    }

    /// Forgets selective acknowledgments, because the receiver has dropped the data (RFC 2018
    /// section 8). The segments count as sent and not lost.
    pub(crate) fn forget_sacked(&mut self) {
        self.sacked = RangeSet::default();
        self.sums.unmark_sacked();
        for number in self.ring.numbers() {
            self.ring.get_mut(number).put(flag::SACKED, false);
        }
        self.ring.relink();
    }

    /// Whether a segment counts as sent again when a D-SACK reports it. Linux merges a `SACKed`
    /// segment with its `SACKed` neighbours (`tcp_shifted_skb`); if one of them was sent again, and
    /// the segment before that one is `SACKed`, all of them count as sent again.
    pub(crate) fn is_retransmitted_with_others(&self, number: u64) -> bool {
        let numbers = self.ring.numbers();
        let is_sacked = |at: u64| numbers.contains(&at) && self.get(at).is_sacked();
        let joins = |at: u64| self.get(at).was_retransmitted() && is_sacked(at - 1);
        let joins_after = || (number + 1..numbers.end).take_while(|at| is_sacked(*at)).any(joins);
        let joins_before =
            || (numbers.start + 1..=number).rev().take_while(|at| is_sacked(*at)).any(joins);
        self.get(number).was_retransmitted()
            || is_sacked(number) && (joins_after() || joins_before())
    }
}
