//! Additive increase, multiplicative decrease with any two constants (Chiu & Jain 1989).

use super::{Avoidance, Increase, whole_segments};
use crate::entry::{Entry, Make, Parameter, Value};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng};

/// `increase` segments per window acknowledged; congestion takes the share `decrease`.
#[derive(Clone, Debug)]
pub struct Aimd {
    increase: f64,
    decrease: f64,
    growth: Increase,
}

impl Aimd {
    /// AIMD(a, b).
    #[must_use]
    pub fn new(increase: f64, decrease: f64) -> Self {
        Self {
            increase,
            decrease,
            growth: Increase::default(),
        }
    }
}

impl Avoidance for Aimd {
    // To the byte: rounded to whole segments, as Reno's are, small increases and cuts would not be a and b.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        // What a round trip acknowledges is whole segments.
        let bytes = self.increase * ack.credited as f64 / whole_segments(window) as f64;
        self.growth.add(bytes, window)
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the window it comes from")]
    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        (window.cwnd as f64 * (1.0 - self.decrease)) as u64
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

/// `aimd`.
pub const ENTRY: Entry = Entry {
    name: "aimd",
    summary: "a segments per round trip, the share b of the window given up on congestion; Reno's law with a=1, b=0.5.",
    parameters: &[
        Parameter {
            name: "a",
            default: Value::Number(1.0),
            range: (0.001, 1000.0),
            unit: "segments",
            meaning: "growth per round trip",
        },
        Parameter {
            name: "b",
            default: Value::Number(0.5),
            range: (0.001, 0.99),
            unit: "",
            meaning: "share of the window that congestion takes",
        },
    ],
    reference: "Chiu & Jain, Analysis of the increase and decrease algorithms for congestion avoidance, Computer Networks 17, 1989; \
        Floyd, Handley & Padhye, A comparison of equation-based and AIMD congestion control, 2000",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "classic",
        make: |values| Box::new(Aimd::new(values.number("a"), values.number("b"))),
    },
};
