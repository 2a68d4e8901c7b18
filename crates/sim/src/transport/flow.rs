//! A flow of the plan.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::plan::TransportPlan;
use crate::app::{AppPlan, SubflowPlan};

/// One flow: a sender, a receiver, and the links between them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FlowPlan {
    /// Unique name; random streams are keyed by it.
    pub name: String,
    /// Congestion control, as the registry reads it: `reno`, `cos+reno`, `hystart+cubic`,
    /// `cubic(beta=0.8)`.
    pub cc: String,
    /// When the SYN is sent, ps.
    pub start_ps: u64,
    /// When the application stops writing, ps; absent: never.
    #[serde(default)]
    pub stop_ps: Option<u64>,
    /// The application that writes the flow's data.
    pub app: AppPlan,
    /// The parallel transfer of which the flow is a subflow; absent: none.
    #[serde(default)]
    pub part_of: Option<SubflowPlan>,
    /// Links from sender to receiver, in order; indices into `Plan::links`.
    pub path: Vec<u32>,
    /// Links from receiver to sender.
    pub reverse_path: Vec<u32>,
    /// Class of the flow's packets in both directions (Linux's `SO_PRIORITY`, 0 to 15).
    #[serde(default)]
    pub priority: u8,
    /// The transport's options.
    pub transport: TransportPlan,
}

impl FlowPlan {
    /// Checks the flow's own numbers; [`crate::plan::Plan::check`] checks what it refers to.
    ///
    /// # Errors
    /// Names the key, its value and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        self.app.check()?;
        self.part_of.as_ref().map_or(Ok(()), SubflowPlan::check)?;
        self.transport.check()
    }
}
