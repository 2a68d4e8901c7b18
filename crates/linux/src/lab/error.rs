//! The error of a laboratory that cannot be made.

use core::fmt;

/// A message for the person who started the run: the failure, and the remedy where there is one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LabError(pub String);

impl fmt::Display for LabError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for LabError {}
