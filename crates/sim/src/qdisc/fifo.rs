//! First in, first out, tail drop.

use ackclock_units::{Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Admission, Arrival, DisciplinePlan, DropReason, Gate, LimitPlan, Traits, Verdict};
use crate::rng::Rng;

/// Parameters of a fifo.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FifoPlan {
    /// Most packets.
    #[serde(default)]
    pub limit_packets: Option<u64>,
    /// Most bytes.
    #[serde(default)]
    pub limit_bytes: Option<u64>,
    /// Limits from later times on, ascending.
    #[serde(default)]
    pub later: Vec<LaterLimitPlan>,
}

impl DisciplinePlan for FifoPlan {
    const TRAITS: Traits = Traits { kind: "fifo", judges_arrivals: true, ..Traits::GATE };

    fn gate(&self, _rate: Option<Rate>) -> Option<Gate> {
        Some(if self.later.is_empty() {
            Gate::Fifo(Fifo::new(self.limit()))
        } else {
            Gate::Other(Box::new(ScheduledFifo::new(self)))
        })
    }
}

/// A limit from a time of the run on, in place of the limit before it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LaterLimitPlan {
    /// Time from which on the limit holds, ps.
    pub from_ps: u64,
    /// Most packets.
    #[serde(default)]
    pub limit_packets: Option<u64>,
    /// Most bytes.
    #[serde(default)]
    pub limit_bytes: Option<u64>,
}

impl FifoPlan {
    /// The limit at the beginning.
    #[must_use]
    pub fn limit(&self) -> LimitPlan {
        LimitPlan { limit_packets: self.limit_packets, limit_bytes: self.limit_bytes }
    }
}

impl From<LimitPlan> for FifoPlan {
    fn from(limit: LimitPlan) -> Self {
        let LimitPlan { limit_packets, limit_bytes } = limit;
        Self { limit_packets, limit_bytes, later: Vec::new() }
    }
}

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

/// A fifo whose limit changes at given times.
///
/// A smaller limit drops nothing that waits, as with `tc qdisc change` of pfifo and bfifo: Linux
/// only stores the new limit (`net/sched/sch_fifo.c`, `__fifo_init`: `sch->limit = ctl->limit`).
/// Arrivals are dropped until the backlog has fallen below the limit.
#[derive(Clone, Debug)]
pub struct ScheduledFifo {
    limit: LimitPlan,
    /// Limits to come, the next one last.
    later: Vec<(Time, LimitPlan)>,
}

impl ScheduledFifo {
    /// Makes an empty queue.
    #[must_use]
    pub fn new(plan: &FifoPlan) -> Self {
        let step = |step: &LaterLimitPlan| {
            let LaterLimitPlan { from_ps, limit_packets, limit_bytes } = *step;
            (Time::from_ps(from_ps), LimitPlan { limit_packets, limit_bytes })
        };
        Self { limit: plan.limit(), later: plan.later.iter().rev().map(step).collect() }
    }
}

impl Admission for ScheduledFifo {
    fn arrive(&mut self, arrival: &Arrival, rng: &mut Rng) -> Verdict {
        while let Some((from, limit)) = self.later.last().copied()
            && from <= arrival.now
        {
            self.limit = limit;
            self.later.pop();
        }
        Fifo::new(self.limit).arrive(arrival, rng)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qdisc::Backlog;
    use crate::rng;

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

    /// The limit of a moment judges arrivals alone: 8 packets that wait stay when only 2 may.
    #[test]
    fn a_schedule_judges_each_arrival_by_the_limit_of_its_moment() {
        let later = |from_ps, limit| LaterLimitPlan {
            from_ps,
            limit_packets: Some(limit),
            limit_bytes: None,
        };
        let mut fifo = ScheduledFifo::new(&FifoPlan {
            limit_packets: Some(10),
            limit_bytes: None,
            later: vec![later(100, 2), later(200, 4)],
        });
        let mut rng = rng::stream(1, "q");
        let mut at = |ps, packets| {
            let arrival = Arrival {
                now: Time::from_ps(ps),
                size: 1000,
                ecn_capable: false,
                backlog: Backlog { packets, bytes: 1000 * packets },
                idle_since: None,
            };
            fifo.arrive(&arrival, &mut rng)
        };
        assert_eq!(at(99, 8), Verdict::Enqueue);
        assert_eq!(at(100, 9), FULL);
        assert_eq!(at(150, 2), FULL);
        assert_eq!(at(150, 1), Verdict::Enqueue);
        assert_eq!(at(200, 3), Verdict::Enqueue);
        assert_eq!(at(1000, 4), FULL);
    }
}
