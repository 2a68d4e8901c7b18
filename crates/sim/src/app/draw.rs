//! Quantities that an application draws again and again.

use ackclock_units::Duration;

use crate::distribution::Distribution;
use crate::rng::{self, Rng};

const PS_PER_S: f64 = 1e12;
/// A day: the clock counts 213, and no run lasts longer than 20.
const LONGEST_PS: f64 = 86_400.0 * PS_PER_S;
/// A terabyte and more: no run moves as much.
const LARGEST: f64 = 1e15;

/// A quantity with the stream that it is drawn from.
pub struct Draw {
    of: Distribution,
    rng: Rng,
}

impl Draw {
    /// A quantity drawn from the stream called `stream`.
    #[must_use]
    pub fn new(of: &Distribution, seed: u64, stream: &str) -> Self {
        Self {
            of: of.clone(),
            rng: rng::stream(seed, stream),
        }
    }

    /// A size of at least one byte; the distribution's unit is the byte.
    pub fn bytes(&mut self) -> u64 {
        self.count().max(1)
    }

    /// A time; the distribution's unit is the second.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    pub fn duration(&mut self) -> Duration {
        let ps = self.of.sample(&mut self.rng) * PS_PER_S;
        Duration::from_ps(ps.clamp(0.0, LONGEST_PS).round() as u64)
    }

    /// A number, to the nearest whole one.
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "clamped")]
    pub fn count(&mut self) -> u64 {
        self.of.sample(&mut self.rng).clamp(0.0, LARGEST).round() as u64
    }
}
