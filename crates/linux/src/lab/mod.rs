//! Hosts with the TCP of a real kernel each, and the wires that bring their packets to the
//! emulator.

pub mod calibrate;
mod devices;
mod enter;
mod error;
pub mod facts;
mod host;
mod offload;
mod packet;
mod port;
pub mod priority;
mod ring;
mod ring_slots;
mod sysctl;
mod wait;

use std::net::Ipv4Addr;
use std::sync::atomic::{AtomicU32, Ordering};

use nix::net::if_::if_nametoindex;

pub(crate) use devices::{MAC, batch, ip};
pub use enter::{Entered, enter};
pub use error::LabError;
pub use host::{Host, HostPair};
pub(crate) use offload::switch_off as switch_offloads_off;
pub use port::Port;
pub use ring::Ring;
pub use ring_slots::Arrival;
pub(crate) use sysctl::{silence_ipv6, write as write_sysctl};
pub use wait::Waiter;

use crate::plan::HostPlan;
use host::Namespace;

/// Number of the next device. No name is used twice, because devices of an earlier laboratory may
/// remain for a moment.
static NEXT_DEVICE: AtomicU32 = AtomicU32::new(0);

/// All hosts of a run. They vanish with this value, or with the process.
#[derive(Debug)]
pub struct Lab {
    /// Pairs of hosts, in the order of the plan.
    pub pairs: Vec<HostPair>,
    /// Packets sent by any of the hosts.
    pub ring: Ring,
}

impl Lab {
    /// Makes the hosts, and connects them to the calling thread's network namespace. Call `enter`
    /// first.
    ///
    /// # Errors
    ///
    /// If the machine does not permit it.
    pub fn new(hosts: &[HostPlan]) -> Result<Self, LabError> {
        Self::with(hosts, Ring::new)
    }

    /// Makes the hosts, and the ring of packets for hosts of this MTU.
    pub(crate) fn with(
        hosts: &[HostPlan],
        ring: impl FnOnce(u32) -> Result<Ring, LabError>,
    ) -> Result<Self, LabError> {
        devices::find_ip()?;
        sysctl::silence_ipv6()?;
        let pair = |(number, plan)| {
            Ok(HostPair {
                sender: host(plan, address(number, 1)?, true)?,
                receiver: host(plan, address(number, 2)?, false)?,
            })
        };
        let pairs = hosts.iter().enumerate().map(pair).collect::<Result<_, LabError>>()?;
        let ring = ring(hosts.iter().map(|host| host.mtu).max().unwrap_or(0))?;
        Ok(Self { pairs, ring })
    }
}

/// 10.p.q.`last` of pair number pq.
fn address(pair: usize, last: u8) -> Result<Ipv4Addr, LabError> {
    let [p, q] = u16::try_from(pair)
        .map_err(|_| LabError(format!("host pair {pair}: there are addresses for 65536")))?
        .to_be_bytes();
    Ok(Ipv4Addr::new(10, p, q, last))
}

fn host(plan: &HostPlan, address: Ipv4Addr, is_sender: bool) -> Result<Host, LabError> {
    let namespace = Namespace::new()?;
    namespace.within(|| {
        sysctl::silence_ipv6()?;
        sysctl::set(plan.sysctls.iter().map(|(name, value)| (name.as_str(), value.as_str())))
    })?;
    let device = format!("host{}", NEXT_DEVICE.fetch_add(1, Ordering::Relaxed));
    devices::connect(&device, &namespace, plan.mtu)?;
    offload::switch_off(&device)?;
    namespace.within(|| {
        offload::switch_off(devices::ETH)?;
        devices::configure(address, plan, is_sender)
    })?;
    let index =
        if_nametoindex(device.as_str()).map_err(|errno| LabError(format!("{device}: {errno}")))?;
    let port = Port::new(index)?;
    Ok(Host { address, port, device, namespace })
}
