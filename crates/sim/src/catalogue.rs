//! Algorithms and disciplines that a scenario can name, with parameters and traits.

use std::collections::BTreeMap;

use ackclock_cc::entry::traits::{Answers, Growth, Law, Left, Linearised, Phases, Term, Traits};
use ackclock_cc::entry::{self, Value};
use ackclock_cc::registry;
use serde::Serialize;

use crate::qdisc;

/// A congestion control that a scenario can name.
#[derive(Clone, Debug, Serialize)]
pub struct Algorithm {
    name: &'static str,
    role: &'static str,
    slow_start: Option<&'static str>,
    summary: &'static str,
    parameters: Vec<Parameter>,
    reference: &'static str,
    implies: BTreeMap<&'static str, &'static str>,
    traits: AlgorithmTraits,
}

#[derive(Clone, Debug, Serialize)]
struct Parameter {
    name: &'static str,
    default: Default,
    range: Option<(f64, f64)>,
    choices: Option<&'static [&'static str]>,
    unit: &'static str,
    meaning: &'static str,
}

#[derive(Clone, Debug, Serialize)]
#[serde(untagged)]
enum Default {
    Number(f64),
    Flag(bool),
    Choice(&'static str),
}

#[derive(Clone, Debug, Serialize)]
#[expect(clippy::struct_excessive_bools, reason = "each is a question of its own")]
struct AlgorithmTraits {
    draws: bool,
    needs_ssthresh: bool,
    answers: AnswersView,
    gives_way: bool,
    growth: Option<&'static str>,
    left: Option<Argument>,
    slow_starts_after_loss: bool,
    response: Vec<LawView>,
    tolerance: Option<LawView>,
    utilisation: Option<LawView>,
    linearised: Option<LawView>,
    why_not_linearised: &'static str,
    phases: Option<PhasesView>,
}

#[derive(Clone, Debug, Serialize)]
struct AnswersView {
    loss: bool,
    marks: bool,
    delay: bool,
}

#[derive(Clone, Debug, Serialize)]
struct PhasesView {
    internal: &'static str,
    names: &'static [&'static str],
}

#[derive(Clone, Debug, Serialize)]
struct LawView {
    function: &'static str,
    arguments: BTreeMap<&'static str, Argument>,
    source: &'static str,
    has_timeouts: bool,
}

#[derive(Clone, Debug, Serialize)]
struct Argument {
    /// Where the value comes from: "number", "parameter", "rest" or a quantity of the path.
    kind: &'static str,
    parameter: Option<&'static str>,
    number: Option<f64>,
    per_ack: bool,
}

/// Every congestion control, slow starts first.
#[must_use]
pub fn algorithms() -> Vec<Algorithm> {
    registry::catalogue().iter().map(algorithm).collect()
}

/// A queue discipline that a link can have.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct Discipline {
    name: &'static str,
    traits: qdisc::Traits,
}

/// Every queue discipline.
#[must_use]
pub fn disciplines() -> Vec<Discipline> {
    let all = qdisc::CATALOGUE.iter();
    all.map(|&traits| Discipline { name: traits.kind, traits }).collect()
}

fn algorithm(entry: &'static entry::Entry) -> Algorithm {
    Algorithm {
        name: entry.name,
        role: entry.role(),
        slow_start: entry.slow_start(),
        summary: entry.summary,
        parameters: entry.parameters.iter().map(parameter).collect(),
        reference: entry.reference,
        implies: entry.implies.iter().copied().collect(),
        traits: traits(&entry.traits),
    }
}

fn parameter(parameter: &'static entry::Parameter) -> Parameter {
    Parameter {
        name: parameter.name,
        default: match parameter.default {
            Value::Number(number) => Default::Number(number),
            Value::Flag(flag) => Default::Flag(flag),
            Value::Choice(word, _) => Default::Choice(word),
        },
        range: parameter.numbers(),
        choices: parameter.choices(),
        unit: parameter.unit,
        meaning: parameter.meaning,
    }
}

fn traits(traits: &Traits) -> AlgorithmTraits {
    let Answers { loss, marks, delay } = traits.answers;
    let (linearised, why_not_linearised) = match &traits.linearised {
        Linearised::Law(it) => (Some(law(it)), ""),
        Linearised::Without(why) => (None, *why),
    };
    AlgorithmTraits {
        draws: traits.draws,
        needs_ssthresh: traits.needs_ssthresh,
        answers: AnswersView { loss, marks, delay },
        gives_way: traits.gives_way,
        growth: match traits.growth {
            Growth::Linear => Some("linear"),
            Growth::Cubic => Some("cubic function"),
            Growth::Other => None,
        },
        left: match traits.left {
            Left::Share(share) => Some(argument(share)),
            Left::Segment | Left::Varies => None,
        },
        slow_starts_after_loss: traits.left == Left::Segment,
        response: traits.response.iter().map(law).collect(),
        tolerance: traits.tolerance.as_ref().map(law),
        utilisation: traits.utilisation.as_ref().map(law),
        linearised,
        why_not_linearised,
        phases: traits.phases.map(|Phases { internal, names }| PhasesView { internal, names }),
    }
}

fn law(law: &Law) -> LawView {
    LawView {
        function: law.function,
        arguments: law.arguments.iter().map(|&(name, term)| (name, argument(term))).collect(),
        source: law.source,
        has_timeouts: law.has_timeouts,
    }
}

fn argument(term: Term) -> Argument {
    let of = |kind, parameter, number, per_ack| Argument { kind, parameter, number, per_ack };
    match term {
        Term::Number(number) => of("number", None, Some(number), false),
        Term::NumberPerAck(number) => of("number", None, Some(number), true),
        Term::Parameter(name) => of("parameter", Some(name), None, false),
        Term::ParameterPerAck(name) => of("parameter", Some(name), None, true),
        Term::Rest(name) => of("rest", Some(name), None, false),
        Term::LossRate => of("loss_rate", None, None, false),
        Term::Rtt => of("rtt", None, None, false),
        Term::Queueing => of("queueing", None, None, false),
        Term::Buffer => of("buffer", None, None, false),
    }
}
