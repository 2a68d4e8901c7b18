//! The network's devices, their disciplines, and the ways of packets through them.
//!
//! All links lie in the namespace to which the hosts' wires lead. A link is one or two pairs of
//! veth devices: a packet that goes into the first comes out of the second, behind the discipline
//! of the first.
//! The kernel forwards a packet from device to device by its destination and by where it came in.
//! Forwarding also takes a packet from its sender's books, so that TCP's small queues end at the
//! host's own device, as at a real one.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::net::Ipv4Addr;

use super::tap::{ENDS, QUEUES, UNSEEN};
use crate::lab::{HostPair, Lab, LabError, MAC, batch, ip, switch_offloads_off, write_sysctl};
use crate::plan::{KernelLink, LinuxPlan};

/// Most links of a network: one more needs another range of indices.
pub const MOST_LINKS: usize = 5_000;
/// Number of the first table of routes; 253 to 255 are the kernel's.
const FIRST_TABLE: usize = 1_000;

/// Names of the devices of a link.
struct Devices {
    /// Device with the queue, and the one that it leads to.
    queue: Option<[String; 2]>,
    /// Device with the wire, and the one that it leads to.
    wire: Option<[String; 2]>,
}

impl Devices {
    fn of(number: usize, link: &KernelLink) -> Self {
        let has = |place: &str| link.setup.iter().flatten().any(|word| word == place);
        let pair = |letter: char| [format!("{letter}{number}"), format!("{letter}{number}e")];
        Self { queue: has("DEVICE").then(|| pair('q')), wire: has("WIRE").then(|| pair('w')) }
    }

    /// The pairs with the indices of their devices.
    fn pairs(&self, number: usize) -> Vec<(&[String; 2], [u32; 2])> {
        let number = u32::try_from(number).expect("few links");
        let most = u32::try_from(MOST_LINKS).expect("few links");
        let middle = if self.wire.is_some() { UNSEEN } else { ENDS };
        let queue = self.queue.iter().map(|pair| (pair, [QUEUES + number, middle + number]));
        let wire = self.wire.iter().map(|pair| (pair, [UNSEEN + most + number, ENDS + number]));
        queue.chain(wire).collect()
    }

    fn entry(&self) -> Option<&str> {
        self.queue.as_ref().or(self.wire.as_ref()).map(|pair| pair[0].as_str())
    }

    fn end(&self) -> Option<&str> {
        self.wire.as_ref().or(self.queue.as_ref()).map(|pair| pair[1].as_str())
    }
}

/// By the device at which packets come in: the next device for each destination; without one, for
/// all.
type Ways = BTreeMap<String, BTreeMap<Option<Ipv4Addr>, String>>;

/// Makes the links of a plan between the hosts of `lab`.
///
/// # Errors
///
/// If the kernel lacks something for it.
pub fn build(plan: &LinuxPlan, lab: &Lab, tc: &str) -> Result<(), LabError> {
    let mtu = plan.hosts.iter().map(|host| host.mtu).max().unwrap_or(0);
    let links: Vec<Devices> =
        plan.links.iter().enumerate().map(|(number, link)| Devices::of(number, link)).collect();
    let mut text = String::new();
    for pair in &lab.pairs {
        for host in [&pair.sender, &pair.receiver] {
            // Packets of a device without ARP are addressed to its own address.
            let _ = writeln!(text, "link set {} address {MAC}", host.device);
        }
    }
    for (number, link) in links.iter().enumerate() {
        for ([name, peer], [index, other]) in link.pairs(number) {
            let end = format!("mtu {mtu} address {MAC} numtxqueues 1 numrxqueues 1");
            let _ = writeln!(
                text,
                "link add {name} index {index} {end} type veth peer name {peer} index {other} {end}"
            );
            let _ = writeln!(text, "link set {name} arp off multicast off up");
            let _ = writeln!(text, "link set {peer} arp off multicast off up");
        }
    }
    ip(&text)?;
    for (number, link) in links.iter().enumerate() {
        for (names, _) in link.pairs(number) {
            names.iter().try_for_each(|name| switch_offloads_off(name))?;
        }
    }
    write_sysctl("ip_forward", "1")?;
    ip(&routes(&ways(plan, &lab.pairs, &links)?))?;
    let setup = plan.links.iter().enumerate().flat_map(|(number, link)| {
        link.setup.iter().map(move |words| command(number, words) + "\n")
    });
    batch("tc", tc, &setup.collect::<String>())
}

