//! Propagation delays that change at given times: another route, another satellite.

use ackclock_units::Duration;
use serde::{Deserialize, Serialize};

use super::{Crossing, Impairment};

/// Delays from given times on, and whether they begin anew after the last.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DelaySchedulePlan {
    /// (from when, ps; one-way delay, ps), ascending; before the first it is the link's.
    pub delays: Vec<(u64, u64)>,
    /// Length of a cycle after which they begin anew, ps; nothing: the last holds for ever.
    #[serde(default)]
    pub period_ps: Option<u64>,
    /// Whether packets overtake those that left under a longer delay; otherwise they arrive with the last of them at the earliest.
    #[serde(default)]
    pub reorder: bool,
}

/// Gives each packet the delay of the moment in which its last bit leaves.
pub struct DelaySchedule {
    plan: DelaySchedulePlan,
}

impl DelaySchedule {
    /// The plan's.
    #[must_use]
    pub fn new(plan: &DelaySchedulePlan) -> Self {
        Self { plan: plan.clone() }
    }
}

impl Impairment for DelaySchedule {
    fn apply(&mut self, crossing: &mut Crossing) {
        let now = crossing.sent.as_ps();
        let within = self.plan.period_ps.and_then(|period| now.checked_rem(period)).unwrap_or(now);
        let after = self.plan.delays.partition_point(|(from, _)| *from <= within);
        if let Some(at) = after.checked_sub(1) {
            crossing.deliver_at = crossing.sent.saturating_add(Duration::from_ps(self.plan.delays[at].1));
        }
        crossing.may_overtake |= self.plan.reorder;
    }
}
