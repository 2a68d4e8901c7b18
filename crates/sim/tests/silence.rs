//! Time in which nothing happens costs nothing: time jumps to the next event of anybody.
//!
//! Rounds are counted, because `advance(1)` is one round. A round trip of the links here takes some
//! microseconds, so that a round for each would be millions.

use ackclock_sim::app::session::{RequestResponsePlan, SessionAppPlan, SessionPlan};
use ackclock_sim::app::{AppPlan, OnOffPlan, SubflowPlan};
use ackclock_sim::distribution::Distribution;
use ackclock_sim::net::impairment::{ImpairmentPlan, JitterPlan};
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::net::loss::LossPlan;
use ackclock_sim::net::outage::OutagePlan;
use ackclock_sim::net::transmitter::{SchedulePlan, ServicePlan};
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::{CodelControl, CodelPlan, QdiscPlan};
use ackclock_sim::record::SamplePlan;
use ackclock_sim::udp::{CbrPlan, StreamAppPlan, StreamPlan};
use ackclock_sim::{Output, Progress, Simulation};

use crate::plain_plans::{MS, S, dumbbell, flow, packets};
use crate::whole_output::text;

/// A microsecond, in picoseconds.
const US: u64 = 1_000_000;
const HOUR: u64 = 3600 * S;

fn fixed(value: f64) -> Distribution {
    Distribution::Fixed { value }
}

fn file(name: &str, start_ps: u64) -> ackclock_sim::transport::flow::FlowPlan {
    let mut file = flow(name, "reno", AppPlan::File { size_bytes: 10_000 });
    file.start_ps = start_ps;
    file
}

/// A path as in a data centre: 1 Gbit/s and 1 us there and back.
fn near(flows: Vec<ackclock_sim::transport::flow::FlowPlan>) -> Plan {
    let mut plan = dumbbell(flows, None, 3600);
    for link in &mut plan.links {
        (link.rate_bps, link.delay_ps) = (Some(1_000_000_000), US);
    }
    plan
}

fn link(name: &str, rate_bps: u64, delay_ps: u64) -> LinkPlan {
    LinkPlan {
        name: name.into(),
        rate_bps: Some(rate_bps),
        delay_ps,
        qdisc: QdiscPlan::Fifo(packets(100).into()),
        ..LinkPlan::default()
    }
}

/// A stream of so many datagrams in an hour.
fn stream(datagrams: u64, path: Vec<u32>) -> StreamPlan {
    let rate_bps = (datagrams * 1000 * 8).div_ceil(3600);
    StreamPlan {
        name: "stream".into(),
        start_ps: 0,
        stop_ps: None,
        path,
        header_bytes: 28,
        priority: 0,
        playout_ps: None,
        app: StreamAppPlan::Cbr(CbrPlan { rate_bps, payload_bytes: 972 }),
    }
}

/// Runs a plan round by round. Returns the number of rounds, and the results.
fn rounds(plan: &Plan) -> (u64, Output) {
    let mut simulation = Simulation::by_rounds(plan).expect("the plan is valid");
    let mut rounds = 1;
    while simulation.advance(1) != Progress::Finished {
        rounds += 1;
        assert!(rounds < 2_000_000, "rounds without end");
    }
    assert_eq!(simulation.fault(), None);
    (rounds, simulation.finish())
}

/// Rounds are so few that most of the time cannot have been walked through, and they give the
/// results of the events. A handful of rounds for an event is usual where links have empty rings
/// in between; none is longer than the events that it handles.
fn check(plan: &Plan) {
    let (rounds, output) = rounds(plan);
    let mut events = Simulation::by_events(plan).expect("the plan is valid");
    assert_eq!(events.advance(u64::MAX), Progress::Finished);
    let events = events.finish();
    for (left, right) in text(&output).iter().zip(&text(&events)).skip(1) {
        assert_eq!(left, right);
    }
    assert!(events.events > 10, "nothing happens: {} events", events.events);
    eprintln!("{rounds} rounds, {} events", events.events);
    assert!(rounds <= 3 * events.events + 20, "{rounds} rounds for {} events", events.events);
}

#[test]
fn a_file_that_starts_late_takes_no_time_before() {
    let mut plan = near(vec![file("late", 479 * HOUR)]);
    plan.duration_ps = 480 * HOUR;
    check(&plan);
    // A run that does not end with its flows.
    plan.flows.push(flow("later", "reno", AppPlan::Bulk {}));
    plan.flows[1].start_ps = 480 * HOUR - MS;
    check(&plan);
    plan.warmup_ps = HOUR;
    plan.record.samples = SamplePlan::Period { period_ps: HOUR };
    check(&plan);
    plan.record.samples = SamplePlan::Changes {};
    check(&plan);
}

