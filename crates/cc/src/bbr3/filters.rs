//! Windowed maxima.

use std::collections::VecDeque;

use ackclock_units::Rate;

/// The largest value of the last so many units of a virtual time; exact where Linux's `win_minmax.c` keeps the best three.
#[derive(Clone, Debug, Default)]
pub struct WindowedMax {
    /// (time, value): times rise, values fall.
    candidates: VecDeque<(u64, u64)>,
}

impl WindowedMax {
    /// Adds a value; values older than `window` are forgotten.
    pub fn add(&mut self, value: u64, time: u64, window: u64) {
        while self.candidates.back().is_some_and(|&(_, smaller)| smaller <= value) {
            self.candidates.pop_back();
        }
        if self.candidates.back().is_none_or(|&(newest, _)| newest != time) {
            self.candidates.push_back((time, value));
        }
        while self.candidates.front().is_some_and(|&(oldest, _)| oldest + window < time) {
            self.candidates.pop_front();
        }
    }

    /// The maximum; 0 before any value.
    pub fn max(&self) -> u64 {
        self.candidates.front().map_or(0, |&(_, value)| value)
    }
}

/// `BBR.max_bw_filter`: the largest rate of this probing cycle and the one before (draft section "Tracking Time for the `BBR.max_bw` Max
/// Filter", which says that one bit of virtual time will do).
#[derive(Clone, Copy, Debug, Default)]
pub struct MaxBw {
    previous: Rate,
    current: Rate,
}

impl MaxBw {
    pub fn add(&mut self, rate: Rate) {
        self.current = self.current.max(rate);
    }

    /// `AdvanceMaxBwFilter`. A cycle without a sample forgets nothing (as Linux's `bbr_advance_max_bw_filter`).
    pub fn advance(&mut self) {
        if self.current > Rate::default() {
            self.previous = self.current;
            self.current = Rate::default();
        }
    }

    pub fn max(&self) -> Rate {
        self.previous.max(self.current)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_maximum_leaves_with_its_window() {
        let mut filter = WindowedMax::default();
        assert_eq!(filter.max(), 0);
        for (time, value, expected) in [(1, 5, 5), (1, 3, 5), (2, 4, 5), (3, 1, 5), (4, 2, 4), (5, 1, 2), (6, 7, 7)] {
            filter.add(value, time, 2);
            assert_eq!(filter.max(), expected, "at {time}");
        }
    }

    #[test]
    fn the_maximum_bandwidth_lasts_two_cycles() {
        let (fast, slow) = (Rate::from_bps(10), Rate::from_bps(1));
        let mut filter = MaxBw::default();
        filter.add(fast);
        filter.advance();
        filter.add(slow);
        assert_eq!(filter.max(), fast);
        filter.advance();
        assert_eq!(filter.max(), slow);
        filter.advance();
        assert_eq!(filter.max(), slow, "nothing new was learned");
    }
}
