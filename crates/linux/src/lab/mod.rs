//! Hosts with a real kernel TCP each, and the wire that brings what they send to us.

pub mod calibrate;
mod enter;
mod error;
pub mod facts;
mod host;
mod port;
pub mod priority;
mod ring;
mod wait;

pub use enter::{Entered, enter};
pub use error::LabError;
pub use host::{Host, HostPair};
pub use port::Port;
pub use ring::{Arrival, Ring};
pub use wait::wait;

use crate::plan::HostPlan;

/// All hosts of a run. They vanish with it, or with the process.
#[derive(Debug)]
pub struct Lab {
    /// In the order of the plan.
    pub pairs: Vec<HostPair>,
    /// What any of the hosts sends.
    pub ring: Ring,
}

impl Lab {
    /// Makes the hosts. Call `enter` first.
    ///
    /// # Errors
    /// Where the machine does not let us.
    pub fn new(hosts: &[HostPlan]) -> Result<Self, LabError> {
        let _ = hosts;
        unimplemented!()
    }
}
