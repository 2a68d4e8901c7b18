//! Captures that others wrote: connections, the layout of one, the path that it crossed.

use std::fs::File;
use std::path::PathBuf;

use ackclock_pcap::{Layout, RateColumns, ReadError, SackColumns, SegmentColumns};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::columns::{of_table, table};

/// Lists the TCP connections of a capture, as JSON.
#[pyfunction]
pub fn list_capture(py: Python<'_>, path: PathBuf) -> PyResult<String> {
    let listing = watched(py, |goes_on| ackclock_pcap::list_while(File::open(path)?, goes_on))?;
    Ok(serde_json::to_string(&listing).expect("a listing is JSON"))
}

/// Lays out a connection of a capture: figures and path as JSON, tables as arrays, and the path as
/// a scenario of that name. In place of a path that cannot be estimated stands the reason.
#[pyfunction]
pub fn lay_out_capture<'py>(
    py: Python<'py>,
    path: PathBuf,
    number: usize,
    name: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let layout: Layout =
        watched(py, |goes_on| ackclock_pcap::lay_out_while(File::open(path)?, number, goes_on))?;
    let dict = PyDict::new(py);
    dict.set_item("figures", serde_json::to_string(&layout.figures).expect("figures are JSON"))?;
    dict.set_item("segments", table(py, &layout.segments)?)?;
    dict.set_item("sacks", table(py, &layout.sacks)?)?;
    dict.set_item("rates", table(py, &layout.rates)?)?;
    let estimated = py.detach(|| ackclock_pcap::estimate(&layout));
    py.check_signals()?;
    match estimated {
        Ok(path) => {
            dict.set_item("path", serde_json::to_string(&path).expect("a path is JSON"))?;
            dict.set_item("scenario", ackclock_pcap::scenario(&layout, &path, name))?;
        }
        Err(why) => dict.set_item("why_no_path", why)?,
    }
    Ok(dict)
}

/// Definitions of the columns of a capture's tables, by table.
#[pyfunction]
pub fn capture_columns(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let tables = PyDict::new(py);
    tables.set_item("segments", of_table(py, &SegmentColumns::default())?)?;
    tables.set_item("sacks", of_table(py, &SackColumns::default())?)?;
    tables.set_item("rates", of_table(py, &RateColumns::default())?)?;
    Ok(tables)
}

/// Reads without the interpreter, and lets Ctrl-C and other signals end it.
fn watched<T: Send>(
    py: Python<'_>,
    read: impl FnOnce(&mut dyn FnMut() -> bool) -> Result<T, ReadError> + Send,
) -> PyResult<T> {
    let mut signal = None;
    let capture = py.detach(|| {
        read(&mut || {
            signal = Python::attach(|py| py.check_signals().err());
            signal.is_none()
        })
    });
    match signal {
        Some(signal) => Err(signal),
        None => capture.map_err(error),
    }
}

fn error(error: ReadError) -> PyErr {
    match error {
        ReadError::Io(error) => error.into(),
        other => PyValueError::new_err(other.to_string()),
    }
}
