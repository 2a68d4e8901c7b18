//! The windowed maximum of the bandwidth samples: Kathleen Nichols' filter of three samples, as in
//! Linux's `lib/win_minmax.c`. It is not exact; `measure/sliding.rs` has the exact one.

use crate::Rate;

/// A rate and the round in which it was measured.
#[derive(Clone, Copy, Debug, Default)]
struct Sample {
    round: u64,
    rate: Rate,
}

/// Largest sample of the last `window` rounds, nearly.
///
/// It keeps the best sample, the best after that, and the best after that, so that a successor is
/// at hand when the best expires. Time passes only with samples: without any, nothing expires.
#[derive(Clone, Debug)]
pub struct WindowedMax {
    window: u64,
    best: [Sample; 3],
}

impl WindowedMax {
    /// A filter without a sample.
    pub fn new(window: u64) -> Self {
        Self { window, best: [Sample::default(); 3] }
    }

    /// The estimate.
    pub fn get(&self) -> Rate {
        self.best[0].rate
    }

    /// Forgets all samples but this one.
    pub fn reset(&mut self, round: u64, rate: Rate) {
        self.best = [Sample { round, rate }; 3];
    }

    /// Adds a sample (`minmax_running_max`).
    pub fn add(&mut self, round: u64, rate: Rate) {
        let sample = Sample { round, rate };
        if rate >= self.best[0].rate || round - self.best[2].round > self.window {
            self.reset(round, rate);
            return;
        }
        if rate >= self.best[1].rate {
            self.best[1] = sample;
            self.best[2] = sample;
        } else if rate >= self.best[2].rate {
            self.best[2] = sample;
        }
        self.expire(sample);
    }

    /// Forgets samples that are too old (`minmax_subwin_update`). Successors come from the second
    /// quarter and the second half of the window, so that the three never stand close together.
    fn expire(&mut self, sample: Sample) {
        let age = |best: &Sample| sample.round - best.round;
        if age(&self.best[0]) > self.window {
            self.best = [self.best[1], self.best[2], sample];
            if age(&self.best[0]) > self.window {
                self.best = [self.best[1], self.best[2], sample];
            }
        } else if self.best[1].round == self.best[0].round && age(&self.best[0]) > self.window / 4 {
            self.best[1] = sample;
            self.best[2] = sample;
        } else if self.best[2].round == self.best[1].round && age(&self.best[0]) > self.window / 2 {
            self.best[2] = sample;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn fed(samples: &[(u64, u64)]) -> WindowedMax {
        let mut filter = WindowedMax::new(10);
        for &(round, bps) in samples {
            filter.add(round, Rate::from_bps(bps));
        }
        filter
    }

    #[test]
    fn a_larger_sample_is_taken_at_once() {
        assert_eq!(fed(&[(0, 5), (1, 9), (2, 7)]).get(), Rate::from_bps(9));
    }

    #[test]
    fn the_best_holds_for_ten_rounds_and_its_successor_follows() {
        let mut samples = vec![(0, 100)];
        samples.extend((1..=10).map(|round| (round, 50 + round)));
        assert_eq!(fed(&samples).get(), Rate::from_bps(100));
        samples.push((11, 20));
        assert_eq!(fed(&samples).get(), Rate::from_bps(60));
    }

    #[test]
    fn without_samples_nothing_expires_and_after_a_gap_the_next_counts() {
        let mut filter = fed(&[(0, 100), (1, 90)]);
        assert_eq!(filter.get(), Rate::from_bps(100));
        filter.add(50, Rate::from_bps(30));
        assert_eq!(filter.get(), Rate::from_bps(30));
    }

    #[test]
    fn falling_samples_are_followed_within_a_window() {
        // The worst case for three samples: the estimate may lag, but never by more than the
        // window.
        let mut filter = WindowedMax::new(10);
        for round in 0..100 {
            filter.add(round, Rate::from_bps(1000 - round));
            assert!(filter.get().as_bps() <= 1000 - round + 10);
            assert!(filter.get().as_bps() >= 1000 - round);
        }
    }
}
