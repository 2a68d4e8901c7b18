//! Random values that repeat the value before with a given probability.

use crate::rng::{self, Rng};

/// A sequence of values in which each repeats the one before with a given probability, and is drawn
/// again otherwise. The autocorrelation is that probability to the power of the distance, and the
/// distribution of the values does not change.
///
/// netem mixes each uniform value with the one before it (Linux, `net/sched/sch_netem.c`,
/// `get_crandom`), which narrows the distribution: a probability is then not met, and tc-netem(8)
/// has deprecated the option for loss.
#[derive(Clone, Debug)]
pub struct Correlated {
    correlation: f64,
    last: Option<f64>,
}

impl Correlated {
    /// Makes a sequence with this correlation, from 0 to 1.
    #[must_use]
    pub fn new(correlation: f64) -> Self {
        Self { correlation, last: None }
    }

    /// Returns the next value. `draw` draws a new one.
    pub fn next(&mut self, rng: &mut Rng, draw: impl FnOnce(&mut Rng) -> f64) -> f64 {
        if let Some(last) = self.last
            && self.correlation > 0.0
            && rng::unit(rng) < self.correlation
        {
            return last;
        }
        let value = draw(rng);
        self.last = Some(value);
        value
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// With 100 000 uniform values, the correlation of neighbours has a standard error of
    /// sqrt(1 - rho^2) / sqrt(n) = 0.0027. The share below p has one of
    /// sqrt(p (1 - p) (1 + rho) / (1 - rho) / n) = 0.0025. Five of them are allowed.
    #[test]
    fn neighbours_correlate_and_shares_stay() {
        let mut rng = rng::stream(1, "correlated");
        let mut values = Correlated::new(0.5);
        let n = 100_000_u32;
        let drawn: Vec<f64> = (0..n).map(|_| values.next(&mut rng, rng::unit)).collect();
        let products = drawn.windows(2).map(|two| (two[0] - 0.5) * (two[1] - 0.5));
        let correlation = products.sum::<f64>() / f64::from(n) * 12.0;
        assert!((correlation - 0.5).abs() < 0.0135, "{correlation}");
        let below = drawn.iter().filter(|value| **value < 0.3).count();
        let share = f64::from(u32::try_from(below).unwrap()) / f64::from(n);
        assert!((share - 0.3).abs() < 0.0125, "{share}");
    }

    #[test]
    fn without_correlation_nothing_more_is_drawn() {
        let (mut plain, mut rng) = (rng::stream(1, "x"), rng::stream(1, "x"));
        let mut values = Correlated::new(0.0);
        for _ in 0..10 {
            assert_eq!(values.next(&mut rng, rng::unit).to_bits(), rng::unit(&mut plain).to_bits());
        }
    }
}
