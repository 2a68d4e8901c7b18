//! From a name to a controller: `reno`, `cos+reno`, `cubic(beta=0.8)`, and the list a user sees.
//!
//! A spec is `AVOIDANCE`, `SLOW_START+AVOIDANCE` or `WHOLE`; each part may carry parameters in parentheses. An avoidance
//! alone brings the slow start that it is deployed with, and hands it the parameters that both have (`hybla(rtt0=50)`).

use crate::avoidance::{self, Avoidance};
use crate::bbr;
use crate::bbr3;
use crate::copa;
use crate::entry::{self, Entry, Parameter, Value, Values};
use crate::foreign::{Constructor, Make, Maker, Nothing, Part};
use crate::pcc;
use crate::slow_start::{self, SlowStart};
use crate::windowed::Windowed;
use crate::{CongestionControl, Setup};

/// Every algorithm: one line each.
static CATALOGUE: &[Entry] = &[
    slow_start::classic::ENTRY,
    slow_start::limited::ENTRY,
    slow_start::hystart::ENTRY,
    slow_start::hystartpp::ENTRY,
    slow_start::cos::ENTRY,
    slow_start::vegas_start::ENTRY,
    slow_start::nv_start::ENTRY,
    slow_start::ledbatpp_start::ENTRY,
    slow_start::search::ENTRY,
    slow_start::multcp::ENTRY,
    slow_start::hybla::ENTRY,
    avoidance::reno::ENTRY,
    avoidance::reno::TAHOE,
    avoidance::reno::NEWRENO,
    avoidance::multcp::ENTRY,
    avoidance::aimd::ENTRY,
    avoidance::binomial::ENTRY,
    avoidance::scalable::ENTRY,
    avoidance::highspeed::ENTRY,
    avoidance::cubic::ENTRY,
    avoidance::bic::ENTRY,
    avoidance::htcp::ENTRY,
    avoidance::hybla::ENTRY,
    avoidance::illinois::ENTRY,
    avoidance::veno::ENTRY,
    avoidance::westwood::ENTRY,
    avoidance::yeah::ENTRY,
    avoidance::compound::ENTRY,
    avoidance::vegas::ENTRY,
    avoidance::stabilised_vegas::ENTRY,
    avoidance::nv::ENTRY,
    avoidance::fast::ENTRY,
    avoidance::lp::ENTRY,
    avoidance::ledbat::ENTRY,
    avoidance::ledbatpp::ENTRY,
    avoidance::cdg::ENTRY,
    avoidance::dctcp::ENTRY,
    avoidance::prague::ENTRY,
    bbr::ENTRY,
    bbr::LOWLAT,
    bbr3::ENTRY,
    copa::ENTRY,
    pcc::vivace::ENTRY,
    pcc::allegro::ENTRY,
];

/// Why a spec names no controller, as one sentence.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SpecError(String);

impl SpecError {
    /// With this sentence.
    #[must_use]
    pub fn new(sentence: String) -> Self {
        Self(sentence)
    }
}

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
    build_with(spec, setup, &Nothing)
}

/// The same where `maker` knows more names than the catalogue.
///
/// # Errors
/// As [`build`]; and what the maker's constructors say.
pub fn build_with(spec: &str, setup: &Setup, maker: &dyn Maker) -> Result<Box<dyn CongestionControl>, SpecError> {
    match Spec::parse(spec, maker)?.make {
        Whole::Alone(make) => make(setup),
        Whole::Pair { slow_start, avoidance } => Ok(Box::new(Windowed::new(setup, slow_start(setup)?, avoidance(setup)?))),
    }
}

/// Whether `spec` names a controller.
///
/// # Errors
/// As [`build`].
pub fn check(spec: &str) -> Result<(), SpecError> {
    check_with(spec, &Nothing)
}

/// The same where `maker` knows more names than the catalogue; it finds, but constructs nothing.
///
/// # Errors
/// As [`build`].
pub fn check_with(spec: &str, maker: &dyn Maker) -> Result<(), SpecError> {
    Spec::parse(spec, maker).map(|_| ())
}

/// The transport options that `spec` stands for beside the controller: those of its avoidance or whole controller.
///
/// # Errors
/// As [`build`].
pub fn implied(spec: &str) -> Result<Vec<(String, String)>, SpecError> {
    implied_with(spec, &Nothing)
}

/// The same where `maker` knows more names than the catalogue.
///
/// # Errors
/// As [`build`].
pub fn implied_with(spec: &str, maker: &dyn Maker) -> Result<Vec<(String, String)>, SpecError> {
    Spec::parse(spec, maker).map(|spec| spec.implies)
}

/// What a spec stands for.
struct Spec {
    make: Whole,
    implies: Vec<(String, String)>,
}

enum Whole {
    Alone(Constructor<dyn CongestionControl>),
    Pair {
        slow_start: Constructor<dyn SlowStart>,
        avoidance: Constructor<dyn Avoidance>,
    },
}

