//! A policer drops packets that exceed its rate and burst, before they reach the queue.

use ackclock_units::{Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::qdisc::TokenBucket;

/// Parameters of a policer, with the names of `tc ... police rate RATE burst BURST drop`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PolicerPlan {
    /// Rate of the tokens, bit/s.
    pub rate_bps: u64,
    /// Size of the bucket, bytes.
    pub burst_bytes: u64,
}

/// A token bucket without a queue (Linux `act_police.c` `tcf_police_act`): a packet that finds
/// enough tokens takes them and passes. Any other packet is dropped and takes none.
#[derive(Clone, Debug)]
pub struct Policer(TokenBucket);

impl Policer {
    /// Makes a policer with a full bucket.
    #[must_use]
    pub fn new(plan: PolicerPlan) -> Self {
        Self(TokenBucket::new(Rate::from_bps(plan.rate_bps), plan.burst_bytes))
    }

    /// Whether a packet of this size passes; if so, it takes its tokens.
    pub fn passes(&mut self, bytes: u32, now: Time) -> bool {
        self.0.take(bytes, now)
    }
}
