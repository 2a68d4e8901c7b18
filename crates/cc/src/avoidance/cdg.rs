//! CDG (Hayes & Armitage, Networking 2011): backs off with a probability that rises with the
//! gradient of the delay.

use std::collections::VecDeque;

use rand_core::Rng as _;

use super::Avoidance;
use crate::cast::float;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{DelayedAcks, RoundTrip, RoundTrips};
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled, Setup, Time};

/// Share of the window that a loss leaves.
const LOSS_BETA: f64 = 0.5;
/// Fall of the delay that says that backing off has helped, seconds over the window of gradients
/// (Linux).
const FALLING: f64 = 32e-6;
/// Changes of the delay nearer to zero than this are noise when the queue's state is guessed,
/// seconds over the window of gradients (Linux).
const NOISE: f64 = 32e-6;

/// Parameters of the paper.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Share of the window that a backoff leaves.
    pub beta: f64,
    /// G: a gradient of G backs off with probability 1 - 1/e. Seconds per round trip.
    pub g: f64,
    /// Round trips over which gradients are averaged.
    pub window: usize,
    /// Backoffs in a row without effect that mean competition with loss-based flows. Zero: none do.
    pub ineffective: u32,
    /// Whether the window that a loss-based flow would have softens the reaction to a loss.
    pub shadow: bool,
    /// Whether a loss without a full queue counts as no congestion.
    pub tolerance: bool,
}

/// State of the bottleneck's queue, as the trends of the largest and the smallest RTT show it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Queue {
    Unknown,
    NotFull,
    Full,
}

/// Reno's growth, and backoffs drawn at random by the delay's gradient.
#[derive(Clone, Debug)]
pub struct Cdg {
    options: Options,
    /// The round trip before the running one.
    previous: Option<RoundTrip>,
    /// Changes of the (smallest, largest) RTT from round to round, seconds.
    gradients: VecDeque<(f64, f64)>,
    /// Mean gradient that has not been judged, seconds per round trip.
    gradient: Option<f64>,
    queue: Queue,
    /// Backoffs since the delay last fell.
    backoffs: u32,
    /// Round in which the flow backed off. Nothing is decided until it ends.
    backing_off: Option<u64>,
    /// Window that a loss-based flow would have, bytes.
    shadow: u64,
    rounds: RoundTrips,
    delayed_acks: DelayedAcks,
    increase: Increase,
}

const SOURCE: &str = "Hayes & Armitage 2011";
const GROWTH: Rule = Rule::new("the delay does not rise: Reno's growth", SOURCE);
const BACKOFF: Rule =
    Rule::new("the delay rises: backoff, drawn with probability 1 - exp(-g/G)", SOURCE);
