//! Text to quantity, exactly: "1.5Mbit/s" is 1 500 000 bit/s, and what cannot be exact is refused.

use core::fmt;
use core::str::FromStr;

use crate::decimal::{Decimal, DecimalError};
use crate::table::{BITS, Kind, PREFIXES};
use crate::{Bytes, Duration, Rate, Time};

/// Reason why a text is no quantity: one sentence that names the text, what is wrong with it and
/// what to write.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseError(String);

impl fmt::Display for ParseError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl core::error::Error for ParseError {}

impl FromStr for Duration {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        quantity(Kind::Time, text).map(Self::from_ps)
    }
}

impl FromStr for Time {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        quantity(Kind::Time, text).map(Self::from_ps)
    }
}

impl FromStr for Rate {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        quantity(Kind::Rate, text).map(Self::from_bps)
    }
}

impl FromStr for Bytes {
    type Err = ParseError;
    fn from_str(text: &str) -> Result<Self, ParseError> {
        quantity(Kind::Size, text).map(Self::from_u64)
    }
}

fn quantity(kind: Kind, text: &str) -> Result<u64, ParseError> {
    let refuse = |problem: String| Err(ParseError(format!("{} '{text}' {problem}", kind.noun())));
    let trimmed = text.trim();
    let example = kind.example();
    if trimmed.is_empty() {
        return refuse(format!("is empty: write a number with a unit, such as '{example}'"));
    }
    let negated = trimmed.strip_prefix(['-', '\u{2212}']).map(str::trim_start);
    if negated.and_then(Decimal::split).is_some() {
        return refuse(format!("is negative: write a number from 0 up, such as '{example}'"));
    }
    let Some((number, rest)) = Decimal::split(trimmed.strip_prefix('+').unwrap_or(trimmed)) else {
        return refuse(format!(
            "does not begin with a finite number: write one with a unit, such as '{example}'"
        ));
    };
    let unit = rest.trim_start();
    if rest.starts_with([',', '_', '\'']) {
        return refuse(format!(
            "has '{}' in its number: write digits with a decimal point, such as '1.5{}'",
            &rest[..1],
            unit_of(example)
        ));
    }
    let written = trimmed[..trimmed.len() - rest.len()].trim_start_matches('+');
    let Some((_, worth)) = kind.units().into_iter().find(|(name, _)| name == unit) else {
        return refuse(unknown_unit(kind, written, unit));
    };
    let (step, largest) = kind.step_and_largest();
    number.and_then(|n| n.times(worth)).or_else(|unfit| {
        refuse(match unfit {
            DecimalError::TooLarge => {
                format!("is too large: the largest {} is {largest}", kind.noun())
            }
            DecimalError::NotWhole => {
                format!("is not a whole multiple of {step}, the smallest step: write fewer digits")
            }
        })
    })
}

fn unit_of(example: &str) -> &str {
    example.trim_start_matches(|c: char| c.is_ascii_digit())
}

fn is_prefix(text: &str) -> bool {
    PREFIXES.iter().any(|(prefix, _)| *prefix == text)
}

