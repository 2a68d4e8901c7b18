//! Applications: what the sender is given to send, and when.

mod bulk;
mod file;
mod writes;

use ackclock_units::Time;

use crate::plan::AppPlan;

/// What an application has written so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Written {
    /// Bytes since the start; [`Written::ENDLESS`] for a source that never runs dry.
    pub bytes: u64,
    /// Whether it has closed the connection: nothing will follow.
    pub closed: bool,
    /// When it writes again; [`Time::MAX`]: it does not.
    pub next_write: Time,
}

impl Written {
    /// More than any run can send, with room to add to.
    pub const ENDLESS: u64 = u64::MAX / 4;
}

/// A source of data.
pub trait App: Send {
    /// What is written by `now`; called at the start and at each `next_write`.
    fn written(&mut self, now: Time) -> Written;
}

/// The plan's application for a flow that starts at `start`.
#[must_use]
pub fn build(plan: &AppPlan, start: Time) -> Box<dyn App> {
    match plan {
        AppPlan::Bulk {} => Box::new(bulk::Bulk),
        AppPlan::File { size_bytes } => Box::new(file::File { size_bytes: *size_bytes }),
        AppPlan::Writes { writes } => Box::new(writes::Writes::new(writes, start)),
    }
}
