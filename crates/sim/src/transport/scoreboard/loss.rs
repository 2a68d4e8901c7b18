//! Segments that are declared lost, and sent again.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use super::Scoreboard;
use super::ring::Ring;
use super::segment::flag;

/// Numbers of segments declared lost. Those delivered or retransmitted since are passed over.
#[derive(Clone, Debug, Default)]
pub(super) struct LostQueue(BinaryHeap<Reverse<u64>>);

impl LostQueue {
    pub fn push(&mut self, number: u64) {
        self.0.push(Reverse(number));
    }

    pub fn clear(&mut self) {
        self.0.clear();
    }

    /// Renumbers segments after an insertion behind `number`.
    pub fn renumber_behind(&mut self, number: u64) {
        let later = |Reverse(at)| Reverse(if at > number { at + 1 } else { at });
        self.0 = core::mem::take(&mut self.0).into_iter().map(later).collect();
    }

    /// The lowest segment that is lost and not retransmitted.
    fn first(&mut self, ring: &Ring) -> Option<u64> {
        while let Some(&Reverse(number)) = self.0.peek() {
            if ring.numbers().contains(&number) {
                let segment = ring.get(number);
                if segment.is_lost() && !segment.has(flag::RETRANS) {
                    return Some(number);
                }
            }
            self.0.pop();
        }
        None
    }
}

impl Scoreboard {
    /// Declares a segment, or its retransmission, lost. Returns the bytes taken out of flight.
    pub fn mark_lost(&mut self, number: u64) -> u64 {
        let segment = self.ring.get_mut(number);
        if segment.is_sacked() {
            return 0;
        }
        let weight = self.sizes.weight(u64::from(segment.len));
        let is_out = !segment.is_lost() || segment.has(flag::RETRANS);
        if !segment.is_lost() {
            // After an undo a retransmission may be out. It stays out.
            segment.put(flag::LOST, true);
            self.sums.on_lost(weight);
        } else if segment.has(flag::RETRANS) {
            segment.put(flag::RETRANS, false);
            self.sums.end_retransmission(weight);
        }
        if !segment.has(flag::RETRANS) {
            self.ring.unlink(number);
        }
        if !is_out {
            return 0;
        }
        self.lost_queue.push(number);
        weight
    }

    /// Notes that RACK has declared a segment lost. RACK looks at the segment again only once it is
    /// sent again, even after an undo (Linux takes such segments off the list that RACK walks).
    pub(crate) fn judge(&mut self, number: u64) {
        self.ring.get_mut(number).put(flag::JUDGED, true);
        self.ring.unlink(number);
    }

    /// Takes all losses back: the segments are in flight again, and so are their retransmissions.
    pub fn unmark_all_lost(&mut self) {
        for number in self.ring.numbers() {
            self.ring.get_mut(number).put(flag::LOST, false);
        }
        self.sums.unmark_lost();
        self.ring.relink();
        self.lost_queue.clear();
    }

    /// The receiver reported a retransmission as a duplicate: no copy of the segment is out.
    pub(crate) fn end_retransmission(&mut self, number: u64) {
        let segment = self.ring.get_mut(number);
        if segment.has(flag::RETRANS) {
            segment.put(flag::RETRANS, false);
            self.sums.end_retransmission(self.sizes.weight(u64::from(segment.len)));
            if segment.is_lost() {
                self.ring.unlink(number);
                self.lost_queue.push(number);
            }
        }
    }

    /// The lowest segment that is lost and not retransmitted. None if, after an undo, as many bytes
    /// of retransmissions are out as are lost (Linux's `tcp_xmit_retransmit_queue`).
    #[inline]
    pub fn next_lost(&mut self) -> Option<u64> {
        if self.retrans_bytes() >= self.lost_bytes() {
            return None;
        }
        self.lost_queue.first(&self.ring)
    }

    /// Number of segments from the lost one `number` on that the host sends again at once. They are
    /// lost, lie in one host segment, and end at `edge` at the latest. `most`: the largest result.
    pub(crate) fn lost_together(&self, number: u64, most: u64, edge: u64) -> u64 {
        let end = self.ring.numbers().end.min(number.saturating_add(most));
        let goes_along = |next: &u64| {
            let segment = self.get(*next);
            segment.is_lost()
                && !segment.has(flag::RETRANS | flag::HOST_START)
                && segment.end() <= edge
        };
        1 + (number + 1..end).take_while(goes_along).count() as u64
    }
}
