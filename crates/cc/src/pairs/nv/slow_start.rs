//! NV's slow start: doubles until NV's estimate says that the window is too large.

use super::estimate::{Estimate, Verdict};
use super::{PAD, RESET_PERIOD};
use crate::entry::{Entry, Make, Traits};
use crate::slow_start::{Growth, SlowStart};
use crate::window::Window;
use crate::{AckEvent, Rule, Ruled};

/// Fixed draw for the time of the next reset: a slow start is too short for two flows to fall into
/// step.
const MIDDLE: f64 = 0.5;

/// Doubling with NV's estimate (Linux 6, `tcpnv_cong_avoid` and `tcpnv_acked`).
#[derive(Clone, Debug)]
pub struct NvStart {
    estimate: Estimate,
}

const SOURCE: &str = "Linux 6 net/ipv4/tcp_nv.c, tcpnv_acked";
const GROWTH: Rule = Rule::new("NV's slow start: cwnd grows by the bytes acknowledged", SOURCE);
const END: Rule =
    Rule::new("NV ends slow start: the window is beyond what the best rate needs", SOURCE);

impl SlowStart for NvStart {
    fn begin(&mut self, _window: &Window) {
        self.estimate.on_congestion();
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.estimate.observe(ack);
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        self.estimate.renew(ack.now, || MIDDLE);
        if ack.round.start
            && let Some(Verdict::Shrink(largest)) = self.estimate.decide(window, true)
        {
            let cwnd = Estimate::shrink(window, largest);
            return END.gives(Growth::ExitAt { cwnd, left: 0 });
        }
        GROWTH.gives(Growth::double(ack, window))
    }
}

/// Catalogue entry `nv-start`.
pub const ENTRY: Entry = Entry {
    name: "nv-start",
    summary: "Doubles until NV's estimate says that more packets are queued than it allows.",
    parameters: &[PAD, RESET_PERIOD],
    reference: "Linux 6 net/ipv4/tcp_nv.c",
    implies: &[],
    traits: Traits::DELAY_BASED_START,
    make: Make::slow_start(|values, _| Box::new(NvStart { estimate: Estimate::new(values) })),
};
