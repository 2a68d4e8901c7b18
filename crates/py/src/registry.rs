//! The congestion controls that a user can name.

use ackclock_cc::entry::{self, Maker, Value};
use ackclock_cc::registry::{self, SpecError};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::BTreeMap;

use crate::plugin::{Classes, Fault};

/// An entry of the registry; a dict in Python.
#[derive(IntoPyObject)]
pub struct Entry {
    name: &'static str,
    role: &'static str,
    slow_start: Option<&'static str>,
    summary: &'static str,
    parameters: Vec<Parameter>,
    reference: &'static str,
    implies: BTreeMap<&'static str, &'static str>,
}

/// A parameter of an entry; a dict in Python.
#[derive(IntoPyObject)]
pub struct Parameter {
    name: &'static str,
    default: DefaultValue,
    range: Option<(f64, f64)>,
    choices: Option<&'static [&'static str]>,
    unit: &'static str,
    meaning: &'static str,
}

/// A `float`, a `bool` or a `str` in Python.
#[derive(IntoPyObject)]
pub enum DefaultValue {
    Number(f64),
    Flag(bool),
    Choice(&'static str),
}

/// Everything that a congestion-control spec can name.
#[pyfunction]
pub fn list_cc() -> Vec<Entry> {
    registry::catalogue()
        .iter()
        .map(|entry| Entry {
            name: entry.name,
            role: entry.role(),
            slow_start: entry.slow_start(),
            summary: entry.summary,
            parameters: entry.parameters.iter().map(parameter).collect(),
            reference: entry.reference,
            implies: entry.implies.iter().copied().collect(),
        })
        .collect()
}

fn parameter(parameter: &entry::Parameter) -> Parameter {
    let default = match parameter.default {
        Value::Number(number) => DefaultValue::Number(number),
        Value::Flag(flag) => DefaultValue::Flag(flag),
        Value::Choice(word, _) => DefaultValue::Choice(word),
    };
    Parameter {
        name: parameter.name,
        default,
        range: parameter.numbers(),
        choices: parameter.choices(),
        unit: parameter.unit,
        meaning: parameter.meaning,
    }
}

/// The transport options that `spec` stands for beside the controller.
#[pyfunction]
#[pyo3(signature = (spec, find = None))]
pub fn implied_by_cc(
    spec: &str,
    find: Option<Bound<'_, PyAny>>,
) -> PyResult<BTreeMap<String, String>> {
    asking(find, |maker| registry::implied_with(spec, maker))
        .map(|options| options.into_iter().collect())
}

/// Raises unless `spec` names a controller.
#[pyfunction]
#[pyo3(signature = (spec, find = None))]
pub fn check_cc(spec: &str, find: Option<Bound<'_, PyAny>>) -> PyResult<()> {
    asking(find, |maker| registry::check_with(spec, maker))
}

/// Asks the registry; what `find` raises is raised as it is.
fn asking<T>(
    find: Option<Bound<'_, PyAny>>,
    ask: impl FnOnce(&dyn Maker) -> Result<T, SpecError>,
) -> PyResult<T> {
    let fault = Fault::default();
    ask(&Classes::new(find, fault.clone()))
        .map_err(|error| fault.take().unwrap_or_else(|| PyValueError::new_err(error.to_string())))
}
