//! Writes at given times: an application that limits its connection in a known way.

use ackclock_units::{Duration, Time};

use super::{App, Written};

/// An application that makes a list of writes and then closes the connection.
pub struct Writes {
    /// Totals (time, bytes written by then), ascending.
    totals: Vec<(Time, u64)>,
    next: usize,
    bytes: u64,
}

impl Writes {
    /// Makes the application; `writes` are (ps after `start`, bytes), ascending.
    #[must_use]
    pub fn new(writes: &[(u64, u64)], start: Time) -> Self {
        let mut bytes = 0_u64;
        let totals = writes
            .iter()
            .map(|(after, size)| {
                bytes = Written::ENDLESS.min(bytes.saturating_add(*size));
                (start + Duration::from_ps(*after), bytes)
            })
            .collect();
        Self { totals, next: 0, bytes: 0 }
    }
}

impl App for Writes {
    fn written(&mut self, now: Time, _is_dry: bool) -> Written {
        while let Some(&(when, total)) = self.totals.get(self.next)
            && when <= now
        {
            self.bytes = total;
            self.next += 1;
        }
        let next_write = self.totals.get(self.next).map_or(Time::MAX, |next| next.0);
        Written { bytes: self.bytes, closed: next_write == Time::MAX, has_more: false, next_write }
    }
}
