//! Growth by less than a byte at a time.

use crate::AckEvent;
use crate::cast::{float, integer};
use crate::window::Window;

/// Additive increase. A change of less than a byte waits for the next ACK.
#[derive(Clone, Copy, Debug, Default)]
pub struct Increase {
    fraction: f64,
}

impl Increase {
    /// Window, bytes, of a flow that grows by `segments` for each acknowledged window (RFC 3465
    /// counts the bytes).
    #[must_use]
    pub fn per_window(&mut self, segments: f64, ack: &AckEvent, window: &Window) -> u64 {
        let windows = float(ack.credited) / float(window.cwnd.max(1));
        self.add(segments * windows * float(window.mss), window)
    }

    /// Window, bytes, after a change by `bytes`, up or down.
    #[must_use]
    pub fn change(&mut self, bytes: f64, window: &Window) -> u64 {
        let next = (float(window.cwnd) + self.fraction + bytes).max(0.0);
        let whole = libm::floor(next);
        self.fraction = next - whole;
        integer(whole)
    }

    /// Window, bytes, after growth by `bytes`.
    #[must_use]
    pub fn add(&mut self, bytes: f64, window: &Window) -> u64 {
        let bytes = bytes.max(0.0) + self.fraction;
        let whole = libm::floor(bytes);
        self.fraction = bytes - whole;
        window.cwnd.saturating_add(integer(whole))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fractions_of_a_byte_add_up() {
        let mut window = Window { cwnd: 10_000, ssthresh: None, mss: 1000 };
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
