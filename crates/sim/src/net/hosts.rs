//! The time that hosts take over what arrives: from the device through interrupt, softirq and scheduler to TCP.
//!
//! It is part of a packet's way over its last link, so that it costs no event of its own. Packets of different hosts overtake each other there,
//! those of one flow never.

use ackclock_units::Duration;

use crate::distribution::Distribution;
use crate::packet::Packet;
use crate::plan::{FlowPlan, Plan};
use crate::rng::{self, Rng};

/// Two hosts of each flow; by default nobody's take any time.
#[derive(Default)]
pub struct Hosts {
    /// By flow: its receiver, which data reaches, and its sender, which ACKs do. Empty if no host takes any time.
    of: Vec<[Host; 2]>,
}

struct Host {
    /// Links on the way to it.
    hops: u8,
    time: Option<Distribution>,
    rng: Rng,
}

impl Hosts {
    /// Those of the plan's flows.
    #[must_use]
    pub fn new(plan: &Plan) -> Self {
        if plan.flows.iter().all(|flow| flow.transport.host_time.is_none()) {
            return Self::default();
        }
        let host = |flow: &FlowPlan, path: &[u32], end: &str| Host {
            hops: u8::try_from(path.len()).unwrap_or(u8::MAX),
            time: flow.transport.host_time.clone(),
            rng: rng::stream(plan.seed, &format!("flow/{}/{end}-host-time", flow.name)),
        };
        let both = |flow: &FlowPlan| [host(flow, &flow.path, "receiver"), host(flow, &flow.reverse_path, "sender")];
        Self {
            of: plan.flows.iter().map(both).collect(),
        }
    }

    /// What the host takes over a packet that crosses a link, if that is its last.
    #[inline]
    pub fn take(&mut self, packet: &Packet) -> Duration {
        // Streams are numbered after the flows: nothing answers them.
        let Some(hosts) = self.of.get_mut(packet.flow as usize) else {
            return Duration::ZERO;
        };
        let host = &mut hosts[usize::from(packet.is_reverse)];
        match &host.time {
            Some(time) if packet.hop + 1 == host.hops => Duration::from_secs_f64(time.sample(&mut host.rng)),
            _ => Duration::ZERO,
        }
    }
}
