//! First in, first out, tail drop.

use super::{Admission, Arrival, DropReason, LimitPlan, Verdict};
use crate::rng::Rng;

/// A first-in, first-out queue that lets a packet in while there is room.
///
/// A limit of 20 packets means that 20 wait while a 21st is being transmitted. ns-2's `DropTail`
/// with `limit_ 20` lets only 19 wait, because it compares with the queue after the arrival.
#[derive(Clone, Debug)]
pub struct Fifo {
    limit: LimitPlan,
}

impl Fifo {
    /// Makes a queue. If both limits are given, both hold.
    #[must_use]
    pub fn new(limit: LimitPlan) -> Self {
        Self { limit }
    }

    /// The limit.
    #[must_use]
    pub fn limit(&self) -> LimitPlan {
        self.limit
    }
}

impl Admission for Fifo {
    #[inline]
    fn arrive(&mut self, arrival: &Arrival, _rng: &mut Rng) -> Verdict {
        if self.limit.admits(arrival) {
            Verdict::Enqueue
        } else {
            Verdict::Drop(DropReason::Forced)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qdisc::Backlog;
    use crate::rng;
    use ackclock_units::Time;

    const FULL: Verdict = Verdict::Drop(DropReason::Forced);

    fn verdict(
        limit_packets: Option<u64>,
        limit_bytes: Option<u64>,
        packets: u64,
        bytes: u64,
        size: u32,
    ) -> Verdict {
        let arrival = Arrival {
            now: Time::ZERO,
            size,
            ecn_capable: true,
            backlog: Backlog { packets, bytes },
            idle_since: None,
        };
        Fifo::new(LimitPlan { limit_packets, limit_bytes })
            .arrive(&arrival, &mut rng::stream(1, "q"))
    }

    #[test]
    fn the_packet_limit_is_what_may_wait() {
        assert_eq!(verdict(Some(20), None, 19, 19_000, 1000), Verdict::Enqueue);
        assert_eq!(verdict(Some(20), None, 20, 20_000, 1000), FULL);
    }

    #[test]
    fn the_byte_limit_is_exact() {
        assert_eq!(verdict(None, Some(20_000), 19, 19_000, 1000), Verdict::Enqueue);
        assert_eq!(verdict(None, Some(20_000), 19, 19_001, 1000), FULL);
        assert_eq!(verdict(None, Some(20_000), 500, 19_960, 40), Verdict::Enqueue);
    }

    #[test]
    fn both_limits_hold_when_both_are_given() {
        assert_eq!(verdict(Some(20), Some(20_000), 19, 19_000, 1000), Verdict::Enqueue);
        assert_eq!(verdict(Some(20), Some(20_000), 20, 800, 40), FULL);
        assert_eq!(verdict(Some(20), Some(20_000), 13, 19_500, 1500), FULL);
    }

    #[test]
    fn without_a_limit_nothing_is_dropped() {
        assert_eq!(verdict(None, None, u64::MAX, u64::MAX, 1500), Verdict::Enqueue);
    }

    #[test]
    fn an_idle_link_needs_no_room_to_wait() {
        let arrival = Arrival {
            now: Time::ZERO,
            size: 1500,
            ecn_capable: false,
            backlog: Backlog::default(),
            idle_since: Some(Time::ZERO),
        };
        let mut fifo = Fifo::new(LimitPlan { limit_packets: Some(0), limit_bytes: Some(100) });
        assert_eq!(fifo.arrive(&arrival, &mut rng::stream(1, "q")), Verdict::Enqueue);
    }
}
