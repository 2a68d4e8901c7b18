//! From a name to a controller: `reno`, `cos+reno`, `cubic(beta=0.8)`, and the list a user sees.
//!
//! A spec is `AVOIDANCE`, `SLOW_START+AVOIDANCE` or `WHOLE`; each part may carry parameters in parentheses. An avoidance
//! alone brings the slow start that it is deployed with.

use crate::avoidance::{self, Avoidance};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::slow_start::{self, SlowStart};
use crate::windowed::Windowed;
use crate::{CongestionControl, Setup};

/// Every algorithm: one line each.
static CATALOGUE: &[Entry] = &[
    slow_start::classic::ENTRY,
    slow_start::hystart::ENTRY,
    slow_start::cos::ENTRY,
    avoidance::reno::ENTRY,
    avoidance::reno::TAHOE,
    avoidance::reno::NEWRENO,
    avoidance::cubic::ENTRY,
];

/// Why a spec names no controller, as one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError(String);

impl core::fmt::Display for SpecError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for SpecError {}

/// Everything that a spec can name, slow starts first.
#[must_use]
pub fn catalogue() -> &'static [Entry] {
    CATALOGUE
}

/// The controller that `spec` names.
///
/// # Errors
/// Says which part of `spec` is wrong and what is allowed there.
pub fn build(spec: &str, setup: &Setup) -> Result<Box<dyn CongestionControl>, SpecError> {
    Ok(match Spec::parse(spec)? {
        Spec::Whole { make, part } => make(&part.values, setup),
        Spec::Pair { slow_start, avoidance, .. } => Box::new(Windowed::new(setup, slow_start, avoidance)),
    })
}

/// Whether `spec` names a controller.
///
/// # Errors
/// As [`build`].
pub fn check(spec: &str) -> Result<(), SpecError> {
    Spec::parse(spec).map(|_| ())
}

/// The transport options that `spec` stands for beside the controller: those of its avoidance or whole controller.
///
/// # Errors
/// As [`build`].
pub fn implied(spec: &str) -> Result<&'static [(&'static str, &'static str)], SpecError> {
    Ok(match Spec::parse(spec)? {
        Spec::Whole { part, .. } => part.entry.implies,
        Spec::Pair { implies, .. } => implies,
    })
}

/// What a spec stands for.
enum Spec {
    /// A whole controller.
    Whole {
        make: fn(&Values, &Setup) -> Box<dyn CongestionControl>,
        part: Part,
    },
    /// Two halves, made.
    Pair {
        slow_start: Box<dyn SlowStart>,
        avoidance: Box<dyn Avoidance>,
        implies: &'static [(&'static str, &'static str)],
    },
}

impl Spec {
    fn parse(spec: &str) -> Result<Self, SpecError> {
        let mut parts: Vec<Part> = split(spec).into_iter().map(Part::parse).collect::<Result<_, _>>()?;
        match parts.as_slice() {
            [part] => match part.entry.make {
                Make::Whole(make) => Ok(Self::Whole {
                    make,
                    part: parts.remove(0),
                }),
                Make::Avoidance { slow_start, .. } => Self::pair(&Part::parse(slow_start)?, part),
                Make::SlowStart(_) => Err(SpecError(format!(
                    "\"{name}\" is a slow start and needs an avoidance after it, for example \"{name}+reno\".",
                    name = part.entry.name
                ))),
            },
            [first, second] => Self::pair(first, second),
            more => Err(SpecError(format!(
                "\"{spec}\" has {} parts joined by \"+\"; a spec is an avoidance or a slow start and an avoidance, for example \"cos+reno\".",
                more.len()
            ))),
        }
    }

    fn pair(first: &Part, second: &Part) -> Result<Self, SpecError> {
        let (one, two) = (first.entry.name, second.entry.name);
        let wrong = match (first.entry.make, second.entry.make) {
            (Make::SlowStart(start), Make::Avoidance { make, .. }) => {
                return Ok(Self::Pair {
                    slow_start: start(&first.values),
                    avoidance: make(&second.values),
                    implies: second.entry.implies,
                });
            }
            (Make::Avoidance { .. }, Make::SlowStart(_)) => format!("the slow start comes first, as in \"{two}+{one}\""),
            (Make::SlowStart(_), Make::SlowStart(_)) => {
                format!("both are slow starts; one slow start and one avoidance make a controller, for example \"{one}+reno\"")
            }
            (Make::Avoidance { .. }, Make::Avoidance { .. }) => {
                format!("both are avoidances; one slow start and one avoidance make a controller, for example \"classic+{two}\"")
            }
            (Make::Whole(_), _) => format!("\"{one}\" is a whole controller and stands alone"),
            (_, Make::Whole(_)) => format!("\"{two}\" is a whole controller and stands alone"),
        };
        Err(SpecError(format!("\"{one}+{two}\": {wrong}.")))
    }
}