fn unknown_unit(kind: Kind, number: &str, unit: &str) -> String {
    let allowed = kind.allowed();
    if unit.is_empty() {
        let suggestion = match kind {
            Kind::Time => format!("'{number}ms' or '{number}s'"),
            Kind::Rate => format!("'{number}Mbit/s' or '{number}bit/s'"),
            Kind::Size => format!("'{number}B' or '{number}kB'"),
        };
        return format!("has no unit: write {suggestion} ({allowed})");
    }
    if kind != Kind::Time && is_prefix(unit) {
        return match kind {
            Kind::Rate => {
                format!("has no unit: write '{number}{unit}bit/s' or '{number}{unit}B/s'")
            }
            _ => format!("has no unit: write '{number}{unit}B'"),
        };
    }
    let bits =
        BITS.iter().find_map(|bit| unit.strip_suffix(bit)).filter(|prefix| is_prefix(prefix));
    let bytes = Kind::Size.units().into_iter().any(|(name, _)| name == unit);
    match (kind, bits) {
        (Kind::Rate, Some(prefix)) => {
            return format!("is an amount of data, not a rate: write '{number}{prefix}bit/s'");
        }
        (Kind::Rate, None) if bytes => {
            return format!("is an amount of data, not a rate: write '{number}{unit}/s'");
        }
        (Kind::Size, Some(prefix)) => {
            return format!(
                "is in bits: a size is in bytes, one eighth as many; write it in '{prefix}B'"
            );
        }
        _ => {}
    }
    match nearest(kind, unit) {
        Some(name) => format!(
            "has an unknown unit '{unit}'; did you mean '{number}{name}'? Allowed: {allowed}"
        ),
        None => {
            format!("has an unknown unit '{unit}': write {allowed}, such as '{}'", kind.example())
        }
    }
}

