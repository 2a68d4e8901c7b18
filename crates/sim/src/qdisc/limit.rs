//! Limits of a queue.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Arrival, Backlog};

/// Most packets and bytes that wait. The packet being transmitted does not count. Absent: no limit
/// of that kind.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LimitPlan {
    /// Most packets.
    #[serde(default)]
    pub limit_packets: Option<u64>,
    /// Most bytes.
    #[serde(default)]
    pub limit_bytes: Option<u64>,
}

impl LimitPlan {
    /// No limit.
    pub const NONE: Self = Self { limit_packets: None, limit_bytes: None };

    /// Whether there is room for a packet: it need not wait, or the backlog with it is within the
    /// limit.
    #[inline]
    pub(super) fn admits(&self, arrival: &Arrival) -> bool {
        arrival.idle_since.is_some()
            || self.limit_packets.is_none_or(|limit| arrival.backlog.packets < limit)
                && self
                    .limit_bytes
                    .is_none_or(|limit| arrival.backlog.bytes + u64::from(arrival.size) <= limit)
    }

    /// Whether the backlog exceeds the limit.
    pub(super) fn is_exceeded(&self, backlog: Backlog) -> bool {
        self.limit_packets.is_some_and(|limit| backlog.packets > limit)
            || self.limit_bytes.is_some_and(|limit| backlog.bytes > limit)
    }
}
