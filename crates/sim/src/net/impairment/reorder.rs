//! Reordering: some packets take another way. They skip the link's delay, or are late.

use ackclock_units::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correlated::Correlated;
use super::{Crossing, Impairment};
use crate::distribution::Distribution;
use crate::rng::{self, Rng};

/// Parameters of reordering: those of tc-netem(8) under its names, and `extra`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ReorderPlan {
    /// Probability that a candidate takes the other way.
    pub p: f64,
    /// Distance of candidates: after a packet has taken the other way, the `gap`-th packet is a
    /// candidate, and so is each packet after it. 1: all packets are candidates.
    pub gap: u64,
    /// Correlation of each decision with the one before.
    #[serde(default)]
    pub correlation: f64,
    /// Extra time of the other way, s; `None`: the other way takes no time, as in netem.
    #[serde(default)]
    pub extra: Option<Distribution>,
    /// Whether pure ACKs count and may take the other way.
    #[serde(default)]
    pub acks: bool,
}

/// Sends packets another way. In Linux (`net/sched/sch_netem.c`, `netem_enqueue`), `counter` is the
/// number of packets delayed since the last that was not.
pub struct Reorder {
    plan: ReorderPlan,
    counter: u64,
    values: Correlated,
    rng: Rng,
}

impl Reorder {
    /// Makes the impairment; `rng` should be a stream of this link only.
    #[must_use]
    pub fn new(plan: &ReorderPlan, rng: Rng) -> Self {
        Self { counter: 0, values: Correlated::new(plan.correlation), plan: plan.clone(), rng }
    }
}

impl Impairment for Reorder {
    fn apply(&mut self, crossing: &mut Crossing) {
        if crossing.packet.payload == 0 && !self.plan.acks {
            return;
        }
        let is_candidate = self.counter >= self.plan.gap.saturating_sub(1);
        if !is_candidate || self.values.next(&mut self.rng, rng::unit) >= self.plan.p {
            self.counter += 1;
            return;
        }
        self.counter = 0;
        crossing.may_overtake = true;
        crossing.deliver_at = match &self.plan.extra {
            Some(extra) => crossing
                .deliver_at
                .saturating_add(Duration::from_secs_f64(extra.sample(&mut self.rng))),
            None => crossing.sent,
        };
    }

    fn least_delay(&self, before: Duration) -> Duration {
        if self.plan.extra.is_some() { before } else { Duration::ZERO }
    }
}
