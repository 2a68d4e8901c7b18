//! The application of a session's connection: it passes on what the session writes.

use ackclock_units::Time;

use super::{App, Written};

/// Bytes that the session has written, and whether it has closed the connection.
#[derive(Default)]
pub struct Mailbox {
    bytes: u64,
    closed: bool,
}

impl App for Mailbox {
    fn written(&mut self, _now: Time, _is_dry: bool) -> Written {
        Written { bytes: self.bytes, closed: self.closed, has_more: false, next_write: Time::MAX }
    }

    fn hand_in(&mut self, bytes: u64, closes: bool) {
        self.bytes = Written::ENDLESS.min(self.bytes.saturating_add(bytes));
        self.closed |= closes;
    }
}
