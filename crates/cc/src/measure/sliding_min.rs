//! The smallest value of the last stretch of time, in a memory that does not depend on how many values there were.

use std::collections::VecDeque;

use crate::{Duration, Time};

/// Values closer together than this part of the window are one: the larger is forgotten.
const STEPS: u64 = 64;

/// A sliding minimum; of [`core::cmp::Reverse`] values, a maximum.
#[derive(Clone, Debug)]
pub struct SlidingMin<V> {
    /// Rising in time and in value; the first is the smallest, each other what is left when those before it are too old.
    kept: VecDeque<(Time, V)>,
}

impl<V> Default for SlidingMin<V> {
    fn default() -> Self {
        Self { kept: VecDeque::new() }
    }
}

impl<V: Copy + Ord> SlidingMin<V> {
    /// Adds a value and forgets those older than `length`, down to the latest.
    pub fn add(&mut self, now: Time, value: V, length: Duration) {
        while self.kept.back().is_some_and(|(_, kept)| *kept >= value) {
            self.kept.pop_back();
        }
        if self.kept.back().is_none_or(|(at, _)| now.since(*at) >= length / STEPS) {
            self.kept.push_back((now, value));
        }
        while self.kept.len() > 1 && self.kept.front().is_some_and(|(at, _)| now.since(*at) > length) {
            self.kept.pop_front();
        }
    }

    /// The smallest value; `None` before the first.
    #[must_use]
    pub fn get(&self) -> Option<V> {
        self.kept.front().map(|(_, value)| *value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WINDOW: Duration = Duration::from_millis(640);

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    #[test]
    fn a_value_counts_for_the_length_of_the_window() {
        let mut min = SlidingMin::default();
        assert_eq!(min.get(), None);
        for ms in 0..=2000 {
            // One dip, at 500 ms.
            min.add(at(ms), if ms == 500 { 1 } else { 7 }, WINDOW);
            let expected = if (500..=1140).contains(&ms) { 1 } else { 7 };
            assert_eq!(min.get(), Some(expected), "at {ms} ms");
        }
    }

    #[test]
    fn the_minimum_of_a_rise_is_as_old_as_the_window_to_a_step() {
        let mut min = SlidingMin::default();
        for ms in 0..5000_u64 {
            min.add(at(ms), ms, WINDOW);
            let exact = ms.saturating_sub(640);
            assert!(
                min.get().is_some_and(|got| got.abs_diff(exact) <= 10),
                "at {ms} ms: {:?}",
                min.get()
            );
            assert!(min.kept.len() <= 66);
        }
    }

    #[test]
    fn the_latest_value_stays_however_old() {
        let mut max = SlidingMin::default();
        max.add(at(0), core::cmp::Reverse(3), WINDOW);
        max.add(at(1), core::cmp::Reverse(5), WINDOW);
        assert_eq!(max.get(), Some(core::cmp::Reverse(5)));
        max.add(at(9000), core::cmp::Reverse(4), WINDOW);
        assert_eq!(max.get(), Some(core::cmp::Reverse(4)));
    }
}
