//! Growth in whole segments, as Linux counts towards it.

use crate::window::Window;

/// Acknowledged bytes saved up for the next segment of the window (Linux's `snd_cwnd_cnt` and
/// `tcp_cong_avoid_ai`).
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    bytes: u64,
}

impl Tally {
    /// Window, bytes, after an ACK of `acked` bytes where each segment of growth costs `price`
    /// acknowledged segments. What was saved at a higher price pays for one segment at most.
    pub fn next_cwnd(&mut self, acked: u64, window: &Window, price: u64) -> u64 {
        let price = price.max(1) * window.mss;
        let mut cwnd = window.cwnd;
        if self.bytes >= price {
            self.bytes = 0;
            cwnd += window.mss;
        }
        self.bytes += acked;
        let segments = self.bytes / price;
        self.bytes -= segments * price;
        cwnd + segments * window.mss
    }

    /// Window, bytes, of Reno after an ACK of `acked` bytes.
    pub fn reno(&mut self, acked: u64, window: &Window) -> u64 {
        self.next_cwnd(acked, window, window.whole_segments())
    }

    /// Whether `price` acknowledged segments were saved, which are then spent. Otherwise it saves
    /// the `acked` bytes.
    pub fn pays(&mut self, acked: u64, window: &Window, price: u64) -> bool {
        let is_enough = self.bytes >= price * window.mss;
        self.bytes = if is_enough { 0 } else { self.bytes + acked };
        is_enough
    }

    /// Discards what was saved, because the window was cut.
    pub fn reset(&mut self) {
        self.bytes = 0;
    }
}
