//! FAST TCP (Wei, Jin, Low & Hegde 2006; draft-jin-wei-low-tcp-fast-01): the window follows an
//! equation whose solution keeps alpha packets queued at any RTT.

use super::Avoidance;
use crate::entry::traits::{Law, Linearised, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::BaseRtt;
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled, Setup, Time};

/// Largest weight of a sample in the average RTT. In large windows the weight is [`SAMPLES`] per
/// window.
const MAX_WEIGHT: f64 = 0.25;
/// Samples of a window that the average RTT follows.
const SAMPLES: f64 = 3.0;

/// FAST's periodic update of the window.
#[derive(Clone, Debug)]
pub struct Fast {
    alpha: f64,
    gain: f64,
    base_rtt: BaseRtt,
    /// Round trips from update to update.
    period: u64,
    /// Average RTT, seconds.
    rtt: Option<f64>,
    /// Round in which the window was last updated.
    updated: u64,
    round: u64,
}

const SOURCE: &str = "draft-jin-wei-low-tcp-fast-01 section 4.1";
const UPDATE: Rule =
    Rule::new("update: w = min(2w, (1 - gamma) w + gamma (baseRTT / RTT w + alpha))", SOURCE);
const WAITING: Rule = Rule::new("the window waits for its next periodic update", SOURCE);
const CUT: Rule = Rule::cut("halves the window", "RFC 5681 section 3.1, equation 4");

impl Fast {
    /// A FAST that keeps `alpha` packets queued. Every `period` round trips it goes the part `gain`
    /// (the paper's gamma) of the way there.
    #[must_use]
    pub fn new(alpha: f64, gain: f64, period: u64) -> Self {
        Self { alpha, gain, base_rtt: BaseRtt::default(), period, rtt: None, updated: 0, round: 0 }
    }
}

impl Avoidance for Fast {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.updated = self.round;
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.round = ack.round.count;
        self.base_rtt.observe(ack);
        let Some(sample) = ack.rtt_sample.map(crate::Duration::as_secs_f64) else {
            return;
        };
        // Section 5.2 of the draft, which has a bound of 1/8.
        let weight = (SAMPLES / window.segments()).min(MAX_WEIGHT);
        self.rtt = Some(self.rtt.map_or(sample, |rtt| rtt + weight * (sample - rtt)));
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        if ack.round.count < self.updated + self.period {
            return WAITING.gives(window.cwnd);
        }
        self.updated = ack.round.count;
        let w = window.segments();
        let base = self.base_rtt.get().as_secs_f64();
        let share = self.rtt.filter(|rtt| *rtt > base).map_or(1.0, |rtt| base / rtt);
        // Section 4.1 of the draft, which has a gain of 1/2.
        let next = (2.0 * w).min((1.0 - self.gain) * w + self.gain * (share * w + self.alpha));
        UPDATE.gives(window.in_bytes(next).max(window.mss))
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        CUT.gives(window.whole_segments() / 2 * window.mss)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(rtt) = self.rtt {
            show("fast_rtt", rtt);
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(Fast::new(values.number("alpha"), values.number("gain"), values.whole("period")))
}

/// Catalogue entry `fast`.
pub const ENTRY: Entry = Entry {
    name: "fast",
    summary: "Keeps alpha packets queued, whatever the RTT, moving half of the way there each \
              second round trip.",
    parameters: &[
        Parameter::quantity("alpha", 20.0, 0.1..=1e6, "packets").meaning("how many to keep queued"),
        Parameter::number("gain", 0.5, 0.001..=1.0)
            .meaning("part of the way that an update goes: gamma of the paper"),
        Parameter::quantity("period", 2.0, 1.0..=100.0, "RTTs").meaning("from update to update"),
    ],
    reference: "Wei, Jin, Low & Hegde, FAST TCP: motivation, architecture, algorithms, \
                performance, IEEE/ACM ToN 14(6), 2006; draft-jin-wei-low-tcp-fast-01",
    implies: &[],
    traits: Traits {
        linearised: Linearised::Law(Law::new(
            "fast",
            &[
                ("alpha", Term::Parameter("alpha")),
                ("gain", Term::Parameter("gain")),
                ("period", Term::Parameter("period")),
            ],
            "Jacobsson et al. 2009",
        )),
        ..Traits::DELAY_BASED
    },
    make: Make::avoidance("vegas-start", make),
};
