//! Places in the total order of everything that happens in a run.

use ackclock_units::Time;

use super::Source;

/// A place in the order in which the event loop does things: a time, and at one time a source.
///
/// Two packets that a link delivers at one time differ by their number. Of a host's timer there is
/// at most one at a time.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Moment {
    /// Time.
    pub time: Time,
    /// Number of the source in the upper 24 bits, number of the packet below.
    cause: u64,
}

impl Moment {
    /// The end of time.
    pub const NEVER: Self = Self { time: Time::MAX, cause: u64::MAX };

    /// Before everything that happens at `time`.
    #[must_use]
    #[inline]
    pub const fn before(time: Time) -> Self {
        Self { time, cause: 0 }
    }

    /// After everything that happens at `time`.
    #[must_use]
    pub const fn after(time: Time) -> Self {
        Self { time, cause: u64::MAX }
    }

    /// Sources that moments can tell apart.
    pub const MOST_SOURCES: usize = 1 << 24;

    /// When a source has its event number `number`, below 2^40, of those at `time`.
    #[must_use]
    #[inline]
    pub const fn of(time: Time, source: Source, number: u64) -> Self {
        Self { time, cause: (source as u64) << 40 | number }
    }

    /// The first moment after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self { time: self.time, cause: self.cause.saturating_add(1) }
    }
}

/// A place within a moment: the packets that a host sends then are numbered from 1.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Step {
    /// The moment.
    pub moment: Moment,
    /// Number of packets that the host has sent in it so far.
    pub number: u32,
}

impl Step {
    /// The beginning of a moment.
    #[must_use]
    #[inline]
    pub const fn begins(moment: Moment) -> Self {
        Self { moment, number: 0 }
    }
}
