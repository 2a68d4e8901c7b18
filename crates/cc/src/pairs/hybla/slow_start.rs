//! Hybla's slow start: each round trip multiplies a long path's window by 2^rho, so that it takes
//! no longer, in seconds, than on the reference path.

use super::{REFERENCE, RTT0, rho};
use crate::cast::{float, integer};
use crate::entry::{Entry, Make, Traits};
use crate::slow_start::{Growth, SlowStart};
use crate::window::Window;
use crate::{AckEvent, Duration, Rule, Ruled};

/// Linux's bound on rho in slow start: 2^16 segments for one.
const LARGEST_RHO: f64 = 16.0;
/// Largest window, bytes, more than any path holds. It keeps a step of 2^16 from overflowing.
const LARGEST_WINDOW: u64 = 1 << 40;

const GROWTH: Rule = Rule::new(
    "Hybla's slow start: 2^rho - 1 segments per segment acknowledged",
    "Caini & Firrincieli 2004, equation 6",
);

/// Growth by 2^rho - 1 segments for each acknowledged segment.
#[derive(Clone, Debug)]
pub struct HyblaStart {
    rtt0: Duration,
    rho: f64,
}

impl HyblaStart {
    /// A slow start that imitates a path with the RTT `rtt0`.
    #[must_use]
    pub fn new(rtt0: Duration) -> Self {
        Self { rtt0, rho: 1.0 }
    }
}

impl SlowStart for HyblaStart {
    fn begin(&mut self, _window: &Window) {}

    // Equation 6 of the paper, first line.
    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        self.rho = rho(ack.min_rtt, self.rtt0);
        let times = libm::exp2(self.rho.min(LARGEST_RHO)) - 1.0;
        let bytes = integer(float(ack.credited) * times);
        let bytes = bytes.min(LARGEST_WINDOW.saturating_sub(window.cwnd));
        GROWTH.gives(Growth::by(bytes, ack, window))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("rho", self.rho);
    }
}

/// Catalogue entry `hybla-start`.
pub const ENTRY: Entry = Entry {
    name: "hybla-start",
    summary: "Multiplies the window by 2^(RTT/25 ms) each round trip until ssthresh: as fast on a \
              long path as on a short one.",
    parameters: &[RTT0],
    reference: REFERENCE,
    implies: &[],
    traits: Traits::SLOW_START,
    make: Make::slow_start(|values, _| Box::new(HyblaStart::new(values.milliseconds("rtt0")))),
};
