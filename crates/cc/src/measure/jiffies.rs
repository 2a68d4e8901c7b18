//! The clock of the kernel's timers, by which several of Linux's algorithms measure.

use crate::{Duration, Time};

/// Linux's clock of 250 ticks in a second, as most distributions build it.
#[derive(Clone, Copy, Debug, Default)]
pub struct Jiffies {
    /// Time since the last tick when the run begins.
    phase: Duration,
}

impl Jiffies {
    /// Ticks in a second (HZ).
    pub const PER_SECOND: u64 = 250;
    const TICK: Duration = Duration::from_millis(1000 / Self::PER_SECOND);

    /// A clock that ticked `phase` before the run begins.
    #[must_use]
    pub fn new(phase: Duration) -> Self {
        Self { phase }
    }

    /// Ticks until `time`.
    #[must_use]
    pub fn at(self, time: Time) -> u64 {
        (time + self.phase).since(Time::ZERO).as_ps() / Self::TICK.as_ps()
    }

    /// Ticks of a span of time, rounded up (`usecs_to_jiffies`).
    #[must_use]
    pub fn of(span: Duration) -> u64 {
        span.as_ps().div_ceil(Self::TICK.as_ps())
    }
}
