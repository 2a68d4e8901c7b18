//! Writes at a steady rate: an application that limits its connection, as a live stream does.

use ackclock_units::{Duration, Rate, Time};

use super::{App, Written};

/// An application that writes at a steady rate. The bytes written follow from the time.
pub struct ApplicationLimited {
    rate: Rate,
    every: Duration,
    start: Time,
}

impl ApplicationLimited {
    /// Makes the application; the first write is at `start`.
    #[must_use]
    pub fn new(rate_bps: u64, every_ps: u64, start: Time) -> Self {
        Self { rate: Rate::from_bps(rate_bps), every: Duration::from_ps(every_ps.max(1)), start }
    }

    fn after(&self, writes: u64) -> Duration {
        self.every.saturating_mul(writes)
    }
}

impl App for ApplicationLimited {
    fn written(&mut self, now: Time, _is_dry: bool) -> Written {
        let writes = now.since(self.start).as_ps() / self.every.as_ps() + 1;
        Written {
            bytes: Written::ENDLESS.min(self.rate.bytes_in(self.after(writes)).max(1)),
            closed: false,
            has_more: false,
            next_write: self.start.saturating_add(self.after(writes)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000_000;

    #[test]
    fn what_is_written_is_the_rate_times_the_time() {
        let start = Time::from_ps(5 * MS);
        // 1 Mbit/s in writes every 3 ms: 375 bytes each.
        let mut app = ApplicationLimited::new(1_000_000, 3 * MS, start);
        let first = app.written(start, true);
        assert_eq!((first.bytes, first.next_write), (375, Time::from_ps(8 * MS)));
        assert_eq!(app.written(Time::from_ps(8 * MS), true).bytes, 750);
        // Asked late, as after a handshake.
        assert_eq!(app.written(Time::from_ps(305 * MS), true).bytes, 101 * 375);
    }
}
