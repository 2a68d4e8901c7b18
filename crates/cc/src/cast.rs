//! Conversions between counts of bytes and floating-point numbers.

/// `count` as a float: exact below 2^53, which no window, rate or counter of a run reaches.
#[must_use]
#[inline]
#[expect(clippy::cast_precision_loss, reason = "the doc comment says where")]
pub fn float(count: u64) -> f64 {
    count as f64
}

/// Whole part of `number`. Negative numbers and NaN give 0, larger ones than a `u64` holds the
/// largest.
#[must_use]
#[inline]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the cast saturates")]
pub fn integer(number: f64) -> u64 {
    number as u64
}

/// The share `part` / `whole` of a number, rounded down; no product overflows.
pub fn share(number: u64, part: u64, whole: u64) -> u64 {
    let share = u128::from(number) * u128::from(part) / u128::from(whole.max(1));
    u64::try_from(share).unwrap_or(u64::MAX)
}
