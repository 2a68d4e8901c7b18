//! The plan that Python sends: the simulator's plan, and settings that only a kernel needs.

use std::collections::BTreeMap;

use ackclock_sim::plan::Plan;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// The first port at which a receiver listens. Those of senders are the kernel's choice, from below
/// 10000, so that a port tells flow and direction.
pub const FIRST_PORT: u16 = 10_000;

/// One run on this machine's kernel.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LinuxPlan {
    /// The simulator's plan.
    pub plan: Plan,
    /// Each pair of hosts: a sender's and a receiver's network namespace.
    pub hosts: Vec<HostPlan>,
    /// Each flow of the plan.
    pub flows: Vec<KernelFlow>,
    /// The host pair of each stream.
    #[serde(default)]
    pub streams: Vec<u32>,
    /// Each link of the plan as the kernel's own; empty: the simulator's links.
    #[serde(default)]
    pub links: Vec<KernelLink>,
}

/// A direction of a link, made of devices and queueing disciplines of the kernel.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelLink {
    /// Commands in order, each as the words after `tc`. The device is `DEVICE`, whose discipline is
    /// the queue, or `WIRE` behind it. A link without commands passes packets on at once.
    pub setup: Vec<Vec<String>>,
    /// Commands for later times after the start, ps, ascending.
    #[serde(default)]
    pub later: Vec<(u64, Vec<String>)>,
    /// Whether the discipline drops packets when they leave, as `CoDel` does, and not when they
    /// come.
    #[serde(default)]
    pub drops_at_departure: bool,
    /// Whether the wire may bring packets in another order.
    #[serde(default)]
    pub reorders: bool,
}

/// A pair of hosts, both configured alike.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct HostPlan {
    /// Below `net.ipv4.`, by the kernel's names: `tcp_frto = "0"`.
    #[serde(default)]
    pub sysctls: BTreeMap<String, String>,
    /// `initcwnd` of the sender's route; absent: the kernel's own.
    #[serde(default)]
    pub initial_window_packets: Option<u32>,
    /// `rto_min` of the sender's route; absent: the kernel's own.
    #[serde(default)]
    pub min_rto_ms: Option<u32>,
    /// `quickack` of the hosts' routes: an ACK for each segment.
    #[serde(default)]
    pub acks_at_once: bool,
    /// MTU of the hosts' devices.
    pub mtu: u32,
}

/// Settings of a flow's sockets.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct KernelFlow {
    /// Index of the flow's pair of hosts.
    pub host: u32,
    /// The kernel's name of its congestion control.
    pub cc: String,
    /// `TCP_MAXSEG`.
    #[serde(default)]
    pub maxseg: Option<u32>,
    /// `TCP_NODELAY`.
    #[serde(default)]
    pub is_nodelay: bool,
}

impl LinuxPlan {
    /// Where flow number `flow` is received.
    ///
    /// # Panics
    /// If there are more flows than ports; Python refuses such plans.
    #[must_use]
    pub fn flow_port(&self, flow: usize) -> u16 {
        port(flow)
    }

    /// Where stream number `stream` is received.
    ///
    /// # Panics
    /// If there are more flows and streams than ports; Python refuses such plans.
    #[must_use]
    pub fn stream_port(&self, stream: usize) -> u16 {
        port(self.flows.len() + stream)
    }
}

fn port(source: usize) -> u16 {
    u16::try_from(source)
        .ok()
        .and_then(|source| FIRST_PORT.checked_add(source))
        .expect("Python refuses plans of more flows than ports")
}
