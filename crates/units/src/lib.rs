//! Time, rates and sizes: arithmetic, parsing and printing. No other crate knows what a millisecond
//! or a megabit is. Messages that refuse a name find the nearest one here too ([`nearest`]).
//!
//! Time is counted in picoseconds, so that one byte at 10 Gbit/s (800 ps) is exact. A `u64` of
//! picoseconds lasts 213 days.

#![warn(missing_debug_implementations)]

mod bytes;
mod decimal;
mod nearest;
mod parse;
mod print;
mod rate;
mod table;
mod time;

pub use bytes::Bytes;
pub use nearest::{did_you_mean, nearest};
pub use parse::ParseError;
pub use rate::Rate;
pub use time::{Duration, Time};

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
