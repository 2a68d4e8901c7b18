//! Delays that vary from packet to packet: other links on the way, a radio, a busy host.

use ackclock_units::Duration;
use serde::{Deserialize, Serialize};

use super::correlated::Correlated;
use super::{Crossing, Impairment};
use crate::distribution::Distribution;
use crate::rng::Rng;

/// What is added to the link's delay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct JitterPlan {
    /// Of the time added, s.
    pub delay: Distribution,
    /// Of each packet's with that of the packet before.
    #[serde(default)]
    pub correlation: f64,
    /// Whether a packet may overtake those before it, as netem lets it; otherwise it arrives with the last of them at the earliest.
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
    /// `rng` should be a stream of this link's own.
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
