//! Step marking: a first-in, first-out queue that marks every packet above a threshold.

use ackclock_units::Rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Admission, Arrival, DisciplinePlan, DropReason, Gate, LimitPlan, Traits, Verdict};
use crate::rng::Rng;

/// Parameters of step marking.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StepPlan {
    /// Hard limit.
    pub limit: LimitPlan,
    /// Threshold: a packet is marked if it would be refused with this limit.
    pub threshold: LimitPlan,
}

impl DisciplinePlan for StepPlan {
    const TRAITS: Traits =
        Traits { kind: "step", judges_arrivals: true, marks: true, ..Traits::GATE };

    fn gate(&self, _rate: Option<Rate>) -> Option<Gate> {
        Some(Gate::Other(Box::new(Step::new(*self))))
    }
}

/// The marking of DCTCP (Alizadeh et al., SIGCOMM 2010, section 3.1; RFC 8257 section 3.1): an
/// ECN-capable packet with which more than K wait is marked on arrival, by the instantaneous queue.
/// Packets that are not ECN-capable see a fifo.
#[derive(Clone, Debug)]
pub struct Step {
    plan: StepPlan,
}

impl Step {
    /// Makes a queue with the plan's threshold.
    #[must_use]
    pub fn new(plan: StepPlan) -> Self {
        Self { plan }
    }
}

impl Admission for Step {
    fn arrive(&mut self, arrival: &Arrival, _rng: &mut Rng) -> Verdict {
        if !self.plan.limit.admits(arrival) {
            Verdict::Drop(DropReason::Forced)
        } else if arrival.ecn_capable && !self.plan.threshold.admits(arrival) {
            Verdict::Mark
        } else {
            Verdict::Enqueue
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qdisc::Backlog;
    use crate::rng;
    use ackclock_units::Time;

    fn verdict(packets: u64, ecn_capable: bool) -> Verdict {
        let arrival = Arrival {
            now: Time::ZERO,
            size: 1500,
            ecn_capable,
            backlog: Backlog { packets, bytes: packets * 1500 },
            idle_since: None,
        };
        let of = |packets| LimitPlan { limit_packets: Some(packets), limit_bytes: None };
        let plan = StepPlan { limit: of(100), threshold: of(20) };
        Step::new(plan).arrive(&arrival, &mut rng::stream(1, "q"))
    }

    #[test]
    fn the_packet_after_k_is_the_first_marked() {
        assert_eq!(verdict(19, true), Verdict::Enqueue);
        assert_eq!(verdict(20, true), Verdict::Mark);
        assert_eq!(verdict(99, true), Verdict::Mark);
    }

    #[test]
    fn the_limit_drops_and_who_cannot_be_marked_is_let_in() {
        assert_eq!(verdict(100, true), Verdict::Drop(DropReason::Forced));
        assert_eq!(verdict(99, false), Verdict::Enqueue);
    }
}
