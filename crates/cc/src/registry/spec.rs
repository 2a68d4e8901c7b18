//! Parses the text of a spec into the algorithms that it names.

use std::collections::BTreeSet;

use ackclock_units::did_you_mean;

use super::catalogue::{catalogue, find};
use crate::avoidance::Avoidance;
use crate::entry::{Constructor, Entry, Make, Maker, SpecError, Value, Values};
use crate::slow_start::SlowStart;
use crate::windowed::Windowed;
use crate::{CongestionControl, Setup};

/// A spec whose names and values are known to be right.
pub struct Spec {
    controller: Controller,
    /// Transport options that the spec sets, as (key, value).
    pub implies: Vec<(String, String)>,
}

/// Constructors of a whole controller or of two halves, with the values of their parameters.
enum Controller {
    Whole(Constructor<dyn CongestionControl>, Values),
    Windowed {
        slow_start: (Constructor<dyn SlowStart>, Values),
        avoidance: (Constructor<dyn Avoidance>, Values),
    },
}

impl Spec {
    /// Parses `spec`; `maker` resolves names that the catalogue lacks.
    pub fn parse(spec: &str, maker: &dyn Maker) -> Result<Self, SpecError> {
        let parts = split(spec);
        let mut parts =
            parts.iter().map(|part| Part::parse(part, maker)).collect::<Result<Vec<_>, _>>()?;
        match (parts.pop(), parts.pop(), parts.len()) {
            (Some(part), None, 0) => match part.make {
                Make::Whole(make) => {
                    let controller = Controller::Whole(make, part.values);
                    Ok(Self { controller, implies: part.implies })
                }
                Make::Avoidance { ref slow_start, .. } => {
                    Self::pair(part.slow_start(slow_start, maker)?, part)
                }
                Make::SlowStart(_) => Err(SpecError::new(format!(
                    "'{0}' is a slow start and needs an avoidance after it, for example \
                     '{0}+reno'.",
                    part.name
                ))),
            },
            (Some(second), Some(first), 0) => Self::pair(first, second),
            (_, _, more) => Err(SpecError::new(format!(
                "'{spec}' has {} parts joined by '+'; a spec is an avoidance or a slow start and \
                 an avoidance, for example 'cos+reno'.",
                more + 2
            ))),
        }
    }

    fn pair(first: Part, second: Part) -> Result<Self, SpecError> {
        let (one, two) = (first.name, second.name);
        let wrong = match (first.make, second.make) {
            (Make::SlowStart(slow_start), Make::Avoidance { make, .. }) => {
                let slow_start = (slow_start, first.values);
                let controller =
                    Controller::Windowed { slow_start, avoidance: (make, second.values) };
                return Ok(Self { controller, implies: second.implies });
            }
            (Make::Avoidance { .. }, Make::SlowStart(_)) => {
                format!("the slow start comes first, as in '{two}+{one}'")
            }
            (Make::SlowStart(_), Make::SlowStart(_)) => {
                format!(
                    "both are slow starts; one slow start and one avoidance make a controller, \
                     for example '{one}+reno'"
                )
            }
            (Make::Avoidance { .. }, Make::Avoidance { .. }) => {
                format!(
                    "both are avoidances; one slow start and one avoidance make a controller, for \
                     example 'classic+{two}'"
                )
            }
            (Make::Whole(_), _) => format!("'{one}' is a whole controller and stands alone"),
            (_, Make::Whole(_)) => format!("'{two}' is a whole controller and stands alone"),
        };
        Err(SpecError::new(format!("'{one}+{two}': {wrong}.")))
    }

    /// Makes the controller for a connection.
    pub fn build(&self, setup: &Setup) -> Result<Box<dyn CongestionControl>, SpecError> {
        match &self.controller {
            Controller::Whole(make, values) => make.call(values, setup),
            Controller::Windowed { slow_start, avoidance } => Ok(Box::new(Windowed::new(
                setup,
                slow_start.0.call(&slow_start.1, setup)?,
                avoidance.0.call(&avoidance.1, setup)?,
            ))),
        }
    }
}

/// Splits a spec at the plus signs outside parentheses: the one in `cos(sigma=1e+3)` is a number's.
fn split(spec: &str) -> Vec<&str> {
    let mut depth = 0_u32;
    spec.split(move |c| {
        match c {
            '(' => depth += 1,
            ')' => depth = depth.saturating_sub(1),
            _ => {}
        }
        c == '+' && depth == 0
    })
    .collect()
}

