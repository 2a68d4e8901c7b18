//! `make bench`: data packets delivered per wall second, engine alone, nothing recorded.

use std::time::Instant;

use ackclock_sim::plan::{AppPlan, FlowPlan, LimitPlan, LinkPlan, Plan, QdiscPlan, RecordPlan, TransportPlan};
use ackclock_sim::{Output, Progress, Simulation};

const MS: u64 = 1_000_000_000;
const RTT_MS: u64 = 40;
const REPEATS: usize = 5;

fn linux() -> TransportPlan {
    serde_json::from_str(include_str!("../tests/support/linux.json")).expect("the fixture is a transport plan")
}

fn dumbbell(cc: &str, flows: u64, rate_bps: u64, seconds: u64) -> Plan {
    let bdp_packets = (rate_bps / 8 * RTT_MS / 1000 / 1500).max(1);
    let link = |name: &str, rate_bps, qdisc| LinkPlan {
        name: name.into(),
        rate_bps: Some(rate_bps),
        delay_ps: RTT_MS / 2 * MS,
        qdisc,
        loss: None,
        ..LinkPlan::default()
    };
    let fifo = |packets| {
        QdiscPlan::Fifo(LimitPlan {
            limit_packets: Some(packets),
            limit_bytes: None,
        })
    };
    Plan {
        seed: 1,
        duration_ps: seconds * 1000 * MS,
        warmup_ps: 0,
        links: vec![
            link("bottleneck", rate_bps, fifo(bdp_packets)),
            link("bottleneck.reverse", rate_bps, fifo(bdp_packets)),
        ],
        flows: (0..flows)
            .map(|n| FlowPlan {
                name: format!("f.{n}"),
                cc: cc.into(),
                start_ps: n * 1000 * MS / flows,
                stop_ps: None,
                app: AppPlan::Bulk {},
                part_of: None,
                path: vec![0],
                reverse_path: vec![1],
                transport: linux(),
                priority: 0,
            })
            .collect(),
        streams: Vec::new(),
        sessions: Vec::new(),
        record: RecordPlan::default(),
    }
}

#[expect(clippy::disallowed_methods, reason = "a benchmark is about the wall clock")]
fn timed(plan: &Plan) -> (Output, f64) {
    let mut simulation = Simulation::new(plan).expect("the benchmark's plans are valid");
    let began = Instant::now();
    while simulation.advance(1 << 20) != Progress::Finished {}
    let seconds = began.elapsed().as_secs_f64();
    (simulation.finish(), seconds)
}

#[expect(clippy::cast_precision_loss, reason = "a rate for people to read")]
fn main() {
    println!(
        "{:<10} {:>6} {:>12} {:>10} {:>12} {:>14} {:>11}",
        "cc", "flows", "rate", "packets", "events/pkt", "Mpackets/s", "ns/packet"
    );
    let quick = std::env::args().any(|a| a == "--quick");
    for (cc, flows, rate, seconds) in [
        ("reno", 1, 100_000_000, 240),
        ("reno", 1, 1_000_000_000, 30),
        ("reno", 50, 100_000_000, 240),
        ("reno", 50, 1_000_000_000, 30),
        ("reno", 1000, 100_000_000, 120),
        ("reno", 1000, 1_000_000_000, 30),
        ("cubic", 1, 100_000_000, 240),
        ("cubic", 50, 1_000_000_000, 30),
    ] {
        let plan = dumbbell(cc, flows, rate, if quick { seconds / 10 } else { seconds });
        let mut best = f64::INFINITY;
        let mut line = String::new();
        for _ in 0..if quick { 1 } else { REPEATS } {
            let (output, wall) = timed(&plan);
            if wall < best {
                best = wall;
                let packets = output.links[0].stats.delivered_packets;
                line = format!(
                    "{cc:<10} {flows:>6} {:>8} Mb/s {packets:>10} {:>12.2} {:>14.2} {:>11.1}",
                    rate / 1_000_000,
                    output.events as f64 / packets as f64,
                    packets as f64 / wall / 1e6,
                    wall * 1e9 / packets as f64,
                );
            }
        }
        println!("{line}");
    }
}
