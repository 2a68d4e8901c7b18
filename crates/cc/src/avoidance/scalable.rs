//! Scalable TCP (Kelly 2003): the window grows by a share of what is acknowledged, so recovery takes as many round trips at
//! any rate.

use super::{Avoidance, Credit, less_share, whole_segments};
use crate::entry::{Entry, Make, Parameter, Value};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng};

/// Multiplicative increase, multiplicative decrease.
#[derive(Clone, Debug)]
pub struct Scalable {
    increase: f64,
    decrease: f64,
    legacy_window: f64,
    credit: Credit,
}

impl Scalable {
    /// With Reno's rules up to `legacy_window` segments.
    #[must_use]
    pub fn new(increase: f64, decrease: f64, legacy_window: f64) -> Self {
        Self {
            increase,
            decrease,
            legacy_window,
            credit: Credit::default(),
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 segments")]
    fn is_legacy(&self, window: &Window) -> bool {
        whole_segments(window) as f64 <= self.legacy_window
    }
}

impl Avoidance for Scalable {
    // cwnd <- cwnd + a for each segment acknowledged.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        if self.is_legacy(window) {
            self.credit.per_window(ack, window, 1.0)
        } else {
            self.credit.next_cwnd(ack, window, 1.0 / self.increase)
        }
    }

    // cwnd <- cwnd - ceil(b cwnd), which is cwnd (1 - b) rounded down.
    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        self.credit.reset();
        less_share(window, if self.is_legacy(window) { 0.5 } else { self.decrease })
    }

    fn undo_state(&self) -> Option<Box<dyn Avoidance>> {
        None
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

/// `scalable`.
pub const ENTRY: Entry = Entry {
    name: "scalable",
    summary: "Grows by the share a of what is acknowledged and gives up the share b: recovers in as many round trips at any rate.",
    parameters: &[
        Parameter {
            name: "a",
            default: Value::Number(0.01),
            range: (1e-5, 1.0),
            unit: "segments",
            meaning: "growth per segment acknowledged",
        },
        Parameter {
            name: "b",
            default: Value::Number(0.125),
            range: (0.001, 0.99),
            unit: "",
            meaning: "share of the window that congestion takes, in segments rounded up",
        },
        Parameter {
            name: "legacy_window",
            default: Value::Number(16.0),
            range: (0.0, 1e6),
            unit: "segments",
            meaning: "largest window with Reno's rules",
        },
    ],
    reference: "Kelly, Scalable TCP: improving performance in highspeed wide area networks, CCR 33(2), 2003",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "classic",
        make: |values| {
            Box::new(Scalable::new(
                values.number("a"),
                values.number("b"),
                values.number("legacy_window"),
            ))
        },
    },
};
