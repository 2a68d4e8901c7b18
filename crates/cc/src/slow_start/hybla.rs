//! Hybla's slow start (Caini & Firrincieli 2004): a long path's window multiplies by 2^rho each round trip, so that it takes no
//! longer, in seconds, than a short one's.

use super::{Growth, SlowStart, grow};
use crate::AckEvent;
use crate::avoidance::hybla::{RTT0, rho};
use crate::entry::{Entry, Make};
use crate::window::Window;
use crate::{Duration, avoidance};

/// Linux's bound on rho here: 2^16 segments for one.
const LARGEST_RHO: f64 = 16.0;
/// More than any path holds, bytes; only so that a step of 2^16 cannot overflow.
const LARGEST_WINDOW: u64 = 1 << 40;

/// 2^rho - 1 segments for each acknowledged.
#[derive(Clone, Debug)]
pub struct HyblaStart {
    rtt0: Duration,
    rho: f64,
}

impl HyblaStart {
    /// With this reference RTT.
    #[must_use]
    pub fn new(rtt0: Duration) -> Self {
        Self { rtt0, rho: 1.0 }
    }
}

impl SlowStart for HyblaStart {
    fn begin(&mut self, _window: &Window) {}

    // Equation 6, first line.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative: the cast clamps")]
    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Growth {
        self.rho = rho(ack.min_rtt, self.rtt0);
        let times = libm::exp2(self.rho.min(LARGEST_RHO)) - 1.0;
        let bytes = (ack.credited as f64 * times) as u64;
        grow(bytes.min(LARGEST_WINDOW.saturating_sub(window.cwnd)), ack, window)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("rho", self.rho);
    }

    fn clone_box(&self) -> Box<dyn SlowStart> {
        Box::new(self.clone())
    }
}

/// `hybla-start`.
pub const ENTRY: Entry = Entry {
    name: "hybla-start",
    summary: "Multiplies the window by 2^(RTT/25 ms) each round trip until ssthresh: as fast on a long path as on a short one.",
    parameters: &[RTT0],
    reference: avoidance::hybla::ENTRY.reference,
    implies: &[],
    make: Make::SlowStart(|values| Box::new(HyblaStart::new(Duration::from_secs_f64(values.number("rtt0") * 1e-3)))),
};
