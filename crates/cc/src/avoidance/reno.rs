//! Reno: RFC 5681's additive increase, multiplicative decrease.

use super::Avoidance;
use crate::windowed::Window;
use crate::{AckEvent, CongestionEvent};

/// One segment per window of acknowledged data, halved on congestion.
///
/// ssthresh is half of cwnd, as Linux has it, where RFC 5681 equation 4 says half of the flight size: they differ only
/// for a sender that its application limits, whose window this frame does not grow anyway.
#[derive(Clone, Debug, Default)]
pub struct Reno {
    /// Bytes acknowledged towards the next segment of growth.
    credit: u64,
}

impl Avoidance for Reno {
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window) -> u64 {
        // Appropriate byte counting, RFC 3465 section 2.1: a segment for each full window acknowledged.
        self.credit += ack.newly_acked;
        if self.credit < window.cwnd {
            return window.cwnd;
        }
        self.credit -= window.cwnd;
        window.cwnd + window.mss
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        self.credit = 0;
        window.cwnd / 2
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        #[expect(clippy::cast_precision_loss, reason = "a window is far below 2^53 bytes")]
        show("credit", self.credit as f64);
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}
