//! Cases that run inside the namespaces. A case that fails panics.

use std::collections::BTreeMap;
use std::fs;
use std::net::{SocketAddr, TcpListener};
use std::process::Command;

use ackclock_linux::clock::{Clock, real_ns};
use ackclock_linux::frame;
use ackclock_linux::lab::{Host, Lab, calibrate, enter, facts};
use ackclock_linux::plan::HostPlan;
use ackclock_units::{Duration, Time};
use etherparse::{Ipv4HeaderSlice, TcpSlice};
use nix::sched::{CloneFlags, unshare};
use nix::unistd::{getegid, geteuid};

/// Every case, except those of the tests for leftovers.
pub const ALL: [&str; 5] = [
    "a_limit_in_the_way_is_named",
    "a_connection_passes_the_ring",
    "hosts_are_as_the_plan_says",
    "two_laboratories_fit_into_one_process",
    "the_machine_is_measured",
];

const ETHERNET: usize = 14;
/// Two processors that stamp one host's packets at the same time put them into the ring within
/// less.
const REORDERED_NS: u64 = 10_000;

/// Does it.
pub fn inside(case: &str) {
    match case {
        "may_make_namespaces" => facts::may_make_namespaces().unwrap_or_else(|why| panic!("{why}")),
        "a_connection_passes_the_ring" => a_connection_passes_the_ring(),
        "hosts_are_as_the_plan_says" => hosts_are_as_the_plan_says(),
        "two_laboratories_fit_into_one_process" => two_laboratories_fit_into_one_process(),
        "a_limit_in_the_way_is_named" => a_limit_in_the_way_is_named(),
        "the_machine_is_measured" => the_machine_is_measured(),
        "stay" => super::leftovers::stay(),
        "parent" => super::leftovers::parent(),
        other => panic!("no case is called {other}"),
    }
}

pub fn plan() -> HostPlan {
    HostPlan {
        sysctls: BTreeMap::new(),
        initial_window_packets: None,
        min_rto_ms: None,
        acks_at_once: false,
        mtu: 1500,
    }
}

fn a_connection_passes_the_ring() {
    enter().expect("it was tried");
    let Lab { pairs, mut ring } = Lab::new(&[plan()]).expect("a laboratory of one pair");
    let sender = pairs[0].sender.address;
    let (mut packets, mut data, mut far_back, mut latest) = (0_u64, 0_u64, 0_u64, [0_u64; 2]);
    calibrate::through(&pairs[0], |waiter| {
        let clock = Clock::starting_at(real_ns());
        calibrate::relay(
            &pairs[0],
            &mut ring,
            waiter,
            &clock,
            Time::ZERO.saturating_add(Duration::from_millis(300)),
            |arrival| {
                let header = frame::read(arrival.frame).expect("hosts send TCP only");
                assert!(header.ip_bytes <= 1500, "{header:?}");
                assert_eq!(
                    arrival.frame.len(),
                    ETHERNET + usize::from(header.ip_bytes),
                    "{header:?}"
                );
                assert_checksums(arrival.frame);
                assert!(arrival.stamp_ns <= real_ns(), "stamped before it is seen");
                let latest = &mut latest[usize::from(header.source == sender)];
                far_back += u64::from(arrival.stamp_ns.saturating_add(REORDERED_NS) < *latest);
                *latest = arrival.stamp_ns.max(*latest);
                packets += 1;
                data += u64::from(header.payload_bytes);
            },
        )
    })
    .expect("relayed");
    assert_eq!(ring.dropped(), 0);
    // A processor that is taken away between a packet's stamp and its place in the ring lets others
    // pass by for as long as it is gone, so single ones may be far back. Stamps of other
    // packets would be so all the time.
    assert!(
        far_back * 20 <= packets,
        "stamps of one host went back for {far_back} of {packets} packets"
    );
    assert!(data > 1_000_000, "{data} bytes in {packets} packets");
    println!("{packets} packets, {far_back} of them late, {} Mbit/s", data * 8 / 300_000);
}

fn assert_checksums(bytes: &[u8]) {
    let ip = Ipv4HeaderSlice::from_slice(&bytes[ETHERNET..]).expect("read before").to_header();
    assert_eq!(ip.header_checksum, ip.calc_header_checksum());
    let tcp = TcpSlice::from_slice(&bytes[ETHERNET + ip.header_len()..]).expect("read before");
    let right =
        tcp.calc_checksum_ipv4(ip.source, ip.destination).expect("a segment is not that long");
    // In ones' complement both are zero.
    assert_eq!(tcp.checksum() % 0xffff, right % 0xffff);
}

