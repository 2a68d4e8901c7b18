//! JSON Schemas of the plans, from which Python's types of them are made.

#[cfg(target_os = "linux")]
use ackclock_linux::plan::LinuxPlan;
use ackclock_sim::plan::Plan;
use pyo3::prelude::*;
use schemars::schema_for;

/// JSON Schema of a plan of the simulator.
#[pyfunction]
pub fn plan_schema() -> String {
    schema_for!(Plan).to_value().to_string()
}

/// JSON Schema of a plan for the kernel.
#[cfg(target_os = "linux")]
#[pyfunction]
pub fn linux_plan_schema() -> String {
    schema_for!(LinuxPlan).to_value().to_string()
}
