//! Random quantities of a scenario.

use ackclock_sim::distribution;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

/// The first `count` values of a distribution in the named random stream.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "a Python list arrives as a Vec")]
pub fn draw(seed: u64, stream: &str, kind: &str, parameters: Vec<f64>, count: usize) -> PyResult<Vec<f64>> {
    distribution::draw(seed, stream, kind, &parameters, count).map_err(PyValueError::new_err)
}
