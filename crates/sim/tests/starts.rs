//! The order of flows that have one start time.

use std::collections::BTreeSet;

use crate::plain_plans::{MS, dumbbell, flow};
use crate::run;
use ackclock_sim::app::AppPlan;
use ackclock_sim::plan::Plan;

fn tied(names: &[&str]) -> Plan {
    let files = names.iter().map(|name| flow(name, "reno", AppPlan::File { size_bytes: 1448 }));
    Plan { draws_start_order: true, ..dumbbell(files.collect(), None, 5) }
}

/// Names of the flows in the order in which they finish. It is the order of their first packets,
/// because the flows are alike otherwise.
fn order(plan: &Plan) -> Vec<String> {
    let mut done: Vec<_> = run(plan)
        .flows
        .into_iter()
        .map(|flow| (flow.finished.expect("the file has arrived"), flow.name))
        .collect();
    done.sort();
    done.into_iter().map(|(_, name)| name).collect()
}

#[test]
fn the_seed_draws_the_order_of_flows_that_start_together() {
    let orders = || -> BTreeSet<_> {
        (0..40).map(|seed| order(&Plan { seed, ..tied(&["a", "b", "c"]) })).collect()
    };
    // All 3! orders. One is missing with a probability of 6 (5/6)^40 = 0.4 %, but the draws are
    // frozen.
    assert_eq!(orders().len(), 6);
    assert_eq!(orders(), orders());
}

#[test]
fn one_more_flow_leaves_the_order_of_the_others() {
    for seed in 0..20 {
        let three = order(&Plan { seed, ..tied(&["a", "b", "c"]) });
        let mut four = order(&Plan { seed, ..tied(&["d", "a", "b", "c"]) });
        four.retain(|name| name != "d");
        assert_eq!(three, four, "seed {seed}");
    }
}

#[test]
fn without_a_draw_and_at_different_times_the_plan_says_who_is_first() {
    for seed in 0..20 {
        let plan = Plan { seed, ..tied(&["a", "b", "c"]) };
        let as_written = Plan { draws_start_order: false, ..plan.clone() };
        assert_eq!(order(&as_written), ["a", "b", "c"], "seed {seed}");
        let mut staggered = plan;
        staggered.flows[0].start_ps = 2 * MS;
        staggered.flows[2].start_ps = MS;
        assert_eq!(order(&staggered), ["b", "c", "a"], "seed {seed}");
    }
}

/// A drawn order moves a start by some picoseconds in the engine; the output has the plan's times.
#[test]
fn a_drawn_order_moves_no_start() {
    let flows = run(&Plan { seed: 3, ..tied(&["a", "b"]) }).flows;
    assert!(flows.iter().all(|flow| flow.start.as_ps() == 0));
}
