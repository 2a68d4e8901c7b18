//! Corruption: bits of a packet change. The packet goes on through the network, and the host at the
//! end discards it, as it does with a wrong checksum.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correlated::Correlated;
use super::{Crossing, Impairment};
use crate::rng::{self, Rng};

/// Parameters of corruption.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CorruptPlan {
    /// Probability that a packet is corrupted.
    pub p: f64,
    /// Correlation of each decision with the one before.
    #[serde(default)]
    pub correlation: f64,
    /// Whether pure ACKs are corrupted too.
    #[serde(default)]
    pub acks: bool,
}

/// Corrupts packets.
pub struct Corrupt {
    plan: CorruptPlan,
    values: Correlated,
    rng: Rng,
}

impl Corrupt {
    /// Makes the impairment; `rng` should be a stream of this link only.
    #[must_use]
    pub fn new(plan: CorruptPlan, rng: Rng) -> Self {
        Self { plan, values: Correlated::new(plan.correlation), rng }
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
