//! COS-Slow-Start (Ru & Liu, 2007): the window follows a cosine from one segment to ssthresh, steep
//! in the middle and flat at the end.

use core::f64::consts::PI;

use super::{Growth, SlowStart};
use crate::cast::{float, integer};
use crate::entry::{Entry, Make, Parameter, Traits};
use crate::window::Window;
use crate::{AckEvent, Rule, Ruled};

/// Window after x round trips, segments: `w(x) = -A cos(pi x / L) + A + 1` with `A = ssthresh / 2`
/// and `L = log2(ssthresh)`. It is rounded down while x <= L/2 and up after that.
#[derive(Clone, Copy, Debug)]
pub struct Curve {
    amplitude: f64,
    length: f64,
}

/// Rounding error of the cosine, segments. Without this allowance `floor(8.999...)` would miss the
/// exact 9.
const ROUNDING: f64 = 1e-6;

impl Curve {
    /// Curve that ends at `ssthresh` segments. `None` for an `ssthresh` of at most one segment,
    /// where the curve has no length.
    #[must_use]
    pub fn to(ssthresh: f64) -> Option<Self> {
        (ssthresh > 1.0).then(|| Self { amplitude: ssthresh / 2.0, length: libm::log2(ssthresh) })
    }

    /// L: round trips from one segment to ssthresh.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// Window after `x` round trips, whole segments.
    #[must_use]
    pub fn window(&self, x: f64) -> f64 {
        let x = x.min(self.length);
        let w = self.amplitude * (1.0 - libm::cos(PI * x / self.length)) + 1.0;
        if x <= self.length / 2.0 { libm::floor(w + ROUNDING) } else { libm::ceil(w - ROUNDING) }
    }

    /// Round trips after which the curve, before rounding, has `window` segments. A slow start that
    /// begins with that window is so far along the curve.
    #[must_use]
    pub fn position(&self, window: f64) -> f64 {
        let cosine = (1.0 - (window - 1.0) / self.amplitude).clamp(-1.0, 1.0);
        self.length / PI * libm::acos(cosine)
    }
}

/// The cosine slow start of the paper.
///
/// A round trip is one window of acknowledged data, as with doubling. Within it the window rises in
/// proportion to the share acknowledged. While ssthresh is unknown the curve is undefined, and the
/// window doubles until congestion sets ssthresh.
#[derive(Clone, Debug)]
pub struct Cos {
    /// Slow start ends when ssthresh - cwnd is at most this, segments.
    sigma: f64,
    curve: Option<Curve>,
    /// Round trips from one segment to the beginning of this round trip.
    x: f64,
    /// Window at the beginning of this round trip, bytes.
    from: u64,
    /// Window at the end of this round trip, bytes.
    to: u64,
    /// Bytes acknowledged in this round trip.
    acked: u64,
}

const SOURCE: &str = "Ru & Liu 2007";
const COSINE: Rule =
    Rule::new("COS-Slow-Start: the window follows a cosine up to ssthresh", SOURCE);
const DOUBLING: Rule = Rule::new("COS-Slow-Start without an ssthresh: the window doubles", SOURCE);

impl Cos {
    /// A cosine slow start that ends `sigma` segments below ssthresh. The paper's sigma is 2.
    #[must_use]
    pub fn new(sigma: f64) -> Self {
        Self { sigma, curve: None, x: 0.0, from: 0, to: 0, acked: 0 }
    }

    /// Sets the window at the end of the round trip, never below the present one.
    fn plan_round(&mut self, curve: Curve, mss: u64) {
        let segments = integer(curve.window(self.x + 1.0));
        self.to = self.from.max(segments * mss);
    }

    fn is_near(&self, cwnd: u64, ssthresh: u64, mss: u64) -> bool {
        let (gap, sigma) = (float(ssthresh.saturating_sub(cwnd)), self.sigma * float(mss));
        gap <= sigma
    }
}

impl SlowStart for Cos {
    fn begin(&mut self, window: &Window) {
        self.acked = 0;
        self.from = window.cwnd;
        let segments = |bytes: u64| float(bytes) / float(window.mss);
        self.curve = window.ssthresh.and_then(|s| Curve::to(segments(s)));
        if let Some(curve) = self.curve {
            self.x = curve.position(segments(window.cwnd));
            self.plan_round(curve, window.mss);
        }
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        let (Some(curve), Some(ssthresh)) = (self.curve, window.ssthresh) else {
            return DOUBLING.gives(Growth::double(ack, window));
        };
        if self.is_near(window.cwnd, ssthresh, window.mss) {
            // Rule (2) of the paper: an ACK that finds ssthresh - cwnd <= sigma gives cwnd +
            // 1/cwnd.
            return COSINE.gives(Growth::Exit { bytes: 0, left: ack.credited });
        }
        self.acked += ack.newly_acked;
        while self.acked >= self.from {
            self.acked -= self.from;
            self.x += 1.0;
            self.from = self.to;
            if self.x >= curve.length() {
                self.acked = 0;
                break;
            }
            self.plan_round(curve, window.mss);
        }
        let risen =
            u128::from(self.to - self.from) * u128::from(self.acked) / u128::from(self.from);
        let cwnd =
            (self.from + u64::try_from(risen).unwrap_or(u64::MAX)).min(ssthresh).max(window.cwnd);
        let growth = cwnd - window.cwnd;
        let has_ended = self.x >= curve.length() || self.is_near(cwnd, ssthresh, window.mss);
        COSINE.gives(if has_ended {
            // The curve has used this ACK.
            Growth::Exit { bytes: growth, left: 0 }
        } else {
            Growth::Grow(growth)
        })
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if self.curve.is_some() {
            show("cos_x", self.x);
        }
    }
}

/// Catalogue entry `cos`.
pub const ENTRY: Entry = Entry {
    name: "cos",
    summary: "A cosine curve to ssthresh in as many round trips as doubling takes; doubles while \
              ssthresh is unknown.",
    parameters: &[Parameter::quantity("sigma", 2.0, 0.0..=1e6, "segments")
        .meaning("slow start ends when ssthresh - cwnd is at most this")],
    reference: "Ru & Liu, COS-Slow-Start: a new strategy of TCP slow start, 2007",
    implies: &[],
    traits: Traits { needs_ssthresh: true, ..Traits::SLOW_START },
    make: Make::slow_start(|values, _| Box::new(Cos::new(values.number("sigma")))),
};
