//! Numbers that Python returns, and which of them are possible.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyInt};

/// More bytes than any path holds, and more bit/s than any link has. The number is exact as a float
/// and far from overflow.
pub const MOST: u64 = 1 << 50;
/// Longest monitor interval, s: about the longest run.
const LONGEST: f64 = 2e6;

/// Kind of a number.
#[derive(Clone, Copy)]
pub enum Quantity {
    /// A window of at least this many bytes, one segment.
    Window(u64),
    /// A threshold, or what is added to a window.
    Bytes,
    /// A pacing rate.
    Rate,
}

impl Quantity {
    fn least(self) -> u64 {
        match self {
            Self::Window(mss) => mss,
            Self::Bytes => 0,
            Self::Rate => 1,
        }
    }

    /// Allowed numbers, in words.
    pub fn allowed(self) -> String {
        match self {
            Self::Window(mss) => format!("a number of bytes from {mss}, one segment, to 2^50"),
            Self::Bytes => "a number of bytes from 0 to 2^50".to_owned(),
            Self::Rate => "None, or a number of bit/s from 1 to 2^50".to_owned(),
        }
    }

    /// Reads a number; `None`: impossible.
    #[expect(
        clippy::cast_precision_loss,
        reason = "numbers far below 2^53 come out as they are, and larger ones are refused"
    )]
    pub fn read(self, value: &Bound<'_, PyAny>) -> Option<f64> {
        let number = if value.is_exact_instance_of::<PyInt>() {
            value.extract::<u64>().ok()? as f64
        } else {
            float(value)?
        };
        (self.least() as f64..=MOST as f64).contains(&number).then_some(number)
    }
}

/// Whole part of a number that is not negative.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    reason = "not negative, and the cast saturates"
)]
pub fn whole(number: f64) -> u64 {
    number as u64
}

/// Reads a number that is no truth value.
pub fn float(value: &Bound<'_, PyAny>) -> Option<f64> {
    if value.is_instance_of::<PyBool>() {
        return None;
    }
    value.extract().ok()
}

/// Reads a time longer than zero, s.
pub fn seconds(value: &Bound<'_, PyAny>) -> Option<f64> {
    float(value).filter(|seconds| *seconds >= 1e-12 && *seconds <= LONGEST)
}

/// Numbers that `seconds` allows, in words.
pub const ALLOWED_SECONDS: &str = "None, or a number of seconds that is more than 0";
