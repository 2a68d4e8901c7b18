//! LEDBAT: background traffic that keeps the queueing delay at a target and yields to everybody else.

use super::{Avoidance, Increase, MIN_WINDOW_SEGMENTS};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::measure::QueueingDelay;
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng};

/// Parameters of [`Ledbat`], in the names of RFC 6817 section 2.5.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Seconds.
    pub target: f64,
    /// At most 1.
    pub gain: f64,
    /// Segments.
    pub allowed_increase: f64,
    /// Minutes.
    pub base_history: u64,
    /// Samples.
    pub current_filter: usize,
}

/// RFC 6817 section 2.4.2.
#[derive(Clone, Debug)]
pub struct Ledbat {
    options: Options,
    delay: QueueingDelay,
    change: Increase,
}

impl Ledbat {
    /// Without a sample.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            delay: QueueingDelay::new(options.base_history, options.current_filter),
            change: Increase::default(),
        }
    }
}

impl Avoidance for Ledbat {
    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        if let Some(delay) = ack.one_way_delay {
            // Section 2.5: no sample older than an RTT.
            self.delay.add(delay, ack.now, ack.srtt);
        }
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        let Some(queueing_delay) = self.delay.seconds() else {
            return window.cwnd;
        };
        let mss = window.mss as f64;
        let off_target = (self.options.target - queueing_delay) / self.options.target;
        let windows = ack.newly_acked as f64 / window.cwnd as f64;
        // The flight size of the RFC still holds what this ACK acknowledges.
        let room = ack.prior_inflight as f64 + self.options.allowed_increase * mss - window.cwnd as f64;
        let change = (self.options.gain * off_target * windows * mss).min(room);
        self.change.change(change, window).max(MIN_WINDOW_SEGMENTS * window.mss)
    }

    /// Section 2.4.2, on data loss: like any TCP, but never up.
    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        window.cwnd.min((window.cwnd / 2).max(MIN_WINDOW_SEGMENTS * window.mss))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let (Some(base), Some(queueing_delay)) = (self.delay.base(), self.delay.seconds()) {
            show("base_delay", base.as_secs_f64());
            show("queueing_delay", queueing_delay);
        }
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the ranges of the parameters")]
fn make(values: &Values) -> Box<dyn Avoidance> {
    Box::new(Ledbat::new(Options {
        target: values.number("target") * 1e-3,
        gain: values.number("gain"),
        allowed_increase: values.number("allowed_increase"),
        base_history: values.number("base_history") as u64,
        current_filter: values.number("current_filter") as usize,
    }))
}

/// `ledbat`.
pub const ENTRY: Entry = Entry {
    name: "ledbat",
    summary: "Background traffic: keeps the one-way queueing delay at a target and yields to whoever adds to it.",
    parameters: &[
        Parameter {
            name: "target",
            default: Value::Number(100.0),
            range: (1.0, 1000.0),
            unit: "ms",
            meaning: "queueing delay to keep (RFC 6817: at most 100)",
        },
        Parameter {
            name: "gain",
            default: Value::Number(1.0),
            range: (0.001, 1.0),
            unit: "",
            meaning: "segments per round trip where nothing waits",
        },
        Parameter {
            name: "allowed_increase",
            default: Value::Number(1.0),
            range: (0.1, 1000.0),
            unit: "segments",
            meaning: "how far the window may be above what is in flight",
        },
        Parameter {
            name: "base_history",
            default: Value::Number(10.0),
            range: (1.0, 1000.0),
            unit: "minutes",
            meaning: "how long the smallest delay is remembered",
        },
        Parameter {
            name: "current_filter",
            default: Value::Number(4.0),
            range: (1.0, 1000.0),
            unit: "samples",
            meaning: "the smallest of how many, of the last RTT, is the present delay",
        },
    ],
    reference: "RFC 6817",
    implies: &[("timestamps", "true"), ("timestamp_clock", "1us"), ("initial_window", "2 packets")],
    make: Make::Avoidance {
        slow_start: "classic",
        make,
    },
};
