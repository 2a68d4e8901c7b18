//! Runs that would take all memory, hang, or overflow: each has a bound, and says so.

use ackclock_sim::app::AppPlan;
use ackclock_sim::app::session::{SessionAppPlan, SessionPlan, ShortFlowsPlan};
use ackclock_sim::columns::Table;
use ackclock_sim::distribution::Distribution;
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::{Dualpi2Plan, LimitPlan, PieControlPlan, PiePlan, QdiscPlan};
use ackclock_sim::record::SamplePlan;
use ackclock_sim::transport::accounting::Limit;
use ackclock_sim::udp::{CbrPlan, StreamAppPlan, StreamPlan};
use ackclock_sim::{Progress, Simulation};

use crate::plain_plans::{MS, S, dumbbell, flow};
use crate::run;

/// The message of a run that cannot continue.
fn fault_of(plan: &Plan) -> String {
    let mut simulation = Simulation::new(plan).expect("the plan is valid");
    while simulation.advance(1_000_000) != Progress::Finished {}
    simulation.fault().expect("it cannot go on").to_owned()
}

fn cbr(rate_bps: u64) -> StreamPlan {
    StreamPlan {
        name: "cbr".into(),
        start_ps: 0,
        stop_ps: None,
        path: vec![0],
        header_bytes: 28,
        priority: 0,
        playout_ps: None,
        app: StreamAppPlan::Cbr(CbrPlan { rate_bps, payload_bytes: 1000 }),
    }
}

/// R8: transmission times beyond the clock's end were counted as busy time, and utilisation was 2
/// to 77.
#[test]
fn a_queue_longer_than_the_clock_is_no_more_than_busy() {
    for warmup in [0, 5 * S] {
        let mut plan = dumbbell(vec![], None, 10);
        plan.warmup_ps = warmup;
        plan.links[0] =
            LinkPlan { rate_bps: Some(1), qdisc: QdiscPlan::default(), ..plan.links[0].clone() };
        // 1250 packets a second, of 8224 s each: a second fills half of the clock's 213 days.
        plan.streams = vec![cbr(10_000_000)];
        let output = run(&plan);
        assert_eq!(output.links[0].busy, output.measured);
    }
}

/// R9: a flow that had been stopped drained its queue for longer than it had run, and was "limited
/// for 234 % of its time".
#[test]
fn no_flow_is_limited_for_longer_than_it_is_active() {
    let mut stopped = flow("f", "cubic", AppPlan::Bulk {});
    stopped.stop_ps = Some(3 * S);
    let mut late = stopped.clone();
    (late.name, late.start_ps, late.stop_ps) = ("late".into(), S, Some(S + 100 * MS));
    for warmup in [0, S / 2, 2 * S, 4 * S] {
        let mut plan = dumbbell(vec![stopped.clone(), late.clone()], None, 30);
        plan.warmup_ps = warmup;
        // At 100 kbit/s 50 packets take 6 s.
        plan.links[0].rate_bps = Some(100_000);
        for flow in run(&plan).flows {
            let (limited, active) = (flow.sender.limited, flow.active.as_ps());
            let spent: u64 = limited.iter().map(|time| time.as_ps()).sum();
            assert!(spent <= active, "{}: {spent} of {active}", flow.name);
            if flow.name == "f" && warmup == 0 {
                assert!(limited[Limit::Cwnd as usize].as_ps() > 0);
                assert_eq!(spent, active);
            }
        }
    }
}

/// R5: a packet every 10 s, and an update every microsecond; 10^9 updates in 1000 s, and more in
/// the long pauses.
#[test]
fn frequent_updates_of_an_idle_queue_take_no_time() {
    let dualpi2: Dualpi2Plan = serde_json::from_str(
        r#"{"limit": {}, "target_ps": 15000000000, "tupdate_ps": 1000000, "alpha": 1e-9,
            "beta": 3.2, "coupling_factor": 2.0, "step": {"kind": "time", "ps": 1000000000},
            "drop_on_overload": true, "drop_enqueue": false, "classic_protection": 10,
            "any_ect": false, "mtu_bytes": 1500}"#,
    )
    .expect("a plan");
    let control: PieControlPlan = serde_json::from_str(
        r#"{"target_ps": 15000000000, "tupdate_ps": 1000000, "alpha": 1e-9, "beta": 1.25,
            "max_burst_ps": 0, "ecn": false, "ecn_prob": 0.1, "bytemode": false,
            "dq_rate_estimator": false, "mtu_bytes": 1500}"#,
    )
    .expect("a plan");
    let pie = PiePlan { limit: LimitPlan::default(), control };
    for qdisc in [QdiscPlan::Dualpi2(dualpi2), QdiscPlan::Pie(pie)] {
        let mut plan = dumbbell(vec![], None, 24 * 3600);
        // A packet takes a quarter of an hour: the head's age is what updates read.
        plan.links[0] = LinkPlan { rate_bps: Some(9), qdisc, ..plan.links[0].clone() };
        plan.streams = vec![cbr(800)];
        let output = run(&plan);
        assert!(output.links[0].stats.arrived_packets > 8000);
    }
}

