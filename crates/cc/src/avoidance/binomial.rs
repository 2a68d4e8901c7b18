//! Binomial congestion control (Bansal & Balakrishnan 2001): growth and cut are powers of the
//! window.

use super::Avoidance;
use crate::cast::float;
use crate::entry::traits::{Law, Linearised, Term};
use crate::entry::{Entry, Make, Parameter, Traits};
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled};

const GROWTH: Rule = Rule::new(
    "the window w grows by alpha / w^k segments per round trip",
    "Bansal & Balakrishnan 2001, rule I",
);
const CUT: Rule = Rule::cut("takes beta w^l segments", "Bansal & Balakrishnan 2001, rule D");

/// The window w grows by alpha / w^k segments per round trip, and congestion takes beta w^l
/// segments.
#[derive(Clone, Debug)]
pub struct Binomial {
    k: f64,
    l: f64,
    alpha: f64,
    beta: f64,
    growth: Increase,
}

impl Binomial {
    /// The binomial algorithm of these exponents and scales.
    #[must_use]
    pub fn new(k: f64, l: f64, alpha: f64, beta: f64) -> Self {
        Self { k, l, alpha, beta, growth: Increase::default() }
    }
}

impl Avoidance for Binomial {
    // Rule I of the paper: w grows by alpha / w^k in a round trip, hence by alpha / w^(k+1) for
    // each acknowledged segment.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let bytes = self.alpha * float(ack.credited) / libm::pow(window.segments(), self.k + 1.0);
        GROWTH.gives(self.growth.add(bytes, window))
    }

    // Rule D of the paper: w falls by beta w^l. Fractions count: a cut by two thirds of a segment
    // must not become a cut by a whole one.
    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let w = window.segments();
        CUT.gives(window.in_bytes(w - self.beta * libm::pow(w, self.l)))
    }
}

/// Catalogue entry `binomial`.
pub const ENTRY: Entry = Entry {
    name: "binomial",
    summary: "alpha / w^k segments per round trip, beta w^l given up on congestion: SQRT \
              (k=l=0.5), IIAD (k=1, l=0), AIMD (k=0, l=1).",
    parameters: &[
        Parameter::number("k", 0.5, -1.0..=4.0)
            .meaning("growth falls with this power of the window; k + l = 1 is TCP-compatible"),
        Parameter::number("l", 0.5, 0.0..=1.0)
            .meaning("the cut rises with this power of the window"),
        Parameter::quantity("alpha", 1.0, 0.001..=1000.0, "segments")
            .meaning("growth per round trip at a window of one segment"),
        Parameter::quantity("beta", 0.667, 0.001..=1000.0, "segments").meaning(
            "cut at a window of one segment; two thirds of alpha gives Reno's rate where \
                      k + l = 1",
        ),
    ],
    reference: "Bansal & Balakrishnan, Binomial congestion control algorithms, INFOCOM 2001",
    implies: &[],
    traits: Traits {
        response: &[Law::new(
            "binomial_window",
            &[
                ("loss_rate", Term::LossRate),
                ("k", Term::Parameter("k")),
                ("l", Term::Parameter("l")),
                ("alpha", Term::ParameterPerAck("alpha")),
                ("beta", Term::Parameter("beta")),
            ],
            "Bansal & Balakrishnan 2001, (alpha/(beta p))^(1/(k+l+1))",
        )],
        linearised: Linearised::Law(Law::new(
            "binomial",
            &[
                ("k", Term::Parameter("k")),
                ("l", Term::Parameter("l")),
                ("alpha", Term::Parameter("alpha")),
                ("beta", Term::Parameter("beta")),
            ],
            "Bansal & Balakrishnan 2001",
        )),
        ..Traits::AVOIDANCE
    },
    make: Make::avoidance("classic", |values, _| {
        Box::new(Binomial::new(
            values.number("k"),
            values.number("l"),
            values.number("alpha"),
            values.number("beta"),
        ))
    }),
};
