//! How an algorithm describes itself to the [registry](crate::registry): its name, its parameters, how it is made.

use crate::avoidance::Avoidance;
use crate::slow_start::SlowStart;
use crate::{CongestionControl, Setup};

/// What a user can name.
#[derive(Debug)]
pub struct Entry {
    /// The name in a spec.
    pub name: &'static str,
    /// One line for a list.
    pub summary: &'static str,
    /// What may stand in the parentheses.
    pub parameters: &'static [Parameter],
    /// Where it is specified.
    pub reference: &'static str,
    /// Transport options that the name stands for beside the controller, as (key, value).
    pub implies: &'static [(&'static str, &'static str)],
    /// How it is made, which is also its role.
    pub make: Make,
}

/// How an algorithm is made from its parameters.
#[derive(Clone, Copy, Debug)]
pub enum Make {
    /// A slow start.
    SlowStart(fn(&Values) -> Box<dyn SlowStart>),
    /// An avoidance, and the slow start it has where the spec names none.
    Avoidance {
        /// Name of that slow start.
        slow_start: &'static str,
        /// The constructor.
        make: fn(&Values) -> Box<dyn Avoidance>,
    },
    /// A whole controller.
    Whole(fn(&Values, &Setup) -> Box<dyn CongestionControl>),
}

impl Entry {
    /// "slow start", "avoidance" or "whole".
    #[must_use]
    pub fn role(&self) -> &'static str {
        match self.make {
            Make::SlowStart(_) => "slow start",
            Make::Avoidance { .. } => "avoidance",
            Make::Whole(_) => "whole",
        }
    }
}

/// A parameter of an algorithm.
#[derive(Debug)]
pub struct Parameter {
    /// The name before the `=`.
    pub name: &'static str,
    /// The value where none is given; its kind is the parameter's kind.
    pub default: Value,
    /// Smallest and largest number allowed; without meaning for a flag or a choice.
    pub range: (f64, f64),
    /// Unit, empty for a bare number, a flag or a choice.
    pub unit: &'static str,
    /// What it does.
    pub meaning: &'static str,
}

/// A parameter's value.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Value {
    /// A number.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// One of these words.
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

/// The values of one algorithm's parameters, all of them.
#[derive(Clone, Debug)]
pub struct Values(pub(crate) Vec<(&'static str, Value)>);

impl Values {
    fn get(&self, name: &str) -> Value {
        self.0
            .iter()
            .find(|(n, _)| *n == name)
            .expect("an algorithm asks for the parameters that it lists")
            .1
    }

    /// A number.
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

    /// A number that counts something, without its fraction.
    ///
    /// # Panics
    /// As [`Values::number`].
    #[must_use]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "float-to-int casts saturate")]
    pub fn whole(&self, name: &str) -> u64 {
        self.number(name) as u64
    }

    /// A flag.
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

    /// The word chosen.
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
