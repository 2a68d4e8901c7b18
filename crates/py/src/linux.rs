//! A run on this machine's kernel, and what the kernel has.

use std::ops::ControlFlow;

use ackclock_linux::LinuxError;
use ackclock_linux::lab::{calibrate, enter, facts};
use ackclock_linux::oracle::campaign::{self, CampaignPlan};
use ackclock_linux::plan::LinuxPlan;
use pyo3::exceptions::{PyOSError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::PyDict;

use crate::run::Run;

/// Works without the interpreter's lock, and tells `progress` of the share that is done. What that
/// raises, a signal's exception too, ends the work and is raised here.
fn hearing<T: Send>(
    py: Python<'_>,
    progress: Option<&Py<PyAny>>,
    work: impl FnOnce(&mut dyn FnMut(f64) -> ControlFlow<()>) -> T + Send,
) -> PyResult<T> {
    let mut raised = None;
    let done = py.detach(|| {
        work(&mut |share| {
            let heard = Python::attach(|py| {
                py.check_signals()?;
                progress.map_or(Ok(()), |progress| progress.call1(py, (share,)).map(drop))
            });
            match heard {
                Ok(()) => ControlFlow::Continue(()),
                Err(error) => {
                    raised = Some(error);
                    ControlFlow::Break(())
                }
            }
        })
    });
    raised.map_or(Ok(done), Err)
}

#[expect(clippy::needless_pass_by_value, reason = "`map_err` hands errors over by value")]
fn invalid_plan(error: serde_json::Error) -> PyErr {
    PyValueError::new_err(format!("the plan is not valid: {error}"))
}

/// Runs a plan to its end on the kernel. The process must have one thread, and ends with its parent
/// from then on.
#[pyfunction]
#[pyo3(signature = (plan_json, progress = None))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]
pub fn run_linux(py: Python<'_>, plan_json: &str, progress: Option<Py<PyAny>>) -> PyResult<Run> {
    let plan: LinuxPlan = serde_json::from_str(plan_json).map_err(invalid_plan)?;
    let run = hearing(py, progress.as_ref(), |heard| ackclock_linux::run(&plan, heard))?;
    let run = run.map_err(|error| match error {
        LinuxError::Plan(sentence) => PyValueError::new_err(sentence),
        error => PyOSError::new_err(error.to_string()),
    })?;
    let provenance = serde_json::to_string(&run.provenance)
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Run::new(plan.plan, run.output, Some(provenance)))
}

/// Plays random scripts on the kernel's sockets and on our sender; returns the report as JSON. The
/// process: as for `run_linux`.
#[pyfunction]
#[pyo3(signature = (plan_json, progress = None))]
#[expect(clippy::needless_pass_by_value, reason = "PyO3 hands arguments over by value")]
pub fn run_random(
    py: Python<'_>,
    plan_json: &str,
    progress: Option<Py<PyAny>>,
) -> PyResult<String> {
    let plan: CampaignPlan = serde_json::from_str(plan_json).map_err(invalid_plan)?;
    let report = hearing(py, progress.as_ref(), |heard| campaign::run(&plan, heard))?;
    let report = report.map_err(|error| PyOSError::new_err(error.to_string()))?;
    serde_json::to_string(&report).map_err(|error| PyValueError::new_err(error.to_string()))
}

/// Facts about the kernel, and the obstacle to a run if there is one.
#[pyfunction]
pub fn kernel(py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
    let facts = facts::kernel()?;
    let obstacle = py.detach(facts::may_make_namespaces).err();
    let kernel = PyDict::new(py);
    kernel.set_item("release", facts.release)?;
    kernel.set_item("congestion_controls", facts.congestion_controls)?;
    kernel.set_item("loadable", facts.loadable)?;
    kernel.set_item("obstacle", obstacle)?;
    Ok(kernel)
}

/// The most full-sized packets per second, with their ACKs, that this machine carries. The process:
/// as for `run_linux`.
#[pyfunction]
pub fn linux_packets_per_second(py: Python<'_>) -> PyResult<f64> {
    py.detach(|| enter().and_then(|_| calibrate::measure()))
        .map(|carried| carried.data_packets_per_second)
        .map_err(|error| PyOSError::new_err(error.to_string()))
}
