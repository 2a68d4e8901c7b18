//! COS-Slow-Start (Ru & Liu, 2007): a cosine from one segment to ssthresh, steep in the middle and flat at the end.

use core::f64::consts::PI;

use super::{Growth, SlowStart, double};
use crate::AckEvent;
use crate::entry::{Entry, Make, Parameter, Value};
use crate::window::Window;

/// The window after x round trips, in segments: `w(x) = -A cos(pi x / L) + A + 1` with `A = ssthresh / 2` and
/// `L = log2(ssthresh)`, rounded down while x <= L/2 and up after that.
#[derive(Clone, Copy, Debug)]
pub struct Curve {
    amplitude: f64,
    length: f64,
}

/// What rounding errors of the cosine may add or take, segments: without it `floor(8.999...)` misses the exact 9.
const ROUNDING: f64 = 1e-6;

impl Curve {
    /// The curve that ends at `ssthresh` segments; `None` where it has no length (`ssthresh` of one segment or less).
    #[must_use]
    pub fn to(ssthresh: f64) -> Option<Self> {
        (ssthresh > 1.0).then(|| Self {
            amplitude: ssthresh / 2.0,
            length: libm::log2(ssthresh),
        })
    }

    /// Round trips from one segment to ssthresh: L.
    #[must_use]
    pub fn length(&self) -> f64 {
        self.length
    }

    /// The window after `x` round trips, whole segments.
    #[must_use]
    pub fn window(&self, x: f64) -> f64 {
        let x = x.min(self.length);
        let w = self.amplitude * (1.0 - libm::cos(PI * x / self.length)) + 1.0;
        if x <= self.length / 2.0 {
            libm::floor(w + ROUNDING)
        } else {
            libm::ceil(w - ROUNDING)
        }
    }

    /// Where the curve (before rounding) has `window` segments: how far a slow start that begins there already is.
    #[must_use]
    pub fn position(&self, window: f64) -> f64 {
        let cosine = (1.0 - (window - 1.0) / self.amplitude).clamp(-1.0, 1.0);
        self.length / PI * libm::acos(cosine)
    }
}

/// The cosine slow start of the paper.
///
/// A round trip is one window of acknowledged data, as it is for doubling; within it the window rises in proportion to
/// the share acknowledged. Without an ssthresh the curve is not defined: it doubles until congestion finds one.
#[derive(Clone, Debug)]
pub struct Cos {
    /// Slow start ends when ssthresh - cwnd is at most this, segments.
    sigma: f64,
    curve: Option<Curve>,
    /// Round trips from one segment, where this round trip began.
    x: f64,
    /// The window at its beginning, bytes.
    from: u64,
    /// The window at its end, bytes.
    to: u64,
    /// Bytes acknowledged in it.
    acked: u64,
}

impl Cos {
    /// The paper's sigma is 2 segments.
    #[must_use]
    pub fn new(sigma: f64) -> Self {
        Self {
            sigma,
            curve: None,
            x: 0.0,
            from: 0,
            to: 0,
            acked: 0,
        }
    }

    /// The window one round trip after x, never below the present one.
    fn plan_round(&mut self, curve: Curve, mss: u64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a window: positive, below 2^53"
        )]
        let segments = curve.window(self.x + 1.0) as u64;
        self.to = self.from.max(segments * mss);
    }

    fn is_near(&self, cwnd: u64, ssthresh: u64, mss: u64) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
        let (gap, sigma) = (ssthresh.saturating_sub(cwnd) as f64, self.sigma * mss as f64);
        gap <= sigma
    }
}

impl SlowStart for Cos {
    fn begin(&mut self, window: &Window) {
        self.acked = 0;
        self.from = window.cwnd;
        #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
        let segments = |bytes: u64| bytes as f64 / window.mss as f64;
        self.curve = window.ssthresh.and_then(|s| Curve::to(segments(s)));
        if let Some(curve) = self.curve {
            self.x = curve.position(segments(window.cwnd));
            self.plan_round(curve, window.mss);
        }
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Growth {
        let (Some(curve), Some(ssthresh)) = (self.curve, window.ssthresh) else {
            return double(ack, window);
        };
        if self.is_near(window.cwnd, ssthresh, window.mss) {
            // Rule (2) of the paper: an ACK that finds ssthresh - cwnd <= sigma gives cwnd + 1/cwnd.
            return Growth::Exit {
                bytes: 0,
                left: ack.credited,
            };
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
        let risen = u128::from(self.to - self.from) * u128::from(self.acked) / u128::from(self.from);
        let cwnd = (self.from + u64::try_from(risen).unwrap_or(u64::MAX))
            .min(ssthresh)
            .max(window.cwnd);
        let growth = cwnd - window.cwnd;
        let has_ended = self.x >= curve.length() || self.is_near(cwnd, ssthresh, window.mss);
        if has_ended {
            // The curve has used this ACK.
            Growth::Exit { bytes: growth, left: 0 }
        } else {
            Growth::Grow(growth)
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if self.curve.is_some() {
            show("cos_x", self.x);
        }
    }

    fn clone_box(&self) -> Box<dyn SlowStart> {
        Box::new(self.clone())
    }
}

/// `cos`.
pub const ENTRY: Entry = Entry {
    name: "cos",
    summary: "A cosine curve to ssthresh in as many round trips as doubling takes; doubles while ssthresh is unknown.",
    parameters: &[Parameter {
        name: "sigma",
        default: Value::Number(2.0),
        range: (0.0, 1e6),
        unit: "segments",
        meaning: "slow start ends when ssthresh - cwnd is at most this",
    }],
    reference: "Ru & Liu, COS-Slow-Start: a new strategy of TCP slow start, 2007",
    implies: &[],
    make: Make::SlowStart(|values| Box::new(Cos::new(values.number("sigma")))),
};
