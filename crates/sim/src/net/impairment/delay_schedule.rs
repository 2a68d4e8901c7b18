//! Propagation delays that change at given times: another route, another satellite.

use ackclock_units::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Crossing, Impairment};

/// Delays from given times on, once or in every cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DelaySchedulePlan {
    /// Steps (time, ps; one-way delay, ps), ascending. Before the first step the link's own delay
    /// holds.
    pub delays: Vec<(u64, u64)>,
    /// Length of a cycle after which the steps begin again, ps; `None`: the last delay holds for
    /// ever.
    #[serde(default)]
    pub period_ps: Option<u64>,
    /// Whether packets overtake packets that left under a longer delay. Otherwise they arrive no
    /// earlier than the last of those.
    #[serde(default)]
    pub reorder: bool,
}

/// Gives each packet the delay that holds when its last bit leaves.
pub struct DelaySchedule {
    plan: DelaySchedulePlan,
}

impl DelaySchedule {
    /// Makes the impairment of a plan.
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
            crossing.deliver_at =
                crossing.sent.saturating_add(Duration::from_ps(self.plan.delays[at].1));
        }
        crossing.may_overtake |= self.plan.reorder;
    }

    fn least_delay(&self, before: Duration) -> Duration {
        self.plan.delays.iter().map(|(_, ps)| Duration::from_ps(*ps)).fold(before, Duration::min)
    }
}
