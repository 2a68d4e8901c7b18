//! Growth in whole segments: Reno and most of its descendants save up acknowledged bytes for the
//! next segment, each at a price of its own.

use crate::AckEvent;
use crate::cast::{float, integer};
use crate::window::Window;

/// Acknowledged bytes saved up for the next segment of the window.
#[derive(Clone, Debug, Default)]
pub struct Credit {
    bytes: f64,
}

impl Credit {
    /// Window, bytes, after an ACK where each segment of growth costs `price` acknowledged
    /// segments.
    ///
    /// RFC 3465 section 2.1 counts bytes, not ACKs: an ACK that covers several prices pays for each
    /// of them.
    pub fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, price: f64) -> u64 {
        let price = price * float(window.mss);
        self.bytes += float(ack.credited);
        if self.bytes < price {
            return window.cwnd;
        }
        let segments = libm::floor(self.bytes / price);
        self.bytes -= segments * price;
        window.cwnd.saturating_add(integer(segments).saturating_mul(window.mss))
    }

    /// Window, bytes, after an ACK where a whole acknowledged window pays for `segments` of growth.
    pub fn per_window(&mut self, ack: &AckEvent, window: &Window, segments: f64) -> u64 {
        // Most ACKs pay for no segment, which is seen without a quotient. The window has less than
        // one segment more than its whole segments.
        let least = (float(window.cwnd) - float(window.mss)) / segments;
        let bytes = self.bytes + float(ack.credited);
        if bytes < least {
            self.bytes = bytes;
            return window.cwnd;
        }
        self.next_cwnd(ack, window, float(window.whole_segments()) / segments)
    }

    /// Discards what was saved, because the window was cut.
    pub fn reset(&mut self) {
        self.bytes = 0.0;
    }

    /// Saved bytes, for the recorded series.
    #[must_use]
    pub fn bytes(&self) -> f64 {
        self.bytes
    }
}
