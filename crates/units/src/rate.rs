//! Bits per second.

use crate::Duration;

/// A data rate in bit/s.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub struct Rate(u64);

const PS_PER_S: u64 = 1_000_000_000_000;
const BITS_PER_BYTE: u64 = 8;
/// Number of bytes below which `bytes * 8e12` fits a `u64`. Dividing a `u64` is several times
/// faster than dividing a `u128`.
const FAST_BYTES: u64 = u64::MAX / (BITS_PER_BYTE * PS_PER_S);

impl Rate {
    /// `bps` bits per second.
    #[must_use]
    pub const fn from_bps(bps: u64) -> Self {
        Self(bps)
    }
    /// Bits per second.
    #[must_use]
    pub const fn as_bps(self) -> u64 {
        self.0
    }
    /// Time that `bytes` take at this rate, rounded to the nearest picosecond. [`Duration::MAX`] at
    /// rate zero.
    #[must_use]
    pub fn time_for(self, bytes: u64) -> Duration {
        if self.0 == 0 {
            return Duration::MAX;
        }
        if bytes < FAST_BYTES {
            return Duration::from_ps((bytes * (BITS_PER_BYTE * PS_PER_S) + self.0 / 2) / self.0);
        }
        let ps = (u128::from(bytes) * u128::from(BITS_PER_BYTE * PS_PER_S)
            + u128::from(self.0 / 2))
            / u128::from(self.0);
        Duration::from_ps(u64::try_from(ps).unwrap_or(u64::MAX))
    }
    /// Whole bytes that pass in `d`.
    #[must_use]
    pub fn bytes_in(self, d: Duration) -> u64 {
        if let Some(product) = self.0.checked_mul(d.as_ps()) {
            return product / (BITS_PER_BYTE * PS_PER_S);
        }
        let bytes =
            u128::from(self.0) * u128::from(d.as_ps()) / u128::from(BITS_PER_BYTE * PS_PER_S);
        u64::try_from(bytes).unwrap_or(u64::MAX)
    }
    /// Rate at which `bytes` pass in `d`, rounded down. The largest rate if `d` is zero.
    #[must_use]
    pub fn of(bytes: u64, d: Duration) -> Self {
        if d.is_zero() {
            return Self(u64::MAX);
        }
        if bytes < FAST_BYTES {
            return Self(bytes * (BITS_PER_BYTE * PS_PER_S) / d.as_ps());
        }
        let bps = u128::from(bytes) * u128::from(BITS_PER_BYTE * PS_PER_S) / u128::from(d.as_ps());
        Self(u64::try_from(bps).unwrap_or(u64::MAX))
    }
    /// The rate times `gain`, rounded down and saturating.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "gains are approximate by nature; the cast saturates"
    )]
    pub fn scale(self, gain: f64) -> Self {
        Self((self.0 as f64 * gain) as u64)
    }
}
