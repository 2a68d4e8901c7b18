//! Additive increase, multiplicative decrease with any two constants (Chiu & Jain 1989).

use super::Avoidance;
use crate::cast::{float, integer};
use crate::entry::traits::{Law, Left, Linearised, Term};
use crate::entry::{Entry, Make, Parameter, Traits};
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled};

const SOURCE: &str = "Chiu & Jain 1989";
const GROWTH: Rule =
    Rule::new("additive increase: a segments more per acknowledged window", SOURCE);
const CUT: Rule = Rule::cut("takes the share b of the window", SOURCE);

/// AIMD(a, b): the window grows by `increase` segments for each acknowledged window, and congestion
/// takes the share `decrease`.
#[derive(Clone, Debug)]
pub struct Aimd {
    increase: f64,
    decrease: f64,
    growth: Increase,
}

impl Aimd {
    /// AIMD with a = `increase` segments and b = `decrease`.
    #[must_use]
    pub fn new(increase: f64, decrease: f64) -> Self {
        Self { increase, decrease, growth: Increase::default() }
    }
}

impl Avoidance for Aimd {
    // Growth and cut are exact to the byte. Rounded to whole segments, as Reno's are, small values
    // would not be a and b.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        // A round trip acknowledges whole segments.
        let bytes = self.increase * float(ack.credited) / float(window.whole_segments());
        GROWTH.gives(self.growth.add(bytes, window))
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        CUT.gives(integer(float(window.cwnd) * (1.0 - self.decrease)))
    }
}

/// Catalogue entry `aimd`.
pub const ENTRY: Entry = Entry {
    name: "aimd",
    summary: "a segments per round trip, the share b of the window given up on congestion; Reno's \
              law with a=1, b=0.5.",
    parameters: &[
        Parameter::quantity("a", 1.0, 0.001..=1000.0, "segments").meaning("growth per round trip"),
        Parameter::number("b", 0.5, 0.001..=0.99)
            .meaning("share of the window that congestion takes"),
    ],
    reference: "Chiu & Jain, Analysis of the increase and decrease algorithms for congestion \
                avoidance, Computer Networks 17, 1989; Floyd, Handley & Padhye, A comparison of \
                equation-based and AIMD congestion control, 2000",
    implies: &[],
    traits: Traits {
        left: Left::Share(Term::Rest("b")),
        response: &[Law::new(
            "aimd_random_window",
            &[
                ("loss_rate", Term::LossRate),
                ("increase", Term::ParameterPerAck("a")),
                ("decrease", Term::Parameter("b")),
            ],
            "Ott et al. 1996, AIMD(a, b)",
        )],
        linearised: Linearised::Law(Law::new(
            "aimd",
            &[("increase", Term::Parameter("a")), ("decrease", Term::Parameter("b"))],
            "Chiu & Jain 1989",
        )),
        ..Traits::AVOIDANCE
    },
    make: Make::avoidance("classic", |values, _| {
        Box::new(Aimd::new(values.number("a"), values.number("b")))
    }),
};
