//! Is every plan of which one number is an extreme refused or run? This profile checks each sum for
//! overflow.

use std::fs;
use std::path::Path;

use ackclock_sim::plan::Plan;
use ackclock_sim::simulation::Simulation;
use serde_json::{Value, json};

/// Some round trips of each plan.
const EVENTS: u64 = 2_000;

fn extremes(old: &Value) -> Vec<Value> {
    let integers =
        || [0, 1, u64::from(u32::MAX), 1 << 32, 1 << 53, 1 << 63, u64::MAX].map(|n| json!(n));
    match old {
        Value::Number(number) if number.is_f64() => {
            let mut all = [0.0, -1.0, 1.0, 5e-324, f64::MAX].map(|n| json!(n)).to_vec();
            all.extend(integers());
            all
        }
        Value::Number(_) => integers().into_iter().chain([json!(-1)]).collect(),
        Value::Array(_) => vec![json!([])],
        Value::String(_) => vec![json!("")],
        _ => vec![],
    }
}

/// Every place of a value, as JSON pointers; of a list the first two.
fn places(value: &Value, at: &str, into: &mut Vec<String>) {
    into.push(at.to_owned());
    match value {
        Value::Object(fields) => {
            fields.iter().for_each(|(key, inner)| places(inner, &format!("{at}/{key}"), into));
        }
        Value::Array(items) => {
            for (index, inner) in items.iter().take(2).enumerate() {
                places(inner, &format!("{at}/{index}"), into);
            }
        }
        _ => {}
    }
}

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
        let mut all = Vec::new();
        places(&good, "", &mut all);
        for place in all {
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
