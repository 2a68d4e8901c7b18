//! Quantities as text.

use ackclock_units::{self as units, Bytes, Duration, ParseError, Rate};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

#[expect(clippy::needless_pass_by_value, reason = "the form that map_err wants")]
fn value_error(error: ParseError) -> PyErr {
    PyValueError::new_err(error.to_string())
}

/// Picoseconds of a time such as "60ms".
#[pyfunction]
pub fn parse_time(text: &str) -> PyResult<u64> {
    text.parse().map(Duration::as_ps).map_err(value_error)
}

/// Bits per second of a rate such as "10Mbit/s".
#[pyfunction]
pub fn parse_rate(text: &str) -> PyResult<u64> {
    text.parse().map(Rate::as_bps).map_err(value_error)
}

/// Bytes of a size such as "64KiB".
#[pyfunction]
pub fn parse_size(text: &str) -> PyResult<u64> {
    text.parse().map(Bytes::as_u64).map_err(value_error)
}

/// The shortest text that parses back to `ps`.
#[pyfunction]
pub fn format_time(ps: u64) -> String {
    Duration::from_ps(ps).to_string()
}

/// The shortest text that parses back to `bps`.
#[pyfunction]
pub fn format_rate(bps: u64) -> String {
    Rate::from_bps(bps).to_string()
}

/// The shortest text that parses back to `b`.
#[pyfunction]
pub fn format_size(b: u64) -> String {
    Bytes::from_u64(b).to_string()
}

/// The name of `known` that is most like `name`; None where none is near.
#[pyfunction]
#[expect(clippy::needless_pass_by_value, reason = "what Python hands over")]
pub fn nearest(name: &str, known: Vec<String>) -> Option<String> {
    units::nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
}
