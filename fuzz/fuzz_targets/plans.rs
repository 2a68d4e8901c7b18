//! Plans with any of their values replaced by extremes are refused or run, without panic or
//! overflow.
//!
//! The first byte chooses a plan. Each five bytes after it are an edit: two choose a value of the
//! plan, and three its replacement.
#![no_main]

use std::sync::OnceLock;

use ackclock_sim::plan::Plan;
use ackclock_sim::simulation::{Progress, Simulation};
use libfuzzer_sys::fuzz_target;
use serde_json::{Value, json};

const PLANS: [&str; 13] = [
    include_str!("../plans/application-limited.json"),
    include_str!("../plans/cobalt.json"),
    include_str!("../plans/dualpi2.json"),
    include_str!("../plans/fq-codel.json"),
    include_str!("../plans/handover.json"),
    include_str!("../plans/parallel-against-one.json"),
    include_str!("../plans/prio.json"),
    include_str!("../plans/random-loss.json"),
    include_str!("../plans/reno-one-flow.json"),
    include_str!("../plans/request-response.json"),
    include_str!("../plans/tbf.json"),
    include_str!("../plans/voice-beside-cubic.json"),
    include_str!("../plans/wifi-acks.json"),
];
/// Events of a run: enough for a round trip or two.
const EVENTS: u64 = 500;

/// The parsed plans, each with its number of values.
fn plans() -> &'static [(Value, usize)] {
    static PARSED: OnceLock<Vec<(Value, usize)>> = OnceLock::new();
    PARSED.get_or_init(|| {
        let parse = |text| serde_json::from_str(text).expect("a plan");
        PLANS.map(parse).map(|plan: Value| (plan.clone(), leaves(&plan))).to_vec()
    })
}

fn leaves(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(leaves).sum::<usize>() + 1,
        Value::Object(fields) => fields.values().map(leaves).sum::<usize>() + 1,
        _ => 1,
    }
}

/// Finds the value of this number; an array or an object has its number before its children.
fn find<'a>(value: &'a mut Value, number: &mut usize) -> Option<&'a mut Value> {
    if *number == 0 {
        return Some(value);
    }
    *number -= 1;
    match value {
        Value::Array(items) => items.iter_mut().find_map(|item| find(item, number)),
        Value::Object(fields) => fields.values_mut().find_map(|item| find(item, number)),
        _ => None,
    }
}

fn replaced(old: &Value, choice: u8, bytes: [u8; 2]) -> Value {
    let small = u16::from_le_bytes(bytes);
    let shifted = 1_u64 << (bytes[0] % 64);
    match choice % 16 {
        0 => json!(0),
        1 => json!(1),
        2 => json!(u64::MAX),
        3 => json!(shifted),
        4 => json!(shifted - 1),
        5 => json!(small),
        6 => json!(old.as_u64().map_or(small.into(), |old| old.saturating_add(bytes[0].into()))),
        7 => json!(old.as_u64().map_or(small.into(), |old| old.saturating_mul(bytes[0].into()))),
        8 => json!(f64::from(small) / 65_536.0),
        9 => json!(if bytes[0] < 128 { f64::MAX } else { f64::MIN_POSITIVE }),
        10 => json!(-1),
        11 => Value::Null,
        12 => json!(bytes[0] < 128),
        13 => json!([]),
        14 => match old {
            Value::Array(items) => json!(items.iter().chain(items.iter()).collect::<Vec<_>>()),
            _ => json!(["reno", "cubic", "bbr", "bulk", "fifo", ""][usize::from(bytes[0] % 6)]),
        },
        _ => json!({}),
    }
}

fuzz_target!(|bytes: &[u8]| {
    let Some((first, edits)) = bytes.split_first() else { return };
    let (mut value, count) = plans()[usize::from(*first) % PLANS.len()].clone();
    for edit in edits.chunks_exact(5).take(4) {
        let mut number = usize::from(u16::from_le_bytes([edit[0], edit[1]])) % count;
        if let Some(found) = find(&mut value, &mut number) {
            *found = replaced(found, edit[2], [edit[3], edit[4]]);
        }
    }
    let Ok(plan) = serde_json::from_value::<Plan>(value) else { return };
    let Ok(mut simulation) = Simulation::new(&plan) else { return };
    if matches!(simulation.advance(EVENTS), Progress::Running { .. }) {
        simulation.advance(EVENTS);
    }
    let _ = simulation.finish();
});
