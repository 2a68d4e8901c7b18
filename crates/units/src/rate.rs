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
        let ps = u128::from(bytes) * u128::from(BITS_PER_BYTE * PS_PER_S);
        Duration::from_ps(quotient(ps + u128::from(self.0 / 2), self.0))
    }
    /// Whole bytes that pass in `d`.
    #[must_use]
    pub fn bytes_in(self, d: Duration) -> u64 {
        if let Some(product) = self.0.checked_mul(d.as_ps()) {
            return product / (BITS_PER_BYTE * PS_PER_S);
        }
        quotient(u128::from(self.0) * u128::from(d.as_ps()), BITS_PER_BYTE * PS_PER_S)
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
        Self(quotient(u128::from(bytes) * u128::from(BITS_PER_BYTE * PS_PER_S), d.as_ps()))
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

/// `dividend / divisor`, or the largest number if it does not fit. Two divisions of 64 bits are
/// several times faster than one of 128 bits. They are enough for divisors below 2^45 and dividends
/// below 2^83, such as half a minute in picoseconds and a terabyte.
#[expect(clippy::cast_possible_truncation, reason = "digits below 2^64")]
fn quotient(dividend: u128, divisor: u64) -> u64 {
    /// Bits of the second digit.
    const LOW: u32 = 19;
    if divisor >> (u64::BITS - LOW) > 0 || dividend >> (u64::BITS + LOW) > 0 {
        return u64::try_from(dividend / u128::from(divisor)).unwrap_or(u64::MAX);
    }
    let (high, low) = ((dividend >> LOW) as u64, dividend as u64 & ((1 << LOW) - 1));
    let second = ((high % divisor) << LOW | low) / divisor;
    (high / divisor).checked_mul(1 << LOW).map_or(u64::MAX, |first| first + second)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Numbers of every size, and not only large ones.
    fn of_any_size() -> impl Strategy<Value = u64> {
        (any::<u64>(), 0..64_u32).prop_map(|(number, bits)| number >> bits)
    }

    proptest! {
        #[test]
        fn a_quotient_of_two_digits_is_that_of_128_bits(
            factor in of_any_size(), other in of_any_size(), rest in of_any_size(),
            divisor in of_any_size(),
        ) {
            let dividend = u128::from(factor) * u128::from(other) + u128::from(rest);
            let divisor = divisor.max(1);
            let exact = u64::try_from(dividend / u128::from(divisor)).unwrap_or(u64::MAX);
            prop_assert_eq!(quotient(dividend, divisor), exact);
        }
    }
}
