//! What this machine's kernel has, and whether it lets us.

use std::io;

use serde::Serialize;

/// The kernel.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Kernel {
    /// As `uname -r` prints it.
    pub release: String,
    /// Every congestion control that a socket can have here.
    pub congestion_controls: Vec<String>,
}

/// Asks the kernel.
///
/// # Errors
/// Where /proc cannot be read.
pub fn kernel() -> io::Result<Kernel> {
    unimplemented!()
}

/// Whether a run can have its namespaces here.
///
/// # Errors
/// Why not, and what to do.
pub fn may_make_namespaces() -> Result<(), String> {
    unimplemented!()
}
