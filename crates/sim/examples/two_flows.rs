//! A CUBIC and a BBR flow share 10 Mbit/s for half a minute: goodput, losses and the queue.
//!
//! ```text
//! cargo run --release -p ackclock-sim --example two_flows
//! ```
//!
//! A plan has numbers in base units only. `ackclock run` writes the plan of every scenario into the
//! run's folder, as `plan.json`.

use std::error::Error;

use ackclock_sim::app::AppPlan;
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::{LimitPlan, QdiscPlan};
use ackclock_sim::record::RecordPlan;
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_sim::{Progress, Simulation};

const MS: u64 = 1_000_000_000;
const S: u64 = 1000 * MS;

fn link(name: &str, limit_packets: u64) -> LinkPlan {
    LinkPlan {
        name: name.into(),
        rate_bps: Some(10_000_000),
        delay_ps: 20 * MS,
        qdisc: QdiscPlan::Fifo(
            LimitPlan { limit_packets: Some(limit_packets), limit_bytes: None }.into(),
        ),
        ..LinkPlan::default()
    }
}

fn flow(cc: &str) -> Result<FlowPlan, serde_json::Error> {
    Ok(FlowPlan {
        name: cc.into(),
        cc: cc.into(),
        start_ps: 0,
        stop_ps: None,
        app: AppPlan::Bulk {},
        part_of: None,
        path: vec![0],
        reverse_path: vec![1],
        transport: serde_json::from_str(include_str!("../tests/support/linux.json"))?,
        priority: 0,
    })
}

fn main() -> Result<(), Box<dyn Error>> {
    let plan = Plan {
        seed: 1,
        draws_start_order: false,
        duration_ps: 30 * S,
        warmup_ps: 5 * S,
        links: vec![link("bottleneck", 40), link("bottleneck.reverse", 1000)],
        flows: vec![flow("cubic")?, flow("bbr")?],
        streams: Vec::new(),
        sessions: Vec::new(),
        record: RecordPlan::default(),
    };
    let mut simulation = Simulation::new(&plan)?;
    while let Progress::Running { .. } = simulation.advance(1_000_000) {}
    let output = simulation.finish();
    for flow in &output.flows {
        let kbit = flow.sender.acked_bytes * 8 * (S / MS) / (output.measured.as_ps() / MS) / 1000;
        println!("{:>10}: {kbit} kbit/s, {} packets lost", flow.name, flow.lost_packets);
    }
    Ok(())
}
