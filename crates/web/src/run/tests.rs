//! A run in detail is the same run, and its windows are parts of the whole record.

use ackclock_sim::plan::Plan;
use ackclock_sim::record::{DecisionColumns, PacketColumns};
use ackclock_sim::rows::{FLOWS, LINKS};

use super::*;

const PLAN: &str = include_str!("plan.json");

fn plan() -> Plan {
    serde_json::from_str(PLAN).expect("the fixture is a plan")
}

fn run(plan: &Plan) -> Output {
    let mut simulation = Simulation::new(plan).expect("the plan is valid");
    while simulation.advance(100_000) != Progress::Finished {}
    simulation.finish()
}

fn every_packet(mut plan: Plan) -> Plan {
    plan.record.packet_links = (0..).take(plan.links.len()).collect();
    plan.record.decision_flows = vec![0, 1];
    plan
}

fn in_detail() -> Running {
    Running::in_detail(PLAN.as_bytes()).expect("the plan is valid")
}

/// Advances a run to a time, as the page does it.
fn advance_to(running: &mut Running, to: f64, forgetting_before: f64) {
    loop {
        let now = running.advance(500);
        running.forget_before(forgetting_before);
        if now < 0.0 || now >= to {
            return;
        }
    }
}

fn packets(running: &Running) -> &PacketColumns {
    running.simulation.as_ref().expect("it runs").packets()
}

fn decisions(running: &Running) -> &DecisionColumns {
    running.simulation.as_ref().expect("it runs").decisions()
}

/// Decisions as text, with the names of their rules.
fn decided(table: &DecisionColumns, rows: Range<usize>) -> Vec<String> {
    let rule = |number: u16| table.names.get(usize::from(number));
    rows.map(|at| {
        format!(
            "{} {} {} {} {} {} {:?} {:?}",
            table.time[at],
            table.flow[at],
            table.cause[at],
            table.una[at],
            table.cwnd[at],
            table.inflight[at],
            rule(table.rule[at]),
            rule(table.transport_rule[at])
        )
    })
    .collect()
}

fn debug(packets: &PacketColumns, rows: Range<usize>) -> Vec<String> {
    rows.map(|at| {
        format!(
            "{} {} {} {} {} {} {} {:?}",
            packets.time_ns[at],
            packets.place[at],
            packets.event[at],
            packets.flow[at],
            packets.seq[at],
            packets.ack[at],
            packets.ts_val[at],
            packets.sacks(at)
        )
    })
    .collect()
}

#[test]
fn a_run_has_the_digest_of_the_same_run_at_once() {
    let mut running = Running::new(PLAN.as_bytes()).expect("the plan is valid");
    while running.advance(777) >= 0.0 {}
    let answer = running.finish().expect("the run has no fault");
    assert_eq!(answer["digest"], run(&plan()).digest());
    assert_eq!(answer["flows"].as_array().map(Vec::len), Some(2));
    assert!(answer["flows"][0]["goodput_bytes"].is_u64());
    let columns = running.table("flow_samples").expect("it has samples");
    assert_eq!(columns[0]["name"], "time");
    assert!(columns[0]["length"].as_u64() > Some(100));
    assert!(running.table("nothing").is_err());
}

#[test]
fn counters_and_samples_do_not_depend_on_the_record_of_packets() {
    let (plain, detailed) = (run(&plan()), run(&every_packet(plan())));
    assert_eq!(rows(FLOWS, &plain.flows), rows(FLOWS, &detailed.flows));
    assert_eq!(rows(LINKS, &plain.links), rows(LINKS, &detailed.links));
    let samples = |output: &Output| {
        format!("{:?} {:?} {:?}", output.flow_samples, output.link_samples, output.internals)
    };
    assert_eq!(samples(&plain), samples(&detailed));
    assert!(detailed.packets.height() > 10_000);
}

#[test]
fn a_run_in_detail_ends_as_the_plain_run() {
    let mut running = in_detail();
    while running.advance(1000) >= 0.0 {}
    let (plain, answer) = (run(&plan()), running.finish().expect("the run has no fault"));
    assert_eq!(answer["flows"], rows(FLOWS, &plain.flows));
    assert_eq!(answer["links"], rows(LINKS, &plain.links));
}

#[test]
fn windows_are_parts_of_the_whole_record() {
    let Output { packets: whole, decisions: all, .. } = run(&every_packet(plan()));
    let mut running = in_detail();
    for (from, to) in [(0.0, 0.25), (0.25, 0.3), (2.0, 2.5), (2.125, 3.0), (4.75, 9.0)] {
        advance_to(&mut running, to, from);
        let answer = running.window(from, to).expect("the run has no fault");
        let table = packets(&running);
        let window = table.rows_before(time(from))..table.rows_before(time(to));
        assert_eq!(answer["packets"][0]["length"], window.len());
        assert_eq!(answer["to"], to);
        let expected = whole.rows_before(time(from))..whole.rows_before(time(to));
        assert!(expected.len() > 100);
        assert_eq!(debug(table, window), debug(&whole, expected), "from {from} to {to} s");
        let table = decisions(&running);
        let window = table.rows_before(time(from))..table.rows_before(time(to));
        assert_eq!(answer["decisions"][0]["length"], window.len());
        let expected = all.rows_before(time(from))..all.rows_before(time(to));
        assert!(expected.len() > 20);
        assert_eq!(decided(table, window), decided(&all, expected), "from {from} to {to} s");
    }
}

#[test]
fn rows_before_a_window_take_no_memory() {
    let mut running = in_detail();
    advance_to(&mut running, 4.0, 4.0);
    // At most the rows of one slice.
    assert!(packets(&running).height() < 2000);
    assert!(packets(&running).time_ns.capacity() < 5000);
    assert!(decisions(&running).time.capacity() < 5000);
}

#[test]
fn a_wrong_plan_is_refused_in_one_sentence() {
    let refused = |text: &str| Running::new(text.as_bytes()).err().expect("it is wrong");
    assert!(refused("{").starts_with("the plan is not valid: EOF"));
    let broken = PLAN.replace("\"cubic\"", "\"cubci\"");
    assert!(refused(&broken).contains("'cubci'"), "{}", refused(&broken));
    assert!(Running::in_detail(b"[]").is_err());
}
