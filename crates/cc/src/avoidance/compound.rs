//! Compound TCP (Tan, Song, Zhang & Sridharan, INFOCOM 2006; draft-sridharan-tcpm-ctcp): the sum of
//! Reno's window and a delay window, which fills an empty path and yields to a queue.

use super::Avoidance;
use crate::entry::traits::{Law, Left, Linearised, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{BaseRtt, RoundTrip, RoundTrips, backlog};
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled, Setup, Signal, Time};

/// RTT samples that a round needs to be judged. With fewer, all may be of delayed ACKs.
const MIN_SAMPLES: u32 = 3;
/// Share of Reno's own backlog at a loss towards which gamma moves. A gamma above that backlog
/// would hide a queue of Compound's own making (section 5 of the draft, tuning by emulation).
const GAMMA_SHARE: f64 = 0.75;

/// Parameters of the paper. The draft (section 3) calls zeta eta.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Scale of the delay window's growth.
    pub alpha: f64,
    /// Share of the window that a loss takes.
    pub beta: f64,
    /// Exponent of the delay window's growth.
    pub k: f64,
    /// Share of the backlog by which the delay window yields, per round trip.
    pub zeta: f64,
    /// Backlog from which there is a queue, segments. The flow begins with it and never goes above
    /// it.
    pub gamma: f64,
    /// Least value of gamma, segments.
    pub gamma_low: f64,
    /// Weight of a new sample of gamma. Zero: gamma stays.
    pub lambda: f64,
    /// Smallest window with a delay window, segments.
    pub low_window: f64,
}

/// Compound TCP. Windows are in segments, with fractions.
#[derive(Clone, Debug)]
pub struct Compound {
    options: Options,
    /// Delay window. The rest of the window is Reno's.
    dwnd: f64,
    /// Backlog from which there is a queue, segments, as tuned so far.
    gamma: f64,
    /// Whether the last round showed no queue.
    is_free: bool,
    /// Backlog of Reno's part alone in the last round. `None`: already used for tuning.
    reno_backlog: Option<f64>,
    was_cut: bool,
    ended: Option<RoundTrip>,
    base_rtt: BaseRtt,
    rounds: RoundTrips,
    increase: Increase,
}

const SOURCE: &str = "Tan, Song, Zhang & Sridharan 2006; draft-sridharan-tcpm-ctcp-02 section 3";
const RENO: Rule = Rule::new("Reno's window alone grows, by one segment per round trip", SOURCE);
const NO_QUEUE: Rule = Rule::new(
    "no queue: Reno's segment and the delay window's alpha w^k - 1 more per round trip",
    SOURCE,
);
const YIELDING: Rule =
    Rule::new("gamma segments or more are queued: the delay window yields", SOURCE);
const CUT: Rule = Rule::cut("takes the share beta of the window; Reno's part is halved", SOURCE);
const TIMEOUT: Rule = Rule::cut("halves the window and ends the delay window", SOURCE);

impl Compound {
    /// A Compound before its first round trip.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            dwnd: 0.0,
            gamma: options.gamma,
            is_free: false,
            reno_backlog: None,
            was_cut: false,
            ended: None,
            base_rtt: BaseRtt::default(),
            rounds: RoundTrips::default(),
            increase: Increase::default(),
        }
    }

    /// Judges a round. Where it shows a queue, the delay window shrinks to (dwnd - zeta diff)+.
    fn end_round(&mut self, round: &RoundTrip, cwnd: f64) {
        let base_rtt = self.base_rtt.get();
        let diff = backlog(cwnd, round.min, base_rtt);
        self.reno_backlog = Some(backlog(cwnd - self.dwnd, round.min, base_rtt));
        self.is_free = diff < self.gamma;
        if !self.is_free {
            self.dwnd = (self.dwnd - self.options.zeta * diff).max(0.0);
        }
    }

    /// Growth of the delay window, segments per round trip: (alpha win^k - 1)+. The paper adds it
    /// at once; here it is spread over the round.
    fn delay_growth(&self, cwnd: f64) -> f64 {
        let o = &self.options;
        if self.is_free && cwnd >= o.low_window {
            (o.alpha * libm::pow(cwnd, o.k) - 1.0).max(0.0)
        } else {
            0.0
        }
    }

    fn tune_gamma(&mut self) {
        if let Some(reno) = self.reno_backlog.take() {
            let o = &self.options;
            let gamma = (1.0 - o.lambda) * self.gamma + o.lambda * GAMMA_SHARE * reno;
            self.gamma = gamma.clamp(o.gamma_low.min(o.gamma), o.gamma);
        }
    }
}

