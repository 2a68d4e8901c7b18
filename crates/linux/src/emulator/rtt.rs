//! Round-trip times of the path: from the sending of a segment to the hand-over of the first ACK
//! that covers it.

use std::collections::VecDeque;

use ackclock_sim::transport::range_set::RangeSet;
use ackclock_units::{Duration, Time};

/// Outstanding segments, by sequence.
#[derive(Debug, Default)]
pub struct Outstanding {
    segments: VecDeque<Segment>,
    sacked: RangeSet,
}

#[derive(Clone, Copy, Debug)]
struct Segment {
    end: u64,
    sent_at: Time,
    /// The segment gives no sample: a SACK block covers it, or it was sent twice, so that nobody
    /// knows which transmission was answered (Karn).
    is_spent: bool,
}

impl Outstanding {
    /// Notes the first transmission of the bytes up to `end`.
    pub fn sent(&mut self, end: u64, now: Time) {
        self.segments.push_back(Segment { end, sent_at: now, is_spent: false });
    }

    /// Notes a retransmission of bytes.
    pub fn sent_again(&mut self, start: u64, end: u64) {
        let first = self.segments.partition_point(|segment| segment.end <= start);
        for segment in self.segments.range_mut(first..) {
            segment.is_spent = true;
            if segment.end >= end {
                break;
            }
        }
    }

    /// Handles an ACK. Returns the round-trip time of the newest segment that it is the first to
    /// cover.
    pub fn acked(
        &mut self,
        ack: u64,
        blocks: impl Iterator<Item = (u64, u64)>,
        now: Time,
    ) -> Option<Duration> {
        let mut newest: Option<Time> = None;
        while let Some(segment) = self.segments.front().filter(|segment| segment.end <= ack) {
            if !segment.is_spent {
                newest = newest.max(Some(segment.sent_at));
            }
            self.segments.pop_front();
        }
        self.sacked.remove_below(ack);
        for (start, end) in blocks.filter(|block| block.1 > ack) {
            let mut fresh = [(0, 0); 8];
            let mut count = 0;
            self.sacked.insert(start.max(ack), end, |start, end| {
                if let Some(place) = fresh.get_mut(count) {
                    *place = (start, end);
                    count += 1;
                }
            });
            for &(start, end) in &fresh[..count] {
                newest = newest.max(self.cover(start, end));
            }
        }
        newest.map(|sent_at| now.since(sent_at))
    }

    /// Handles a SACK block. Returns the time at which the newest segment with a sample was sent.
    fn cover(&mut self, start: u64, end: u64) -> Option<Time> {
        let first = self.segments.partition_point(|segment| segment.end <= start);
        let mut newest = None;
        for segment in self.segments.range_mut(first..) {
            if segment.end > end {
                break;
            }
            if !std::mem::replace(&mut segment.is_spent, true) {
                newest = newest.max(Some(segment.sent_at));
            }
        }
        newest
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const NONE: [(u64, u64); 0] = [];

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    /// Segments of 100 bytes, one a millisecond.
    fn ten() -> Outstanding {
        let mut outstanding = Outstanding::default();
        for i in 1..=10 {
            outstanding.sent(100 * i, at(i));
        }
        outstanding
    }

    #[test]
    fn an_ack_of_two_measures_the_newer() {
        let mut outstanding = ten();
        assert_eq!(
            outstanding.acked(200, NONE.into_iter(), at(22)),
            Some(Duration::from_millis(20))
        );
        assert_eq!(
            outstanding.acked(200, NONE.into_iter(), at(30)),
            None,
            "a duplicate covers nothing new"
        );
    }

    #[test]
    fn a_block_measures_what_it_is_the_first_to_cover() {
        let mut outstanding = ten();
        assert_eq!(
            outstanding.acked(0, [(100, 300)].into_iter(), at(23)),
            Some(Duration::from_millis(20))
        );
        assert_eq!(outstanding.acked(0, [(100, 300)].into_iter(), at(24)), None);
        assert_eq!(
            outstanding.acked(0, [(100, 400)].into_iter(), at(25)),
            Some(Duration::from_millis(21))
        );
        // The ACK fills the hole and covers one segment without a sample, the first.
        assert_eq!(
            outstanding.acked(400, NONE.into_iter(), at(31)),
            Some(Duration::from_millis(30))
        );
    }

    #[test]
    fn what_was_sent_twice_measures_nothing() {
        let mut outstanding = ten();
        outstanding.sent_again(0, 150);
        assert_eq!(
            outstanding.acked(200, NONE.into_iter(), at(50)),
            None,
            "both its segments overlap the retransmission"
        );
        assert_eq!(
            outstanding.acked(300, NONE.into_iter(), at(53)),
            Some(Duration::from_millis(50))
        );
    }
}
