//! A run by rounds does what a run by events does, to the byte.

use crate::plain_plans::{MS, dumbbell, flow, packets};
use crate::whole_output::text;
use crate::{any_plan, cases, drawn, ends_after};
use ackclock_sim::app::{AppPlan, OnOffPlan};
use ackclock_sim::distribution::Distribution;
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::net::loss::LossPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::QdiscPlan;
use ackclock_sim::random::{self, Draw, specs};
use ackclock_sim::record::SamplePlan;
use ackclock_sim::udp::StreamAppPlan;
use ackclock_sim::{Output, Progress, Simulation};
use proptest::prelude::*;

/// Events of a run: enough for every state of a connection.
const MOST_EVENTS: u64 = 10_000;
/// Least delay of a link in plans with silences: a circle of two takes a microsecond.
const LEAST_DELAY: u64 = MS / 2000;

fn short(plan: Plan) -> Plan {
    ends_after(MOST_EVENTS, plan)
}

fn finished(mut simulation: Simulation<'_>) -> Output {
    assert_eq!(simulation.advance(u64::MAX), Progress::Finished);
    assert_eq!(simulation.fault(), None);
    simulation.finish()
}

/// Number of rounds of a run: one is the least that `advance` does.
fn rounds(plan: &Plan) -> u64 {
    let mut simulation = Simulation::by_rounds(plan).expect("the plan is valid");
    let mut rounds = 1;
    while simulation.advance(1) != Progress::Finished {
        rounds += 1;
    }
    rounds
}

/// The first place at which two texts differ, with the text around it.
fn difference(left: &str, right: &str) -> String {
    let at = left.bytes().zip(right.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let bytes = text.as_bytes();
        let from = at.saturating_sub(80);
        String::from_utf8_lossy(&bytes[from..bytes.len().min(at + 80)]).into_owned()
    };
    format!("at byte {at}: rounds\n{}\nevents\n{}", around(left), around(right))
}

fn check(plan: &Plan) -> Result<(), TestCaseError> {
    let run = |simulation: Result<_, _>| text(&finished(simulation.expect("the plan is valid")));
    let (rounds, events) = (run(Simulation::by_rounds(plan)), run(Simulation::by_events(plan)));
    for (line, (left, right)) in rounds.iter().zip(&events).enumerate().skip(1) {
        prop_assert!(left == right, "line {line}: {}", difference(left, right));
    }
    Ok(())
}

/// Traffic on links of microseconds, with silences of minutes: transfers that begin late, and no
/// flow that always sends.
fn silence(draw: &mut Draw) -> Plan {
    let (mut plan, slower) = (random::traffic(draw), draw.number(1..1000));
    for link in &mut plan.links {
        link.delay_ps = (link.delay_ps / 1000).max(LEAST_DELAY);
    }
    for flow in &mut plan.flows {
        if flow.app == (AppPlan::Bulk {}) {
            flow.app = AppPlan::File { size_bytes: 20_000 };
        }
        flow.start_ps *= slower;
        flow.stop_ps = flow.stop_ps.map(|stop| stop * slower);
    }
    for stream in &mut plan.streams {
        if let StreamAppPlan::Cbr(cbr) = &mut stream.app {
            cbr.rate_bps = cbr.rate_bps.div_ceil(slower);
        }
    }
    plan.duration_ps *= slower;
    plan.warmup_ps *= slower;
    plan
}

/// Many flows over one bottleneck, with access links or without.
fn any_dumbbell(draw: &mut Draw) -> Plan {
    let (has_access, starts_together, is_infinite_back) = (draw.flag(), draw.flag(), draw.flag());
    let specs = specs();
    let flows = (0..2 + draw.index(78))
        .map(|index| {
            let app = match draw.kind(&[4, 2, 1]) {
                0 => AppPlan::Bulk {},
                1 => AppPlan::File { size_bytes: draw.number(1..300_000) },
                _ => AppPlan::OnOff(OnOffPlan {
                    rate_bps: None,
                    on: Distribution::Exponential { mean: 0.1 },
                    off: Distribution::Exponential { mean: 0.1 },
                    write_bytes: 10_000,
                    stream: "on-off".into(),
                }),
            };
            let cc = &specs[draw.index(specs.len())];
            let mut flow = flow(&format!("flow.{index}"), cc, app);
            if !starts_together {
                flow.start_ps = index as u64 * 7 * MS;
            }
            flow
        })
        .collect();
    let mut plan = dumbbell(flows, None, 3);
    plan.seed = draw.number(0..u64::MAX);
    plan.links[0].rate_bps = Some(draw.number(1..20) * 10_000_000);
    plan.links[0].qdisc = QdiscPlan::Fifo(packets(draw.number(3..200)).into());
    plan.links[0].loss =
        draw.option(50, |draw| LossPlan::Bernoulli { p: draw.value(0.0..0.1), acks: true });
    let delay = draw.number(1..60);
    for link in &mut plan.links {
        link.delay_ps = delay * MS;
    }
    if is_infinite_back {
        plan.links[1].rate_bps = None;
    }
    if has_access {
        for (id, index) in (2..).zip(0..plan.flows.len()) {
            plan.flows[index].path.insert(0, id);
            plan.links.push(LinkPlan {
                name: format!("access.{index}"),
                rate_bps: Some(100_000_000),
                delay_ps: (index as u64 % 5) * MS,
                qdisc: QdiscPlan::Fifo(packets(1000).into()),
                ..LinkPlan::default()
            });
        }
    }
    plan
}

proptest! {
    #![proptest_config(cases(400))]

    #[test]
    fn rounds_and_events_give_the_same_bytes(plan in any_plan()) {
        check(&short(plan))?;
    }

    #[test]
    fn rounds_and_events_record_the_same_changes(plan in any_plan()) {
        let mut plan = short(plan);
        plan.record.samples = SamplePlan::Changes {};
        check(&plan)?;
    }

    #[test]
    fn rounds_and_events_agree_about_all_traffic(plan in drawn(random::traffic)) {
        check(&short(plan))?;
    }

    #[test]
    fn rounds_and_events_agree_about_dumbbells(plan in drawn(any_dumbbell)) {
        check(&short(plan))?;
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn rounds_and_events_agree_about_silences(plan in drawn(silence)) {
        let plan = short(plan);
        check(&plan)?;
        let mut events = Simulation::by_events(&plan).expect("the plan is valid");
        events.advance(u64::MAX);
        let (rounds, events) = (rounds(&plan), events.finish().events);
        prop_assert!(rounds <= 3 * events + 100, "{rounds} rounds for {events} events");
    }
}
