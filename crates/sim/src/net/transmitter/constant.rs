//! A transmitter with a constant rate, or infinitely fast.

use ackclock_units::{Duration, Rate, Time};

use super::Transmitter;

/// Transmission times of the last two sizes: nearly every packet is a full segment or a pure ACK.
#[derive(Clone, Copy, Default)]
pub struct Times {
    known: [(u32, Duration); 2],
}

impl Times {
    /// Transmission time of a packet of `size` bytes; `rate` is the same in all calls.
    #[inline]
    pub fn of(&mut self, size: u32, rate: Option<Rate>) -> Duration {
        if self.known[0].0 == size { self.known[0].1 } else { self.other(size, rate) }
    }

    fn other(&mut self, size: u32, rate: Option<Rate>) -> Duration {
        let Some(rate) = rate else { return Duration::ZERO };
        if self.known[1].0 == size {
            self.known.swap(0, 1);
            return self.known[0].1;
        }
        self.known[1] = self.known[0];
        self.known[0] = (size, rate.time_for(u64::from(size)));
        self.known[0].1
    }
}

/// A transmitter with a constant rate.
pub struct Constant {
    rate: Option<Rate>,
    times: Times,
}

impl Constant {
    /// Makes a transmitter; `None`: infinitely fast.
    #[must_use]
    pub fn new(rate: Option<Rate>) -> Self {
        Self { rate, times: Times::default() }
    }
}

impl Transmitter for Constant {
    fn ready(&mut self, now: Time) -> Time {
        now
    }

    fn send(&mut self, start: Time, size: u32) -> Time {
        start + self.times.of(size, self.rate)
    }

    fn rate(&self, _now: Time) -> Option<Rate> {
        self.rate
    }

    fn drained(&self, start: Time, bytes: u64) -> Time {
        self.rate.map_or(start, |rate| start + rate.time_for(bytes))
    }
}
