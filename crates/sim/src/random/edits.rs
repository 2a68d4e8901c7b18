//! Plans with values that no person would write: extremes, other types, lists without an element.

use serde_json::{Value, json};

use super::Draw;
use crate::plan::Plan;

/// Extremes that may stand in place of a value.
#[must_use]
pub fn extremes(old: &Value) -> Vec<Value> {
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

/// Every place of a value, as JSON pointers; of a list the first `most`.
#[must_use]
pub fn places(value: &Value, most: usize) -> Vec<String> {
    let inner: Vec<(String, &Value)> = match value {
        Value::Object(fields) => fields.iter().map(|(key, value)| (key.clone(), value)).collect(),
        Value::Array(items) => {
            let items = items.iter().enumerate().take(most);
            items.map(|(index, value)| (index.to_string(), value)).collect()
        }
        _ => vec![],
    };
    let below = inner.into_iter().flat_map(|(key, value)| {
        places(value, most).into_iter().map(move |place| format!("/{key}{place}"))
    });
    std::iter::once(String::new()).chain(below).collect()
}

/// Replaces a value at any place by another.
fn edit(draw: &mut Draw, plan: &mut Value) {
    let places = places(plan, usize::MAX);
    let place = &places[draw.index(places.len())];
    let Some(old) = plan.pointer_mut(place) else { return };
    let number = old.as_u64().unwrap_or_default();
    let few = draw.number(0..256);
    let others = extremes(old);
    *old = match draw.kind(&[6, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]) {
        0 if !others.is_empty() => others[draw.index(others.len())].clone(),
        0 | 1 => json!(few),
        2 => json!(1_u64 << (few % 64)),
        3 => json!((1_u64 << (few % 64)) - 1),
        4 => json!(number.saturating_add(few)),
        5 => json!(number.saturating_mul(few)),
        6 => json!(draw.value(0.0..1.0)),
        7 => json!(f64::MIN_POSITIVE),
        8 => Value::Null,
        9 => json!(draw.flag()),
        10 => match old {
            Value::Array(items) => json!(items.iter().chain(items.iter()).collect::<Vec<_>>()),
            _ => json!(draw.choice(&["reno", "cubic", "bbr", "bulk", "fifo"])),
        },
        _ => json!({}),
    };
}

/// A random plan of which a few values are replaced; `None`: it is none then.
pub fn edited(draw: &mut Draw) -> Option<Plan> {
    let mut plan = serde_json::to_value(super::traffic(draw)).ok()?;
    for _ in 0..draw.number(0..5) {
        edit(draw, &mut plan);
    }
    serde_json::from_value(plan).ok()
}
