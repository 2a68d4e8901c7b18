//! Some packets take another way: they skip the link's delay, or are late.

use ackclock_units::Duration;
use serde::{Deserialize, Serialize};

use super::correlated::Correlated;
use super::{Crossing, Impairment};
use crate::distribution::Distribution;
use crate::rng::{self, Rng};

/// tc-netem(8)'s parameters, under its names, and `extra`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ReorderPlan {
    /// Probability that a candidate takes the other way.
    pub p: f64,
    /// Every so many packets since the last that did there is a candidate, and then each packet is one; 1: all are.
    pub gap: u64,
    /// Of each decision with the one before.
    #[serde(default)]
    pub correlation: f64,
    /// Of how much longer the other way takes, s; nothing: it takes no time, as with netem.
    #[serde(default)]
    pub extra: Option<Distribution>,
    /// Whether pure ACKs count and may take it too.
    #[serde(default)]
    pub acks: bool,
}

/// In Linux's words (`net/sched/sch_netem.c`, `netem_enqueue`): `counter` packets were delayed since the last that was not.
pub struct Reorder {
    plan: ReorderPlan,
    counter: u64,
    values: Correlated,
    rng: Rng,
}

impl Reorder {
    /// `rng` should be a stream of this link's own.
    #[must_use]
    pub fn new(plan: &ReorderPlan, rng: Rng) -> Self {
        Self {
            counter: 0,
            values: Correlated::new(plan.correlation),
            plan: plan.clone(),
            rng,
        }
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
}
