//! Transmitters: when the head of a queue may begin to leave a link, and when it has left.

mod constant;
mod schedule;

use ackclock_units::{Rate, Time};

use crate::plan::LinkPlan;
pub use constant::Constant;
pub use schedule::{Schedule, SchedulePlan};

use serde::{Deserialize, Serialize};

/// A rate that is not constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ServicePlan {
    /// Rates from given times on.
    Schedule(SchedulePlan),
}

/// Puts packets on the wire, one after another.
pub trait Transmitter: Send {
    /// The earliest time from `now` on at which a packet may begin; [`Time::MAX`]: never again.
    fn ready(&mut self, now: Time) -> Time;

    /// Sends a packet that begins at `start`, a time that [`Transmitter::ready`] gave; when its last bit has left ([`Time::MAX`]: never).
    fn send(&mut self, start: Time, size: u32) -> Time;

    /// The rate at `now`, for whoever has to estimate; nothing: infinitely fast.
    fn rate(&self, now: Time) -> Option<Rate>;
}

/// The transmitter of a link.
#[must_use]
pub fn build(plan: &LinkPlan) -> Box<dyn Transmitter> {
    match &plan.service {
        None => Box::new(Constant::new(plan.rate_bps.map(Rate::from_bps))),
        Some(ServicePlan::Schedule(schedule)) => Box::new(Schedule::new(schedule)),
    }
}
