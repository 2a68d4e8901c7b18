//! Hybla's slow start: each round trip multiplies a long path's window by 2^rho, so that it takes
//! no longer, in seconds, than on the reference path.

use super::{LINUX, REFERENCE, RTT0, StepLinux, rho, steps};
use crate::cast::{float, integer};
use crate::entry::{Entry, Make, Traits, Values};
use crate::slow_start::{Growth, SlowStart};
use crate::window::Window;
use crate::{AckEvent, Duration, Rule, Ruled, Setup};

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

/// Hybla's slow start as Linux computes it.
#[derive(Clone, Debug)]
struct HyblaStartLinux(StepLinux);

impl SlowStart for HyblaStartLinux {
    fn begin(&mut self, _window: &Window) {}

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.0.observe(ack.srtt);
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        if !steps(ack) {
            return GROWTH.gives(Growth::double(ack, window));
        }
        let packets = self.0.packets(self.0.in_slow_start());
        let bytes = (packets * window.mss).min(LARGEST_WINDOW.saturating_sub(window.cwnd));
        GROWTH.gives(match window.ssthresh {
            Some(ssthresh) if window.cwnd + bytes >= ssthresh => {
                Growth::Exit { bytes: ssthresh.saturating_sub(window.cwnd), left: 0 }
            }
            _ => Growth::Grow(bytes),
        })
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("rho", float(self.0.rho) / 8.0);
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn SlowStart> {
    let rtt0 = values.milliseconds("rtt0");
    if values.is_linux(setup) {
        Box::new(HyblaStartLinux(StepLinux::new(rtt0)))
    } else {
        Box::new(HyblaStart::new(rtt0))
    }
}

/// Catalogue entry `hybla-start`.
pub const ENTRY: Entry = Entry {
    name: "hybla-start",
    summary: "Multiplies the window by 2^(RTT/25 ms) each round trip until ssthresh: as fast on a \
              long path as on a short one.",
    parameters: &[RTT0, LINUX.with_default_false()],
    reference: REFERENCE,
    implies: &[],
    traits: Traits::SLOW_START,
    make: Make::slow_start(make),
};
