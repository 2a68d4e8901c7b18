//! Binomial congestion control (Bansal & Balakrishnan 2001): growth and cut are powers of the window.

use super::{Avoidance, Increase, in_bytes, segments};
use crate::entry::{Entry, Make, Parameter, Value};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng};

/// alpha / w^k segments per round trip; congestion takes beta w^l segments.
#[derive(Clone, Debug)]
pub struct Binomial {
    k: f64,
    l: f64,
    alpha: f64,
    beta: f64,
    growth: Increase,
}

impl Binomial {
    /// The algorithm of these constants.
    #[must_use]
    pub fn new(k: f64, l: f64, alpha: f64, beta: f64) -> Self {
        Self {
            k,
            l,
            alpha,
            beta,
            growth: Increase::default(),
        }
    }
}

impl Avoidance for Binomial {
    // Rule I: w <- w + alpha / w^k in a round trip, hence alpha / w^(k+1) per segment acknowledged.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        let bytes = self.alpha * ack.credited as f64 / libm::pow(segments(window), self.k + 1.0);
        self.growth.add(bytes, window)
    }

    // Rule D: w <- w - beta w^l, with fractions: a cut by two thirds of a segment must not become one of a whole.
    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        let w = segments(window);
        in_bytes(w - self.beta * libm::pow(w, self.l), window)
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

/// `binomial`.
pub const ENTRY: Entry = Entry {
    name: "binomial",
    summary: "alpha / w^k segments per round trip, beta w^l given up on congestion: SQRT (k=l=0.5), IIAD (k=1, l=0), AIMD (k=0, l=1).",
    parameters: &[
        Parameter {
            name: "k",
            default: Value::Number(0.5),
            range: (-1.0, 4.0),
            unit: "",
            meaning: "growth falls with this power of the window; k + l = 1 is TCP-compatible",
        },
        Parameter {
            name: "l",
            default: Value::Number(0.5),
            range: (0.0, 1.0),
            unit: "",
            meaning: "the cut rises with this power of the window",
        },
        Parameter {
            name: "alpha",
            default: Value::Number(1.0),
            range: (0.001, 1000.0),
            unit: "segments",
            meaning: "growth per round trip at a window of one segment",
        },
        Parameter {
            name: "beta",
            default: Value::Number(0.667),
            range: (0.001, 1000.0),
            unit: "segments",
            meaning: "cut at a window of one segment; two thirds of alpha gives Reno's rate where k + l = 1",
        },
    ],
    reference: "Bansal & Balakrishnan, Binomial congestion control algorithms, INFOCOM 2001",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "classic",
        make: |values| {
            Box::new(Binomial::new(
                values.number("k"),
                values.number("l"),
                values.number("alpha"),
                values.number("beta"),
            ))
        },
    },
};
