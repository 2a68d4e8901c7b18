//! Limited Slow-Start, RFC 3742: doubling up to `max_ssthresh`, then a constant number of segments per round trip.

use super::{Growth, SlowStart, grow};
use crate::AckEvent;
use crate::entry::{Entry, Make, Parameter, Value};
use crate::window::Window;

/// Doubling that turns linear.
///
/// Section 2: above `max_ssthresh` each segment acknowledged is worth 1/K segments, K = `cwnd / (max_ssthresh / 2)`. The RFC
/// rounds K down, which at `1.5 max_ssthresh` lets the window grow by three quarters of `max_ssthresh` per round trip; here
/// K keeps its fraction, as in Linux while it had this (`tcp_max_ssthresh`), and the bound of a half holds everywhere.
#[derive(Clone, Debug)]
pub struct Limited {
    /// Where doubling ends, segments.
    max_ssthresh: u64,
    /// Growth too small for a whole byte yet, bytes.
    fraction: f64,
}

impl Limited {
    /// The RFC recommends a `max_ssthresh` of 100 segments.
    #[must_use]
    pub fn new(max_ssthresh: u64) -> Self {
        Self {
            max_ssthresh,
            fraction: 0.0,
        }
    }
}

impl SlowStart for Limited {
    fn begin(&mut self, _window: &Window) {
        self.fraction = 0.0;
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "growth is not negative and far below 2^63"
    )]
    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Growth {
        let max_ssthresh = self.max_ssthresh * window.mss;
        if window.cwnd <= max_ssthresh {
            return grow(ack.credited, ack, window);
        }
        let k = window.cwnd as f64 / (0.5 * max_ssthresh as f64);
        let bytes = ack.credited as f64 / k + self.fraction;
        let whole = libm::floor(bytes);
        self.fraction = bytes - whole;
        grow(whole as u64, ack, window)
    }

    fn clone_box(&self) -> Box<dyn SlowStart> {
        Box::new(self.clone())
    }
}

/// `limited`.
pub const ENTRY: Entry = Entry {
    name: "limited",
    summary: "Doubles up to max_ssthresh, then grows by at most half of that per round trip.",
    parameters: &[Parameter {
        name: "max_ssthresh",
        default: Value::Number(100.0),
        range: (1.0, 1e6),
        unit: "segments",
        meaning: "where doubling ends",
    }],
    reference: "RFC 3742",
    implies: &[],
    make: Make::SlowStart(|values| Box::new(Limited::new(values.whole("max_ssthresh")))),
};
