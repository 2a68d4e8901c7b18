//! A source that always has data to send, as `iperf` or a long download.

use ackclock_units::Time;

use super::{App, Written};

/// A source that never runs dry.
pub struct Bulk;

impl App for Bulk {
    fn written(&mut self, _now: Time, _is_dry: bool) -> Written {
        Written { bytes: Written::ENDLESS, closed: false, has_more: false, next_write: Time::MAX }
    }
}
