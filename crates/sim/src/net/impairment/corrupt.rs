//! Packets whose bits change: they take their place to the end and are discarded there, as a wrong checksum is.

use serde::{Deserialize, Serialize};

use super::{Crossing, Impairment};
use crate::rng::{self, Rng};

/// How often.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CorruptPlan {
    /// Probability, independently for each packet.
    pub p: f64,
}

/// Independent for each packet.
pub struct Corrupt {
    plan: CorruptPlan,
    rng: Rng,
}

impl Corrupt {
    /// `rng` should be a stream of this link's own.
    #[must_use]
    pub fn new(plan: CorruptPlan, rng: Rng) -> Self {
        Self { plan, rng }
    }
}

impl Impairment for Corrupt {
    fn apply(&mut self, crossing: &mut Crossing) {
        if rng::unit(&mut self.rng) < self.plan.p {
            crossing.packet.is_corrupt = true;
        }
    }
}
