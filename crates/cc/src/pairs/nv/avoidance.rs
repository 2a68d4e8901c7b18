//! NV's avoidance (Linux 6, `tcp_nv.c`): the window that the measured rate needs on the empty path,
//! and a few packets.

use rand_core::Rng as _;

use super::estimate::{Estimate, Verdict};
use super::{PAD, RESET_PERIOD};
use crate::avoidance::Avoidance;
use crate::cast::{float, integer};
use crate::entry::{Entry, Make, Traits, Values};
use crate::window::{Credit, Window};
use crate::{AckEvent, CongestionEvent, Rng, Rule, Ruled, Signal};

/// Share of the window that a loss leaves (`nv_loss_dec_factor`).
const LOSS_FACTOR: f64 = 819.0 / 1024.0;
/// Largest n of a growth by a packet per 2^n windows. n rises by one with each timeout, and falls
/// by one after [`DECISIONS_TO_RECOVER`] decisions to grow.
const SLOWEST: u32 = 8;
const DECISIONS_TO_RECOVER: u32 = 8;
/// Least number of acknowledged segments for a segment of growth.
const MIN_PRICE: u64 = 4;

/// NV's congestion avoidance.
#[derive(Clone, Debug)]
pub struct Nv {
    estimate: Estimate,
    may_grow: bool,
    /// n of a growth by a packet per 2^n windows.
    slowness: u32,
    /// Decisions to grow since `slowness` last changed.
    calm: u32,
    /// ssthresh of the last decision to shrink, bytes: the largest useful window.
    largest: Option<u64>,
    credit: Credit,
}

const SOURCE: &str = "Brakmo 2015; Linux 6 net/ipv4/tcp_nv.c, tcpnv_acked";
const SHRINK: Rule = Rule::new(
    "the window is beyond what the best rate needs on the empty path: it shrinks",
    SOURCE,
);
const NO_GROWTH: Rule = Rule::new("enough is queued: no growth until a round shows room", SOURCE);
const GROWTH: Rule = Rule::new(
    "room on the path: one segment more per 2^n acknowledged windows",
    "Linux 6 net/ipv4/tcp_nv.c, tcpnv_cong_avoid",
);
const CUT: Rule =
    Rule::cut("leaves 80 % of the window", "Linux 6 net/ipv4/tcp_nv.c, tcpnv_recalc_ssthresh");

impl Nv {
    /// An NV with these parameters.
    #[must_use]
    pub fn new(values: &Values) -> Self {
        Self {
            estimate: Estimate::new(values),
            may_grow: true,
            slowness: 0,
            calm: 0,
            largest: None,
            credit: Credit::default(),
        }
    }

    fn note_room(&mut self) {
        self.may_grow = true;
        self.calm += 1;
        if self.calm > DECISIONS_TO_RECOVER {
            self.slowness = self.slowness.saturating_sub(1);
            self.calm = 0;
        }
    }

    /// Grows as Linux's `tcpnv_cong_avoid`.
    fn grow(&mut self, ack: &AckEvent, window: &Window) -> Ruled<u64> {
        if !self.may_grow {
            return NO_GROWTH.gives(window.cwnd);
        }
        let price = window.whole_segments().max(MIN_PRICE) << self.slowness;
        GROWTH.gives(self.credit.next_cwnd(ack, window, float(price)))
    }
}

impl Avoidance for Nv {
    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.estimate.observe(ack);
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Ruled<u64> {
        self.estimate.renew(ack.now, || f64::from(rng.next_u32()) / f64::from(u32::MAX));
        let verdict =
            if ack.round.start { self.estimate.decide(window, self.may_grow) } else { None };
        match verdict {
            Some(Verdict::Shrink(largest)) => {
                self.may_grow = false;
                self.calm = 0;
                self.largest = Some(largest * window.mss);
                return SHRINK.gives(Estimate::shrink(window, largest));
            }
            Some(Verdict::Stay) => self.may_grow = false,
            Some(Verdict::Grow) => self.note_room(),
            None => {}
        }
        self.grow(ack, window)
    }

    fn take_over(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> Option<Ruled<u64>> {
        self.estimate.renew(ack.now, || f64::from(rng.next_u32()) / f64::from(u32::MAX));
        let Some(Verdict::Shrink(largest)) =
            ack.round.start.then(|| self.estimate.decide(window, true)).flatten()
        else {
            return None;
        };
        (self.may_grow, self.largest) = (false, Some(largest * window.mss));
        Some(SHRINK.gives(Estimate::shrink(window, largest)))
    }

    fn next_ssthresh(&self, window: &Window) -> Option<u64> {
        self.largest.or(window.ssthresh)
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.estimate.on_congestion();
        self.may_grow = false;
        self.largest = None;
        self.credit.reset();
        if event.signal == Signal::Rto {
            self.slowness = (self.slowness + 1).min(SLOWEST);
        }
        CUT.gives(integer(float(window.whole_segments()) * LOSS_FACTOR) * window.mss)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        self.estimate.internals(show);
    }
}

/// Catalogue entry `nv`.
pub const ENTRY: Entry = Entry {
    name: "nv",
    summary: "Shrinks to the window that its best rate needs on the empty path and ten packets; \
              for data centres.",
    parameters: &[PAD, RESET_PERIOD],
    reference: "Brakmo, TCP-NV: an update to TCP-Vegas, 2015; Linux 6 net/ipv4/tcp_nv.c",
    implies: &[],
    traits: Traits { draws: true, ..Traits::DELAY_BASED },
    make: Make::avoidance("nv-start", |values, _| Box::new(Nv::new(values))),
};
