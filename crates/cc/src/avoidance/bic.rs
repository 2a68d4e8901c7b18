//! BIC (Xu, Harfoush & Rhee, INFOCOM 2004): a binary search for the window between the last loss
//! and the cut after it.

use super::Avoidance;
use crate::cast::{float, integer};
use crate::entry::traits::{Law, Left, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::Jiffies;
use crate::window::{Increase, Tally, Window};
use crate::{AckEvent, CaState, CongestionEvent, Rng, RttSample, Rule, Ruled, Setup, Signal};

/// Least growth per round trip before the first loss, as a share of the window (Linux).
const FIRST_GROWTH: f64 = 1.0 / 20.0;
/// Share of a window of at most `low_window` that congestion leaves.
const RENO_BETA: f64 = 0.5;

/// Parameters of the paper, and those that Linux added.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Share of the window that congestion leaves.
    pub beta: f64,
    /// Largest growth per round trip, segments (`S_max`).
    pub max_increment: f64,
    /// Smallest growth per round trip, segments (`S_min`; in Linux B divided by its `smooth_part`).
    pub min_increment: f64,
    /// B: a round trip goes 1/B of the way to the peak.
    pub divisor: f64,
    /// Whether the window grows by `min_increment` over the last 2B segments before the peak and
    /// the first B after it (Linux).
    pub smooth: bool,
    /// Largest window with Reno's rules, segments.
    pub low_window: f64,
    /// Whether a flow whose peak falls gives up more than others.
    pub fast_convergence: bool,
}

/// BIC. Windows are in segments, with fractions.
#[derive(Clone, Debug)]
pub struct Bic {
    options: Options,
    /// Window at which the search expects the loss, the peak. `None`: unknown.
    w_max: Option<f64>,
    increase: Increase,
}

const SOURCE: &str = "Xu, Harfoush & Rhee 2004";
const LOW_GROWTH: Rule = Rule::new("up to low_window: Reno's growth", SOURCE);
const SEARCH: Rule =
    Rule::new("binary search: 1/B of the way to W_max per round trip, at most S_max", SOURCE);
const PROBING: Rule = Rule::new("max probing: faster and faster away from W_max", SOURCE);
const UNKNOWN_PEAK: Rule = Rule::new(
    "W_max unknown: slow growth that gets faster, at least 1/20 per round trip",
    "Linux 6 net/ipv4/tcp_bic.c, bictcp_update",
);
const LOW_CUT: Rule = Rule::cut("halves a window of at most low_window", SOURCE);
const CUT: Rule = Rule::cut("leaves the share beta of the window; the search begins anew", SOURCE);

impl Bic {
    /// A BIC before its first loss.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, w_max: None, increase: Increase::default() }
    }

    /// Growth per round trip, segments: towards the peak below it, and away from it above (the
    /// paper's max probing).
    fn increment(&self, cwnd: f64) -> Ruled<f64> {
        let o = &self.options;
        if cwnd <= o.low_window {
            return LOW_GROWTH.gives(1.0);
        }
        let above = cwnd - self.w_max.unwrap_or(0.0);
        let (step, is_near, rule) = if above < 0.0 {
            (-above / o.divisor, -above < 2.0 * o.divisor, &SEARCH)
        } else {
            // With B = 2 the step doubles each round trip.
            (above / (o.divisor - 1.0), above < o.divisor, &PROBING)
        };
        let step = if o.smooth && is_near { o.min_increment } else { step };
        let step = step.clamp(o.min_increment, o.max_increment);
        if self.w_max.is_none() {
            UNKNOWN_PEAK.gives(step.max(FIRST_GROWTH * cwnd))
        } else {
            rule.gives(step)
        }
    }
}

