//! Standard slow start, RFC 5681 section 3.1: cwnd grows by what each ACK acknowledges.

use super::{Growth, SlowStart};
use crate::AckEvent;
use crate::entry::{Entry, Make};
use crate::window::Window;

/// Doubles each round trip until ssthresh.
///
/// Counts bytes (RFC 3465) without its limit L per ACK, as Linux does since 2013.
#[derive(Clone, Debug, Default)]
pub struct Classic;

/// Growth by what was acknowledged, ending at ssthresh; what several slow starts fall back to.
#[must_use]
pub fn double(ack: &AckEvent, window: &Window) -> Growth {
    grow(ack.credited, window)
}

/// Growth by `bytes`, ending at ssthresh.
#[must_use]
pub fn grow(bytes: u64, window: &Window) -> Growth {
    match window.ssthresh {
        Some(ssthresh) if window.cwnd + bytes >= ssthresh => Growth::Exit(ssthresh.saturating_sub(window.cwnd)),
        _ => Growth::Grow(bytes),
    }
}

impl SlowStart for Classic {
    fn begin(&mut self, _window: &Window) {}
    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Growth {
        double(ack, window)
    }
    fn clone_box(&self) -> Box<dyn SlowStart> {
        Box::new(self.clone())
    }
}

/// `classic`.
pub const ENTRY: Entry = Entry {
    name: "classic",
    summary: "Doubles the window each round trip until ssthresh.",
    parameters: &[],
    reference: "RFC 5681 section 3.1",
    implies: &[],
    make: Make::SlowStart(|_| Box::new(Classic)),
};
