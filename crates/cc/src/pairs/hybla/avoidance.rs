//! Hybla's avoidance: rho^2 segments per round trip, so that the window grows as fast per second as
//! on the reference path.

use super::{REFERENCE, RTT0, rho};
use crate::avoidance::Avoidance;
use crate::entry::traits::{Left, Term};
use crate::entry::{Entry, Make, Traits};
use crate::window::{Credit, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled};

/// Growth by rho^2 segments per round trip, halved on congestion.
#[derive(Clone, Debug)]
pub struct Hybla {
    rtt0: Duration,
    rho: f64,
    credit: Credit,
}

const SOURCE: &str = "Caini & Firrincieli 2004, equation 6";
const GROWTH: Rule =
    Rule::new("rho^2 segments more per acknowledged window, with rho = RTT / RTT0", SOURCE);
const CUT: Rule = Rule::cut("halves the window", SOURCE);

impl Hybla {
    /// A Hybla that imitates a path with the RTT `rtt0`.
    #[must_use]
    pub fn new(rtt0: Duration) -> Self {
        Self { rtt0, rho: 1.0, credit: Credit::default() }
    }
}

impl Avoidance for Hybla {
    // Equation 6 of the paper, second line: rho^2 / cwnd for each acknowledged segment.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        self.rho = rho(ack.min_rtt, self.rtt0);
        GROWTH.gives(self.credit.per_window(ack, window, self.rho * self.rho))
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.credit.reset();
        CUT.gives(window.less_share(0.5))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("rho", self.rho);
    }

    fn has_undo_state(&self) -> bool {
        false
    }
}

/// Catalogue entry `hybla`.
pub const ENTRY: Entry = Entry {
    name: "hybla",
    summary: "Grows (RTT/25 ms)^2 times as fast as Reno: the same rate at any RTT; alone it \
              brings hybla-start.",
    parameters: &[RTT0],
    reference: REFERENCE,
    implies: &[],
    traits: Traits { left: Left::Share(Term::Number(0.5)), ..Traits::AVOIDANCE },
    make: Make::avoidance("hybla-start", |values, _| {
        Box::new(Hybla::new(values.milliseconds("rtt0")))
    }),
};