/// The parts between the plus signs that are not inside parentheses (`1e+3` is a number).
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

/// A name with its parameters.
struct Part {
    entry: &'static Entry,
    values: Values,
}

impl Part {
    fn parse(text: &str) -> Result<Self, SpecError> {
        let text = text.trim();
        let (name, arguments) = match text.split_once('(') {
            None => (text, ""),
            Some((name, rest)) => match rest.trim_end().strip_suffix(')') {
                Some(arguments) if !arguments.contains(['(', ')']) => (name.trim_end(), arguments),
                _ => {
                    return Err(SpecError(format!(
                        "\"{text}\" has unmatched parentheses; parameters are written like \"cubic(beta=0.8)\"."
                    )));
                }
            },
        };
        let entry = CATALOGUE
            .iter()
            .find(|entry| entry.name == name)
            .ok_or_else(|| unknown_name(name))?;
        let mut values = Values(entry.parameters.iter().map(|p| (p.name, p.default)).collect());
        let mut given = Vec::new();
        for argument in arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()) {
            let (parameter, value) = read_argument(entry, argument)?;
            if given.contains(&parameter.name) {
                return Err(SpecError(format!("{name}: {} is given twice.", parameter.name)));
            }
            given.push(parameter.name);
            for (_, slot) in values.0.iter_mut().filter(|(n, _)| *n == parameter.name) {
                *slot = value;
            }
        }
        Ok(Self { entry, values })
    }
}

fn read_argument(entry: &'static Entry, argument: &str) -> Result<(&'static Parameter, Value), SpecError> {
    let Some((key, text)) = argument.split_once('=').map(|(key, text)| (key.trim(), text.trim())) else {
        return Err(SpecError(format!(
            "{}: \"{argument}\" is not of the form parameter=value.",
            entry.name
        )));
    };
    let parameter = entry
        .parameters
        .iter()
        .find(|p| p.name == key)
        .ok_or_else(|| unknown_parameter(entry, key))?;
    let value = match parameter.default {
        Value::Flag(_) => text.parse().map(Value::Flag).ok(),
        Value::Number(_) => text
            .parse()
            .ok()
            .filter(|number| (parameter.range.0..=parameter.range.1).contains(number))
            .map(Value::Number),
    };
    let value = value.ok_or_else(|| {
        let allowed = match parameter.default {
            Value::Flag(_) => "true or false".to_owned(),
            Value::Number(_) => {
                let (from, to) = parameter.range;
                format!("a number from {from} to {to}{}", unit_suffix(parameter))
            }
        };
        SpecError(format!(
            "{}: {key} = \"{text}\" is not {allowed} (default {}).",
            entry.name, parameter.default
        ))
    })?;
    Ok((parameter, value))
}

fn unit_suffix(parameter: &Parameter) -> String {
    if parameter.unit.is_empty() {
        String::new()
    } else {
        format!(" {}", parameter.unit)
    }
}

fn unknown_name(name: &str) -> SpecError {
    let known = || CATALOGUE.iter().map(|entry| entry.name);
    let list = known().collect::<Vec<_>>().join(", ");
    SpecError(match nearest(name, known()) {
        Some(near) => format!("There is no congestion control \"{name}\"; did you mean \"{near}\"? There are: {list}."),
        None => format!("There is no congestion control \"{name}\"; there are: {list}."),
    })
}

fn unknown_parameter(entry: &Entry, key: &str) -> SpecError {
    let known = || entry.parameters.iter().map(|p| p.name);
    if entry.parameters.is_empty() {
        return SpecError(format!("{} has no parameter \"{key}\"; it has none at all.", entry.name));
    }
    let list = known().collect::<Vec<_>>().join(", ");
    SpecError(match nearest(key, known()) {
        Some(near) => {
            format!(
                "{} has no parameter \"{key}\"; did you mean \"{near}\"? It has: {list}.",
                entry.name
            )
        }
        None => format!("{} has no parameter \"{key}\"; it has: {list}.", entry.name),
    })
}

/// The known name most like `wrong`, if it is like it at all.
fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = wrong.to_lowercase();
    known
        .map(|name| (strsim::jaro_winkler(&wrong, name), name))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