impl Spec {
    fn parse(spec: &str, maker: &dyn Maker) -> Result<Self, SpecError> {
        let parts = split(spec);
        let mut parts = parts
            .iter()
            .map(|part| NamedPart::parse(part, maker))
            .collect::<Result<Vec<_>, _>>()?;
        match (parts.pop(), parts.pop(), parts.len()) {
            (Some(NamedPart { name, part }), None, 0) => match part.make {
                Make::Whole(make) => Ok(Self {
                    make: Whole::Alone(make),
                    implies: part.implies,
                }),
                Make::Avoidance { ref slow_start, .. } => Self::pair(NamedPart::parse(slow_start, maker)?, NamedPart { name, part }),
                Make::SlowStart(_) => Err(SpecError(format!(
                    "\"{name}\" is a slow start and needs an avoidance after it, for example \"{name}+reno\"."
                ))),
            },
            (Some(second), Some(first), 0) => Self::pair(first, second),
            (_, _, more) => Err(SpecError(format!(
                "\"{spec}\" has {} parts joined by \"+\"; a spec is an avoidance or a slow start and an avoidance, for example \"cos+reno\".",
                more + 2
            ))),
        }
    }

    fn pair(first: NamedPart, second: NamedPart) -> Result<Self, SpecError> {
        let (one, two) = (first.name, second.name);
        let wrong = match (first.part.make, second.part.make) {
            (Make::SlowStart(slow_start), Make::Avoidance { make: avoidance, .. }) => {
                return Ok(Self {
                    make: Whole::Pair { slow_start, avoidance },
                    implies: second.part.implies,
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

/// A part of a spec with the name it has there.
struct NamedPart {
    name: String,
    part: Part,
}

impl NamedPart {
    fn parse(text: &str, maker: &dyn Maker) -> Result<Self, SpecError> {
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
        let part = if let Some(entry) = CATALOGUE.iter().find(|entry| entry.name == name) {
            listed(entry, &split_arguments(name, arguments)?)?
        } else {
            let found = maker.part(name, &split_arguments(name, arguments)?);
            found.unwrap_or_else(|| Err(unknown_name(name)))?
        };
        Ok(Self {
            name: name.to_owned(),
            part,
        })
    }
}

fn split_arguments<'a>(name: &str, arguments: &'a str) -> Result<Vec<(&'a str, &'a str)>, SpecError> {
    let mut found: Vec<(&str, &str)> = Vec::new();
    for argument in arguments.split(',').map(str::trim).filter(|argument| !argument.is_empty()) {
        let Some((key, value)) = argument.split_once('=').map(|(key, value)| (key.trim(), value.trim())) else {
            return Err(SpecError(format!("{name}: \"{argument}\" is not of the form parameter=value.")));
        };
        if found.iter().any(|(earlier, _)| *earlier == key) {
            return Err(SpecError(format!("{name}: {key} is given twice.")));
        }
        found.push((key, value));
    }
    Ok(found)
}

/// An entry of the catalogue with its parameters.
fn listed(entry: &'static Entry, arguments: &[(&str, &str)]) -> Result<Part, SpecError> {
    let mut values = Values(entry.parameters.iter().map(|p| (p.name, p.default)).collect());
    for (key, text) in arguments {
        let (parameter, value) = read_argument(entry, key, text)?;
        for (_, slot) in values.0.iter_mut().filter(|(name, _)| *name == parameter.name) {
            *slot = value;
        }
    }
    let make = match entry.make {
        entry::Make::SlowStart(make) => Make::SlowStart(Box::new(move |_| Ok(make(&values)))),
        entry::Make::Avoidance { slow_start, make } => Make::Avoidance {
            slow_start: with_shared(slow_start, &values),
            make: Box::new(move |_| Ok(make(&values))),
        },
        entry::Make::Whole(make) => Make::Whole(Box::new(move |setup| Ok(make(&values, setup)))),
    };
    let owned = |(key, value): &(&str, &str)| ((*key).to_owned(), (*value).to_owned());
    Ok(Part {
        make,
        implies: entry.implies.iter().map(owned).collect(),
    })
}

/// The slow start that an avoidance brings, with the avoidance's values for the parameters that both have.
fn with_shared(slow_start: &str, values: &Values) -> String {
    let own = CATALOGUE
        .iter()
        .find(|entry| entry.name == slow_start)
        .map(|entry| entry.parameters);
    let shared = own.unwrap_or_default().iter().filter_map(|parameter| {
        let (name, value) = values.0.iter().find(|(name, _)| *name == parameter.name)?;
        Some(format!("{name}={value}"))
    });
    format!("{slow_start}({})", shared.collect::<Vec<_>>().join(", "))
}

fn read_argument(entry: &'static Entry, key: &str, text: &str) -> Result<(&'static Parameter, Value), SpecError> {
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
        Value::Choice(_, all) => all.iter().find(|word| **word == text).map(|word| Value::Choice(word, all)),
    };
    let value = value.ok_or_else(|| {
        let allowed = match parameter.default {
            Value::Flag(_) => "true or false".to_owned(),
            Value::Number(_) => {
                let (from, to) = parameter.range;
                format!("a number from {from} to {to}{}", unit_suffix(parameter))
            }
            Value::Choice(_, all) => format!("one of {}", all.join(", ")),
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

/// The known name most like `wrong`, if it is like it at all: by its beginning (`west`) and by the letters to change (`cso`).
fn nearest<'a>(wrong: &str, known: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = wrong.to_lowercase();
    let likeness = |name: &str| {
        f64::midpoint(
            strsim::jaro_winkler(&wrong, name),
            strsim::normalized_damerau_levenshtein(&wrong, name),
        )
    };
    known
        .map(|name| (likeness(name), name))
        .filter(|(likeness, _)| *likeness > 0.6)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}
