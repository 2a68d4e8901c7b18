//! Stabilised Vegas: the equilibrium of Vegas, reached by steps that shrink near it and see the
//! queue coming.

use core::f64::consts::FRAC_2_PI;

use super::{GAMMA, MIN_SAMPLES};
use crate::avoidance::Avoidance;
use crate::entry::traits::{Law, Linearised, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{BaseRtt, RoundTrip, RoundTrips, backlog};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled, Setup, Time};

/// Choe & Low's control law for a window.
///
/// The paper's law is for a rate: x' = (2 / (pi T^2)) atan(eta (1 - x q / alpha - kappa q')). For a
/// window W and b = x q queued packets it becomes: once per round trip, W changes by (2 / pi)
/// atan(mu (alpha - b - a W q')). A step is less than one packet. The gains are eta = mu alpha and
/// kappa = a W / alpha, so that the loop around the equilibrium depends on mu and a alone, not on
/// the rate, the delay or the number of flows.
#[derive(Clone, Debug)]
pub struct StabilisedVegas {
    /// Packets to keep queued.
    alpha: f64,
    /// Steepness around the equilibrium.
    mu: f64,
    /// Weight of the queue's slope: how many round trips the law looks ahead.
    a: f64,
    base_rtt: BaseRtt,
    rounds: RoundTrips,
    /// Round trip that the present ACK ended.
    ended: Option<RoundTrip>,
    /// RTT of the round before, and the instant at which that round ended.
    before: Option<(Duration, Time)>,
    diff: f64,
}

const SOURCE: &str = "Choe & Low 2003";
const STEP: Rule =
    Rule::new("a step of 2/pi atan(mu (alpha - queued - a w q')) packets per round trip", SOURCE);
const WAITING: Rule =
    Rule::new("the window changes once per round trip, and this one goes on", SOURCE);
const CUT: Rule = Rule::cut("halves the window", SOURCE);

impl StabilisedVegas {
    /// A Stabilised Vegas that keeps `alpha` packets queued, with gains `mu` and `a`.
    #[must_use]
    pub fn new(alpha: f64, mu: f64, a: f64) -> Self {
        Self {
            alpha,
            mu,
            a,
            base_rtt: BaseRtt::default(),
            rounds: RoundTrips::default(),
            ended: None,
            before: None,
            diff: 0.0,
        }
    }

    /// Change of the window for a round, packets.
    fn step(&mut self, round: &RoundTrip, ack: &AckEvent, window: &Window) -> f64 {
        if round.samples < MIN_SAMPLES {
            return 1.0;
        }
        let rtt = round.min;
        self.diff = backlog(window.segments(), rtt, self.base_rtt.get());
        let slope = self.before.map_or(0.0, |(rtt_before, then)| {
            let elapsed = ack.now.since(then).as_secs_f64();
            if elapsed > 0.0 {
                (rtt.as_secs_f64() - rtt_before.as_secs_f64()) / elapsed
            } else {
                0.0
            }
        });
        self.before = Some((rtt, ack.now));
        FRAC_2_PI
            * libm::atan(self.mu * (self.alpha - self.diff - self.a * window.segments() * slope))
    }
}

impl Avoidance for StabilisedVegas {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.rounds.restart();
        self.before = None;
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.base_rtt.observe(ack);
        self.ended = self.rounds.on_ack(ack);
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let Some(round) = self.ended else {
            return WAITING.gives(window.cwnd);
        };
        let step = self.step(&round, ack, window);
        STEP.gives(window.in_bytes(window.segments() + step).max(window.smallest()))
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        CUT.gives(window.whole_segments() / 2 * window.mss)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("vegas_diff", self.diff);
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(StabilisedVegas::new(values.number("alpha"), values.number("mu"), values.number("a")))
}

/// Catalogue entry `stabilised-vegas`.
pub const ENTRY: Entry = Entry {
    name: "stabilised-vegas",
    summary: "Vegas's equilibrium with steps of less than a packet that also follow the queue's \
              slope, for long delays.",
    parameters: &[
        Parameter::quantity("alpha", 3.0, 0.1..=1e6, "packets").meaning("how many to keep queued"),
        GAMMA,
        Parameter::number("mu", 0.3, 0.001..=10.0).meaning("gain around the equilibrium"),
        Parameter::quantity("a", 2.0, 0.0..=20.0, "RTTs")
            .meaning("how far the queue's slope looks ahead"),
    ],
    reference: "Choe & Low, Stabilized Vegas, INFOCOM 2003",
    implies: &[],
    traits: Traits {
        linearised: Linearised::Law(Law::new(
            "stabilised_vegas",
            &[
                ("alpha", Term::Parameter("alpha")),
                ("mu", Term::Parameter("mu")),
                ("a", Term::Parameter("a")),
            ],
            "Choe & Low 2003",
        )),
        ..Traits::DELAY_BASED
    },
    make: Make::avoidance("vegas-start", make),
};
