//! Quantity to text: the shortest that parses back to exactly the same quantity.

use core::fmt;

use crate::table::Kind;
use crate::{Bytes, Duration, Rate, Time};

impl fmt::Display for Duration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&shortest(Kind::Time, self.as_ps()))
    }
}

impl fmt::Display for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&shortest(Kind::Time, self.as_ps()))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&shortest(Kind::Rate, self.as_bps()))
    }
}

impl fmt::Display for Bytes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&shortest(Kind::Size, self.as_u64()))
    }
}

/// Shortest text for a value. Of equally short texts a whole number wins ("1500B" before "1.5kB"),
/// then the larger unit.
fn shortest(kind: Kind, value: u64) -> String {
    let units = kind.printed();
    if value == 0 {
        return format!("0{}", units[0].0);
    }
    units
        .into_iter()
        .filter(|(_, worth)| *worth <= value)
        .map(|(name, worth)| {
            let fraction = fraction(value % worth, worth);
            (format!("{}{fraction}{name}", value / worth), !fraction.is_empty(), worth)
        })
        .min_by_key(|(text, has_fraction, worth)| {
            (text.len(), *has_fraction, core::cmp::Reverse(*worth))
        })
        .map_or_else(String::new, |(text, ..)| text)
}

/// `.` and all digits of `rest / worth`; empty if `rest` is zero. The digits are finite, because
/// every unit's worth has no prime factors but 2 and 5.
fn fraction(rest: u64, worth: u64) -> String {
    let mut rest = u128::from(rest);
    let worth = u128::from(worth);
    let mut text = String::new();
    while rest > 0 {
        if text.is_empty() {
            text.push('.');
        }
        rest *= 10;
        text.push_str(&(rest / worth).to_string());
        rest %= worth;
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn people_would_write_it_so() {
        for (ps, text) in [
            (0, "0s"),
            (800, "800ps"),
            (1_500, "1.5ns"),
            (60_000_000_000, "60ms"),
            (1_500_000_000_000, "1.5s"),
            (3_600_000_000_000_000, "3600s"),
            (u64::MAX, "18446744073709551615ps"),
        ] {
            assert_eq!(Duration::from_ps(ps).to_string(), text);
            assert_eq!(Time::from_ps(ps).to_string(), text);
        }
        for (bps, text) in [
            (0, "0bit/s"),
            (1_500_000, "1.5Mbit/s"),
            (100_000_000, "100Mbit/s"),
            (1_000_000_000, "1Gbit/s"),
            (56_000, "56kbit/s"),
        ] {
            assert_eq!(Rate::from_bps(bps).to_string(), text);
        }
        for (bytes, text) in [
            (0, "0B"),
            (1_500, "1500B"),
            (30_000, "30kB"),
            (65_536, "64KiB"),
            (1_000_000, "1MB"),
            (64 << 20, "64MiB"),
        ] {
            assert_eq!(Bytes::from_u64(bytes).to_string(), text);
        }
    }

    /// Values of every magnitude, and round ones.
    fn values() -> impl Strategy<Value = u64> {
        prop_oneof![
            any::<u64>(),
            (any::<u64>(), 0..64_u32).prop_map(|(v, bits)| v >> bits),
            (0..1000_u64, 0..16_u32).prop_map(|(v, e)| v * 10_u64.pow(e)),
            (0..1024_u64, 0..54_u32).prop_map(|(v, e)| v << e)
        ]
    }

    proptest! {
        #[test]
        fn printing_then_parsing_is_the_identity(value in values()) {
            let time = Duration::from_ps(value);
            prop_assert_eq!(time.to_string().parse(), Ok(time));
            prop_assert_eq!(Rate::from_bps(value).to_string().parse(), Ok(Rate::from_bps(value)));
            prop_assert_eq!(Bytes::from_u64(value).to_string().parse(), Ok(Bytes::from_u64(value)));
        }

        #[test]
        fn every_unit_is_worth_what_the_table_says(count in 0..1000_u64) {
            for (name, worth) in Kind::Time.units() {
                let time = Duration::from_ps(count * worth);
                prop_assert_eq!(format!("{count}{name}").parse(), Ok(time));
            }
            for (name, worth) in Kind::Rate.units() {
                let rate = Rate::from_bps(count * worth);
                prop_assert_eq!(format!("{count} {name}").parse(), Ok(rate));
            }
            for (name, worth) in Kind::Size.units() {
                let size = Bytes::from_u64(count * worth);
                prop_assert_eq!(format!("{count}{name}").parse(), Ok(size));
            }
        }
    }
}
