//! The congestion window, and how it grows by less than a segment or a byte at a time.

mod credit;
mod increase;
mod tally;

pub use credit::Credit;
pub use increase::Increase;
pub use tally::Tally;

use crate::cast::{float, integer};

/// Smallest window of the delay-based avoidances, segments.
pub const MIN_WINDOW_SEGMENTS: u64 = 2;

/// Congestion window and slow-start threshold, as a slow start and an avoidance see them.
#[derive(Clone, Copy, Debug)]
pub struct Window {
    /// Congestion window, bytes.
    pub cwnd: u64,
    /// Slow-start threshold, bytes; `None`: not found yet.
    pub ssthresh: Option<u64>,
    /// Payload of a full segment, bytes.
    pub mss: u64,
}

impl Window {
    /// cwnd in whole segments, rounded down, at least one.
    #[must_use]
    pub fn whole_segments(&self) -> u64 {
        (self.cwnd / self.mss).max(1)
    }

    /// cwnd in segments, with fractions.
    #[must_use]
    pub fn segments(&self) -> f64 {
        float(self.cwnd) / float(self.mss)
    }

    /// Bytes of that many segments, rounded down.
    #[must_use]
    pub fn in_bytes(&self, segments: f64) -> u64 {
        integer(segments * float(self.mss))
    }

    /// Bytes that are left of cwnd when `share` of it is given up. They are whole segments, rounded
    /// down, as Linux halves 203 to 101.
    #[must_use]
    pub fn less_share(&self, share: f64) -> u64 {
        /// A product that is a whole number may come out below it by a rounding.
        const ROUNDING: f64 = 1e-9;
        let left = float(self.whole_segments()) * (1.0 - share);
        integer(libm::floor(left * (1.0 + ROUNDING))) * self.mss
    }

    /// Smallest window of the delay-based avoidances, bytes: [`MIN_WINDOW_SEGMENTS`].
    #[must_use]
    pub fn smallest(&self) -> u64 {
        MIN_WINDOW_SEGMENTS * self.mss
    }
}
