//! The congestion controls that a user can name.

use ackclock_cc::entry::Maker;
use ackclock_cc::registry::{self, SpecError};
use ackclock_sim::catalogue;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use std::collections::BTreeMap;

use crate::plugin::{Classes, Fault};

/// Everything that a congestion-control spec can name, with its traits.
#[pyfunction]
pub fn list_cc(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    listed(py, serde_json::to_string(&catalogue::algorithms()))
}

/// Every queue discipline, with its traits.
#[pyfunction]
pub fn list_qdisc(py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
    listed(py, serde_json::to_string(&catalogue::disciplines()))
}

/// The rows of a JSON text; dicts in Python.
fn listed(py: Python<'_>, text: serde_json::Result<String>) -> PyResult<Bound<'_, PyAny>> {
    let text = text.map_err(|error| PyValueError::new_err(error.to_string()))?;
    py.import("json")?.call_method1("loads", (text,))
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
