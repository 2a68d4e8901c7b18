//! Transmitters: when the head of a queue may begin to leave a link, and when it has left.

mod carried;
mod constant;
mod schedule;
mod trace;

use ackclock_units::{Rate, Time};

pub use constant::{Constant, Times};
pub use schedule::{Schedule, SchedulePlan};
pub use trace::{Trace, TracePlan};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

/// A rate that is not constant.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ServicePlan {
    /// Rates from given times on.
    Schedule(SchedulePlan),
    /// Delivery opportunities, as Mahimahi plays them.
    Trace(TracePlan),
}

impl ServicePlan {
    /// Checks that steps, opportunities and outages are in order.
    ///
    /// # Errors
    /// One line that names the first that is not.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Schedule(schedule) => Schedule::new(schedule, None).check(),
            Self::Trace(trace) => Trace::new(trace, None).check(),
        }
    }
}

/// Puts packets on the wire, one after another.
pub trait Transmitter: Send {
    /// Earliest time from `now` on at which a packet may begin; [`Time::MAX`]: never again.
    fn ready(&mut self, now: Time) -> Time;

    /// Sends a packet that begins at `start`, a time that [`Transmitter::ready`] returned. Returns
    /// the time at which its last bit has left; [`Time::MAX`]: never.
    fn send(&mut self, start: Time, size: u32) -> Time;

    /// Rate at `now`, for disciplines that estimate delays from it; `None`: infinitely fast.
    fn rate(&self, now: Time) -> Option<Rate>;

    /// Tells that nothing waits: capacity before `now` that was not used is lost.
    fn idle(&mut self, _now: Time) {}

    /// Time at which `bytes` of waiting packets have left if the first begins at `start`;
    /// [`Time::MAX`]: never.
    fn drained(&self, start: Time, bytes: u64) -> Time;

    /// Bytes that could be sent between two times, with the part of a byte; `None`: the rate never
    /// changes.
    fn capacity(&self, _from: Time, _to: Time) -> Option<f64> {
        None
    }

    /// Bytes of the capacity that a packet takes.
    fn work(&self, size: u32) -> u64 {
        u64::from(size)
    }
}

/// The transmitter of a link. The one that most have is asked without a call.
pub enum Service {
    /// A constant rate.
    Constant(Constant),
    /// A rate that varies.
    Varying(Box<dyn Transmitter>),
}

macro_rules! each {
    ($service:expr, $it:ident => $body:expr) => {
        match $service {
            Service::Constant($it) => $body,
            Service::Varying($it) => $body,
        }
    };
}

impl Service {
    /// Makes the transmitter of a link. `rate` is the link's constant rate if `service` is absent.
    /// If it is present, `rate` is the rate that disciplines assume.
    #[must_use]
    pub fn new(service: Option<&ServicePlan>, rate: Option<Rate>) -> Self {
        match service {
            None => Self::Constant(Constant::new(rate)),
            Some(ServicePlan::Schedule(schedule)) => {
                Self::Varying(Box::new(Schedule::new(schedule, rate)))
            }
            Some(ServicePlan::Trace(trace)) => Self::Varying(Box::new(Trace::new(trace, rate))),
        }
    }
}

impl Transmitter for Service {
    #[inline]
    fn ready(&mut self, now: Time) -> Time {
        each!(self, it => it.ready(now))
    }

    #[inline]
    fn send(&mut self, start: Time, size: u32) -> Time {
        each!(self, it => it.send(start, size))
    }

    #[inline]
    fn rate(&self, now: Time) -> Option<Rate> {
        each!(self, it => it.rate(now))
    }

    #[inline]
    fn idle(&mut self, now: Time) {
        each!(self, it => it.idle(now));
    }

    fn drained(&self, start: Time, bytes: u64) -> Time {
        each!(self, it => it.drained(start, bytes))
    }

    fn capacity(&self, from: Time, to: Time) -> Option<f64> {
        each!(self, it => it.capacity(from, to))
    }

    #[inline]
    fn work(&self, size: u32) -> u64 {
        each!(self, it => it.work(size))
    }
}
