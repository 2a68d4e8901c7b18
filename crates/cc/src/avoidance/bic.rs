//! BIC (Xu, Harfoush & Rhee, INFOCOM 2004): a binary search for the window between the last loss and the cut after it.

use super::{Avoidance, Increase, in_bytes, segments};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng, Signal};

/// Linux: before the first loss the window grows by at least a twentieth per round trip.
const FIRST_GROWTH: f64 = 1.0 / 20.0;
/// What is left of a window of `low_window` or less.
const RENO_BETA: f64 = 0.5;

/// The paper's parameters, and those that Linux added.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What is left of the window after congestion.
    pub beta: f64,
    /// Largest growth per round trip, segments (`S_max`).
    pub max_increment: f64,
    /// Smallest growth per round trip, segments (`S_min`; Linux: B over its `smooth_part`).
    pub min_increment: f64,
    /// B: a round trip goes 1/B of the way.
    pub divisor: f64,
    /// Whether the last 2B segments before the peak, and the first B after it, are taken at `min_increment` (Linux).
    pub smooth: bool,
    /// Up to this window it is Reno, segments.
    pub low_window: f64,
    /// A flow whose peak falls gives up some more.
    pub fast_convergence: bool,
}

/// BIC; windows are in segments, with fractions.
#[derive(Clone, Debug)]
pub struct Bic {
    options: Options,
    /// Where the search looks for the loss; `None`: not known.
    w_max: Option<f64>,
    increase: Increase,
}

impl Bic {
    /// A BIC before its first loss.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            w_max: None,
            increase: Increase::default(),
        }
    }

    /// Segments per round trip: towards the peak, and away from it on the other side (the paper's "max probing").
    fn increment(&self, cwnd: f64) -> f64 {
        let o = &self.options;
        if cwnd <= o.low_window {
            return 1.0;
        }
        let above = cwnd - self.w_max.unwrap_or(0.0);
        let (step, is_near) = if above < 0.0 {
            (-above / o.divisor, -above < 2.0 * o.divisor)
        } else {
            // With B = 2 the step doubles from round trip to round trip.
            (above / (o.divisor - 1.0), above < o.divisor)
        };
        let step = if o.smooth && is_near { o.min_increment } else { step };
        let step = step.clamp(o.min_increment, o.max_increment);
        if self.w_max.is_none() {
            step.max(FIRST_GROWTH * cwnd)
        } else {
            step
        }
    }
}

impl Avoidance for Bic {
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        let increment = self.increment(segments(window));
        self.increase.per_window(increment, ack, window)
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> u64 {
        let o = &self.options;
        let cwnd = segments(window);
        // In whole segments, as the window is used: a peak lower by a fraction is the same peak.
        let is_falling = self.w_max.is_some_and(|w_max| libm::floor(cwnd) < libm::floor(w_max));
        self.w_max = match event.signal {
            Signal::Rto => None,
            _ if is_falling && o.fast_convergence => Some(cwnd * f64::midpoint(1.0, o.beta)),
            _ => Some(cwnd),
        };
        let left = if cwnd <= o.low_window { RENO_BETA } else { o.beta };
        in_bytes(cwnd * left, window)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(w_max) = self.w_max {
            show("w_max", w_max);
        }
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn Avoidance> {
    Box::new(Bic::new(Options {
        beta: values.number("beta"),
        max_increment: values.number("max_increment"),
        min_increment: values.number("min_increment"),
        divisor: values.number("divisor"),
        smooth: values.flag("smooth"),
        low_window: values.number("low_window"),
        fast_convergence: values.flag("fast_convergence"),
    }))
}

/// `bic`.
pub const ENTRY: Entry = Entry {
    name: "bic",
    summary: "A binary search for the window of the last loss, and beyond it a search of the same shape.",
    parameters: &[
        Parameter {
            name: "beta",
            default: Value::Number(0.8),
            range: (0.1, 0.99),
            unit: "",
            meaning: "what is left of the window after congestion (the paper: 0.875)",
        },
        Parameter {
            name: "max_increment",
            default: Value::Number(16.0),
            range: (1.0, 1000.0),
            unit: "segments",
            meaning: "largest growth per round trip (the paper: 32)",
        },
        Parameter {
            name: "min_increment",
            default: Value::Number(0.2),
            range: (0.001, 1.0),
            unit: "segments",
            meaning: "smallest growth per round trip (the paper: 0.01)",
        },
        Parameter {
            name: "divisor",
            default: Value::Number(4.0),
            range: (1.5, 64.0),
            unit: "",
            meaning: "a round trip goes 1/divisor of the way to the peak (the paper: 2)",
        },
        Parameter {
            name: "smooth",
            default: Value::Flag(true),
            range: (0.0, 0.0),
            unit: "",
            meaning: "the last segments before the peak at the smallest growth (the paper: false)",
        },
        Parameter {
            name: "low_window",
            default: Value::Number(14.0),
            range: (0.0, 1e6),
            unit: "segments",
            meaning: "up to this window it is Reno",
        },
        Parameter {
            name: "fast_convergence",
            default: Value::Flag(true),
            range: (0.0, 0.0),
            unit: "",
            meaning: "give up more when the peak is lower than the last one",
        },
    ],
    reference: "Xu, Harfoush & Rhee, Binary increase congestion control for fast long-distance networks, INFOCOM 2004; Linux 6 net/ipv4/tcp_bic.c",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "classic",
        make,
    },
};
