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

/// Growth by the bytes that the ACK credits, ending at ssthresh; several slow starts fall back to it.
#[must_use]
pub fn double(ack: &AckEvent, window: &Window) -> Growth {
    grow(ack.credited, ack, window)
}

/// Growth by `bytes`, ending at ssthresh. The avoidance gets the part of the ACK that was not needed
/// to get there, as in Linux, whose `tcp_slow_start` returns it.
#[must_use]
pub fn grow(bytes: u64, ack: &AckEvent, window: &Window) -> Growth {
    match window.ssthresh {
        Some(ssthresh) if window.cwnd + bytes >= ssthresh => {
            let needed = ssthresh.saturating_sub(window.cwnd);
            let left = u128::from(ack.credited) * u128::from(bytes - needed) / u128::from(bytes.max(1));
            Growth::Exit {
                bytes: needed,
                left: u64::try_from(left).unwrap_or(u64::MAX),
            }
        }
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
