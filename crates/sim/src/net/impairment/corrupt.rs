//! Packets whose bits change: they take their place to the end and are discarded there, as a wrong checksum is.

use serde::{Deserialize, Serialize};

use super::correlated::Correlated;
use super::{Crossing, Impairment};
use crate::rng::{self, Rng};

/// How often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorruptPlan {
    /// Probability.
    pub p: f64,
    /// Of each decision with the one before.
    #[serde(default)]
    pub correlation: f64,
    /// Whether pure ACKs are corrupted too.
    #[serde(default)]
    pub acks: bool,
}

/// Damages packets.
pub struct Corrupt {
    plan: CorruptPlan,
    values: Correlated,
    rng: Rng,
}

impl Corrupt {
    /// `rng` should be a stream of this link's own.
    #[must_use]
    pub fn new(plan: CorruptPlan, rng: Rng) -> Self {
        Self {
            plan,
            values: Correlated::new(plan.correlation),
            rng,
        }
    }
}

impl Impairment for Corrupt {
    fn apply(&mut self, crossing: &mut Crossing) {
        if crossing.packet.payload == 0 && !self.plan.acks {
            return;
        }
        if self.values.next(&mut self.rng, rng::unit) < self.plan.p {
            crossing.packet.is_corrupt = true;
        }
    }
}
