//! A timer for disciplines that update their state periodically.

use ackclock_units::{Duration, Time};

/// Shortest period: no discipline updates its state more often.
const SHORTEST: Duration = Duration::from_micros(1);

/// Most updates after a pause that are made one by one. The rest of a longer pause is made up for
/// in closed form, so that no event takes longer than some microseconds.
pub const ONE_BY_ONE: u32 = 4096;

/// The instants k T, k = 1, 2, ... There is no event at them: at the next call, the discipline
/// makes up for the instants that have passed. This is exact if the input of an update changes only
/// with arrivals and departures, or is known for any instant between them.
#[derive(Clone, Copy, Debug)]
pub struct Periodic {
    period: Duration,
    next: Time,
}

impl Periodic {
    /// Makes a timer that runs from the beginning of the run.
    #[must_use]
    pub fn new(period: Duration) -> Self {
        let period = period.max(SHORTEST);
        Self { period, next: Time::ZERO + period }
    }

    /// Returns the next instant that has passed by `now`, in order.
    pub fn due(&mut self, now: Time) -> Option<Time> {
        let at = self.next;
        (at <= now && at < Time::MAX).then(|| {
            self.next = at + self.period;
            at
        })
    }

    /// Skips all instants up to `now`, for the caller to make up for. Returns the first of them, if
    /// there is one, and their number.
    pub fn skip(&mut self, now: Time) -> Option<(Time, u64)> {
        let first = self.next;
        (first <= now && first < Time::MAX).then(|| {
            let passed = now.since(first).as_ps() / self.period.as_ps() + 1;
            self.next += self.period.saturating_mul(passed);
            (first, passed)
        })
    }

    /// Time between two instants.
    #[must_use]
    pub fn period(&self) -> Duration {
        self.period
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn every_instant_comes_once_in_order() {
        let mut timer = Periodic::new(Duration::from_millis(15));
        assert_eq!(timer.due(ms(14)), None);
        assert_eq!(timer.due(ms(31)), Some(ms(15)));
        assert_eq!(timer.due(ms(31)), Some(ms(30)));
        assert_eq!(timer.due(ms(31)), None);
    }

    #[test]
    fn skipping_keeps_the_beat() {
        let mut timer = Periodic::new(Duration::from_millis(15));
        assert_eq!(timer.skip(ms(10)), None);
        assert_eq!(timer.due(ms(15)), Some(ms(15)));
        assert_eq!(timer.skip(ms(60)), Some((ms(30), 3)));
        assert_eq!(timer.due(ms(74)), None);
        assert_eq!(timer.due(ms(75)), Some(ms(75)));
    }
}
