//! Is every plan of which one number is an extreme refused or run? This profile checks each sum for
//! overflow.

use std::fs;
use std::path::Path;

use ackclock_sim::plan::Plan;
use ackclock_sim::random::{self, extremes, places};
use ackclock_sim::simulation::Simulation;
use proptest::prelude::*;
use serde_json::Value;

use crate::{cases, drawn};

/// Some round trips of each plan.
const EVENTS: u64 = 2_000;

#[test]
fn an_extreme_number_is_refused_or_run() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz/plans");
    let (mut refused, mut run, mut panicked) = (0, 0, Vec::new());
    let mut files: Vec<_> = fs::read_dir(folder)
        .expect("the fuzzer's plans")
        .flatten()
        .map(|file| file.path())
        .collect();
    files.sort();
    for file in files {
        let name = file.file_stem().expect("a file").to_string_lossy().into_owned();
        let good: Value =
            serde_json::from_str(&fs::read_to_string(&file).expect("text")).expect("JSON");
        for place in places(&good, 2) {
            for value in extremes(good.pointer(&place).expect("it was found")) {
                let mut changed = good.clone();
                *changed.pointer_mut(&place).expect("it was found") = value.clone();
                let Ok(plan) = serde_json::from_value::<Plan>(changed) else {
                    continue;
                };
                let outcome = std::panic::catch_unwind(|| {
                    let mut simulation = Simulation::new(&plan)?;
                    simulation.advance(EVENTS);
                    Ok::<_, ackclock_sim::plan::PlanError>(simulation.finish())
                });
                match outcome {
                    Ok(Ok(_)) => run += 1,
                    Ok(Err(_)) => refused += 1,
                    Err(_) => panicked.push(format!("{name}: {place} = {value}")),
                }
            }
        }
    }
    assert_eq!(panicked, Vec::<String>::new());
    assert!(refused > 500 && run > 2_000, "{refused} refused, {run} run");
}

proptest! {
    #![proptest_config(cases(500))]

    #[test]
    fn a_random_plan_with_other_values_is_refused_or_run(plan in drawn(random::edited)) {
        if let Some(Ok(mut simulation)) = plan.as_ref().map(Simulation::new) {
            simulation.advance(EVENTS);
            let _ = simulation.finish();
        }
    }
}