const NO_GROWTH: Rule = Rule::new("no growth in the round of a backoff", SOURCE);
const CUT: Rule = Rule::cut("halves the window, but not below the shadow window", SOURCE);
const TOLERATED: Rule =
    Rule::cut("changes nothing: the flow backs off already, or the queue is not full", SOURCE);

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

    /// Discards what was measured in a round with a cut: the cut changed the delay, not the path.
    fn forget_round(&mut self) {
        self.previous = None;
        self.gradient = None;
    }

    /// Takes the gradients of the round's smallest and largest RTT into the moving average
    /// (`tcp_cdg_grad`).
    fn end_round(&mut self, round: RoundTrip) {
        let Some(previous) = self.previous.replace(round) else { return };
        if self.gradients.len() == self.options.window {
            self.gradients.pop_front();
        }
        let change =
            |now: crate::Duration, then: crate::Duration| now.as_secs_f64() - then.as_secs_f64();
        self.gradients
            .push_back((change(round.min, previous.min), change(round.max, previous.max)));
        let sum = self.gradients.iter().fold((0.0, 0.0), |sum, g| (sum.0 + g.0, sum.1 + g.1));
        let count = float(self.gradients.len() as u64);
        self.gradient = Some(if sum.0 > 0.0 { sum.0 } else { sum.1 } / count);
        if sum.0 <= -FALLING || sum.1 <= -FALLING {
            self.backoffs = 0;
        }
        // In a full queue the smallest RTT still rises while the largest cannot.
        let (is_rising, can_rise) = (sum.0 > NOISE, sum.1 > NOISE);
        if is_rising && !can_rise {
            self.queue = Queue::Full;
        } else if (is_rising && can_rise) || sum.1 < -NOISE {
            self.queue = Queue::NotFull;
        }
    }

    /// Draws whether to back off, with probability 1 - exp(-g/G). Flows of any RTT then back off
    /// equally often on average (`tcp_cdg_backoff`).
    fn backs_off(&mut self, gradient: f64, rng: &mut Rng) -> bool {
        let draw = float(rng.next_u64() >> 11) / float(1_u64 << 53);
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

    fn take_over(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Option<Ruled<u64>> {
        let gradient = self.gradient.take().filter(|gradient| *gradient > 0.0)?;
        self.backs_off(gradient, rng).then(|| {
            self.backing_off = Some(ack.round.count);
            self.forget_round();
            self.shadow = self.shadow.max(window.cwnd);
            BACKOFF.gives(window.in_bytes(window.segments() * self.options.beta))
        })
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Ruled<u64> {
        if self.backing_off.is_some() {
            return NO_GROWTH.gives(window.cwnd);
        }
        if let Some(backoff) = self.take_over(ack, window, rng) {
            return backoff;
        }
        let grown = self.increase.per_window(1.0, ack, window);
        self.shadow = self.shadow.saturating_add(grown - window.cwnd);
        GROWTH.gives(grown)
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.forget_round();
        let is_tolerated = self.options.tolerance && self.queue == Queue::NotFull;
        self.queue = Queue::Unknown;
        if self.backing_off.is_some() || is_tolerated {
            return TOLERATED.gives(window.cwnd);
        }
        let halved = window.in_bytes(window.segments() * LOSS_BETA);
        self.shadow = (self.shadow / 2).min(window.cwnd);
        CUT.gives(if self.options.shadow { self.shadow.max(halved) } else { halved })
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("shadow", float(self.shadow));
        show("backoffs", f64::from(self.backoffs));
        if let Some(&(min, max)) = self.gradients.back() {
            show("gradient_min", min);
            show("gradient_max", max);
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(Cdg::new(Options {
        beta: values.number("beta"),
        g: values.number("g") * 1e-3,
        window: values.count("window") as usize,
        ineffective: values.count("ineffective"),
        shadow: values.flag("shadow"),
        tolerance: values.flag("tolerance"),
    }))
}

/// Catalogue entry `cdg`.
pub const ENTRY: Entry = Entry {
    name: "cdg",
    summary: "Reno's growth; backs off at random, the more probably the faster the delay rises.",
    parameters: &[
        Parameter::number("beta", 0.7, 0.1..=0.99)
            .meaning("what a backoff by delay leaves of the window (Linux: 0.707)"),
        Parameter::quantity("g", 3.0, 0.001..=1000.0, "ms").meaning(
            "a delay that rises by so much per round trip backs off with probability 0.63",
        ),
        Parameter::number("window", 8.0, 1.0..=256.0)
            .meaning("round trips over which gradients are averaged"),
        Parameter::number("ineffective", 5.0, 0.0..=1e6).meaning(
            "backoffs without effect after which it backs off no more until the delay \
                      falls; 0: never",
        ),
        Parameter::flag("shadow", true)
            .meaning("after a loss the window of a loss-based flow, where that is larger"),
        Parameter::flag("tolerance", false)
            .meaning("a loss without signs of a full queue is no congestion (the paper: true)"),
    ],
    reference: "Hayes & Armitage, Revisiting TCP congestion control using delay gradients, \
                Networking 2011; Linux 6 net/ipv4/tcp_cdg.c",
    implies: &[],
    traits: Traits { draws: true, ..Traits::DELAY_BASED },
    make: Make::avoidance("hystart", make),
};
