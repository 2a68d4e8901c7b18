//! Smallest or largest value of the last stretch of time or of the last rounds, in a memory that
//! does not depend on how many values there were.
//!
//! Linux's `win_minmax` is another algorithm: it keeps three samples and is not exact. BBR, which
//! follows Linux, has that one in `controllers/bbr/max_bw.rs`.

use std::collections::VecDeque;

use crate::{Duration, Time};

/// Parts of a window of time: of two values closer together than a part, the larger is forgotten.
const PARTS: u64 = 64;

/// Sliding minimum. With [`core::cmp::Reverse`] values it is a sliding maximum.
#[derive(Clone, Debug)]
pub struct SlidingMin<V> {
    /// (age mark, value), both rising: the first entry is the minimum, and each other becomes the
    /// minimum when the entries before it are too old.
    kept: VecDeque<(u64, V)>,
}

impl<V> Default for SlidingMin<V> {
    fn default() -> Self {
        Self { kept: VecDeque::new() }
    }
}

impl<V: Copy + Ord> SlidingMin<V> {
    /// Adds a value and forgets those older than `length`, but never the latest. The minimum is as
    /// old as the window to one 64th.
    pub fn add(&mut self, now: Time, value: V, length: Duration) {
        self.add_marked(now.as_ps(), value, length.as_ps(), length.as_ps() / PARTS);
    }

    /// Adds a value of round (or minute) number `now` and forgets those that are more than `length`
    /// rounds old. The minimum is exact.
    pub fn add_in_round(&mut self, now: u64, value: V, length: u64) {
        self.add_marked(now, value, length, 1);
    }

    fn add_marked(&mut self, now: u64, value: V, length: u64, step: u64) {
        let age = |mark: u64| now.saturating_sub(mark);
        while self.kept.back().is_some_and(|&(_, kept)| kept >= value) {
            self.kept.pop_back();
        }
        if self.kept.back().is_none_or(|&(mark, _)| age(mark) >= step) {
            self.kept.push_back((now, value));
        }
        while self.kept.len() > 1 && self.kept.front().is_some_and(|&(mark, _)| age(mark) > length)
        {
            self.kept.pop_front();
        }
    }

    /// Smallest value; `None` before the first.
    #[must_use]
    pub fn get(&self) -> Option<V> {
        self.kept.front().map(|&(_, value)| value)
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

    #[test]
    fn a_round_s_maximum_leaves_with_its_window() {
        let mut max = SlidingMin::default();
        for (round, value, expected) in
            [(1, 5, 5), (1, 3, 5), (2, 4, 5), (3, 1, 5), (4, 2, 4), (5, 1, 2), (6, 7, 7)]
        {
            max.add_in_round(round, core::cmp::Reverse(value), 2);
            assert_eq!(max.get(), Some(core::cmp::Reverse(expected)), "in round {round}");
        }
    }
}