impl Avoidance for Compound {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.ended = None;
        if !self.was_cut {
            self.dwnd = 0.0;
        }
        self.was_cut = false;
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.base_rtt.observe(ack);
        let ended = self.rounds.on_ack(ack).filter(|round| round.samples >= MIN_SAMPLES);
        self.ended = ended.or(self.ended);
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let cwnd = window.segments();
        if let Some(round) = self.ended.take() {
            let before = self.dwnd;
            self.end_round(&round, cwnd);
            if cwnd < self.options.low_window {
                self.dwnd = 0.0;
            } else if self.dwnd < before {
                return YIELDING.gives(window.in_bytes(cwnd - before + self.dwnd));
            }
        }
        let growth = self.delay_growth(cwnd);
        let after = self.increase.per_window(1.0 + growth, ack, window);
        self.dwnd +=
            (Window { cwnd: after, ..*window }.segments() - cwnd) * growth / (1.0 + growth);
        let rule = if growth > 0.0 { &NO_QUEUE } else { &RENO };
        rule.gives(after)
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let cwnd = window.segments();
        self.tune_gamma();
        self.rounds.restart();
        self.was_cut = true;
        let reno = (cwnd - self.dwnd).max(0.0) / 2.0;
        let left = (cwnd * (1.0 - self.options.beta)).max(reno);
        if event.signal == Signal::Rto {
            // Section 3 of the draft: after a timeout there is no delay window, and the path may
            // have changed.
            self.dwnd = 0.0;
            self.base_rtt = BaseRtt::default();
            return TIMEOUT.gives(window.in_bytes(left));
        }
        self.dwnd = left - reno;
        CUT.gives(window.in_bytes(left))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("dwnd", self.dwnd);
        show("gamma", self.gamma);
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(Compound::new(Options {
        alpha: values.number("alpha"),
        beta: values.number("beta"),
        k: values.number("k"),
        zeta: values.number("zeta"),
        gamma: values.number("gamma"),
        gamma_low: values.number("gamma_low"),
        lambda: values.number("lambda"),
        low_window: values.number("low_window"),
    }))
}

/// Catalogue entry `compound`.
pub const ENTRY: Entry = Entry {
    name: "compound",
    summary: "Reno's window and beside it one that fills an empty path fast and gives way to a \
              queue.",
    parameters: &[
        Parameter::number("alpha", 0.125, 0.001..=1.0)
            .meaning("scale of the delay window's growth"),
        Parameter::number("beta", 0.5, 0.01..=0.9).meaning("share of the window that a loss takes"),
        Parameter::number("k", 0.75, 0.0..=1.0).meaning("exponent of its growth"),
        Parameter::number("zeta", 1.0, 0.01..=10.0)
            .meaning("share of the backlog by which it gives way, per round trip"),
        Parameter::quantity("gamma", 30.0, 1.0..=1e6, "segments")
            .meaning("backlog that counts as a queue: at first, and at most"),
        Parameter::quantity("gamma_low", 5.0, 0.0..=1e6, "segments")
            .meaning("least backlog that counts as a queue"),
        Parameter::number("lambda", 0.8, 0.0..=1.0)
            .meaning("weight of a new sample of gamma, taken at each loss; 0: gamma stays"),
        Parameter::quantity("low_window", 38.0, 0.0..=1e6, "segments")
            .meaning("below this window it is Reno"),
    ],
    reference: "Tan, Song, Zhang & Sridharan, A Compound TCP approach for high-speed and long \
                distance networks, INFOCOM 2006; draft-sridharan-tcpm-ctcp-02",
    implies: &[],
    traits: Traits {
        left: Left::Share(Term::Rest("beta")),
        response: &[Law::new(
            "compound_window",
            &[
                ("loss_rate", Term::LossRate),
                ("alpha", Term::Parameter("alpha")),
                ("k", Term::Parameter("k")),
                ("left", Term::Rest("beta")),
            ],
            "Tan et al. 2006",
        )],
        linearised: Linearised::Law(Law::new(
            "compound",
            &[
                ("alpha", Term::Parameter("alpha")),
                ("k", Term::Parameter("k")),
                ("beta", Term::Parameter("beta")),
            ],
            "Tan et al. 2006",
        )),
        ..Traits::AVOIDANCE
    },
    make: Make::avoidance("classic", make),
};
