//! A source that sends one file and closes the connection.

use ackclock_units::Time;

use super::{App, Written};

/// A file, written at once, as `sendfile` does into a large enough socket buffer.
pub struct File {
    /// Size, bytes.
    pub size_bytes: u64,
}

impl App for File {
    fn written(&mut self, _now: Time, _is_dry: bool) -> Written {
        Written { bytes: self.size_bytes, closed: true, has_more: false, next_write: Time::MAX }
    }
}
