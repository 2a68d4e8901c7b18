//! The machine's clock as simulated time. No other module reads it.

use ackclock_units::Time;
use nix::time::{ClockId, clock_gettime};

/// Converts the kernel's timestamps. They are of `CLOCK_REALTIME`; simulated time is the time since
/// `t0`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Clock {
    t0_ns: u64,
}

impl Clock {
    /// A clock whose zero is `t0_ns` of `CLOCK_REALTIME`.
    #[must_use]
    pub const fn starting_at(t0_ns: u64) -> Self {
        Self { t0_ns }
    }

    /// Simulated time now; zero before the start.
    #[must_use]
    pub fn now(&self) -> Time {
        self.at(real_ns())
    }

    /// Simulated time of a stamp; zero before the start.
    #[must_use]
    pub const fn at(&self, stamp_ns: u64) -> Time {
        Time::from_ps(stamp_ns.saturating_sub(self.t0_ns).saturating_mul(1000))
    }

    /// The stamp of a simulated time; never earlier than that time.
    #[must_use]
    pub const fn real_ns(&self, at: Time) -> u64 {
        self.t0_ns.saturating_add(at.as_ps().div_ceil(1000))
    }
}

/// `CLOCK_REALTIME` now, ns.
#[must_use]
pub fn real_ns() -> u64 {
    read(ClockId::CLOCK_REALTIME)
}

/// `CLOCK_MONOTONIC` now, ns. Compared with `real_ns` at both ends of a run, it shows whether
/// somebody set the clock.
#[must_use]
pub fn monotonic_ns() -> u64 {
    read(ClockId::CLOCK_MONOTONIC)
}

/// Processor time of the calling thread, ns.
#[must_use]
pub fn thread_cpu_ns() -> u64 {
    read(ClockId::CLOCK_THREAD_CPUTIME_ID)
}

fn read(clock: ClockId) -> u64 {
    let now = clock_gettime(clock).expect("every Linux has these clocks");
    let [seconds, nanos] = [now.tv_sec(), now.tv_nsec()]
        .map(|part| u64::try_from(part).expect("clocks are past 1970"));
    seconds * 1_000_000_000 + nanos
}
