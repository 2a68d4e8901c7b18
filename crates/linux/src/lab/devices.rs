//! The wires between hosts and the network: pairs of veth devices, made by the `ip` tool.

use std::fmt::Write as _;
use std::io::{ErrorKind, Write as _};
use std::net::Ipv4Addr;
use std::process::{Command, Stdio};

use super::LabError;
use super::host::Namespace;
use crate::plan::HostPlan;

/// The name of a host's only device.
pub const ETH: &str = "eth0";
/// Address of all hosts. A device without ARP addresses its packets to itself, so the address is
/// right wherever they are injected.
pub const MAC: &str = "02:00:00:00:00:01";
/// Address of the network's ends. Packets are not for it, so the IP layer of this namespace ignores
/// them.
const OUR_MAC: &str = "02:00:00:00:00:02";
/// Places of the tool; the PATH of ordinary users does not lead to all of them.
const PLACES: [&str; 3] = ["ip", "/usr/sbin/ip", "/sbin/ip"];

/// Connects a host: a veth device `name` here, whose other end is `eth0` there.
pub fn connect(name: &str, there: &Namespace, mtu: u32) -> Result<(), LabError> {
    let path = there.path();
    ip(&format!(
        "link add {name} mtu {mtu} address {OUR_MAC} numtxqueues 1 numrxqueues 1 type veth peer \
         name {ETH} mtu {mtu} address {MAC} numtxqueues 1 numrxqueues 1 netns {path}\nlink set \
         {name} arp off multicast off up\n"
    ))
}

/// Gives the host of the calling thread's namespace its address and its route.
pub fn configure(address: Ipv4Addr, plan: &HostPlan, is_sender: bool) -> Result<(), LabError> {
    let mut text = format!(
        "link set lo up\nlink set {ETH} arp off multicast off up\naddress add {address}/32 dev \
         {ETH}\nroute add default dev {ETH}"
    );
    if let Some(packets) = plan.initial_window_packets.filter(|_| is_sender) {
        let _ = write!(text, " initcwnd {packets}");
    }
    if let Some(ms) = plan.min_rto_ms.filter(|_| is_sender) {
        let _ = write!(text, " rto_min {ms}ms");
    }
    if plan.acks_at_once {
        text.push_str(" quickack 1");
    }
    text.push('\n');
    ip(&text)
}

/// The `ip` tool of iproute2; `BusyBox` has one that knows no batches.
pub fn find_ip() -> Result<&'static str, LabError> {
    let mut others = "";
    for place in PLACES {
        match Command::new(place).arg("-V").stderr(Stdio::null()).output() {
            Ok(output) if String::from_utf8_lossy(&output.stdout).contains("iproute2") => {
                return Ok(place);
            }
            Ok(_) => others = " (another `ip`, such as BusyBox's, does not do)",
            Err(error) if error.kind() == ErrorKind::NotFound => {}
            Err(error) => return Err(LabError(format!("cannot start `{place}`: {error}"))),
        }
    }
    Err(LabError(format!(
        "the `ip` tool of iproute2 is not there{others}, which makes the hosts' devices: install \
         iproute2 (Debian, Ubuntu: apt-get install iproute2)"
    )))
}

/// Runs commands of the `ip` tool in the calling thread's network namespace.
pub fn ip(commands: &str) -> Result<(), LabError> {
    batch("ip", find_ip()?, commands)
}

/// Runs commands of a tool of iproute2 in the calling thread's network namespace.
pub fn batch(name: &str, tool: &str, commands: &str) -> Result<(), LabError> {
    let failed = |why: &str| {
        LabError(format!("{name}: {}\nwhile doing\n{}", why.trim_end(), commands.trim_end()))
    };
    let mut child = Command::new(tool)
        .args(["-batch", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .map_err(|error| failed(&error.to_string()))?;
    let mut stdin = child.stdin.take().expect("piped");
    // A child that ended at once prints its own reason.
    let _ = stdin.write_all(commands.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().map_err(|error| failed(&error.to_string()))?;
    if output.status.success() {
        Ok(())
    } else {
        Err(failed(&String::from_utf8_lossy(&output.stderr)))
    }
}
