//! Veno (Fu & Liew 2003): Reno that asks Vegas's backlog whether a loss was congestion.

use super::Avoidance;
use crate::entry::{Entry, Make, Parameter, Traits};
use crate::measure::{BaseRtt, backlog};
use crate::window::{Credit, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled};

/// Share of the window that a loss takes where the backlog says that it was not congestion.
const RANDOM_LOSS_DECREASE: f64 = 0.2;

/// Reno, gentler where few packets are queued.
#[derive(Clone, Debug)]
pub struct Veno {
    beta: f64,
    reset_base: bool,
    base_rtt: BaseRtt,
    credit: Credit,
}

const SOURCE: &str = "Fu & Liew 2003";
const GROWTH: Rule = Rule::new("fewer than beta segments are queued: Reno's growth", SOURCE);
const SLOWER_GROWTH: Rule =
    Rule::new("beta segments or more are queued: half of Reno's growth", SOURCE);
const CONGESTION: Rule = Rule::cut("halves the window: beta segments or more are queued", SOURCE);
const RANDOM_LOSS: Rule = Rule::cut(
    "takes a fifth of the window: fewer than beta segments are queued, so it is random",
    SOURCE,
);

impl Veno {
    /// A Veno for which a backlog of `beta` segments or more is congestion. `reset_base`: each loss
    /// forgets the smallest RTT.
    #[must_use]
    pub fn new(beta: f64, reset_base: bool) -> Self {
        Self { beta, reset_base, base_rtt: BaseRtt::default(), credit: Credit::default() }
    }

    /// Whether the backlog is congestion: N = Actual (RTT - `BaseRTT`), with Actual = cwnd / RTT
    /// and the smoothed RTT.
    fn is_congested(&self, srtt: Duration, window: &Window) -> bool {
        let queued =
            self.base_rtt.known().map_or(0.0, |base| backlog(window.segments(), srtt, base));
        queued >= self.beta
    }
}

impl Avoidance for Veno {
    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.base_rtt.observe(ack);
    }

    // With the link full, only every other ACK grows the window.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        if self.is_congested(ack.srtt, window) {
            SLOWER_GROWTH.gives(self.credit.per_window(ack, window, 0.5))
        } else {
            GROWTH.gives(self.credit.per_window(ack, window, 1.0))
        }
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.credit.reset();
        let is_congested = self.is_congested(event.srtt, window);
        if self.reset_base {
            self.base_rtt = BaseRtt::default();
        }
        if is_congested {
            CONGESTION.gives(window.less_share(0.5))
        } else {
            RANDOM_LOSS.gives(window.less_share(RANDOM_LOSS_DECREASE))
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(base) = self.base_rtt.known() {
            show("base_rtt", base.as_secs_f64());
        }
    }
}

/// Catalogue entry `veno`.
pub const ENTRY: Entry = Entry {
    name: "veno",
    summary: "Reno that gives up a fifth, not half, for a loss while fewer than beta packets are \
              queued.",
    parameters: &[
        Parameter::quantity("beta", 3.0, 0.0..=1000.0, "segments")
            .meaning("backlog from which the path counts as congested"),
        Parameter::flag("reset_base", true).meaning(
            "forget the smallest RTT at each loss, as in the paper; false: keep it, as in \
                      Linux",
        ),
    ],
    reference: "Fu & Liew, TCP Veno: TCP enhancement for transmission over wireless access \
                networks, JSAC 21(2), 2003",
    implies: &[],
    traits: Traits::AVOIDANCE,
    make: Make::avoidance("classic", |values, _| {
        Box::new(Veno::new(values.number("beta"), values.flag("reset_base")))
    }),
};
