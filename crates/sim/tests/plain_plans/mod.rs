//! Plans as a textbook would draw them: one bottleneck, one link back.

use ackclock_sim::app::AppPlan;
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::net::loss::LossPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::{LimitPlan, QdiscPlan};
use ackclock_sim::record::RecordPlan;
use ackclock_sim::transport::flow::FlowPlan;
use ackclock_sim::transport::plan::TransportPlan;

/// A millisecond, in picoseconds.
pub const MS: u64 = 1_000_000_000;
/// A second, in picoseconds.
pub const S: u64 = 1000 * MS;

/// Linux's defaults.
pub fn linux() -> TransportPlan {
    serde_json::from_str(include_str!("../support/linux.json"))
        .expect("the fixture is a transport plan")
}

/// A limit in packets.
pub fn packets(limit_packets: u64) -> LimitPlan {
    LimitPlan { limit_packets: Some(limit_packets), limit_bytes: None }
}

/// A link of 10 Mbit/s and 20 ms in one direction with a fifo of this many packets.
pub fn link(name: &str, limit_packets: u64, loss: Option<LossPlan>) -> LinkPlan {
    LinkPlan {
        name: name.into(),
        rate_bps: Some(10_000_000),
        delay_ps: 20 * MS,
        qdisc: QdiscPlan::Fifo(packets(limit_packets).into()),
        loss,
        ..LinkPlan::default()
    }
}

/// A flow over link 0 with its ACKs over link 1.
pub fn flow(name: &str, cc: &str, app: AppPlan) -> FlowPlan {
    FlowPlan {
        name: name.into(),
        cc: cc.into(),
        start_ps: 0,
        stop_ps: None,
        app,
        part_of: None,
        path: vec![0],
        reverse_path: vec![1],
        transport: linux(),
        priority: 0,
    }
}

/// A plan of the flows over 10 Mbit/s with an RTT of 40 ms and a queue of 50 packets.
pub fn dumbbell(flows: Vec<FlowPlan>, loss: Option<LossPlan>, seconds: u64) -> Plan {
    Plan {
        seed: 1,
        draws_start_order: false,
        duration_ps: seconds * S,
        warmup_ps: 0,
        links: vec![link("bottleneck", 50, loss), link("bottleneck.reverse", 1000, None)],
        flows,
        streams: Vec::new(),
        sessions: Vec::new(),
        record: RecordPlan::default(),
    }
}
