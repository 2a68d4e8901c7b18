//! Growth in whole segments: how Reno and most of its descendants increase the window, each at its own price.

use super::whole_segments;
use crate::AckEvent;
use crate::window::Window;

/// Acknowledged bytes saved up for the next segment of window.
#[derive(Clone, Debug, Default)]
pub struct Credit {
    bytes: f64,
}

impl Credit {
    /// The window after an ACK where each segment of growth costs `price` acknowledged segments.
    ///
    /// RFC 3465 section 2.1: bytes are counted, not ACKs; an ACK that covers several prices pays for each of them.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative: the cast clamps")]
    pub fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, price: f64) -> u64 {
        let price = price * window.mss as f64;
        self.bytes += ack.credited as f64;
        if self.bytes < price {
            return window.cwnd;
        }
        let segments = libm::floor(self.bytes / price);
        self.bytes -= segments * price;
        window.cwnd.saturating_add((segments as u64).saturating_mul(window.mss))
    }

    /// The same, where a whole window acknowledged pays for `segments`.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    pub fn per_window(&mut self, ack: &AckEvent, window: &Window, segments: f64) -> u64 {
        self.next_cwnd(ack, window, whole_segments(window) as f64 / segments)
    }

    /// What was saved is lost with a reduction.
    pub fn reset(&mut self) {
        self.bytes = 0.0;
    }

    /// Bytes saved, for the record.
    #[must_use]
    pub fn bytes(&self) -> f64 {
        self.bytes
    }
}
