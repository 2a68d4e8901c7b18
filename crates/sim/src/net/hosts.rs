//! The time that a host takes for each packet that arrives: from the device through interrupt,
//! softirq and scheduler to TCP.
//!
//! The time is added to the packet's way over its last link, so that it costs no event. Packets of
//! different hosts overtake each other there, packets of one flow never do.

use ackclock_units::Duration;
use rand_core::Rng as _;

use crate::distribution::Distribution;
use crate::packet::Packet;
use crate::rng::{self, Rng};
use crate::transport::flow::FlowPlan;

/// The two hosts of each flow. By default no host takes any time.
#[derive(Default)]
pub struct Hosts {
    /// By flow: the receiver's host, which data reaches, and the sender's host, which ACKs reach.
    /// Empty if no host takes any time.
    of: Vec<[Host; 2]>,
}

struct Host {
    /// Number of links on the way to the host.
    hops: u8,
    time: HostTime,
    rng: Rng,
    /// Random bits left of the last draw; each packet takes 16 of them.
    bits: u64,
    /// Number of packets that these bits are enough for.
    packets: u8,
}

/// Distribution of the time for one packet.
enum HostTime {
    /// No time.
    None,
    /// Uniform, in steps of 2^-16 of the width. Profile `linux` has this for every packet, so that
    /// it must be fast.
    Uniform {
        /// Shortest time, ps.
        least_ps: u64,
        /// Longest time minus shortest time, ps.
        width_ps: u64,
    },
    /// Any other distribution, in seconds.
    Drawn(Distribution),
}

/// Longest uniform time, s, that is drawn from 16 bits: above it, the product with 16 bits would
/// overflow.
const WIDEST_S: f64 = 100.0;
/// Random bits per uniform draw.
const BITS: u32 = 16;

impl HostTime {
    fn new(plan: Option<&Distribution>) -> Self {
        match plan {
            None => Self::None,
            Some(Distribution::Uniform { low, high }) if *high <= WIDEST_S => {
                let ps = |seconds: f64| Duration::from_secs_f64(seconds).as_ps();
                Self::Uniform { least_ps: ps(*low), width_ps: ps(*high) - ps(*low) }
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
    /// Makes the hosts of these flows.
    #[must_use]
    pub fn new(flows: &[FlowPlan], seed: u64) -> Self {
        if flows.iter().all(|flow| flow.transport.host_time.is_none()) {
            return Self::default();
        }
        let host = |flow: &FlowPlan, path: &[u32], end: &str| Host {
            hops: u8::try_from(path.len()).unwrap_or(u8::MAX),
            time: HostTime::new(flow.transport.host_time.as_ref()),
            rng: rng::stream(seed, &format!("flow/{}/{end}-host-time", flow.name)),
            bits: 0,
            packets: 0,
        };
        let both = |flow: &FlowPlan| {
            [host(flow, &flow.path, "receiver"), host(flow, &flow.reverse_path, "sender")]
        };
        Self { of: flows.iter().map(both).collect() }
    }

    /// Returns the time that the host takes for a packet, or zero if the packet is not on its last
    /// link. `hop`: links that the packet has passed.
    #[inline]
    pub fn take(&mut self, flow: u32, is_reverse: bool, hop: u8) -> Duration {
        // Streams are numbered after the flows. Their hosts take no time.
        let Some(hosts) = self.of.get_mut(flow as usize) else {
            return Duration::ZERO;
        };
        let host = &mut hosts[usize::from(is_reverse)];
        if hop + 1 == host.hops { host.draw() } else { Duration::ZERO }
    }

    /// [`Hosts::take`] of a packet.
    #[inline]
    pub fn take_for(&mut self, packet: &Packet) -> Duration {
        self.take(packet.flow, packet.is_reverse, packet.hop)
    }
}
