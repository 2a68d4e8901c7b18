//! CDG (Hayes & Armitage, Networking 2011): backs off with a probability that rises with the gradient of the delay.

use std::collections::VecDeque;

use rand_core::Rng as _;

use super::{Avoidance, Increase, in_bytes, segments};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::measure::{DelayedAcks, RoundTrip, RoundTrips};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng, Time};

/// What a loss leaves.
const LOSS_BETA: f64 = 0.5;
/// A trend this far below zero says that backing off helped, seconds over the window of gradients (Linux).
const FALLING: f64 = 32e-6;
/// Trends nearer to zero than this are noise to the guess of the queue's state, seconds over the window (Linux).
const NOISE: f64 = 32e-6;

/// The paper's parameters.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// What a delay gradient's backoff leaves.
    pub beta: f64,
    /// G: a gradient of so much backs off with probability 1 - 1/e, seconds per round trip.
    pub g: f64,
    /// Round trips over which gradients are averaged.
    pub window: usize,
    /// So many backoffs in a row without effect mean competition with loss-based flows; zero: never.
    pub ineffective: u32,
    /// Whether the window that a loss-based flow would have softens the reaction to a loss.
    pub shadow: bool,
    /// Whether a loss without a full queue is no congestion.
    pub tolerance: bool,
}

/// What the trends of the largest and the smallest RTT say of the bottleneck's queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Queue {
    Unknown,
    NotFull,
    Full,
}

/// CDG.
#[derive(Clone, Debug)]
pub struct Cdg {
    options: Options,
    /// The round before, and the gradients of smallest and largest RTT, seconds.
    previous: Option<RoundTrip>,
    gradients: VecDeque<(f64, f64)>,
    /// Mean gradient that is not judged yet, seconds per round trip.
    gradient: Option<f64>,
    queue: Queue,
    /// Backoffs since the delay last fell.
    backoffs: u32,
    /// The round in which it backed off; nothing is decided until it ends.
    backing_off: Option<u64>,
    /// The window that a loss-based flow would have, bytes.
    shadow: u64,
    rounds: RoundTrips,
    delayed_acks: DelayedAcks,
    increase: Increase,
}

impl Cdg {
    /// A CDG before its first round trip.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            previous: None,
            gradients: VecDeque::with_capacity(options.window),
            gradient: None,
            queue: Queue::Unknown,
            backoffs: 0,
            backing_off: None,
            shadow: 0,
            rounds: RoundTrips::default(),
            delayed_acks: DelayedAcks::default(),
            increase: Increase::default(),
        }
    }

    /// What a cut does to the delay in its own round is no gradient of the path's.
    fn forget_round(&mut self) {
        self.previous = None;
        self.gradient = None;
    }

    /// Gradients of the round's smallest and largest RTT, smoothed by a moving average (`tcp_cdg_grad`).
    fn end_round(&mut self, round: RoundTrip) {
        let Some(previous) = self.previous.replace(round) else { return };
        if self.gradients.len() == self.options.window {
            self.gradients.pop_front();
        }
        let change = |now: crate::Duration, then: crate::Duration| now.as_secs_f64() - then.as_secs_f64();
        self.gradients
            .push_back((change(round.min, previous.min), change(round.max, previous.max)));
        let sum = self.gradients.iter().fold((0.0, 0.0), |sum, g| (sum.0 + g.0, sum.1 + g.1));
        #[expect(clippy::cast_precision_loss, reason = "at most 256")]
        let count = self.gradients.len() as f64;
        self.gradient = Some(if sum.0 > 0.0 { sum.0 } else { sum.1 } / count);
        if sum.0 <= -FALLING || sum.1 <= -FALLING {
            self.backoffs = 0;
        }
        // The smallest RTT still rises where the largest no longer can.
        let (is_rising, can_rise) = (sum.0 > NOISE, sum.1 > NOISE);
        if is_rising && !can_rise {
            self.queue = Queue::Full;
        } else if (is_rising && can_rise) || sum.1 < -NOISE {
            self.queue = Queue::NotFull;
        }
    }

    /// With probability 1 - exp(-g/G), so that flows of any RTT back off as often on average (`tcp_cdg_backoff`).
    fn backs_off(&mut self, gradient: f64, rng: &mut Rng) -> bool {
        #[expect(clippy::cast_precision_loss, reason = "53 bits are exact")]
        let draw = (rng.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
        if draw < libm::exp(-gradient / self.options.g) {
            return false;
        }
        self.backoffs = self.backoffs.saturating_add(1);
        self.options.ineffective == 0 || self.backoffs <= self.options.ineffective
    }
}

