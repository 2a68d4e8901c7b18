//! Time, rates and sizes: arithmetic, parsing and printing. The only place that knows what a millisecond or a megabit is.
//!
//! Time is counted in picoseconds so that one byte at 10 Gbit/s (800 ps) is exact; a `u64` of them lasts 213 days.

mod bytes;
mod decimal;
mod parse;
mod print;
mod rate;
mod table;
mod time;

pub use bytes::Bytes;
pub use parse::ParseError;
pub use rate::Rate;
pub use time::{Duration, Time};
