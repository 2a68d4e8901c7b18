//! What the resolver, which is written in Python, asks of the core: `{"f": name, "a":
//! [arguments]}`.

use ackclock_cc::entry::{Make, Value as Default};
use ackclock_cc::registry;
use ackclock_sim::distribution::{self, Distribution};
use ackclock_units::{Bytes, Duration, Rate};
use serde_json::{Value, json};

pub fn ask(question: &[u8]) -> Result<Value, String> {
    let question: Value = serde_json::from_slice(question).map_err(text)?;
    let arguments = &question["a"];
    let text_at = |index: usize| arguments[index].as_str().ok_or("an argument is no text");
    let number_at = |index: usize| {
        let value = &arguments[index];
        // Numbers above 2^53 come as text.
        value.as_u64().or_else(|| value.as_str()?.parse().ok()).ok_or("an argument is no number")
    };
    Ok(match question["f"].as_str().unwrap_or_default() {
        "parse_time" => json!(text_at(0)?.parse::<Duration>().map_err(text)?.as_ps()),
        "parse_rate" => json!(text_at(0)?.parse::<Rate>().map_err(text)?.as_bps()),
        "parse_size" => json!(text_at(0)?.parse::<Bytes>().map_err(text)?.as_u64()),
        "format_time" => json!(Duration::from_ps(number_at(0)?).to_string()),
        "format_rate" => json!(Rate::from_bps(number_at(0)?).to_string()),
        "check_distribution" => {
            distribution(text_at(0)?)?.check().map_err(text)?;
            Value::Null
        }
        "draw" => {
            let count = usize::try_from(number_at(3)?).map_err(text)?;
            let from = distribution(text_at(2)?)?;
            json!(distribution::draw(number_at(0)?, text_at(1)?, &from, count).map_err(text)?)
        }
        "mean" => {
            let distribution = distribution(text_at(0)?)?;
            distribution.check().map_err(text)?;
            json!(distribution.mean())
        }
        "check_cc" => {
            registry::check(text_at(0)?).map_err(text)?;
            Value::Null
        }
        "implied_by_cc" => registry::implied(text_at(0)?)
            .map_err(text)?
            .into_iter()
            .map(|(key, value)| (key.to_owned(), json!(value)))
            .collect::<serde_json::Map<_, _>>()
            .into(),
        "list_cc" => catalogue(),
        other => return Err(format!("the engine has no function '{other}'")),
    })
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn distribution(json: &str) -> Result<Distribution, String> {
    serde_json::from_str(json).map_err(text)
}

fn catalogue() -> Value {
    let entries = registry::catalogue().iter().map(|entry| {
        let parameters = entry.parameters.iter().map(|parameter| {
            let (default, range, choices) = match parameter.default {
                Default::Number(number) => {
                    let range = &parameter.range;
                    (json!(number), json!([range.start(), range.end()]), Value::Null)
                }
                Default::Flag(flag) => (json!(flag), Value::Null, Value::Null),
                Default::Choice(word, all) => (json!(word), Value::Null, json!(all)),
            };
            json!({
                "name": parameter.name, "default": default, "range": range, "choices": choices,
                "unit": parameter.unit, "meaning": parameter.meaning,
            })
        });
        let slow_start = match &entry.make {
            Make::Avoidance { slow_start, .. } => Some(&**slow_start),
            Make::SlowStart(_) | Make::Whole(_) => None,
        };
        let implies = entry.implies.iter().map(|(key, value)| ((*key).to_owned(), json!(value)));
        json!({
            "name": entry.name, "role": entry.role(), "slow_start": slow_start,
            "summary": entry.summary, "reference": entry.reference,
            "implies": implies.collect::<serde_json::Map<_, _>>(),
            "parameters": parameters.collect::<Vec<_>>(),
        })
    });
    entries.collect()
}
