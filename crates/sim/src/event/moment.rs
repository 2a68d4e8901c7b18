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
    /// Number of the source in the upper half, number of the packet in the lower half.
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

    /// When a source has its event number `number` of those at `time`.
    #[must_use]
    #[inline]
    pub const fn of(time: Time, source: Source, number: u32) -> Self {
        Self { time, cause: (source as u64) << 32 | number as u64 }
    }

    /// The first moment after this one.
    #[must_use]
    pub const fn next(self) -> Self {
        Self { time: self.time, cause: self.cause.saturating_add(1) }
    }
}