impl Avoidance for Bic {
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let Ruled { answer: increment, rule } = self.increment(window.segments());
        Ruled { answer: self.increase.per_window(increment, ack, window), rule }
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let o = &self.options;
        let cwnd = window.segments();
        // Compared in whole segments, as the window is used: a peak that is lower by a fraction is
        // the same.
        let is_falling = self.w_max.is_some_and(|w_max| libm::floor(cwnd) < libm::floor(w_max));
        self.w_max = match event.signal {
            Signal::Rto => None,
            _ if is_falling && o.fast_convergence => Some(cwnd * f64::midpoint(1.0, o.beta)),
            _ => Some(cwnd),
        };
        if cwnd <= o.low_window {
            LOW_CUT.gives(window.in_bytes(cwnd * RENO_BETA))
        } else {
            CUT.gives(window.in_bytes(cwnd * o.beta))
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(w_max) = self.w_max {
            show("w_max", w_max);
        }
    }
}

/// BIC as Linux computes it (`net/ipv4/tcp_bic.c`): whole packets, and growth intervals in whole
/// acknowledged packets, which are shorter by the packets that an ACK covers.
#[derive(Clone, Debug)]
struct BicLinux {
    options: Options,
    jiffies: Jiffies,
    /// Window at which the search expects the loss, packets. Zero: unknown.
    w_max: u64,
    /// Acknowledged packets per packet of growth.
    interval: u64,
    rule: &'static Rule,
    /// Window for which the interval was computed, packets, and when, ticks.
    updated: Option<(u64, u64)>,
    /// Sixteenths of the packets that an ACK acknowledges (`delayed_ack`).
    ack_ratio: u64,
    tally: Tally,
}

/// One packet per ACK in `ack_ratio`.
const RATIO_UNIT: u64 = 16;
/// Ticks for which an unchanged window keeps its interval.
const UPDATE_TICKS: u64 = Jiffies::PER_SECOND / 32;
/// Longest interval before the first loss.
const FIRST_INTERVAL: u64 = 20;
/// Fractions of one in which Linux holds beta.
const BETA_UNIT: u64 = 1024;

impl BicLinux {
    fn new(options: Options) -> Self {
        Self {
            options,
            jiffies: Jiffies::default(),
            w_max: 0,
            interval: 0,
            rule: &UNKNOWN_PEAK,
            updated: None,
            ack_ratio: 2 * RATIO_UNIT,
            tally: Tally::default(),
        }
    }

    /// Linux's 819 for 0.8.
    fn beta(&self) -> u64 {
        integer(self.options.beta * float(BETA_UNIT))
    }

    /// `bictcp_update`.
    fn update(&mut self, cwnd: u64, now: u64) {
        if self.updated.is_some_and(|(of, at)| of == cwnd && now - at <= UPDATE_TICKS) {
            return;
        }
        self.updated = Some((cwnd, now));
        let o = &self.options;
        if float(cwnd) <= o.low_window {
            (self.interval, self.rule) = (cwnd, &LOW_GROWTH);
            return;
        }
        let (divisor, most) = (integer(o.divisor).max(2), integer(o.max_increment).max(1));
        let slowest = integer(libm::round(float(cwnd) / o.min_increment));
        self.interval = if cwnd < self.w_max {
            self.rule = &SEARCH;
            match (self.w_max - cwnd) / divisor {
                step if step > most => cwnd / most,
                0 | 1 => slowest,
                step => cwnd / step,
            }
        } else {
            self.rule = &PROBING;
            match cwnd - self.w_max {
                above if above < divisor => slowest,
                above if above < most * (divisor - 1) => cwnd * (divisor - 1) / above,
                _ => cwnd / most,
            }
        };
        if self.w_max == 0 {
            self.rule = &UNKNOWN_PEAK;
            self.interval = self.interval.min(FIRST_INTERVAL);
        }
        self.interval = (self.interval * RATIO_UNIT / self.ack_ratio.max(1)).max(1);
    }
}

impl Avoidance for BicLinux {
    fn set_up(&mut self, setup: &Setup) {
        self.jiffies = Jiffies::new(setup.clock_phase);
    }

    fn takes_rtts(&self) -> bool {
        true
    }

