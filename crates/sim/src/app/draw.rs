//! Quantities that an application draws again and again.

use ackclock_units::Duration;

use crate::distribution::Distribution;
use crate::rng::{self, Rng};

const PS_PER_S: f64 = 1e12;
/// Longest time drawn, ps: a day. The clock ends at 213 days, and a run at 20.
const LONGEST_PS: f64 = 86_400.0 * PS_PER_S;
/// Largest size drawn, bytes: no run moves a petabyte.
const LARGEST: f64 = 1e15;

/// A random quantity with its stream of random numbers.
pub struct Draw {
    of: Distribution,
    rng: Rng,
}

impl Draw {
    /// Makes a quantity drawn from the stream called `stream`.
    #[must_use]
    pub fn new(of: &Distribution, seed: u64, stream: &str) -> Self {
        Self { of: of.clone(), rng: rng::stream(seed, stream) }
    }

    /// Draws a size of at least one byte. The distribution is in bytes.
    pub fn bytes(&mut self) -> u64 {
        self.count().max(1)
    }

    /// Draws a time. The distribution is in seconds.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    pub fn duration(&mut self) -> Duration {
        let ps = self.of.sample(&mut self.rng) * PS_PER_S;
        Duration::from_ps(ps.clamp(0.0, LONGEST_PS).round() as u64)
    }

    /// Draws a number, rounded to the nearest whole one.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    pub fn count(&mut self) -> u64 {
        self.of.sample(&mut self.rng).clamp(0.0, LARGEST).round() as u64
    }
}
