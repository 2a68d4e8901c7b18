//! Parameters of algorithms and their values.

use core::ops::RangeInclusive;

use crate::cast::integer;
use crate::{Duration, Setup};

/// A parameter of an algorithm: `beta` in `cubic(beta=0.8)`.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Name before the `=`.
    pub name: &'static str,
    /// Value where the spec gives none. A given value must be of the same kind.
    pub default: Value,
    /// Allowed numbers. Flags and choices ignore it.
    pub range: RangeInclusive<f64>,
    /// Unit; empty for a bare number, a flag or a choice.
    pub unit: &'static str,
    /// Effect of the parameter, for a list.
    pub meaning: &'static str,
}

impl Parameter {
    /// A number without a unit.
    #[must_use]
    pub const fn number(name: &'static str, default: f64, range: RangeInclusive<f64>) -> Self {
        Self { name, default: Value::Number(default), range, unit: "", meaning: "" }
    }

    /// A number of `unit`s.
    #[must_use]
    pub const fn quantity(
        name: &'static str,
        default: f64,
        range: RangeInclusive<f64>,
        unit: &'static str,
    ) -> Self {
        Self { name, default: Value::Number(default), range, unit, meaning: "" }
    }

    /// True or false.
    #[must_use]
    pub const fn flag(name: &'static str, default: bool) -> Self {
        Self { name, default: Value::Flag(default), range: 0.0..=0.0, unit: "", meaning: "" }
    }

    /// One of `words`.
    #[must_use]
    pub const fn choice(
        name: &'static str,
        default: &'static str,
        words: &'static [&'static str],
    ) -> Self {
        let default = Value::Choice(default, words);
        Self { name, default, range: 0.0..=0.0, unit: "", meaning: "" }
    }

    /// Whether to compute as Linux: `true`, `false`, or `profile`, which is as the connection's
    /// profile is. [`Values::is_linux`] reads it.
    #[must_use]
    pub const fn linux(meaning: &'static str) -> Self {
        Self::choice("linux", "profile", Self::LINUX_FORMS).meaning(meaning)
    }

    const LINUX_FORMS: &'static [&'static str] = &["profile", "true", "false"];

    /// [`Parameter::linux`] of a slow start, which other avoidances have too: false.
    #[must_use]
    pub const fn with_default_false(self) -> Self {
        Self { default: Value::Choice("false", Self::LINUX_FORMS), ..self }
    }

    /// The parameter with the line that lists show beside it.
    #[must_use]
    pub const fn meaning(self, meaning: &'static str) -> Self {
        Self { meaning, ..self }
    }

    /// Reads a value that a user has written. `None`: the parameter does not allow it.
    #[must_use]
    pub fn read(&self, text: &str) -> Option<Value> {
        match self.default {
            Value::Flag(_) => text.parse().map(Value::Flag).ok(),
            Value::Number(_) => {
                text.parse().ok().filter(|number| self.range.contains(number)).map(Value::Number)
            }
            Value::Choice(_, all) => {
                all.iter().find(|word| **word == text).map(|word| Value::Choice(word, all))
            }
        }
    }

    /// Smallest and largest allowed number; `None` for a flag or a choice.
    #[must_use]
    pub fn numbers(&self) -> Option<(f64, f64)> {
        let is_number = matches!(self.default, Value::Number(_));
        is_number.then(|| (*self.range.start(), *self.range.end()))
    }

    /// Allowed words; `None` for a number or a flag.
    #[must_use]
    pub fn choices(&self) -> Option<&'static [&'static str]> {
        match self.default {
            Value::Choice(_, all) => Some(all),
            Value::Number(_) | Value::Flag(_) => None,
        }
    }

    /// Allowed values in words, for a message.
    #[must_use]
    pub fn allowed(&self) -> String {
        match self.default {
            Value::Flag(_) => "true or false".to_owned(),
            Value::Number(_) => {
                let (from, to) = (self.range.start(), self.range.end());
                let space = if self.unit.is_empty() { "" } else { " " };
                format!("a number from {from} to {to}{space}{}", self.unit)
            }
            Value::Choice(_, all) => format!("one of {}", all.join(", ")),
        }
    }
}

