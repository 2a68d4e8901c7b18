//! Growth by parts of a byte.

use crate::AckEvent;
use crate::window::Window;

/// Additive increase; what is less than a byte waits for the next ACK.
#[derive(Clone, Copy, Debug, Default)]
pub struct Increase {
    fraction: f64,
}

impl Increase {
    /// The window, bytes, of a flow that grows by `segments` for each window acknowledged (RFC 3465 counts the bytes).
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    pub fn per_window(&mut self, segments: f64, ack: &AckEvent, window: &Window) -> u64 {
        let windows = ack.credited as f64 / window.cwnd.max(1) as f64;
        self.add(segments * windows * window.mss as f64, window)
    }

    /// The window, bytes, that changes by `bytes`, up or down.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and the cast saturates"
    )]
    pub fn change(&mut self, bytes: f64, window: &Window) -> u64 {
        let next = (window.cwnd as f64 + self.fraction + bytes).max(0.0);
        let whole = libm::floor(next);
        self.fraction = next - whole;
        whole as u64
    }

    /// The window, bytes, that grows by `bytes`.
    #[must_use]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative, and the cast saturates"
    )]
    pub fn add(&mut self, bytes: f64, window: &Window) -> u64 {
        let bytes = bytes.max(0.0) + self.fraction;
        let whole = libm::floor(bytes);
        self.fraction = bytes - whole;
        window.cwnd.saturating_add(whole as u64)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_a_byte_add_up() {
        let mut window = Window {
            cwnd: 10_000,
            ssthresh: None,
            mss: 1000,
        };
        let mut increase = Increase::default();
        for _ in 0..1000 {
            window.cwnd = increase.add(0.25, &window);
        }
        assert_eq!(window.cwnd, 10_250);
        for _ in 0..1000 {
            window.cwnd = increase.change(-0.25, &window);
        }
        assert_eq!(window.cwnd, 10_000);
    }
}
