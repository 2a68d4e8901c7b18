//! Always data to send, as `iperf` or a long download.

use ackclock_units::Time;

use super::{App, Written};

/// Never runs dry.
pub struct Bulk;

impl App for Bulk {
    fn written(&mut self, _now: Time) -> Written {
        Written {
            bytes: Written::ENDLESS,
            closed: false,
            next_write: Time::MAX,
        }
    }
}
