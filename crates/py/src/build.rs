//! Facts about the build of this core.

use pyo3::prelude::*;
use pyo3::types::PyDict;

/// How this core was compiled.
#[pyfunction]
pub fn build(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let facts = PyDict::new(py);
    facts.set_item("optimisation", env!("ACKCLOCK_OPT_LEVEL"))?;
    facts.set_item("has_assertions", cfg!(debug_assertions))?;
    facts.set_item("is_trained", env!("ACKCLOCK_TRAINED") == "true")?;
    facts.set_item("target", env!("ACKCLOCK_TARGET"))?;
    facts.set_item("compiler", env!("ACKCLOCK_COMPILER"))?;
    Ok(facts)
}
