//! Answers to the resolver, which is written in Python: `{"f": name, "a": [arguments]}`.
//!
//! Names, arguments and answers are those of Python's module `ackclock._core`. Numbers above 2^53
//! come as text, because they pass through a language that has none.

use std::str::FromStr;

use ackclock_cc::registry;
use ackclock_sim::catalogue;
use ackclock_sim::definitions::definitions;
use ackclock_sim::distribution::{self, Distribution};
use ackclock_sim::output::{Output, RESULTS_VERSION};
use ackclock_units::{Bytes, Duration, Rate, nearest};
use serde_json::{Map, Value, json};

pub fn ask(question: &[u8]) -> Result<Value, String> {
    let question: Value = serde_json::from_slice(question).map_err(text)?;
    let given = Arguments(&question["a"]);
    Ok(match question["f"].as_str().unwrap_or_default() {
        "parse_time" => json!(given.parsed::<Duration>()?.as_ps()),
        "parse_rate" => json!(given.parsed::<Rate>()?.as_bps()),
        "parse_size" => json!(given.parsed::<Bytes>()?.as_u64()),
        "format_time" => json!(Duration::from_ps(given.number(0)?).to_string()),
        "format_rate" => json!(Rate::from_bps(given.number(0)?).to_string()),
        "format_size" => json!(Bytes::from_u64(given.number(0)?).to_string()),
        "nearest" => json!(nearest(given.text(0)?, given.texts(1)?)),
        "check_distribution" => {
            given.distribution(0)?.check()?;
            Value::Null
        }
        "draw" => {
            let count = usize::try_from(given.number(3)?).map_err(text)?;
            let from = given.distribution(2)?;
            json!(distribution::draw(given.number(0)?, given.text(1)?, &from, count)?)
        }
        "mean" => {
            let distribution = given.distribution(0)?;
            distribution.check()?;
            json!(distribution.mean())
        }
        "check_cc" => {
            registry::check(given.text(0)?).map_err(text)?;
            Value::Null
        }
        "implied_by_cc" => {
            let options = registry::implied(given.text(0)?).map_err(text)?;
            object(options.into_iter().map(|(key, value)| (key, json!(value))))
        }
        "list_cc" => json!(catalogue::algorithms()),
        "list_qdisc" => json!(catalogue::disciplines()),
        "columns" => object(definitions().into_iter().map(|(table, it)| (table, json!(it)))),
        "row_bytes" => {
            let output = Output::default();
            object(output.tables().iter().map(|it| (it.name, json!(it.table.row_bytes()))))
        }
        "version" => json!(env!("CARGO_PKG_VERSION")),
        "results_version" => json!(RESULTS_VERSION),
        other => return Err(format!("the engine has no function '{other}'")),
    })
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}

fn object<Key: Into<String>>(pairs: impl Iterator<Item = (Key, Value)>) -> Value {
    pairs.map(|(key, value)| (key.into(), value)).collect::<Map<_, _>>().into()
}

/// Arguments of a question.
struct Arguments<'a>(&'a Value);

impl<'a> Arguments<'a> {
    fn text(&self, index: usize) -> Result<&'a str, String> {
        self.0[index].as_str().ok_or_else(|| format!("argument {index} is no text"))
    }

    fn texts(&self, index: usize) -> Result<impl Iterator<Item = &'a str>, String> {
        let list = self.0[index].as_array();
        let list = list.ok_or_else(|| format!("argument {index} is no list"))?;
        Ok(list.iter().filter_map(Value::as_str))
    }

    fn number(&self, index: usize) -> Result<u64, String> {
        let value = &self.0[index];
        value
            .as_u64()
            .or_else(|| value.as_str()?.parse().ok())
            .ok_or_else(|| format!("argument {index} is no whole number from 0 to 2^64 - 1"))
    }

    fn parsed<T: FromStr<Err: std::fmt::Display>>(&self) -> Result<T, String> {
        self.text(0)?.parse().map_err(text)
    }

    fn distribution(&self, index: usize) -> Result<Distribution, String> {
        serde_json::from_str(self.text(index)?).map_err(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answer(function: &str, arguments: &Value) -> Result<Value, String> {
        ask(json!({ "f": function, "a": arguments }).to_string().as_bytes())
    }

    #[test]
    fn quantities_are_read_and_written() {
        assert_eq!(answer("parse_time", &json!(["60ms"])), Ok(json!(60_000_000_000_u64)));
        assert_eq!(answer("parse_size", &json!(["64KiB"])), Ok(json!(65_536)));
        assert_eq!(answer("format_rate", &json!([10_000_000])), Ok(json!("10Mbit/s")));
        let most = u64::MAX.to_string();
        assert!(answer("format_time", &json!([most])).is_ok());
        assert!(answer("parse_rate", &json!(["fast"])).is_err_and(|error| error.contains("fast")));
        assert!(answer("format_size", &json!([-1])).is_err());
    }

    #[test]
    fn seeds_above_2_to_the_53_are_exact() {
        let draw = |seed: u64| {
            let fixed = r#"{"kind": "uniform", "low": 0.0, "high": 1.0}"#;
            answer("draw", &json!([seed.to_string(), "a", fixed, 2]))
        };
        assert_eq!(draw(1 << 60), draw(1 << 60));
        assert_ne!(draw(1 << 60), draw((1 << 60) + 1));
    }

    #[test]
    fn algorithms_are_listed_checked_and_suggested() {
        let list = answer("list_cc", &json!([])).expect("it takes no arguments");
        assert!(list.as_array().is_some_and(|all| all.len() > 30));
        assert_eq!(answer("check_cc", &json!(["cubic(beta=0.8)"])), Ok(Value::Null));
        assert!(answer("check_cc", &json!(["cubci"])).is_err_and(|it| it.contains("cubic")));
        assert_eq!(answer("nearest", &json!(["dely", ["rate", "delay"]])), Ok(json!("delay")));
    }

    #[test]
    fn an_unknown_question_is_refused() {
        assert!(answer("sing", &json!([])).is_err_and(|error| error.contains("'sing'")));
        assert!(ask(b"{").is_err());
    }
}