/// One part of a spec: a name with its parameters.
struct Part {
    name: String,
    make: Make,
    values: Values,
    implies: Vec<(String, String)>,
}

impl Part {
    fn parse(text: &str, maker: &dyn Maker) -> Result<Self, SpecError> {
        let text = text.trim();
        let (name, arguments) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => match rest.trim_end().strip_suffix(')') {
                Some(arguments) if !arguments.contains(['(', ')']) => (name.trim_end(), arguments),
                _ => {
                    return Err(SpecError::new(format!(
                        "'{text}' has unmatched parentheses; parameters are written like \
                         'cubic(beta=0.8)'."
                    )));
                }
            },
        };
        let arguments = split_arguments(name, arguments)?;
        if let Some(entry) = find(name) {
            return Self::listed(entry, &arguments);
        }
        let found = maker.part(name, &arguments).unwrap_or_else(|| Err(unknown_name(name)))?;
        let (name, values) = (name.to_owned(), Values::default());
        Ok(Self { name, make: found.make, values, implies: found.implies })
    }

    /// An algorithm of the catalogue with its parameters.
    fn listed(entry: &'static Entry, arguments: &[(&str, &str)]) -> Result<Self, SpecError> {
        let mut values = Values::defaults(entry.parameters);
        for (key, text) in arguments {
            values.set(key, read_argument(entry, key, text)?);
        }
        let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
        let (name, implies) = (entry.name.to_owned(), entry.implies.iter().map(owned).collect());
        Ok(Self { name, make: entry.make.clone(), values, implies })
    }

    /// The slow start that this avoidance brings, with the avoidance's values for the parameters
    /// that both have.
    fn slow_start(&self, spec: &str, maker: &dyn Maker) -> Result<Self, SpecError> {
        let mut slow_start = Self::parse(spec, maker)?;
        for parameter in find(&slow_start.name).map_or(&[][..], |entry| entry.parameters) {
            if let Some(value) = self.values.find(parameter.name) {
                slow_start.values.set(parameter.name, value);
            }
        }
        Ok(slow_start)
    }
}

fn split_arguments<'a>(
    name: &str,
    arguments: &'a str,
) -> Result<Vec<(&'a str, &'a str)>, SpecError> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    let mut known = BTreeSet::new();
    for argument in arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()) {
        let Some((key, value)) =
            argument.split_once('=').map(|(key, value)| (key.trim(), value.trim()))
        else {
            return Err(SpecError::new(format!(
                "{name}: '{argument}' is not of the form parameter=value."
            )));
        };
        if !known.insert(key) {
            return Err(SpecError::new(format!("{name}: {key} is given twice.")));
        }
        found.push((key, value));
    }
    Ok(found)
}

fn read_argument(entry: &Entry, key: &str, text: &str) -> Result<Value, SpecError> {
    let parameter = entry
        .parameters
        .iter()
        .find(|parameter| parameter.name == key)
        .ok_or_else(|| unknown_parameter(entry, key))?;
    parameter.read(text).ok_or_else(|| {
        SpecError::new(format!(
            "{}: {key} = '{text}' is not {} (default {}).",
            entry.name,
            parameter.allowed(),
            parameter.default
        ))
    })
}

fn unknown_name(name: &str) -> SpecError {
    let known: Vec<&str> = catalogue().iter().map(|entry| entry.name).collect();
    unknown(&format!("There is no congestion control '{name}'"), name, &known, "There are")
}

fn unknown_parameter(entry: &Entry, key: &str) -> SpecError {
    let known: Vec<&str> = entry.parameters.iter().map(|parameter| parameter.name).collect();
    let what = format!("{} has no parameter '{key}'", entry.name);
    if known.is_empty() {
        return SpecError::new(format!("{what}; it has none at all."));
    }
    unknown(&what, key, &known, "It has")
}

/// `WHAT; did you mean 'x'? THERE_ARE: a, b.`, or `WHAT. THERE_ARE: a, b.` where no name is near.
fn unknown(what: &str, name: &str, known: &[&str], there_are: &str) -> SpecError {
    let near = did_you_mean(name, known.iter().copied()).unwrap_or_else(|| ".".to_owned());
    SpecError::new(format!("{what}{near} {there_are}: {}.", known.join(", ")))
}
