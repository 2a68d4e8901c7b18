//! Random quantities of a scenario.

use ackclock_sim::distribution::{self, Distribution};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

fn read(distribution: &str) -> PyResult<Distribution> {
    serde_json::from_str(distribution).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Whether a distribution's parameters make sense.
#[pyfunction]
pub fn check_distribution(distribution: &str) -> PyResult<()> {
    read(distribution)?.check().map_err(PyValueError::new_err)
}

/// The first `count` values of a distribution in the named random stream.
#[pyfunction]
pub fn draw(seed: u64, stream: &str, distribution: &str, count: usize) -> PyResult<Vec<f64>> {
    distribution::draw(seed, stream, &read(distribution)?, count).map_err(PyValueError::new_err)
}

/// The mean of a distribution.
#[pyfunction]
pub fn mean(distribution: &str) -> PyResult<f64> {
    let distribution = read(distribution)?;
    distribution.check().map_err(PyValueError::new_err)?;
    Ok(distribution.mean())
}
