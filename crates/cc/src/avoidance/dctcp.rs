//! DCTCP: the window is cut by as much of it as was marked, on average.

use super::{Avoidance, Reno};
use crate::entry::{Entry, Make, Parameter, Value};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng, RoundSummary, Signal};

/// Reno's growth, and cuts in proportion to the extent of congestion (RFC 8257).
#[derive(Clone, Debug)]
pub struct Dctcp {
    g: f64,
    /// Estimate of the fraction of bytes marked.
    alpha: f64,
    reno: Reno,
}

impl Dctcp {
    /// `g` is the weight of a new round in alpha, which begins at `alpha`.
    #[must_use]
    pub fn new(g: f64, alpha: f64) -> Self {
        Self {
            g,
            alpha,
            reno: Reno::default(),
        }
    }
}

/// The fraction of a round's bytes that were marked (RFC 8257 section 3.3, M).
#[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
fn marked_fraction(round: &RoundSummary) -> f64 {
    if round.acked == 0 {
        return 0.0;
    }
    // A mark on an ACK that delivered nothing new counts too, so that the sum may be more than was delivered.
    (round.marked as f64 / round.acked as f64).min(1.0)
}

impl Avoidance for Dctcp {
    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        // RFC 8257 section 3.3; in every phase, whether or not there was a mark.
        if ack.round.start && ack.round.last.acked > 0 {
            self.alpha += self.g * (marked_fraction(&ack.round.last) - self.alpha);
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> u64 {
        self.reno.next_cwnd(ack, window, rng)
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive window below 2^53")]
    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> u64 {
        let halved = self.reno.ssthresh(event, window);
        match event.signal {
            Signal::Ecn => (window.cwnd as f64 * (1.0 - self.alpha / 2.0)) as u64,
            // RFC 8257 section 3.5: loss is as for any TCP.
            Signal::Loss | Signal::Rto => halved,
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("alpha", self.alpha);
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

/// `dctcp`.
pub const ENTRY: Entry = Entry {
    name: "dctcp",
    summary: "Reno's growth, cut by half the fraction of bytes that was ECN-marked; wants step marking, in data centres.",
    parameters: &[
        Parameter {
            name: "g",
            default: Value::Number(0.0625),
            range: (0.0001, 1.0),
            unit: "",
            meaning: "weight of a new round trip in alpha, the estimate of the fraction marked",
        },
        Parameter {
            name: "alpha",
            default: Value::Number(1.0),
            range: (0.0, 1.0),
            unit: "",
            meaning: "the estimate before the first round trip",
        },
    ],
    reference: "RFC 8257; Alizadeh et al., Data Center TCP (DCTCP), SIGCOMM 2010",
    implies: &[("ecn", "accurate")],
    make: Make::Avoidance {
        slow_start: "classic",
        make: |values| Box::new(Dctcp::new(values.number("g"), values.number("alpha"))),
    },
};