/// A command of `tc` for a link's devices.
pub fn command(link: usize, words: &[String]) -> String {
    let named: Vec<String> = words
        .iter()
        .map(|word| match word.as_str() {
            "DEVICE" => format!("q{link}"),
            "WIRE" => format!("w{link}"),
            other => other.to_owned(),
        })
        .collect();
    named.join(" ")
}

fn ways(plan: &LinuxPlan, pairs: &[HostPair], links: &[Devices]) -> Result<Ways, LabError> {
    let mut ways = Ways::new();
    for link in links {
        if let (Some([_, from]), Some([to, _])) = (&link.queue, &link.wire) {
            ways.entry(from.clone()).or_default().insert(None, to.clone());
        }
    }
    let flows = plan.flows.iter().map(|flow| flow.host).chain(plan.streams.iter().copied());
    for ([there, back], host) in plan.plan.paths().zip(flows) {
        let HostPair { sender, receiver } = &pairs[host as usize];
        lead(&mut ways, &sender.device, &receiver.device, receiver.address, there, links)?;
        lead(&mut ways, &receiver.device, &sender.device, sender.address, back, links)?;
    }
    Ok(ways)
}

/// Leads the packets for `address` that come in at `from` over `path` to the device `to`.
fn lead(
    ways: &mut Ways,
    from: &str,
    to: &str,
    address: Ipv4Addr,
    path: &[u32],
    links: &[Devices],
) -> Result<(), LabError> {
    let mut at = from;
    let inner = path.iter().filter_map(|link| {
        let link = &links[*link as usize];
        Some((link.entry()?, link.end()?))
    });
    for (entry, end) in inner.chain([(to, "")]) {
        let next = ways.entry(at.to_owned()).or_default();
        let before = next.insert(Some(address), entry.to_owned());
        if before.is_some_and(|before| before != entry) {
            return Err(LabError(format!("two ways to host {address} part behind one device")));
        }
        at = end;
    }
    Ok(())
}

/// The ways as rules and tables of routes.
fn routes(ways: &Ways) -> String {
    let mut text = String::new();
    for (table, (from, to)) in (FIRST_TABLE..).zip(ways) {
        let _ = writeln!(text, "rule add iif {from} lookup {table}");
        for (address, device) in to {
            let address =
                address.map_or_else(|| "default".to_owned(), |address| address.to_string());
            let _ = writeln!(text, "route add {address} dev {device} table {table}");
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_are_led_from_link_to_link() {
        let link = |words: &[&str]| KernelLink {
            setup: words.iter().map(|word| vec![(*word).to_owned()]).collect(),
            ..KernelLink::default()
        };
        let links: Vec<Devices> = [link(&["DEVICE", "WIRE"]), link(&[]), link(&["WIRE"])]
            .iter()
            .enumerate()
            .map(|(number, link)| Devices::of(number, link))
            .collect();
        let mut ways = Ways::new();
        let address = Ipv4Addr::new(10, 0, 0, 2);
        lead(&mut ways, "host0", "host1", address, &[0, 1, 2], &links).unwrap();
        let text = routes(&ways);
        for line in [
            "rule add iif host0 lookup 1000\nroute add 10.0.0.2 dev q0 table 1000\n",
            "rule add iif w0e lookup 1001\nroute add 10.0.0.2 dev w2 table 1001\n",
            "rule add iif w2e lookup 1002\nroute add 10.0.0.2 dev host1 table 1002\n",
        ] {
            assert!(text.contains(line), "{text}");
        }
        assert!(lead(&mut ways, "host0", "host1", address, &[2], &links).is_err());
    }

    #[test]
    fn devices_have_indices_by_which_the_tap_knows_them() {
        let setup = vec![vec!["DEVICE".to_owned()], vec!["WIRE".to_owned()]];
        let both = KernelLink { setup: setup.clone(), ..KernelLink::default() };
        let indices = |link: &KernelLink| -> Vec<[u32; 2]> {
            Devices::of(3, link).pairs(3).into_iter().map(|(_, indices)| indices).collect()
        };
        assert_eq!(indices(&both), [[QUEUES + 3, UNSEEN + 3], [UNSEEN + 5_003, ENDS + 3]]);
        let queue = KernelLink { setup: setup[..1].to_vec(), ..KernelLink::default() };
        assert_eq!(indices(&queue), [[QUEUES + 3, ENDS + 3]]);
        assert_eq!(command(3, &["dev".into(), "WIRE".into()]), "dev w3");
    }
}