/// Unit that `unit` was probably meant to be: by a word for it, or by its spelling.
fn nearest(kind: Kind, unit: &str) -> Option<String> {
    const WORDS: [(&str, &str); 8] = [
        ("second", "s"),
        ("sec", "s"),
        ("msec", "ms"),
        ("millisecond", "ms"),
        ("usec", "us"),
        ("microsecond", "us"),
        ("minute", "min"),
        ("hour", "h"),
    ];
    let lower = unit.to_lowercase();
    if kind == Kind::Time {
        let singular = lower.strip_suffix('s').unwrap_or(&lower);
        if let Some((_, symbol)) = WORDS.iter().find(|(word, _)| *word == singular) {
            return Some((*symbol).to_owned());
        }
    }
    let units = kind.units();
    crate::nearest(unit, units.iter().map(|(name, _)| name.as_str())).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_picoseconds() {
        for (text, ps) in [
            ("60ms", 60_000_000_000),
            ("1.5 s", 1_500_000_000_000),
            ("200us", 200_000_000),
            ("200\u{b5}s", 200_000_000),
            ("200\u{3bc}s", 200_000_000),
            ("40ns", 40_000),
            ("1ps", 1),
            ("2min", 120_000_000_000_000),
            ("1h", 3_600_000_000_000_000),
            (" 0s ", 0),
            ("1e-3s", 1_000_000_000),
            ("+.5ms", 500_000_000),
        ] {
            assert_eq!(text.parse(), Ok(Duration::from_ps(ps)), "{text}");
            assert_eq!(text.parse(), Ok(Time::from_ps(ps)), "{text}");
        }
    }

    #[test]
    fn rates_are_bits_per_second_and_a_capital_b_is_a_byte() {
        for (text, bps) in [
            ("1.5Mbit/s", 1_500_000),
            ("1.5 Gbit/s", 1_500_000_000),
            ("10Mb/s", 10_000_000),
            ("10Mbps", 10_000_000),
            ("64kbit/s", 64_000),
            ("64Kibit/s", 65_536),
            ("1MB/s", 8_000_000),
            ("1MBps", 8_000_000),
            ("1KiB/s", 8_192),
            ("3 bytes/s", 24),
            ("0.125B/s", 1),
            ("0bit/s", 0),
        ] {
            assert_eq!(text.parse(), Ok(Rate::from_bps(bps)), "{text}");
        }
    }

    #[test]
    fn sizes_are_bytes() {
        for (text, bytes) in [
            ("30kB", 30_000),
            ("64KiB", 65_536),
            ("1MB", 1_000_000),
            ("1500 bytes", 1_500),
            ("1 byte", 1),
            ("1500B", 1_500),
            ("0.5GiB", 1 << 29),
        ] {
            assert_eq!(text.parse(), Ok(Bytes::from_u64(bytes)), "{text}");
        }
    }

    #[test]
    fn mistakes_get_one_helpful_sentence() {
        let rate = |text: &str| text.parse::<Rate>().expect_err("a mistake").to_string();
        let time = |text: &str| text.parse::<Duration>().expect_err("a mistake").to_string();
        let size = |text: &str| text.parse::<Bytes>().expect_err("a mistake").to_string();
        for (message, expected) in [
            (rate("10M"), "rate '10M' has no unit: write '10Mbit/s' or '10MB/s'"),
            (
                rate("10"),
                "rate '10' has no unit: write '10Mbit/s' or '10bit/s' (bit/s or B/s, with k, M, \
                 G, T or Ki, Mi, Gi, Ti before it)",
            ),
            (rate("10 Mbit"), "rate '10 Mbit' is an amount of data, not a rate: write '10Mbit/s'"),
            (rate("10MB"), "rate '10MB' is an amount of data, not a rate: write '10MB/s'"),
            (
                rate("10mbit/s"),
                "rate '10mbit/s' has an unknown unit 'mbit/s'; did you mean '10Mbit/s'? Allowed: \
                 bit/s or B/s, with k, M, G, T or Ki, Mi, Gi, Ti before it",
            ),
            (
                rate("-1Mbit/s"),
                "rate '-1Mbit/s' is negative: write a number from 0 up, such as '10Mbit/s'",
            ),
            (
                rate("0.1bit/s"),
                "rate '0.1bit/s' is not a whole multiple of 1bit/s, the smallest step: write \
                 fewer digits",
            ),
            (
                rate("1e30bit/s"),
                "rate '1e30bit/s' is too large: the largest rate is 18446744Tbit/s",
            ),
            (
                time("60"),
                "time '60' has no unit: write '60ms' or '60s' (ps, ns, us, ms, s, min or h)",
            ),
            (time(""), "time '' is empty: write a number with a unit, such as '60ms'"),
            (
                time("nan"),
                "time 'nan' does not begin with a finite number: write one with a unit, such as \
                 '60ms'",
            ),
            (
                time("-inf"),
                "time '-inf' does not begin with a finite number: write one with a unit, such as \
                 '60ms'",
            ),
            (
                time("1,5s"),
                "time '1,5s' has ',' in its number: write digits with a decimal point, such as \
                 '1.5ms'",
            ),
            (
                time("5 seconds"),
                "time '5 seconds' has an unknown unit 'seconds'; did you mean '5s'? Allowed: ps, \
                 ns, us, ms, s, min or h",
            ),
            (
                time("5MS"),
                "time '5MS' has an unknown unit 'MS'; did you mean '5ms'? Allowed: ps, ns, us, \
                 ms, s, min or h",
            ),
            (
                time("0.5ps"),
                "time '0.5ps' is not a whole multiple of 1ps, the smallest step: write fewer \
                 digits",
            ),
            (time("6000h"), "time '6000h' is too large: the largest time is 5124h (213 days)"),
            (
                time("5parsec"),
                "time '5parsec' has an unknown unit 'parsec': write ps, ns, us, ms, s, min or h, \
                 such as '60ms'",
            ),
            (size("30k"), "size '30k' has no unit: write '30kB'"),
            (
                size("30Mbit"),
                "size '30Mbit' is in bits: a size is in bytes, one eighth as many; write it in \
                 'MB'",
            ),
            (
                size("30kb"),
                "size '30kb' is in bits: a size is in bytes, one eighth as many; write it in 'kB'",
            ),
            (
                size("30KB"),
                "size '30KB' has an unknown unit 'KB'; did you mean '30kB'? Allowed: B or bytes, \
                 with k, M, G, T or Ki, Mi, Gi, Ti before it",
            ),
        ] {
            assert_eq!(message, expected);
        }
    }

    proptest::proptest! {
        #[test]
        fn no_text_panics(text in "\\PC{0,24}", number in "[-+0-9.eE, ]{0,30}[a-zA-Z/µ]{0,6}") {
            for text in [text, number] {
                let _ = text.parse::<Rate>();
                let _ = text.parse::<Duration>();
                let _ = text.parse::<Bytes>();
            }
        }
    }
}
