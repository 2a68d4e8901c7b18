//! A policer: what comes faster than its rate, a burst aside, is dropped before the queue.

use ackclock_units::{Rate, Time};
use serde::{Deserialize, Serialize};

use crate::qdisc::TokenBucket;

/// In tc's names: `tc ... police rate RATE burst BURST drop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicerPlan {
    /// Rate of the tokens, bit/s.
    pub rate_bps: u64,
    /// Size of the bucket, bytes.
    pub burst_bytes: u64,
}

/// A token bucket that nobody waits for (Linux `act_police.c` `tcf_police_act`): a packet that finds its tokens takes them and passes, any other is
/// dropped and takes none.
#[derive(Clone, Debug)]
pub struct Policer(TokenBucket);

impl Policer {
    /// With a full bucket.
    #[must_use]
    pub fn new(plan: PolicerPlan) -> Self {
        Self(TokenBucket::new(Rate::from_bps(plan.rate_bps), plan.burst_bytes))
    }

    /// Whether a packet passes.
    pub fn passes(&mut self, bytes: u32, now: Time) -> bool {
        self.0.take(bytes, now)
    }
}
