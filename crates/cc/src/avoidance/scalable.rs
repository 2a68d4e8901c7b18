//! Scalable TCP (Kelly 2003): the window grows by a share of the acknowledged bytes, so that
//! recovery takes the same number of round trips at any rate.

use super::Avoidance;
use crate::cast::{float, integer};
use crate::entry::traits::{Law, Left, Linearised, Term};
use crate::entry::{Entry, Make, Parameter, Traits};
use crate::window::{Credit, Tally, Window};
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled};

const SOURCE: &str = "Kelly 2003";
const LEGACY_GROWTH: Rule = Rule::new("up to legacy_window: Reno's growth", SOURCE);
const GROWTH: Rule =
    Rule::new("multiplicative increase: a segments per segment acknowledged", SOURCE);
const LEGACY_CUT: Rule = Rule::cut("halves a window of at most legacy_window", SOURCE);
const CUT: Rule = Rule::cut("takes the share b of the window", SOURCE);

/// Multiplicative increase, multiplicative decrease.
#[derive(Clone, Debug)]
pub struct Scalable {
    increase: f64,
    decrease: f64,
    legacy_window: f64,
    credit: Credit,
    /// Growth as Linux counts it (`net/ipv4/tcp_scalable.c`): Reno's where that is faster, and no
    /// other rules for small windows.
    linux: Option<Tally>,
}

impl Scalable {
    /// Scalable TCP with growth a = `increase` and cut b = `decrease`, and Reno's rules up to
    /// `legacy_window` segments; `linux`: as Linux has it.
    #[must_use]
    pub fn new(increase: f64, decrease: f64, legacy_window: f64, linux: bool) -> Self {
        let linux = linux.then(Tally::default);
        Self { increase, decrease, legacy_window, credit: Credit::default(), linux }
    }

    fn is_legacy(&self, window: &Window) -> bool {
        self.linux.is_none() && float(window.whole_segments()) <= self.legacy_window
    }
}

impl Avoidance for Scalable {
    // The paper's increase: cwnd grows by a for each acknowledged segment.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        if let Some(tally) = &mut self.linux {
            let price = window.whole_segments().min(integer(1.0 / self.increase));
            return GROWTH.gives(tally.next_cwnd(ack.credited, window, price));
        }
        if self.is_legacy(window) {
            LEGACY_GROWTH.gives(self.credit.per_window(ack, window, 1.0))
        } else {
            GROWTH.gives(self.credit.next_cwnd(ack, window, 1.0 / self.increase))
        }
    }

    // The paper's decrease: cwnd falls by ceil(b cwnd), which leaves cwnd (1 - b) rounded down.
    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.credit.reset();
        if let Some(tally) = &mut self.linux {
            tally.reset();
            let segments = window.whole_segments();
            let given_up = integer(float(segments) * self.decrease);
            return CUT.gives((segments - given_up) * window.mss);
        }
        if self.is_legacy(window) {
            LEGACY_CUT.gives(window.less_share(0.5))
        } else {
            CUT.gives(window.less_share(self.decrease))
        }
    }

    // The credit is all that an undo could restore, and it is less than a segment.
    fn has_undo_state(&self) -> bool {
        false
    }
}

/// Catalogue entry `scalable`.
pub const ENTRY: Entry = Entry {
    name: "scalable",
    summary: "Grows by the share a of what is acknowledged and gives up the share b: recovers in \
              the same number of round trips at any rate.",
    parameters: &[
        Parameter::quantity("a", 0.01, 1e-5..=1.0, "segments")
            .meaning("growth per segment acknowledged"),
        Parameter::number("b", 0.125, 0.001..=0.99)
            .meaning("share of the window that congestion takes, in segments rounded up"),
        Parameter::quantity("legacy_window", 16.0, 0.0..=1e6, "segments")
            .meaning("largest window with Reno's rules"),
        Parameter::linux(
            "as Linux: never slower than Reno, the cut rounded down, and no legacy_window",
        ),
    ],
    reference: "Kelly, Scalable TCP: improving performance in highspeed wide area networks, CCR \
                33(2), 2003; Linux 6 net/ipv4/tcp_scalable.c",
    implies: &[],
    traits: Traits {
        left: Left::Share(Term::Rest("b")),
        response: &[Law::new(
            "scalable_window",
            &[
                ("loss_rate", Term::LossRate),
                ("increase", Term::Parameter("a")),
                ("decrease", Term::Parameter("b")),
            ],
            "Kelly 2003, a/(p ln(1/(1-b)))",
        )],
        linearised: Linearised::Law(Law::new(
            "scalable",
            &[("a", Term::Parameter("a")), ("b", Term::Parameter("b"))],
            "Kelly 2003",
        )),
        ..Traits::AVOIDANCE
    },
    make: Make::avoidance("classic", |values, setup| {
        Box::new(Scalable::new(
            values.number("a"),
            values.number("b"),
            values.number("legacy_window"),
            values.is_linux(setup),
        ))
    }),
};
