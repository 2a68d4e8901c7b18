//! Hybla's avoidance: rho^2 segments per round trip, so that the window grows as fast per second as
//! on the reference path.

use super::{LINUX, REFERENCE, RTT0, StepLinux, UNIT, rho, steps};
use crate::avoidance::Avoidance;
use crate::cast::float;
use crate::entry::traits::{Left, Term};
use crate::entry::{Entry, Make, Traits, Values};
use crate::window::{Credit, Tally, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled, Setup};

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

const INITIAL: Rule =
    Rule::new("the initial window is rho segments", "Linux 6 net/ipv4/tcp_hybla.c, hybla_init");

/// Hybla as Linux computes it.
#[derive(Clone, Debug)]
struct HyblaLinux {
    step: StepLinux,
    /// ACKs since the window last grew, where steps are less than a packet.
    acks: u64,
    tally: Tally,
}

impl Avoidance for HyblaLinux {
    fn on_handshake(&mut self, rtt: Duration) -> Option<Ruled<u64>> {
        self.step.observe(rtt);
        Some(INITIAL.gives(self.step.rho / 8))
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.step.observe(ack.srtt);
        // What slow start's steps leave of a packet goes on to the avoidance's.
        if steps(ack) && window.ssthresh.is_none_or(|ssthresh| window.cwnd < ssthresh) {
            self.step.packets(self.step.in_slow_start());
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        if !steps(ack) {
            return GROWTH.gives(self.tally.reno(ack.credited, window));
        }
        let cwnd = window.whole_segments();
        let step = self.step.in_avoidance(cwnd);
        let mut packets = self.step.packets(step);
        self.acks = if packets > step / UNIT { 0 } else { self.acks + u64::from(step < UNIT) };
        if step == 0 && self.acks >= cwnd {
            (packets, self.acks) = (1, 0);
        }
        GROWTH.gives(window.cwnd + packets * window.mss)
    }

    fn takes_rest(&self) -> bool {
        false
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.tally.reset();
        self.acks = 0;
        CUT.gives(window.less_share(0.5))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("rho", float(self.step.rho) / 8.0);
    }

    fn has_undo_state(&self) -> bool {
        false
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let rtt0 = values.milliseconds("rtt0");
    if values.is_linux(setup) {
        Box::new(HyblaLinux { step: StepLinux::new(rtt0), acks: 0, tally: Tally::default() })
    } else {
        Box::new(Hybla::new(rtt0))
    }
}

/// Catalogue entry `hybla`.
pub const ENTRY: Entry = Entry {
    name: "hybla",
    summary: "Grows (RTT/25 ms)^2 times as fast as Reno: the same rate at any RTT; alone it \
              brings hybla-start.",
    parameters: &[RTT0, LINUX],
    reference: REFERENCE,
    implies: &[],
    traits: Traits { left: Left::Share(Term::Number(0.5)), ..Traits::AVOIDANCE },
    make: Make::avoidance("hybla-start", make),
};