/// R7: a table that is full takes no more, says since when, and leaves the run and its counters as
/// they are.
#[test]
fn every_table_of_the_record_has_a_bound() {
    let mut plan = dumbbell(vec![flow("f", "bbr", AppPlan::Bulk {})], None, 20);
    plan.streams = vec![cbr(1_000_000)];
    plan.record.packet_links = vec![0];
    plan.record.packet_senders = vec![0, 1];
    plan.record.datagrams = true;
    for samples in [SamplePlan::Changes {}, SamplePlan::Period { period_ps: MS / 10 }] {
        plan.record.samples = samples;
        plan.record.max_bytes = u64::MAX;
        let all = run(&plan);
        assert_eq!(all.recorded_until(), []);
        plan.record.max_bytes = 50_000;
        let some = run(&plan);
        let names: Vec<_> = some.recorded_until().iter().map(|(name, _)| *name).collect();
        assert_eq!(names, ["datagrams", "flow_samples", "link_samples", "internals", "packets"]);
        let rows = some.flow_samples.time.len();
        assert_eq!(rows, 50_000 / some.flow_samples.row_bytes());
        assert_eq!(some.flow_samples.cwnd, all.flow_samples.cwnd[..rows]);
        let until = some.recorded_until()[1].1.as_secs_f64();
        assert!((all.flow_samples.time[rows] - until).abs() < 1e-12);
        assert_eq!(some.flows[0].sender.sent_packets, all.flows[0].sender.sent_packets);
        assert_eq!(
            some.streams[0].received.received_packets,
            all.streams[0].received.received_packets
        );
    }
}

/// Endless data over a path without rate and delay: nothing ever takes time.
#[test]
fn a_run_whose_clock_stands_still_ends_with_a_sentence() {
    let mut plan = dumbbell(vec![flow("endless", "reno", AppPlan::Bulk {})], None, 10);
    for link in &mut plan.links {
        (link.rate_bps, link.delay_ps) = (None, 0);
    }
    let sentence = fault_of(&plan);
    assert!(sentence.starts_with("time stands still at 0.000000 s: "), "{sentence}");
    assert!(sentence.contains("endless") || sentence.contains("bottleneck"), "{sentence}");
}

/// A hundred million connections arrive per second, and all of them wait.
#[test]
fn a_session_that_is_overloaded_ends_with_a_sentence() {
    let mut plan = dumbbell(vec![flow("arrivals", "reno", AppPlan::Session {})], None, 10);
    plan.sessions = vec![SessionPlan {
        name: "arrivals".into(),
        stream: "flow/arrivals".into(),
        start_ps: 0,
        stop_ps: None,
        flows: vec![0],
        app: SessionAppPlan::ShortFlows(ShortFlowsPlan {
            interval: Distribution::Fixed { value: 1e-8 },
            size: Distribution::Fixed { value: 1e6 },
            count: None,
        }),
    }];
    let sentence = fault_of(&plan);
    assert!(
        sentence.contains("flow arrivals") && sentence.contains("lower its load"),
        "{sentence}"
    );
}

/// docs/limits.md and `scenario/plan/record.py` have these figures.
#[test]
fn rows_are_as_wide_as_the_documentation_says() {
    let output = run(&dumbbell(vec![], None, 1));
    assert_eq!(output.flow_samples.row_bytes(), 109);
    assert_eq!(output.link_samples.row_bytes(), 80);
    assert_eq!(output.internals.row_bytes(), 22);
    assert_eq!(output.packets.row_bytes(), 111);
    assert_eq!(output.transfers.row_bytes(), 45);
    assert_eq!(output.datagrams.row_bytes(), 44);
    assert_eq!(output.frames.row_bytes(), 43);
}
