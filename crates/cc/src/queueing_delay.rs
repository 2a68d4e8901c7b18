//! How long packets wait in queues, as LEDBAT measures it (RFC 6817 section 2.4.2): the least of the last few samples, less
//! the least of the last minutes.

use std::collections::VecDeque;

use crate::{Duration, Time};

const MINUTE: Duration = Duration::from_secs(60);

/// The filter; its samples are one-way delays or RTTs.
#[derive(Clone, Debug)]
pub struct QueueingDelay {
    /// The least of each minute.
    base: VecDeque<Duration>,
    minutes: usize,
    /// The minute of the newest entry.
    minute: Option<u64>,
    current: VecDeque<Duration>,
    samples: usize,
}

impl QueueingDelay {
    /// The base over `minutes` (`BASE_HISTORY`), the present over `samples` (`CURRENT_FILTER`).
    #[must_use]
    pub fn new(minutes: usize, samples: usize) -> Self {
        Self {
            base: VecDeque::new(),
            minutes: minutes.max(1),
            minute: None,
            current: VecDeque::new(),
            samples: samples.max(1),
        }
    }

    /// A sample (`update_base_delay`, `update_current_delay`).
    pub fn add(&mut self, delay: Duration, now: Time) {
        let minute = now.as_ps() / MINUTE.as_ps();
        match self.base.back_mut() {
            Some(least) if self.minute == Some(minute) => *least = (*least).min(delay),
            _ => push(&mut self.base, delay, self.minutes),
        }
        self.minute = Some(minute);
        push(&mut self.current, delay, self.samples);
    }

    /// The delay without queues.
    #[must_use]
    pub fn base(&self) -> Option<Duration> {
        self.base.iter().min().copied()
    }

    /// Seconds in queues; `None` before any sample.
    #[must_use]
    pub fn seconds(&self) -> Option<f64> {
        let current = self.current.iter().min()?;
        Some(current.saturating_sub(self.base()?).as_secs_f64())
    }
}

fn push(samples: &mut VecDeque<Duration>, sample: Duration, length: usize) {
    if samples.len() >= length {
        samples.pop_front();
    }
    samples.push_back(sample);
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
            delay.add(ms(sample), Time::ZERO);
        }
        assert_eq!(delay.base(), Some(ms(50)));
        assert!((delay.seconds().unwrap() - 0.020).abs() < 1e-12);
    }

    #[test]
    fn a_base_is_forgotten_after_as_many_minutes() {
        let mut delay = QueueingDelay::new(3, 1);
        delay.add(ms(50), Time::ZERO + Duration::from_secs(59));
        for minute in 1..=2 {
            delay.add(ms(60), Time::ZERO + MINUTE * minute);
        }
        assert_eq!(delay.base(), Some(ms(50)));
        delay.add(ms(60), Time::ZERO + MINUTE * 3);
        assert_eq!(delay.base(), Some(ms(60)));
    }
}
