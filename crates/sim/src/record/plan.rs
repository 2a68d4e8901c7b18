//! The plan of a run's records.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The tables and time series to record. The counters of the summary are always kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RecordPlan {
    /// Moments at which the time series of flows and links have rows.
    #[serde(default)]
    pub samples: SamplePlan,
    /// Flows with time series, by index; absent: all.
    #[serde(default)]
    pub flows: Option<Vec<u32>>,
    /// Links with time series, by index; absent: all that have a rate.
    #[serde(default)]
    pub links: Option<Vec<u32>>,
    /// Whether every datagram of every stream is recorded.
    #[serde(default)]
    pub datagrams: bool,
    /// Links whose packet events are recorded, by index.
    #[serde(default)]
    pub packet_links: Vec<u32>,
    /// Flows and streams whose packets at the sender's host are recorded, by index.
    #[serde(default)]
    pub packet_senders: Vec<u32>,
    /// Flows and streams whose packets at the receiver's host are recorded, by index.
    #[serde(default)]
    pub packet_receivers: Vec<u32>,
    /// Flows whose senders' decisions are recorded, by index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub decision_flows: Vec<u32>,
    /// Most memory of each table, bytes. A full table takes no further rows, and the run goes on.
    #[serde(
        default = "RecordPlan::default_max_bytes",
        skip_serializing_if = "RecordPlan::is_default_max"
    )]
    pub max_bytes: u64,
}

impl Default for RecordPlan {
    fn default() -> Self {
        Self {
            samples: SamplePlan::default(),
            flows: None,
            links: None,
            datagrams: false,
            packet_links: Vec::new(),
            packet_senders: Vec::new(),
            packet_receivers: Vec::new(),
            decision_flows: Vec::new(),
            max_bytes: Self::MAX_BYTES,
        }
    }
}

impl RecordPlan {
    /// Checks that every index names a link, a flow or a stream, and that samples have a period.
    ///
    /// # Errors
    /// Names the key that is wrong.
    pub fn check(&self, links: usize, flows: usize, streams: usize) -> Result<(), String> {
        let all_below =
            |indices: &[u32], most| indices.iter().all(|index| (*index as usize) < most);
        let is_known = all_below(self.links.as_deref().unwrap_or_default(), links)
            && all_below(&self.packet_links, links)
            && all_below(self.flows.as_deref().unwrap_or_default(), flows)
            && all_below(&self.decision_flows, flows)
            && all_below(&self.packet_senders, flows + streams)
            && all_below(&self.packet_receivers, flows + streams);
        if !is_known {
            return Err("record: names a link or flow that does not exist".into());
        }
        if self.samples == (SamplePlan::Period { period_ps: 0 }) {
            return Err("record.samples: the period must be longer than zero".into());
        }
        Ok(())
    }

    /// Most memory of each table if the plan does not say, bytes.
    pub const MAX_BYTES: u64 = 2_000_000_000;

    const fn default_max_bytes() -> u64 {
        Self::MAX_BYTES
    }

    #[expect(clippy::trivially_copy_pass_by_ref, reason = "serde calls it with a reference")]
    const fn is_default_max(bytes: &u64) -> bool {
        *bytes == Self::MAX_BYTES
    }
}

/// The moments at which time series have rows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum SamplePlan {
    /// Never.
    #[default]
    Off,
    /// Periodically.
    Period {
        /// The period, ps.
        period_ps: u64,
    },
    /// At every change: flows after each ACK or timeout, links after each arrival and departure.
    Changes {},
}
