//! The most that this machine carries.

use super::LabError;

/// Packets per second through a laboratory of one pair, both directions together. Takes about half a second; call `enter` first.
///
/// # Errors
/// Where the laboratory cannot be made.
pub fn packets_per_second() -> Result<f64, LabError> {
    unimplemented!()
}
