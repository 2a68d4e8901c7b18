//! Reno: RFC 5681's additive increase, multiplicative decrease.

use super::Avoidance;
use crate::entry::traits::{Law, Left, Linearised, Term};
use crate::entry::{Entry, Make, Traits};
use crate::window::{Credit, Window};
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled, Signal};

const GROWTH: Rule = Rule::new(
    "congestion avoidance: one segment more per acknowledged window",
    "RFC 5681 section 3.1",
);
const LOSS: Rule = Rule::cut("halves the window", "RFC 5681 section 3.1, equation 4");
const MARK: Rule = Rule::new("a mark halves the window as a loss does", "RFC 3168 section 6.1.2");

/// Reno's window: one segment more per acknowledged window, halved on congestion. RFC 5681 section
/// 3.1: "During congestion avoidance, cwnd is incremented by roughly 1 full-sized segment per
/// round-trip time (RTT)".
#[derive(Clone, Debug, Default)]
pub struct Reno {
    credit: Credit,
}

impl Avoidance for Reno {
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        GROWTH.gives(self.credit.per_window(ack, window, 1.0))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.credit.reset();
        // RFC 5681 equation 4 halves the flight size, Linux cwnd. The two differ only for a sender
        // that its application limits, whose window the frame does not grow.
        let rule = if event.signal == Signal::Ecn { &MARK } else { &LOSS };
        rule.gives(window.less_share(0.5))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("credit", self.credit.bytes());
    }

    fn has_undo_state(&self) -> bool {
        false
    }
}

const MAKE: Make = Make::avoidance("classic", |_, _| Box::new(Reno::default()));

/// One flow alone at a tail-drop queue makes a sawtooth.
const SAWTOOTH: Traits = Traits {
    utilisation: Some(Law::new(
        "reno_utilisation",
        &[("buffer_bdp", Term::Buffer)],
        "Reno's sawtooth, theory reno_utilisation",
    )),
    linearised: Linearised::Law(Law::new(
        "aimd",
        &[("increase", Term::Number(1.0)), ("decrease", Term::Number(0.5))],
        "RFC 5681",
    )),
    ..Traits::RENO
};

/// Catalogue entry `reno`.
pub const ENTRY: Entry = Entry {
    name: "reno",
    summary: "One segment per round trip, halved on congestion; loss detection as the profile has \
              it.",
    parameters: &[],
    reference: "RFC 5681",
    implies: &[],
    traits: SAWTOOTH,
    make: MAKE,
};

/// `tahoe`: Reno's window with Tahoe's recovery.
pub const TAHOE: Entry = Entry {
    name: "tahoe",
    summary: "Reno's growth; three duplicate ACKs send it back to a window of one segment and \
              slow start.",
    parameters: &[],
    reference: "Jacobson, Congestion Avoidance and Control, SIGCOMM 1988",
    implies: &[("loss_detection", "dupack"), ("dupack_recovery", "tahoe")],
    traits: Traits { left: Left::Segment, ..Traits::RENO },
    make: MAKE,
};

/// `newreno`: Reno's window with `NewReno`'s recovery.
pub const NEWRENO: Entry = Entry {
    name: "newreno",
    summary: "Reno's growth; fast recovery without SACK lasts until all that was outstanding is \
              acknowledged.",
    parameters: &[],
    reference: "RFC 6582",
    implies: &[("loss_detection", "dupack"), ("dupack_recovery", "newreno")],
    traits: SAWTOOTH,
    make: MAKE,
};
