//! Transmitters: when the head of a queue may begin to leave a link, and when it has left.

mod constant;
mod schedule;
mod trace;

use ackclock_units::{Rate, Time};

use crate::plan::LinkPlan;
pub use constant::Constant;
pub use schedule::{Schedule, SchedulePlan};
pub use trace::{Trace, TracePlan};

use serde::{Deserialize, Serialize};

/// A rate that is not constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ServicePlan {
    /// Rates from given times on.
    Schedule(SchedulePlan),
    /// Delivery opportunities, as Mahimahi plays them.
    Trace(TracePlan),
}

/// Puts packets on the wire, one after another.
pub trait Transmitter: Send {
    /// The earliest time from `now` on at which a packet may begin; [`Time::MAX`]: never again.
    fn ready(&mut self, now: Time) -> Time;

    /// Sends a packet that begins at `start`, a time that [`Transmitter::ready`] gave; when its last bit has left ([`Time::MAX`]: never).
    fn send(&mut self, start: Time, size: u32) -> Time;

    /// The rate at `now`, for whoever has to estimate; nothing: infinitely fast.
    fn rate(&self, now: Time) -> Option<Rate>;

    /// Nothing waits: what was there to be used until `now` is lost.
    fn idle(&mut self, _now: Time) {}

    /// When `bytes` of waiting packets have left that begin at `start` ([`Time::MAX`]: never).
    fn drained(&self, start: Time, bytes: u64) -> Time;

    /// What could be sent between two times, bytes; nothing: the same at all times.
    fn capacity(&self, _from: Time, _to: Time) -> Option<u64> {
        None
    }

    /// What a packet takes of the capacity, bytes.
    fn work(&self, size: u32) -> u64 {
        u64::from(size)
    }
}

/// The transmitter of a link.
#[must_use]
pub fn build(plan: &LinkPlan) -> Box<dyn Transmitter> {
    let rate = plan.rate_bps.map(Rate::from_bps);
    match &plan.service {
        None => Box::new(Constant::new(rate)),
        Some(ServicePlan::Schedule(schedule)) => Box::new(Schedule::new(schedule, rate)),
        Some(ServicePlan::Trace(trace)) => Box::new(Trace::new(trace, rate)),
    }
}
