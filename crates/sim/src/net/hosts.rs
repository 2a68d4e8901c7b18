//! The time that hosts take over what arrives: from the device through interrupt, softirq and scheduler to TCP.
//!
//! It is part of a packet's way over its last link, so that it costs no event of its own. Packets of different hosts overtake each other there,
//! those of one flow never.

use ackclock_units::Duration;
use rand_core::Rng as _;

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
    time: HostTime,
    rng: Rng,
    /// Random bits that are left of the last draw, 16 for each packet.
    bits: u64,
    /// Packets that these bits are for.
    packets: u8,
}

/// What a host takes over a packet.
enum HostTime {
    /// No time.
    None,
    /// Uniform, in steps of 2^-16 of its width: the default of profile `linux`, so that it is drawn for every packet.
    Uniform {
        /// The least, ps.
        least_ps: u64,
        /// From the least to the most, ps.
        width_ps: u64,
    },
    /// Any other distribution of seconds.
    Drawn(Distribution),
}

/// A uniform time above this is drawn as any other distribution: its product with 16 bits would overflow.
const WIDEST_S: f64 = 100.0;
/// Random bits of a uniform draw.
const BITS: u32 = 16;

impl HostTime {
    fn new(plan: Option<&Distribution>) -> Self {
        match plan {
            None => Self::None,
            Some(Distribution::Uniform { low, high }) if *high <= WIDEST_S => {
                let ps = |seconds: f64| Duration::from_secs_f64(seconds).as_ps();
                Self::Uniform {
                    least_ps: ps(*low),
                    width_ps: ps(*high) - ps(*low),
                }
            }
            Some(other) => Self::Drawn(other.clone()),
        }
    }
}

impl Host {
    #[inline]
    fn draw(&mut self) -> Duration {
        match &self.time {
            HostTime::None => Duration::ZERO,
            HostTime::Uniform { least_ps, width_ps } => {
                if self.packets == 0 {
                    self.bits = self.rng.next_u64();
                    self.packets = 4;
                }
                let drawn = self.bits & ((1 << BITS) - 1);
                self.bits >>= BITS;
                self.packets -= 1;
                Duration::from_ps(least_ps + ((width_ps * drawn) >> BITS))
            }
            HostTime::Drawn(time) => Duration::from_secs_f64(time.sample(&mut self.rng)),
        }
    }
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
            time: HostTime::new(flow.transport.host_time.as_ref()),
            rng: rng::stream(plan.seed, &format!("flow/{}/{end}-host-time", flow.name)),
            bits: 0,
            packets: 0,
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
        if packet.hop + 1 == host.hops { host.draw() } else { Duration::ZERO }
    }
}
