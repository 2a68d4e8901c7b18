//! The memory of idle flows: flows with equal options share them.

mod plain_plans;

use std::alloc::System;

use ackclock_sim::Simulation;
use ackclock_sim::app::AppPlan;
use ackclock_sim::plan::Plan;
use cap::Cap;
use plain_plans::{dumbbell, flow};

#[global_allocator]
static HEAP: Cap<System> = Cap::new(System, usize::MAX);

/// Bytes that a run of the plan takes before its first event.
fn idle_bytes(plan: &Plan) -> usize {
    let before = HEAP.allocated();
    let simulation = Simulation::new(plan).expect("the plan is valid");
    let bytes = HEAP.allocated() - before;
    drop(simulation);
    bytes
}

/// One function, because tests of one program run at the same time.
#[test]
fn an_idle_flow_takes_less_than_a_kilobyte_and_a_half() {
    let plan = |flows: u32| {
        let flows = (0..flows).map(|n| flow(&format!("f{n}"), "reno", AppPlan::Bulk {}));
        dumbbell(flows.collect(), None, 1)
    };
    let (few, many) = (plan(256), plan(1280));
    let bytes = (idle_bytes(&many) - idle_bytes(&few)) / 1024;
    // 1,504 when this was written; the benchmark has the figures of larger runs.
    assert!(bytes < 1536, "{bytes} bytes");

    let mut different = plan(1280);
    for (more, flow) in (1..).zip(&mut different.flows) {
        flow.transport.max_rto_ps += more;
    }
    let alone = idle_bytes(&different) - idle_bytes(&many);
    // At least 96 bytes each; it would be none if a flow kept the options of another.
    assert!(alone > 96 * 1024, "options that differ are kept apart: {alone} bytes");
}