/// Value of a parameter.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// A number, in the parameter's unit.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// The chosen word, and all words that may be chosen.
    Choice(&'static str, &'static [&'static str]),
}

impl core::fmt::Display for Value {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Number(number) => write!(f, "{number}"),
            Self::Flag(flag) => write!(f, "{flag}"),
            Self::Choice(word, _) => f.write_str(word),
        }
    }
}

/// Values of all parameters of one algorithm, by name.
#[derive(Clone, Default, Debug)]
pub struct Values(Vec<(&'static str, Value)>);

impl Values {
    /// Default values of these parameters.
    #[must_use]
    pub fn defaults(parameters: &[Parameter]) -> Self {
        Self(parameters.iter().map(|parameter| (parameter.name, parameter.default)).collect())
    }

    /// Sets a value. Unknown names change nothing.
    pub fn set(&mut self, name: &str, value: Value) {
        for (_, slot) in self.0.iter_mut().filter(|(known, _)| *known == name) {
            *slot = value;
        }
    }

    /// Value of the parameter `name`, if there is one.
    #[must_use]
    pub fn find(&self, name: &str) -> Option<Value> {
        self.0.iter().find(|(known, _)| *known == name).map(|(_, value)| *value)
    }

    fn get(&self, name: &str) -> Value {
        self.find(name).expect("an algorithm asks for the parameters that it lists")
    }

    /// Number, in the parameter's unit.
    ///
    /// # Panics
    /// If the entry lists no number of that name.
    #[must_use]
    pub fn number(&self, name: &str) -> f64 {
        match self.get(name) {
            Value::Number(number) => number,
            Value::Flag(_) | Value::Choice(..) => panic!("{name} is no number"),
        }
    }

    /// Whole part of a number that counts something.
    ///
    /// # Panics
    /// If the entry lists no number of that name.
    #[must_use]
    pub fn whole(&self, name: &str) -> u64 {
        integer(self.number(name))
    }

    /// Whole part of a number that counts something, at most the largest `u32`.
    ///
    /// # Panics
    /// If the entry lists no number of that name.
    #[must_use]
    pub fn count(&self, name: &str) -> u32 {
        u32::try_from(self.whole(name)).unwrap_or(u32::MAX)
    }

    /// Time from a number of milliseconds.
    ///
    /// # Panics
    /// If the entry lists no number of that name.
    #[must_use]
    pub fn milliseconds(&self, name: &str) -> Duration {
        Duration::from_secs_f64(self.number(name) * 1e-3)
    }

    /// True or false.
    ///
    /// # Panics
    /// If the entry lists no flag of that name.
    #[must_use]
    pub fn flag(&self, name: &str) -> bool {
        match self.get(name) {
            Value::Flag(flag) => flag,
            Value::Number(_) | Value::Choice(..) => panic!("{name} is no flag"),
        }
    }

    /// Whether to compute as Linux on the connection that `setup` describes, by the parameter that
    /// [`Parameter::linux`] makes.
    ///
    /// # Panics
    /// If the entry lists no such parameter.
    #[must_use]
    pub fn is_linux(&self, setup: &Setup) -> bool {
        match self.choice("linux") {
            "profile" => setup.counts_packets,
            word => word == "true",
        }
    }

    /// Chosen word.
    ///
    /// # Panics
    /// If the entry lists no choice of that name.
    #[must_use]
    pub fn choice(&self, name: &str) -> &'static str {
        match self.get(name) {
            Value::Choice(word, _) => word,
            Value::Number(_) | Value::Flag(_) => panic!("{name} is no choice"),
        }
    }
}
