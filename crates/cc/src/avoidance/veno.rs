//! Veno (Fu & Liew 2003): Reno that asks Vegas's backlog whether a loss was congestion.

use super::Avoidance;
use crate::cast::{float, share};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{BaseRtt, VegasMeter, backlog};
use crate::window::{Credit, Tally, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, RttSample, Rule, Ruled, Setup, Time};

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

/// Veno as Linux computes it (`net/ipv4/tcp_veno.c`): the backlog by the latest RTT in half
/// packets. Out of the open state it grows as Reno.
#[derive(Clone, Debug)]
struct VenoLinux {
    beta: f64,
    meter: VegasMeter,
    tally: Tally,
    /// Backlog, half packets, by the last ACK that could grow the window.
    backlog: u64,
    /// Whether the next acknowledged window grows the window, which every other one does.
    is_turn: bool,
}

impl VenoLinux {
    fn is_congested(&self) -> bool {
        float(self.backlog) >= 2.0 * self.beta
    }
}

impl Avoidance for VenoLinux {
    fn takes_rtts(&self) -> bool {
        true
    }

    fn on_rtt(&mut self, sample: &RttSample, _window: &Window) -> Option<Ruled<u64>> {
        self.meter.on_rtt(sample);
        None
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.meter.observe(ack);
        let is_growing = !ack.in_recovery && ack.is_cwnd_limited && ack.newly_acked > 0;
        if is_growing
            && self.meter.is_open()
            && let Some((base, rtt)) = self.meter.take_min()
        {
            let twice = 2 * window.whole_segments();
            self.backlog = twice - share(twice, base, rtt);
        }
    }

    fn on_transmit_start(&mut self, _now: Time, _idle: Duration) {
        self.meter.restart();
        self.is_turn = true;
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        if !self.meter.is_open() || !self.is_congested() {
            return GROWTH.gives(self.tally.reno(ack.credited, window));
        }
        if !self.tally.pays(ack.credited, window, window.whole_segments()) {
            return SLOWER_GROWTH.gives(window.cwnd);
        }
        let grows = self.is_turn;
        self.is_turn = !grows;
        SLOWER_GROWTH.gives(window.cwnd + u64::from(grows) * window.mss)
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.tally.reset();
        if self.is_congested() {
            CONGESTION.gives(window.less_share(0.5))
        } else {
            RANDOM_LOSS.gives(window.whole_segments() * 4 / 5 * window.mss)
        }
    }

    fn has_undo_state(&self) -> bool {
        false
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let beta = values.number("beta");
    if values.is_linux(setup) {
        Box::new(VenoLinux {
            beta,
            meter: VegasMeter::default(),
            tally: Tally::default(),
            backlog: 0,
            is_turn: true,
        })
    } else {
        Box::new(Veno::new(beta, values.flag("reset_base")))
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
        Parameter::linux(
            "as Linux: the backlog by the latest RTT, growth in whole packets, and the smallest \
             RTT kept",
        ),
    ],
    reference: "Fu & Liew, TCP Veno: TCP enhancement for transmission over wireless access \
                networks, JSAC 21(2), 2003; Linux 6 net/ipv4/tcp_veno.c",
    implies: &[],
    traits: Traits::AVOIDANCE,
    make: Make::avoidance("classic", make),
};