#[test]
fn pauses_of_an_application_take_no_time() {
    let pauses = AppPlan::OnOff(OnOffPlan {
        rate_bps: Some(1_000_000),
        on: fixed(0.01),
        off: fixed(600.0),
        write_bytes: 1000,
        stream: "on-off".into(),
    });
    check(&near(vec![flow("pauses", "cubic", pauses)]));
    let writes = vec![(0, 1000), (600 * S, 50_000), (1800 * S, 1)];
    check(&near(vec![flow("writes", "bbr", AppPlan::Writes { writes })]));
}

#[test]
fn timers_alone_take_no_time() {
    // The last segments are lost again and again: retransmission timers back off up to an hour.
    let mut plan = near(vec![file("lost", 0)]);
    plan.links[0].loss = Some(LossPlan::Steps { steps: vec![(100 * US, 1.0)], acks: true });
    plan.flows[0].transport.max_rto_ps = 600 * S;
    check(&plan);
    // A receiver that reads a byte in a minute: probes of its window, and delayed ACKs.
    let mut plan = near(vec![flow("slow reader", "reno", AppPlan::File { size_bytes: 100_000 })]);
    plan.flows[0].transport.read_rate_bps = Some(1000);
    plan.flows[0].transport.receive_buffer_bytes = 10_000;
    check(&plan);
}

#[test]
fn gaps_of_a_stream_take_no_time() {
    let mut plan = near(vec![]);
    plan.streams.push(stream(30, vec![0]));
    check(&plan);
    plan.flows.push(file("late", HOUR / 2));
    check(&plan);
}

/// A client that asks once in ten minutes, beside a flow that never ends, which starts late.
#[test]
fn silences_of_sessions_take_no_time() {
    let mut flows: Vec<_> =
        (0..2).map(|at| flow(&format!("s[{at}]"), "reno", AppPlan::Session {})).collect();
    for (at, flow) in flows.iter_mut().enumerate() {
        let is_request = at == 1;
        flow.part_of = Some(SubflowPlan { name: "s".into(), chunk_bytes: 1, is_request });
        if is_request {
            (flow.path, flow.reverse_path) = (vec![1], vec![0]);
        }
    }
    let mut bulk = flow("late", "reno", AppPlan::Bulk {});
    bulk.start_ps = HOUR - MS;
    flows.push(bulk);
    let mut plan = near(flows);
    plan.sessions.push(SessionPlan {
        name: "s".into(),
        stream: "flow/s.1".into(),
        start_ps: 0,
        stop_ps: None,
        flows: vec![0, 1],
        app: SessionAppPlan::RequestResponse(RequestResponsePlan {
            request: fixed(100.0),
            response: fixed(20_000.0),
            server: fixed(30.0),
            think: fixed(600.0),
            count: None,
        }),
    });
    check(&plan);
    // Subflows that share an application.
    let mut flows: Vec<_> = (0..3).map(|at| file(&format!("p.{at}"), HOUR / 2)).collect();
    for flow in &mut flows {
        let name = "p".into();
        flow.part_of = Some(SubflowPlan { name, chunk_bytes: 1000, is_request: false });
    }
    check(&near(flows));
}

#[test]
fn links_that_change_in_silence_take_no_time() {
    let mut plan = near(vec![file("first", 0), file("late", HOUR / 2)]);
    plan.links[0].service = Some(ServicePlan::Schedule(SchedulePlan {
        rates: vec![(0, 1_000_000_000), (100 * US, 0), (600 * S, 500_000_000)],
        period_ps: Some(1200 * S),
        outages: Some(OutagePlan { windows: vec![(700 * S, 1700 * S)], period_ps: None }),
    }));
    plan.links[1].qdisc = QdiscPlan::Codel(CodelPlan {
        limit: packets(1000),
        control: CodelControl {
            target_ps: 5 * MS,
            interval_ps: 100 * MS,
            ecn: true,
            ce_threshold_ps: None,
        },
    });
    plan.links[1].impairments = vec![ImpairmentPlan::Jitter(JitterPlan {
        delay: fixed(0.001),
        correlation: 0.0,
        reorder: false,
    })];
    check(&plan);
}

/// One path is long and busy, the other one short and silent but for a late file. First they share
/// nothing, then the link in the middle.
#[test]
fn a_silent_path_does_not_hold_up_a_busy_one() {
    let mut bulk = flow("busy", "reno", AppPlan::Bulk {});
    bulk.stop_ps = Some(20 * S);
    (bulk.path, bulk.reverse_path) = (vec![2], vec![3]);
    let mut plan = near(vec![bulk, file("late", HOUR / 2)]);
    plan.links.push(link("long", 2_000_000, 50 * MS));
    plan.links.push(link("long.reverse", 2_000_000, 50 * MS));
    check(&plan);
    plan.flows[0].path = vec![2, 0];
    check(&plan);
    plan.flows[0].reverse_path = vec![1, 3];
    check(&plan);
}

/// The way there takes 1 us and the way back a second, and the other way around.
#[test]
fn asymmetric_paths_take_no_time() {
    for long in [0, 1] {
        let mut plan = near(vec![file("first", 0), file("late", HOUR / 2)]);
        plan.links[long].delay_ps = S;
        check(&plan);
    }
}