    fn on_rtt(&mut self, sample: &RttSample, window: &Window) -> Option<Ruled<u64>> {
        if sample.state == CaState::Open {
            self.ack_ratio += sample.acked / window.mss;
            self.ack_ratio -= (self.ack_ratio - sample.acked / window.mss) / RATIO_UNIT;
        }
        None
    }

    fn on_repeated_timeout(&mut self) {
        (self.w_max, self.updated, self.ack_ratio) = (0, None, 2 * RATIO_UNIT);
        self.tally.reset();
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        self.update(window.whole_segments(), self.jiffies.at(ack.now));
        self.rule.gives(self.tally.next_cwnd(ack.credited, window, self.interval))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.tally.reset();
        let (cwnd, beta) = (window.whole_segments(), self.beta());
        let is_falling = cwnd < self.w_max && self.options.fast_convergence;
        self.w_max = if is_falling { cwnd * (BETA_UNIT + beta) / (2 * BETA_UNIT) } else { cwnd };
        if event.signal == Signal::Rto {
            self.on_repeated_timeout();
        }
        if float(cwnd) <= self.options.low_window {
            LOW_CUT.gives(cwnd / 2 * window.mss)
        } else {
            CUT.gives(cwnd * beta / BETA_UNIT * window.mss)
        }
    }

    fn has_undo_state(&self) -> bool {
        false
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("w_max", float(self.w_max));
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let options = Options {
        beta: values.number("beta"),
        max_increment: values.number("max_increment"),
        min_increment: values.number("min_increment"),
        divisor: values.number("divisor"),
        smooth: values.flag("smooth"),
        low_window: values.number("low_window"),
        fast_convergence: values.flag("fast_convergence"),
    };
    if values.is_linux(setup) {
        Box::new(BicLinux::new(options))
    } else {
        Box::new(Bic::new(options))
    }
}

/// Catalogue entry `bic`.
pub const ENTRY: Entry = Entry {
    name: "bic",
    summary: "A binary search for the window of the last loss, and beyond it a search of the same \
              shape.",
    parameters: &[
        Parameter::number("beta", 0.8, 0.1..=0.99)
            .meaning("what is left of the window after congestion (the paper: 0.875)"),
        Parameter::quantity("max_increment", 16.0, 1.0..=1000.0, "segments")
            .meaning("largest growth per round trip (the paper: 32)"),
        Parameter::quantity("min_increment", 0.2, 0.001..=1.0, "segments")
            .meaning("smallest growth per round trip (the paper: 0.01)"),
        Parameter::number("divisor", 4.0, 1.5..=64.0)
            .meaning("a round trip goes 1/divisor of the way to the peak (the paper: 2)"),
        Parameter::flag("smooth", true)
            .meaning("the last segments before the peak at the smallest growth (the paper: false)"),
        Parameter::quantity("low_window", 14.0, 0.0..=1e6, "segments")
            .meaning("up to this window it is Reno"),
        Parameter::flag("fast_convergence", true)
            .meaning("give up more when the peak is lower than the last one"),
        Parameter::linux(
            "compute as Linux, in whole packets, and grow faster by the packets that an ACK covers",
        ),
    ],
    reference: "Xu, Harfoush & Rhee, Binary increase congestion control for fast long-distance \
                networks, INFOCOM 2004; Linux 6 net/ipv4/tcp_bic.c",
    implies: &[],
    traits: Traits {
        left: Left::Share(Term::Parameter("beta")),
        response: &[
            Law::new(
                "bic_window",
                &[
                    ("loss_rate", Term::LossRate),
                    ("left", Term::Parameter("beta")),
                    ("max_increment", Term::Parameter("max_increment")),
                    ("min_increment", Term::Parameter("min_increment")),
                    ("divisor", Term::Parameter("divisor")),
                ],
                "Xu et al. 2004",
            ),
            Law::reno_friendly("Mathis et al. 1997, BIC's low windows"),
        ],
        ..Traits::AVOIDANCE
    },
    make: Make::avoidance("classic", make),
};
