//! A transmitter with a constant rate, or infinitely fast.

use ackclock_units::{Rate, Time};

use super::Transmitter;

/// A transmitter with a constant rate.
pub struct Constant {
    rate: Option<Rate>,
}

impl Constant {
    /// Makes a transmitter; `None`: infinitely fast.
    #[must_use]
    pub fn new(rate: Option<Rate>) -> Self {
        Self { rate }
    }
}

impl Transmitter for Constant {
    fn ready(&mut self, now: Time) -> Time {
        now
    }

    fn send(&mut self, start: Time, size: u32) -> Time {
        self.rate.map_or(start, |rate| start + rate.time_for(u64::from(size)))
    }

    fn rate(&self, _now: Time) -> Option<Rate> {
        self.rate
    }

    fn drained(&self, start: Time, bytes: u64) -> Time {
        self.rate.map_or(start, |rate| start + rate.time_for(bytes))
    }
}