fn hosts_are_as_the_plan_says() {
    let before = fs::read_to_string("/proc/sys/net/ipv4/tcp_frto").expect("every kernel has it");
    enter().expect("it was tried");
    let second = HostPlan {
        sysctls: BTreeMap::from([
            ("tcp_frto".into(), "0".into()),
            ("tcp_rmem".into(), "4096 8192 16384".into()),
        ]),
        initial_window_packets: Some(3),
        min_rto_ms: Some(40),
        acks_at_once: false,
        mtu: 9000,
    };
    let lab = Lab::new(&[plan(), second]).expect("a laboratory of two pairs");
    let of = |host: &Host, path: &str| host.within(|| fs::read_to_string(path).expect("a setting"));
    for host in [&lab.pairs[1].sender, &lab.pairs[1].receiver] {
        assert_eq!(of(host, "/proc/sys/net/ipv4/tcp_frto").trim(), "0");
        assert_eq!(of(host, "/proc/sys/net/ipv4/tcp_rmem").trim(), "4096\t8192\t16384");
        assert!(shown(host, &["link"]).contains("mtu 9000"));
    }
    assert_eq!(of(&lab.pairs[0].sender, "/proc/sys/net/ipv4/tcp_no_metrics_save").trim(), "1");
    assert_eq!(
        of(&lab.pairs[0].sender, "/proc/sys/net/ipv4/tcp_frto").trim(),
        "2",
        "the kernel's default"
    );
    let route = shown(&lab.pairs[1].sender, &["route"]);
    assert!(
        route.contains("initcwnd 3") && route.contains("rto_min") && route.contains("40ms"),
        "{route}"
    );
    assert!(!shown(&lab.pairs[1].receiver, &["route"]).contains("initcwnd"));
    let addresses: Vec<String> = lab
        .pairs
        .iter()
        .flat_map(|pair| [pair.sender.address.to_string(), pair.receiver.address.to_string()])
        .collect();
    assert_eq!(addresses, ["10.0.0.1", "10.0.0.2", "10.0.1.1", "10.0.1.2"]);
    assert!(shown(&lab.pairs[1].receiver, &["address"]).contains("10.0.1.2/32"));
    // A process without a laboratory sees what was there before.
    assert_eq!(fs::read_to_string("/proc/sys/net/ipv4/tcp_frto").expect("still there"), before);
    let Err(refused) = Lab::new(&[HostPlan {
        sysctls: BTreeMap::from([("tcp_sack".into(), "maybe".into())]),
        ..plan()
    }]) else {
        panic!("the kernel took tcp_sack = maybe");
    };
    assert!(refused.0.starts_with("net.ipv4.tcp_sack = maybe: "), "{refused}");
}

fn shown(host: &Host, what: &[&str]) -> String {
    let output = host.within(|| Command::new("ip").args(what).output().expect("it was found"));
    String::from_utf8(output.stdout).expect("it speaks ASCII")
}

fn two_laboratories_fit_into_one_process() {
    enter().expect("it was tried");
    let first = Lab::new(&[plan()]).expect("the first");
    let second = Lab::new(&[plan()]).expect("the second");
    drop(first);
    let third = Lab::new(&[plan()]).expect("the third, as soon as the first is gone");
    for lab in [&second, &third] {
        let receiver = &lab.pairs[0].receiver;
        let at = SocketAddr::from((receiver.address, 10_000));
        receiver.within(|| TcpListener::bind(at)).expect("each host has its own ports");
    }
}

/// The limit is that of a user namespace of this test's own.
fn a_limit_in_the_way_is_named() {
    let [user, group] = [geteuid().as_raw(), getegid().as_raw()];
    unshare(CloneFlags::CLONE_NEWUSER).expect("it was tried, or we are root");
    for (path, text) in [
        ("/proc/self/setgroups", "deny".to_owned()),
        ("/proc/self/uid_map", format!("0 {user} 1")),
        ("/proc/self/gid_map", format!("0 {group} 1")),
        ("/proc/sys/user/max_net_namespaces", "0".to_owned()),
    ] {
        fs::write(path, text).expect("ours");
    }
    let why = facts::may_make_namespaces().expect_err("a limit of none");
    assert!(why.contains("does not permit a network namespace"), "{why}");
    assert!(why.contains("sysctl -w user.max_net_namespaces=10000"), "{why}");
}

fn the_machine_is_measured() {
    enter().expect("it was tried");
    let carried = calibrate::measure().expect("measured");
    assert!(
        carried.data_packets_per_second > 0.0
            && carried.packets_per_second > carried.data_packets_per_second,
        "{carried:?}"
    );
    println!("{carried:?}");
}

/// Reads to the end, which comes when nobody can write any more.
pub fn read_to_end(mut from: impl std::io::Read) -> String {
    let mut text = String::new();
    from.read_to_string(&mut text).expect("a pipe of text");
    text
}
