//! Two timers of a sender: the retransmission timer and the pacer's timer.

use ackclock_units::{Duration, Time};

/// Unit in which Linux counts time for timers: its kernel ticks 250 times a second.
pub(super) const JIFFY: Duration = Duration::from_millis(4);
/// Time that Linux adds to the timers of reordering and probes (`TCP_TIMEOUT_MIN_US`).
pub(super) const MIN_TIMEOUT: Duration = Duration::from_millis(2);

/// Purpose of the retransmission timer. There is one timer, as in Linux and RFC 8985 section 8:
/// arming it for one purpose ends the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Timer {
    /// Retransmission timeout.
    Rto,
    /// Tail loss probe.
    Probe,
    /// RACK's timer for segments that may be lost.
    Reorder,
}

/// The timers.
pub(super) struct Timers {
    /// When the retransmission timer runs out; [`Time::MAX`]: it does not run.
    due: Time,
    /// When the pacer lets the next packet go; [`Time::MAX`]: nothing waits for that.
    pace_at: Time,
    /// Present or last purpose of the retransmission timer.
    purpose: Timer,
}

impl Timers {
    /// No timer runs.
    pub fn new() -> Self {
        Self { due: Time::MAX, pace_at: Time::MAX, purpose: Timer::Rto }
    }

    /// When the first timer runs out.
    #[inline]
    pub fn earliest(&self) -> Time {
        self.due.min(self.pace_at)
    }

    pub fn due(&self) -> Time {
        self.due
    }

    /// Whether the retransmission timer runs.
    pub fn is_running(&self) -> bool {
        self.due < Time::MAX
    }

    #[inline]
    pub fn purpose(&self) -> Timer {
        self.purpose
    }

    /// Starts the retransmission timer, which ends its earlier purpose.
    #[inline]
    pub fn arm(&mut self, purpose: Timer, due: Time) {
        (self.purpose, self.due) = (purpose, due);
    }

    /// Stops the retransmission timer, because nothing is out.
    #[inline]
    pub fn stop(&mut self) {
        self.arm(Timer::Rto, Time::MAX);
    }

    /// The purpose of the retransmission timer if it has run out. Stops the timer.
    pub fn take_due(&mut self, now: Time) -> Option<Timer> {
        if self.due > now {
            return None;
        }
        self.due = Time::MAX;
        Some(self.purpose)
    }

    #[inline]
    pub fn pace_at(&self) -> Time {
        self.pace_at
    }

    /// Sets the pacer's timer.
    #[inline]
    pub fn pace(&mut self, at: Time) {
        self.pace_at = at;
    }
}

/// Whole jiffies of `time`, rounded down.
pub(super) fn jiffies(time: Duration) -> Duration {
    JIFFY * (time.as_ps() / JIFFY.as_ps())
}

/// Whole jiffies of `time`, rounded up.
pub(super) fn jiffies_up(time: Duration) -> Duration {
    JIFFY * time.as_ps().div_ceil(JIFFY.as_ps())
}

/// Ticks of Linux's clock between two times.
pub(super) fn jiffies_between(earlier: Time, later: Time) -> Duration {
    let ticks = |time: Time| time.as_ps() / JIFFY.as_ps();
    JIFFY * (ticks(later) - ticks(earlier))
}
