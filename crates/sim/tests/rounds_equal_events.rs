//! A run by rounds does what a run by events does, to the byte.

use crate::determinism::text;
use crate::random_plans::any_plan;
use crate::{cases, run};
use ackclock_sim::plan::Plan;
use ackclock_sim::probe::SamplePlan;
use ackclock_sim::{Output, Progress, Simulation};
use proptest::prelude::*;

/// Events of a run: enough for every state of a connection.
const MOST_EVENTS: u64 = 10_000;

/// Ends the plan after [`MOST_EVENTS`].
fn short(mut plan: Plan) -> Plan {
    let mut simulation = Simulation::by_events(&plan).expect("the plan is valid");
    if let Progress::Running { now } = simulation.advance(MOST_EVENTS) {
        plan.duration_ps = now.as_ps().max(1);
        plan.warmup_ps = plan.warmup_ps.min(plan.duration_ps - 1);
    }
    plan
}

fn by_events(plan: &Plan) -> Output {
    let mut simulation = Simulation::by_events(plan).expect("the plan is valid");
    assert_eq!(simulation.advance(u64::MAX), Progress::Finished);
    simulation.finish()
}

/// The first place at which two texts differ, with what is around it.
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
    let (rounds, events) = (text(&run(plan)), text(&by_events(plan)));
    for (line, (one, another)) in rounds.iter().zip(&events).enumerate().skip(1) {
        if one != another {
            std::fs::write("/tmp/fail.json", serde_json::to_string(plan).unwrap()).unwrap();
        }
        prop_assert!(one == another, "line {line}: {}", difference(one, another));
    }
    Ok(())
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
}
