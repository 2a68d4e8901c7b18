//! Names of units and what they are worth in the base unit.

/// Kind of quantity. Its base unit is the picosecond, bit/s or byte.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Time,
    Rate,
    Size,
}

/// Name of a unit, and the number of base units that it is worth.
pub(crate) type Unit = (String, u64);

const TIME: [(&str, u64); 9] = [
    ("s", 1_000_000_000_000),
    ("ms", 1_000_000_000),
    ("us", 1_000_000),
    // U+00B5 micro sign and U+03BC Greek mu, which keyboards disagree about.
    ("\u{b5}s", 1_000_000),
    ("\u{3bc}s", 1_000_000),
    ("ns", 1_000),
    ("ps", 1),
    ("min", 60 * 1_000_000_000_000),
    ("h", 3_600 * 1_000_000_000_000),
];

/// Decimal prefixes of the SI, then the binary ones of IEC 80000-13.
pub(crate) const PREFIXES: [(&str, u64); 9] = [
    ("", 1),
    ("k", 1_000),
    ("M", 1_000_000),
    ("G", 1_000_000_000),
    ("T", 1_000_000_000_000),
    ("Ki", 1 << 10),
    ("Mi", 1 << 20),
    ("Gi", 1 << 30),
    ("Ti", 1 << 40),
];

/// Units of rate. The first of each worth is the one that suggestions name.
const RATE: [(&str, u64); 8] = [
    ("bit/s", 1),
    ("B/s", 8),
    ("bits/s", 1),
    ("b/s", 1),
    ("bps", 1),
    ("byte/s", 8),
    ("bytes/s", 8),
    ("Bps", 8),
];

const SIZE: [(&str, u64); 3] = [("B", 1), ("byte", 1), ("bytes", 1)];

/// Amounts of bits, which are neither a rate nor a size.
pub(crate) const BITS: [&str; 3] = ["bit", "bits", "b"];

impl Kind {
    /// All units of this kind.
    pub(crate) fn units(self) -> Vec<Unit> {
        let prefixed = |bases: &[(&str, u64)]| {
            bases
                .iter()
                .flat_map(|(base, worth)| {
                    PREFIXES
                        .iter()
                        .map(move |(prefix, power)| (format!("{prefix}{base}"), worth * power))
                })
                .collect()
        };
        match self {
            Self::Time => TIME.iter().map(|&(name, worth)| (name.to_owned(), worth)).collect(),
            Self::Rate => prefixed(&RATE),
            Self::Size => prefixed(&SIZE),
        }
    }

    /// Units from which printing chooses.
    pub(crate) fn printed(self) -> Vec<Unit> {
        let prefixed = |base: &str, count: usize| {
            PREFIXES[..count]
                .iter()
                .map(|(prefix, power)| (format!("{prefix}{base}"), *power))
                .collect()
        };
        match self {
            Self::Time => ["s", "ms", "us", "ns", "ps"]
                .iter()
                .filter_map(|name| TIME.iter().find(|unit| unit.0 == *name))
                .map(|&(name, worth)| (name.to_owned(), worth))
                .collect(),
            Self::Rate => prefixed("bit/s", 5),
            Self::Size => prefixed("B", PREFIXES.len()),
        }
    }

    /// Word for the kind in an error message.
    pub(crate) const fn noun(self) -> &'static str {
        match self {
            Self::Time => "time",
            Self::Rate => "rate",
            Self::Size => "size",
        }
    }

    /// A well-written example of the kind.
    pub(crate) const fn example(self) -> &'static str {
        match self {
            Self::Time => "60ms",
            Self::Rate => "10Mbit/s",
            Self::Size => "64KiB",
        }
    }

    /// Allowed units, in words.
    pub(crate) const fn allowed(self) -> &'static str {
        match self {
            Self::Time => "ps, ns, us, ms, s, min or h",
            Self::Rate => "bit/s or B/s, with k, M, G, T or Ki, Mi, Gi, Ti before it",
            Self::Size => "B or bytes, with k, M, G, T or Ki, Mi, Gi, Ti before it",
        }
    }

    /// Smallest step and largest value, as an error message gives them.
    pub(crate) const fn step_and_largest(self) -> (&'static str, &'static str) {
        match self {
            Self::Time => ("1ps", "5124h (213 days)"),
            Self::Rate => ("1bit/s", "18446744Tbit/s"),
            Self::Size => ("1B", "18446744TB"),
        }
    }
}
