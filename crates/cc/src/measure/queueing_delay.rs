//! Queueing delay as LEDBAT measures it: the smallest of the last few delay samples, less the
//! smallest of the last minutes. RFC 6817 section 2.4.2: `queuing_delay = FILTER(current_delays) -
//! MIN(base_delays)`.

use std::collections::VecDeque;

use super::SlidingMin;
use crate::{Duration, Time};

const MINUTE: Duration = Duration::from_secs(60);

/// Filter of delay samples, which may be one-way delays or RTTs.
#[derive(Clone, Debug)]
pub struct QueueingDelay {
    /// Smallest delay of the last `minutes` minutes. A minute without samples ages the others too.
    base: SlidingMin<Duration>,
    /// Minutes over which the base is the minimum.
    minutes: u64,
    current: VecDeque<(Time, Duration)>,
    samples: usize,
}

impl QueueingDelay {
    /// A filter whose base is the smallest sample of `minutes` minutes (`BASE_HISTORY`) and whose
    /// current delay is the smallest of `samples` samples (`CURRENT_FILTER`).
    #[must_use]
    pub fn new(minutes: u64, samples: usize) -> Self {
        Self {
            base: SlidingMin::default(),
            minutes: minutes.max(1),
            current: VecDeque::new(),
            samples: samples.max(1),
        }
    }

    /// Takes in a sample (`update_base_delay`, `update_current_delay`). Samples older than `memory`
    /// no longer count towards the current delay.
    pub fn add(&mut self, delay: Duration, now: Time, memory: Duration) {
        let minute = now.as_ps() / MINUTE.as_ps();
        self.base.add_in_round(minute, delay, self.minutes - 1);
        self.current.retain(|(then, _)| now.since(*then) <= memory);
        if self.current.len() >= self.samples {
            self.current.pop_front();
        }
        self.current.push_back((now, delay));
    }

    /// Delay without queues; `None` before any sample.
    #[must_use]
    pub fn base(&self) -> Option<Duration> {
        self.base.get()
    }

    /// Queueing delay, seconds; `None` before any sample.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        let current = self.current.iter().map(|(_, delay)| *delay).min()?;
        Some(current.saturating_sub(self.base()?).as_secs_f64())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Duration {
        Duration::from_millis(ms)
    }

    #[test]
    fn the_least_of_the_last_four_less_the_least_of_all() {
        let mut delay = QueueingDelay::new(10, 4);
        assert_eq!(delay.seconds(), None);
        for sample in [50, 90, 80, 70, 75] {
            delay.add(ms(sample), Time::ZERO, Duration::MAX);
        }
        assert_eq!(delay.base(), Some(ms(50)));
        assert!((delay.seconds().unwrap() - 0.020).abs() < 1e-12);
    }

    #[test]
    fn a_base_is_forgotten_after_as_many_minutes() {
        let mut delay = QueueingDelay::new(3, 1);
        delay.add(ms(50), Time::ZERO + Duration::from_secs(59), Duration::MAX);
        for minute in 1..=2 {
            delay.add(ms(60), Time::ZERO + MINUTE * minute, Duration::MAX);
        }
        assert_eq!(delay.base(), Some(ms(50)));
        delay.add(ms(60), Time::ZERO + MINUTE * 3, Duration::MAX);
        assert_eq!(delay.base(), Some(ms(60)));
    }

    #[test]
    fn idle_minutes_age_the_base_too() {
        let mut delay = QueueingDelay::new(3, 1);
        delay.add(ms(50), Time::ZERO, Duration::MAX);
        delay.add(ms(60), Time::ZERO + MINUTE * 2, Duration::MAX);
        assert_eq!(delay.base(), Some(ms(50)));
        delay.add(ms(70), Time::ZERO + MINUTE * 4, Duration::MAX);
        assert_eq!(delay.base(), Some(ms(60)));
        delay.add(ms(80), Time::ZERO + MINUTE * 9, Duration::MAX);
        assert_eq!(delay.base(), Some(ms(80)));
    }

    #[test]
    fn samples_older_than_the_memory_are_not_the_present() {
        let mut delay = QueueingDelay::new(10, 4);
        for (at, sample) in [(0, 50), (100, 90), (200, 80)] {
            delay.add(ms(sample), Time::ZERO + ms(at), ms(100));
        }
        assert!((delay.seconds().unwrap() - 0.030).abs() < 1e-12);
    }
}
