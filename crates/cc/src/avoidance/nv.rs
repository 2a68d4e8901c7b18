//! NV: the window that the measured rate needs on the empty path, and a few packets.

use super::nv_estimate::{Estimate, Verdict, shrunk};
use super::{Avoidance, Credit, whole_segments};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng, Signal};
use rand_core::Rng as _;

/// What is left after a loss (`nv_loss_dec_factor`).
const LOSS_FACTOR: f64 = 819.0 / 1024.0;
/// After a timeout it grows by a packet per 2^n windows, n one more each time, one less for so many decisions to grow.
const SLOWEST: u32 = 8;
const DECISIONS_TO_RECOVER: u32 = 8;
/// Segments acknowledged that a segment of growth costs at least.
const MIN_PRICE: u64 = 4;

/// NV's congestion avoidance (Linux 6, `tcp_nv.c`).
#[derive(Clone, Debug)]
pub struct Nv {
    estimate: Estimate,
    may_grow: bool,
    /// n of a growth by a packet per 2^n windows.
    slowness: u32,
    /// Decisions to grow since it last changed.
    calm: u32,
    credit: Credit,
}

impl Nv {
    /// As the parameters say.
    #[must_use]
    pub fn new(values: &Values) -> Self {
        Self {
            estimate: Estimate::new(values),
            may_grow: true,
            slowness: 0,
            calm: 0,
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

    /// `tcpnv_cong_avoid`.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 packets")]
    fn grow(&mut self, ack: &AckEvent, window: &Window) -> u64 {
        if !self.may_grow {
            return window.cwnd;
        }
        let price = whole_segments(window).max(MIN_PRICE) << self.slowness;
        self.credit.next_cwnd(ack, window, price as f64)
    }
}

impl Avoidance for Nv {
    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.estimate.observe(ack);
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, rng: &mut Rng) -> u64 {
        self.estimate.renew(ack.now, || f64::from(rng.next_u32()) / f64::from(u32::MAX));
        let verdict = if ack.round.start {
            self.estimate.decide(window, self.may_grow)
        } else {
            None
        };
        match verdict {
            Some(Verdict::Shrink(largest)) => {
                self.may_grow = false;
                self.calm = 0;
                self.credit.reset();
                return shrunk(window, largest);
            }
            Some(Verdict::Stay) => self.may_grow = false,
            Some(Verdict::Grow) => self.note_room(),
            None => {}
        }
        self.grow(ack, window)
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive window below 2^53")]
    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> u64 {
        self.estimate.on_congestion();
        self.may_grow = false;
        self.credit.reset();
        if event.signal == Signal::Rto {
            self.slowness = (self.slowness + 1).min(SLOWEST);
        }
        (whole_segments(window) as f64 * LOSS_FACTOR) as u64 * window.mss
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        self.estimate.internals(show);
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

/// Packets that may be queued.
pub const PAD: Parameter = Parameter {
    name: "pad",
    default: Value::Number(10.0),
    range: (2.0, 1e6),
    unit: "packets",
    meaning: "the most that it keeps queued (nv_pad)",
};

/// How often the smallest RTT is renewed.
pub const RESET_PERIOD: Parameter = Parameter {
    name: "reset_period",
    default: Value::Number(5.0),
    range: (0.1, 3600.0),
    unit: "s",
    meaning: "how long the smallest RTT is remembered, on average (nv_reset_period)",
};

/// `nv`.
pub const ENTRY: Entry = Entry {
    name: "nv",
    summary: "Shrinks to the window that its best rate needs on the empty path and ten packets; for data centres.",
    parameters: &[PAD, RESET_PERIOD],
    reference: "Brakmo, TCP-NV: an update to TCP-Vegas, 2015; Linux 6 net/ipv4/tcp_nv.c",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "nv-start",
        make: |values| Box::new(Nv::new(values)),
    },
};
