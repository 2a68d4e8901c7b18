//! Duplication: packets arrive twice.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correlated::Correlated;
use super::{Crossing, Impairment};
use crate::rng::{self, Rng};

/// Parameters of duplication.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct DuplicatePlan {
    /// Probability that a packet is duplicated.
    pub p: f64,
    /// Correlation of each decision with the one before.
    #[serde(default)]
    pub correlation: f64,
    /// Whether pure ACKs are duplicated too.
    #[serde(default)]
    pub acks: bool,
}

/// Copies packets. The copy meets the impairments that follow by itself.
pub struct Duplicate {
    plan: DuplicatePlan,
    values: Correlated,
    rng: Rng,
}

impl Duplicate {
    /// Makes the impairment; `rng` should be a stream of this link only.
    #[must_use]
    pub fn new(plan: DuplicatePlan, rng: Rng) -> Self {
        Self { plan, values: Correlated::new(plan.correlation), rng }
    }
}

impl Impairment for Duplicate {
    fn apply(&mut self, crossing: &mut Crossing) {
        if crossing.packet.payload == 0 && !self.plan.acks {
            return;
        }
        if self.values.next(&mut self.rng, rng::unit) < self.plan.p {
            crossing.copies = 2;
        }
    }
}
