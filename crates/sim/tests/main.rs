//! The simulator's tests, one module a question. They are one program, because the linker takes as
//! long as the tests do: a new file is a new line here.

use ackclock_sim::plan::Plan;
use ackclock_sim::random::{self, Draw};
use ackclock_sim::{Output, Progress, Simulation};
use proptest::prelude::*;

mod plain_plans;
mod whole_output;

mod bbr_draft_cases;
mod bounds;
mod counting;
mod decisions;
mod determinism;
mod digest;
mod disciplines;
mod event_driven_equals_analytic;
mod extreme_plans;
mod hosts;
mod impaired;
mod invariants;
mod queueing_theory;
mod red;
mod rounds_equal_events;
mod sessions;
mod silence;
mod starts;
mod testbench;
mod varying_rates;

/// Runs a plan to its end, which must come without a fault.
fn run(plan: &Plan) -> Output {
    let mut simulation = Simulation::new(plan).expect("the plan is valid");
    assert_eq!(simulation.advance(u64::MAX), Progress::Finished);
    assert_eq!(simulation.fault(), None);
    simulation.finish()
}

/// Ends a plan after about this many events.
fn ends_after(events: u64, mut plan: Plan) -> Plan {
    let mut simulation = Simulation::by_events(&plan).expect("the plan is valid");
    if let Progress::Running { now } = simulation.advance(events) {
        plan.duration_ps = now.as_ps().max(1);
        plan.warmup_ps = plan.warmup_ps.min(plan.duration_ps - 1);
    }
    plan
}

/// Plans or their parts as a generator draws them. Fewer bytes to draw from shrink them.
fn drawn<T: std::fmt::Debug>(make: impl Fn(&mut Draw) -> T) -> impl Strategy<Value = T> {
    const MOST_BYTES: usize = 6000;
    (any::<u64>(), 0..MOST_BYTES)
        .prop_map(move |(seed, most)| make(&mut Draw::from_seed(seed, most)))
}

/// Any plan of TCP flows.
fn any_plan() -> impl Strategy<Value = Plan> {
    drawn(random::plan)
}

/// Settings for a property: its number of cases.
fn cases(cases: u32) -> ProptestConfig {
    ProptestConfig {
        cases,
        max_shrink_iters: 3000,
        failure_persistence: None,
        ..ProptestConfig::default()
    }
}
