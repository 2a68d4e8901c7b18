//! Decimal numbers as they are written, scaled to whole units without rounding.

/// The number `digits * 10^-scale`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Decimal {
    digits: u128,
    scale: i32,
}

/// Reason why a decimal is no whole `u64` of the base unit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum DecimalError {
    /// The number exceeds a `u64`.
    TooLarge,
    /// The number has a part smaller than the base unit.
    NotWhole,
}

impl Decimal {
    /// Splits `text` into the unsigned number at its beginning and the rest. `None`: the text does
    /// not begin with a number. An `e` belongs to the number only where digits follow it.
    pub(crate) fn split(text: &str) -> Option<(Result<Self, DecimalError>, &str)> {
        let (whole, rest) = take_digits(text);
        let (fraction, rest) = match rest.strip_prefix('.') {
            Some(after) => take_digits(after),
            None => ("", rest),
        };
        if whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let (exponent, rest) = take_exponent(rest);
        Some((Self::from_parts(whole, fraction, exponent), rest))
    }

    fn from_parts(whole: &str, fraction: &str, exponent: i32) -> Result<Self, DecimalError> {
        let fraction = fraction.trim_end_matches('0');
        let mut digits = 0_u128;
        for digit in whole.bytes().chain(fraction.bytes()) {
            digits = digits
                .checked_mul(10)
                .and_then(|shifted| shifted.checked_add(u128::from(digit - b'0')))
                // A number of 39 digits: no unit is large enough and none small enough to make a
                // `u64` of it.
                .ok_or(if fraction.is_empty() {
                    DecimalError::TooLarge
                } else {
                    DecimalError::NotWhole
                })?;
        }
        let places = i32::try_from(fraction.len()).unwrap_or(i32::MAX);
        Ok(Self { digits, scale: places.saturating_sub(exponent) })
    }

    /// Product of the number and `factor`, exactly.
    pub(crate) fn times(self, factor: u64) -> Result<u64, DecimalError> {
        let Self { mut digits, scale } = self;
        if digits == 0 {
            return Ok(0);
        }
        let mut factor = u128::from(factor);
        for _ in 0..scale {
            divide(&mut factor, &mut digits, 2)?;
            divide(&mut factor, &mut digits, 5)?;
        }
        for _ in scale..0 {
            digits = digits.checked_mul(10).ok_or(DecimalError::TooLarge)?;
        }
        let product = digits.checked_mul(factor).ok_or(DecimalError::TooLarge)?;
        u64::try_from(product).map_err(|_| DecimalError::TooLarge)
    }
}

/// Takes the prime `p` out of the product `a * b`.
fn divide(a: &mut u128, b: &mut u128, p: u128) -> Result<(), DecimalError> {
    let divisible = if a.is_multiple_of(p) { a } else { b };
    if !divisible.is_multiple_of(p) {
        return Err(DecimalError::NotWhole);
    }
    *divisible /= p;
    Ok(())
}

fn take_digits(text: &str) -> (&str, &str) {
    text.split_at(text.bytes().take_while(u8::is_ascii_digit).count())
}

fn take_exponent(text: &str) -> (i32, &str) {
    let Some(after) = text.strip_prefix(['e', 'E']) else {
        return (0, text);
    };
    let unsigned = after.strip_prefix(['+', '-']).unwrap_or(after);
    let (digits, rest) = take_digits(unsigned);
    if digits.is_empty() {
        return (0, text);
    }
    let size = digits.parse().unwrap_or(i32::MAX);
    (if after.starts_with('-') { -size } else { size }, rest)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn scaled(text: &str, factor: u64) -> Result<u64, DecimalError> {
        let (number, rest) = Decimal::split(text).expect("a number");
        assert_eq!(rest, "");
        number.and_then(|n| n.times(factor))
    }

    #[test]
    fn decimals_that_floats_cannot_hold_are_exact() {
        assert_eq!(scaled("0.1", 10), Ok(1));
        assert_eq!(scaled("0.000000000001", 1_000_000_000_000), Ok(1));
        assert_eq!(scaled("18446744.073709551615", 1_000_000_000_000), Ok(u64::MAX));
        assert_eq!(scaled("0.0000000000009094947017729282379150390625", 1 << 40), Ok(1));
    }

    #[test]
    fn exponents_move_the_point() {
        assert_eq!(scaled("1.5e6", 1), Ok(1_500_000));
        assert_eq!(scaled("25E-1", 2), Ok(5));
        assert_eq!(scaled("0e99999999999", 1), Ok(0));
    }

    #[test]
    fn what_does_not_fit_says_why() {
        assert_eq!(scaled("0.5", 1), Err(DecimalError::NotWhole));
        assert_eq!(scaled("1e-99999999999", 1), Err(DecimalError::NotWhole));
        assert_eq!(scaled("18446744073709551616", 1), Err(DecimalError::TooLarge));
        assert_eq!(scaled("1e99999999999", 1), Err(DecimalError::TooLarge));
        assert_eq!(scaled(&"9".repeat(60), 1), Err(DecimalError::TooLarge));
    }

    #[test]
    fn an_e_without_digits_is_left_to_the_unit() {
        assert_eq!(Decimal::split("1e").expect("a number").1, "e");
        assert_eq!(Decimal::split(".5s").expect("a number").1, "s");
        assert_eq!(Decimal::split("."), None);
        assert_eq!(Decimal::split("s"), None);
    }
}
