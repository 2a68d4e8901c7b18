//! Errors of a run.

use crate::emulator::EmulatorError;
use crate::endpoint::EndpointError;
use crate::lab::LabError;

/// Reason why there was no run.
#[derive(Debug)]
pub enum LinuxError {
    /// The plan contradicts itself.
    Plan(String),
    /// The machine forbids the run, or lacks something for it.
    Lab(LabError),
    /// The endpoints failed.
    Endpoint(EndpointError),
    /// The emulator failed.
    Emulator(EmulatorError),
    /// The caller has stopped the run.
    Stopped,
}

impl core::fmt::Display for LinuxError {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        match self {
            Self::Plan(error) => f.write_str(error),
            Self::Lab(error) => error.fmt(f),
            Self::Endpoint(error) => error.fmt(f),
            Self::Emulator(error) => error.fmt(f),
            Self::Stopped => f.write_str("the run was stopped"),
        }
    }
}

impl core::error::Error for LinuxError {}

impl From<LabError> for LinuxError {
    fn from(error: LabError) -> Self {
        Self::Lab(error)
    }
}

impl From<EndpointError> for LinuxError {
    fn from(error: EndpointError) -> Self {
        Self::Endpoint(error)
    }
}

impl From<EmulatorError> for LinuxError {
    fn from(error: EmulatorError) -> Self {
        Self::Emulator(error)
    }
}
