//! A day of simulated time and 10^9 packets: memory stays flat, counters are exact, nothing
//! overflows.
//!
//! ```text
//! cargo run --release -p ackclock-sim --example long_run -- 24
//! ```
//!
//! The argument is a number of hours. An hour at 100 Mbit/s carries 44 million packets, data and
//! ACKs.

use core::iter::zip;

use ackclock_sim::app::AppPlan;
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::output::Output;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::{LimitPlan, QdiscPlan};
use ackclock_sim::record::{RecordPlan, SamplePlan};
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_sim::udp::{CbrPlan, StreamAppPlan, StreamPlan};
use ackclock_sim::{Progress, Simulation};
use ackclock_units::Rate;

const MS: u64 = 1_000_000_000;
const S: u64 = 1000 * MS;
const RATE_BPS: u64 = 100_000_000;
/// Memory of each table of the record: it is full within seconds, and recording goes no further.
const MAX_BYTES: u64 = 100_000;
/// Memory that may be taken after the first part of the run, KiB: a thousandth of a byte per packet
/// of a day.
const MORE_KIB: u64 = 1024;

fn link(name: &str, rate_bps: u64, limit_packets: u64) -> LinkPlan {
    LinkPlan {
        name: name.into(),
        rate_bps: Some(rate_bps),
        delay_ps: 10 * MS,
        qdisc: QdiscPlan::Fifo(
            LimitPlan { limit_packets: Some(limit_packets), limit_bytes: None }.into(),
        ),
        ..LinkPlan::default()
    }
}

/// Flows of three kinds, a stream, and a record that fills up.
fn plan(seconds: u64) -> Plan {
    let flow = |cc: &str| FlowPlan {
        name: cc.into(),
        cc: cc.into(),
        start_ps: 0,
        stop_ps: None,
        app: AppPlan::Bulk {},
        part_of: None,
        path: vec![0],
        reverse_path: vec![1],
        transport: serde_json::from_str(include_str!("../tests/support/linux.json"))
            .expect("the fixture is a transport plan"),
        priority: 0,
    };
    Plan {
        seed: 1,
        draws_start_order: false,
        duration_ps: seconds * S,
        warmup_ps: 0,
        links: vec![link("bottleneck", RATE_BPS, 170), link("bottleneck.reverse", RATE_BPS, 1000)],
        flows: ["reno", "cubic", "bbr"].into_iter().map(flow).collect(),
        streams: vec![StreamPlan {
            name: "cbr".into(),
            start_ps: 0,
            stop_ps: None,
            path: vec![0],
            header_bytes: 28,
            priority: 0,
            playout_ps: None,
            app: StreamAppPlan::Cbr(CbrPlan { rate_bps: RATE_BPS / 100, payload_bytes: 1000 }),
        }],
        sessions: Vec::new(),
        record: RecordPlan {
            samples: SamplePlan::Period { period_ps: MS },
            datagrams: true,
            packet_senders: vec![0],
            max_bytes: MAX_BYTES,
            ..RecordPlan::default()
        },
    }
}

/// Memory of this process that is in use, KiB; nothing: the system does not tell.
fn resident_kib() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches(" kB").parse().ok()
}

/// Every packet and every picosecond is accounted for.
fn check(output: &Output, inside: &[usize]) {
    let mut sent: u64 = output.flows.iter().map(|flow| flow.sender.sent_packets).sum();
    sent += output.streams.iter().map(|stream| stream.sent.sent_packets).sum::<u64>();
    for (at, (link, inside)) in zip(&output.links, inside).enumerate() {
        let (stats, rate) = (&link.stats, Rate::from_bps(RATE_BPS));
        assert_eq!(
            stats.arrived_packets,
            stats.delivered_packets + stats.dropped() + *inside as u64
        );
        // Packets on the wire were sent within the last delay; each rounds by half a picosecond at
        // most.
        let (delivered, rounding) =
            (rate.time_for(stats.delivered_bytes).as_ps(), stats.delivered_packets / 2);
        let busy = link.busy.as_ps();
        assert!(busy <= output.measured.as_ps());
        let wire = 10 * MS + rate.time_for(9000).as_ps();
        assert!(
            busy + rounding >= delivered && busy <= delivered + rounding + wire,
            "{busy} {delivered}"
        );
        // The control packets of handshakes are no data.
        assert!(
            at > 0 || (sent..sent + 100).contains(&stats.arrived_packets),
            "{sent} {}",
            stats.arrived_packets
        );
    }
    for flow in &output.flows {
        assert!(flow.receiver.received_bytes <= flow.sender.sent_bytes);
        assert!(flow.sender.acked_bytes <= flow.sender.sent_payload_bytes);
        let limited: u64 = flow.sender.limited.iter().map(|time| time.as_ps()).sum();
        assert_eq!(limited, flow.active.as_ps());
        assert_eq!(flow.active, output.measured);
    }
    let tables: Vec<_> = output.recorded_until().into_iter().map(|(table, _)| table).collect();
    assert!(
        output.end.as_ps() < 60 * S
            || tables == ["datagrams", "flow_samples", "link_samples", "internals", "packets"]
    );
}

/// Runs so many seconds, says at every 24th of them how much memory is in use, and returns the
/// packets that arrived at links.
///
/// # Panics
/// If anything is not as it should be.
#[must_use]
pub fn run(seconds: u64) -> u64 {
    let plan = plan(seconds);
    let mut simulation = Simulation::new(&plan).expect("the plan is valid");
    // Of a day, every hour. By then windows and queues have been as long as they get, and tables
    // are full.
    let step = (seconds / 24).max(30);
    let (mut steady, mut next) = (None, step);
    while let Progress::Running { now } = simulation.advance(1_000_000) {
        if now.as_ps() / S < next {
            continue;
        }
        next += step;
        let Some(resident) = resident_kib() else { continue };
        println!("{:>8} s {resident:>8} KiB", now.as_ps() / S);
        let steady = *steady.get_or_insert(resident);
        assert!(
            resident <= steady + MORE_KIB,
            "{resident} KiB are in use, and {steady} were after {step} s"
        );
    }
    assert_eq!(simulation.fault(), None);
    let network = simulation.network();
    let inside: Vec<usize> =
        (0..network.links.len()).map(|link| network.packets_inside(link)).collect();
    let output = simulation.finish();
    check(&output, &inside);
    let packets = output.links.iter().map(|link| link.stats.arrived_packets).sum();
    println!("{seconds} s, {packets} packets, {} events", output.events);
    packets
}

/// See the head of the file.
pub fn main() {
    let hours: u64 = std::env::args().nth(1).and_then(|hours| hours.parse().ok()).unwrap_or(24);
    let _packets = run(hours * 3600);
}
