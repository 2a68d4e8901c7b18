//! Jitter: delays that vary from packet to packet, as over other links on the way, a radio, or a
//! busy host.

use ackclock_units::Duration;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::correlated::Correlated;
use super::{Crossing, Impairment};
use crate::distribution::Distribution;
use crate::rng::Rng;

/// Parameters of jitter.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct JitterPlan {
    /// Time added to the link's delay, s.
    pub delay: Distribution,
    /// Correlation of each packet's time with that of the packet before.
    #[serde(default)]
    pub correlation: f64,
    /// Whether a packet may overtake those before it, as in netem. Otherwise it arrives no earlier
    /// than the last of them.
    #[serde(default)]
    pub reorder: bool,
}

/// Adds a random time to each packet's delay.
pub struct Jitter {
    delay: Distribution,
    reorder: bool,
    values: Correlated,
    rng: Rng,
}

impl Jitter {
    /// Makes the impairment; `rng` should be a stream of this link only.
    #[must_use]
    pub fn new(plan: &JitterPlan, rng: Rng) -> Self {
        Self {
            delay: plan.delay.clone(),
            reorder: plan.reorder,
            values: Correlated::new(plan.correlation),
            rng,
        }
    }
}

impl Impairment for Jitter {
    fn apply(&mut self, crossing: &mut Crossing) {
        let delay = &self.delay;
        let seconds = self.values.next(&mut self.rng, |rng| delay.sample(rng));
        crossing.deliver_at = crossing.deliver_at.saturating_add(Duration::from_secs_f64(seconds));
        crossing.may_overtake |= self.reorder;
    }
}