impl Avoidance for Cdg {
    fn begin(&mut self, window: &Window, _now: Time) {
        self.shadow = self.shadow.max(window.cwnd);
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        if ack.in_recovery {
            self.forget_round();
        }
        self.backing_off = self.backing_off.filter(|round| ack.round.count <= *round);
        if !ack.is_cwnd_limited {
            self.shadow = self.shadow.min(window.cwnd);
        }
        let is_late = self.delayed_acks.may_be_late(ack, window);
        if let Some(round) = self.rounds.on_sample(ack, ack.rtt_sample.filter(|_| !is_late)) {
            self.end_round(round);
        }
    }

    fn take_over(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Option<u64> {
        let gradient = self.gradient.take().filter(|gradient| *gradient > 0.0)?;
        self.backs_off(gradient, rng).then(|| {
            self.backing_off = Some(ack.round.count);
            self.forget_round();
            self.shadow = self.shadow.max(window.cwnd);
            in_bytes(segments(window) * self.options.beta, window)
        })
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> u64 {
        if self.backing_off.is_some() {
            return window.cwnd;
        }
        if let Some(cwnd) = self.take_over(ack, window, rng) {
            return cwnd;
        }
        let grown = self.increase.per_window(1.0, ack, window);
        self.shadow = self.shadow.saturating_add(grown - window.cwnd);
        grown
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        self.forget_round();
        let is_tolerated = self.options.tolerance && self.queue == Queue::NotFull;
        self.queue = Queue::Unknown;
        if self.backing_off.is_some() || is_tolerated {
            return window.cwnd;
        }
        let halved = in_bytes(segments(window) * LOSS_BETA, window);
        self.shadow = (self.shadow / 2).min(window.cwnd);
        if self.options.shadow { self.shadow.max(halved) } else { halved }
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("shadow", self.shadow as f64);
        show("backoffs", f64::from(self.backoffs));
        if let Some(&(min, max)) = self.gradients.back() {
            show("gradient_min", min);
            show("gradient_max", max);
        }
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the ranges of the parameters")]
fn make(values: &Values) -> Box<dyn Avoidance> {
    Box::new(Cdg::new(Options {
        beta: values.number("beta"),
        g: values.number("g") * 1e-3,
        window: values.number("window") as usize,
        ineffective: values.number("ineffective") as u32,
        shadow: values.flag("shadow"),
        tolerance: values.flag("tolerance"),
    }))
}

/// `cdg`.
pub const ENTRY: Entry = Entry {
    name: "cdg",
    summary: "Reno's growth; backs off at random, the more probably the faster the delay rises.",
    parameters: &[
        Parameter {
            name: "beta",
            default: Value::Number(0.7),
            range: (0.1, 0.99),
            unit: "",
            meaning: "what a backoff by delay leaves of the window (Linux: 0.707)",
        },
        Parameter {
            name: "g",
            default: Value::Number(3.0),
            range: (0.001, 1000.0),
            unit: "ms",
            meaning: "a delay that rises by so much per round trip backs off with probability 0.63",
        },
        Parameter {
            name: "window",
            default: Value::Number(8.0),
            range: (1.0, 256.0),
            unit: "",
            meaning: "round trips over which gradients are averaged",
        },
        Parameter {
            name: "ineffective",
            default: Value::Number(5.0),
            range: (0.0, 1e6),
            unit: "",
            meaning: "backoffs without effect after which it backs off no more until the delay falls; 0: never",
        },
        Parameter {
            name: "shadow",
            default: Value::Flag(true),
            range: (0.0, 0.0),
            unit: "",
            meaning: "after a loss the window of a loss-based flow, where that is larger",
        },
        Parameter {
            name: "tolerance",
            default: Value::Flag(false),
            range: (0.0, 0.0),
            unit: "",
            meaning: "a loss without signs of a full queue is no congestion (the paper: true)",
        },
    ],
    reference: "Hayes & Armitage, Revisiting TCP congestion control using delay gradients, Networking 2011; Linux 6 net/ipv4/tcp_cdg.c",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "hystart",
        make,
    },
};
