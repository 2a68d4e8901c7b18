//! A run by rounds does what a run by events does, to the byte.

use crate::plain_plans::{MS, dumbbell, flow, packets};
use crate::random_plans::{any_plan, run_by_session, session_app, specs};
use crate::whole_output::text;
use crate::{cases, ends_after};
use ackclock_sim::app::{AppPlan, OnOffPlan};
use ackclock_sim::distribution::Distribution;
use ackclock_sim::net::link::LinkPlan;
use ackclock_sim::net::loss::LossPlan;
use ackclock_sim::plan::Plan;
use ackclock_sim::qdisc::QdiscPlan;
use ackclock_sim::record::SamplePlan;
use ackclock_sim::udp::{CbrPlan, StreamAppPlan, StreamPlan, VoicePlan};
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
fn difference(one: &str, another: &str) -> String {
    let at = one.bytes().zip(another.bytes()).take_while(|(a, b)| a == b).count();
    let around = |text: &str| {
        let bytes = text.as_bytes();
        let from = at.saturating_sub(80);
        String::from_utf8_lossy(&bytes[from..bytes.len().min(at + 80)]).into_owned()
    };
    format!("at byte {at}: rounds\n{}\nevents\n{}", around(one), around(another))
}

fn check(plan: &Plan) -> Result<(), TestCaseError> {
    let run = |simulation: Result<_, _>| text(&finished(simulation.expect("the plan is valid")));
    let (rounds, events) = (run(Simulation::by_rounds(plan)), run(Simulation::by_events(plan)));
    for (line, (one, another)) in rounds.iter().zip(&events).enumerate().skip(1) {
        prop_assert!(one == another, "line {line}: {}", difference(one, another));
    }
    Ok(())
}

fn stream(links: usize) -> impl Strategy<Value = StreamPlan> {
    let app = prop_oneof![
        (10_000..2_000_000_u64, 20..1400_u32).prop_map(|(rate_bps, payload_bytes)| {
            StreamAppPlan::Cbr(CbrPlan { rate_bps, payload_bytes })
        }),
        Just(StreamAppPlan::Voice(VoicePlan {
            frame_ps: 20 * MS,
            payload_bytes: 160,
            talk_mean_ps: 300 * MS,
            pause_mean_ps: 200 * MS,
            lookahead_ps: 0,
            ie: 0.0,
            bpl: 0.0,
            advantage: 0.0,
        })),
    ];
    let all: Vec<u32> = (0..).take(links).collect();
    let path = proptest::sample::subsequence(all, 1..=links.min(3)).prop_shuffle();
    (app, path, 0..1000_u64, proptest::option::of(1..2000_u64)).prop_map(
        |(app, path, start, stop)| StreamPlan {
            name: String::new(),
            start_ps: start * MS,
            stop_ps: stop.map(|after| (start + after) * MS),
            path,
            header_bytes: 28,
            priority: 1,
            playout_ps: Some(50 * MS),
            app,
        },
    )
}

/// A plan with everything that acts beside TCP flows.
fn any_traffic() -> impl Strategy<Value = Plan> {
    let sessions = proptest::collection::vec(session_app(false), 0..3);
    let samples = prop_oneof![
        Just(SamplePlan::Off),
        (1..500_u64).prop_map(|ms| SamplePlan::Period { period_ps: ms * MS }),
        Just(SamplePlan::Changes {}),
    ];
    (any_plan(), sessions, samples, any::<(bool, bool)>())
        .prop_flat_map(|(mut plan, sessions, samples, (draws_start_order, starts_together))| {
            if plan.sessions.is_empty() && plan.flows.iter().all(|flow| flow.part_of.is_none()) {
                for (index, app) in sessions.into_iter().enumerate() {
                    let mut flows = vec![plan.flows[0].clone()];
                    let mut session = run_by_session(&mut flows, app);
                    session.flows = (0..).skip(plan.flows.len()).take(2).collect();
                    session.name = format!("session.{index}");
                    session.stream = format!("flow/session.{index}");
                    for (at, flow) in flows.iter_mut().enumerate() {
                        flow.name = format!("session.{index}.{at}");
                        if let Some(part) = &mut flow.part_of {
                            part.name = format!("session.{index}");
                        }
                    }
                    plan.flows.extend(flows);
                    plan.sessions.push(session);
                }
            }
            plan.draws_start_order = draws_start_order;
            plan.record.samples = samples;
            if starts_together {
                plan.flows.iter_mut().for_each(|flow| flow.start_ps = 0);
            }
            let streams = proptest::collection::vec(stream(plan.links.len()), 0..4);
            (Just(plan), streams)
        })
        .prop_map(|(mut plan, streams)| {
            for (index, mut stream) in streams.into_iter().enumerate() {
                stream.name = format!("stream.{index}");
                plan.streams.push(stream);
            }
            plan.record.datagrams = true;
            plan
        })
}

/// Traffic on links of microseconds, with silences of minutes: transfers that begin late, and no
/// flow that always sends.
fn any_silence() -> impl Strategy<Value = Plan> {
    (any_traffic(), 1..1000_u64).prop_map(|(mut plan, slower)| {
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
    })
}

/// Many flows over one bottleneck, with access links or without.
fn any_dumbbell() -> impl Strategy<Value = Plan> {
    let shape = (2..80_usize, 3..200_u64, 1..60_u64, 1..20_u64, any::<(bool, bool, bool)>());
    let app = prop_oneof![
        4 => Just(AppPlan::Bulk {}),
        2 => (1..300_000_u64).prop_map(|size_bytes| AppPlan::File { size_bytes }),
        1 => Just(AppPlan::OnOff(OnOffPlan {
            rate_bps: None,
            on: Distribution::Exponential { mean: 0.1 },
            off: Distribution::Exponential { mean: 0.1 },
            write_bytes: 10_000,
            stream: "on-off".into(),
        })),
    ];
    let apps = proptest::collection::vec((app, proptest::sample::select(specs())), 80);
    (shape, apps, any::<u64>(), proptest::option::of(0.0..0.1)).prop_map(
        |((flows, limit, delay, mbps, flags), apps, seed, loss)| {
            let (has_access, starts_together, is_infinite_back) = flags;
            let flows: Vec<_> = apps
                .into_iter()
                .take(flows)
                .enumerate()
                .map(|(index, (app, cc))| {
                    let mut flow = flow(&format!("flow.{index}"), &cc, app);
                    if !starts_together {
                        flow.start_ps = index as u64 * 7 * MS;
                    }
                    flow
                })
                .collect();
            let loss = loss.map(|p| LossPlan::Bernoulli { p, acks: true });
            let mut plan = dumbbell(flows, None, 3);
            plan.seed = seed;
            plan.links[0].rate_bps = Some(mbps * 10_000_000);
            plan.links[0].qdisc = QdiscPlan::Fifo(packets(limit).into());
            plan.links[0].loss = loss;
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
        },
    )
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
    fn rounds_and_events_agree_about_all_traffic(plan in any_traffic()) {
        check(&short(plan))?;
    }

    #[test]
    fn rounds_and_events_agree_about_dumbbells(plan in any_dumbbell()) {
        check(&short(plan))?;
    }
}

proptest! {
    #![proptest_config(cases(100))]

    #[test]
    fn rounds_and_events_agree_about_silences(plan in any_silence()) {
        let plan = short(plan);
        check(&plan)?;
        let mut events = Simulation::by_events(&plan).expect("the plan is valid");
        events.advance(u64::MAX);
        let (rounds, events) = (rounds(&plan), events.finish().events);
        prop_assert!(rounds <= 3 * events + 100, "{rounds} rounds for {events} events");
    }
}
