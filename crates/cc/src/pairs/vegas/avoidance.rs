//! Vegas's avoidance: keeps between alpha and beta packets queued, as the RTT shows them.

use super::{GAMMA, LINUX, MIN_SAMPLES, backlog_linux};
use crate::avoidance::Avoidance;
use crate::cast::{float, share};
use crate::entry::traits::Linearised;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{BaseRtt, RoundTrip, RoundTrips, VegasMeter, backlog};
use crate::window::{Tally, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, RttSample, Rule, Ruled, Setup, Time};

/// Parameters of [`Vegas`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Queued packets below which the window grows.
    pub alpha: f64,
    /// Queued packets above which the window shrinks.
    pub beta: f64,
    /// Share of the window that a loss leaves.
    pub loss_factor: f64,
}

/// Vegas: once per round trip a packet more or less, by how many are queued.
#[derive(Clone, Debug)]
pub struct Vegas {
    options: Options,
    base_rtt: BaseRtt,
    rounds: RoundTrips,
    /// Round trip that the present ACK ended.
    ended: Option<RoundTrip>,
    /// Packets queued as of the last round trip.
    diff: f64,
}

const SOURCE: &str = "Brakmo & Peterson 1995";
const MORE: Rule = Rule::new(
    "fewer than alpha packets are queued, or too few RTT samples: one segment more",
    SOURCE,
);
const LESS: Rule = Rule::new("more than beta packets are queued: one segment less", SOURCE);
const STAYS: Rule = Rule::new("alpha to beta packets are queued: the window stays", SOURCE);
const WAITING: Rule =
    Rule::new("the window changes once per round trip, and this one goes on", SOURCE);
const CUT: Rule = Rule::cut("leaves the share loss_factor of the window", SOURCE);

impl Vegas {
    /// A Vegas before its first round trip.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            base_rtt: BaseRtt::default(),
            rounds: RoundTrips::default(),
            ended: None,
            diff: 0.0,
        }
    }

    fn on_round(&mut self, round: &RoundTrip, window: &Window) -> Ruled<u64> {
        let grown = MORE.gives(window.cwnd + window.mss);
        if round.samples < MIN_SAMPLES {
            return grown;
        }
        let base_rtt = self.base_rtt.get();
        self.diff = backlog(window.segments(), round.min, base_rtt);
        if self.diff > self.options.beta {
            LESS.gives(window.cwnd.saturating_sub(window.mss).max(window.smallest()))
        } else if self.diff < self.options.alpha {
            grown
        } else {
            STAYS.gives(window.cwnd)
        }
    }
}

impl Avoidance for Vegas {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.rounds.restart();
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.base_rtt.observe(ack);
        self.ended = self.rounds.on_ack(ack);
    }

    fn next_cwnd(&mut self, _ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        match self.ended {
            Some(round) => self.on_round(&round, window),
            None => WAITING.gives(window.cwnd),
        }
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        CUT.gives(window.in_bytes(window.segments() * self.options.loss_factor))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("vegas_diff", self.diff);
    }
}

/// Vegas as Linux computes it (`net/ipv4/tcp_vegas.c`): whole packets and microseconds. It is Reno
/// out of the open state, and after rounds with fewer than three samples.
#[derive(Clone, Debug)]
struct VegasLinux {
    options: Options,
    /// Backlog at which slow start ends.
    gamma: f64,
    meter: VegasMeter,
    tally: Tally,
    diff: u64,
    /// Whether the latest ACK ended a round that was judged.
    has_judged: bool,
}

const RENO: Rule = Rule::new(
    "the round had too few RTT samples, or something is out of order: Reno's growth",
    "Linux 6 net/ipv4/tcp_vegas.c, tcp_vegas_cong_avoid",
);
const END: Rule = Rule::new(
    "more than gamma packets are queued: the window falls to what was delivered, and one more",
    "Linux 6 net/ipv4/tcp_vegas.c, tcp_vegas_cong_avoid",
);

impl Avoidance for VegasLinux {
    fn takes_rtts(&self) -> bool {
        true
    }

    fn on_rtt(&mut self, sample: &RttSample, _window: &Window) -> Option<Ruled<u64>> {
        self.meter.on_rtt(sample);
        None
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.meter.observe(ack);
    }

    fn on_transmit_start(&mut self, _now: Time, _idle: Duration) {
        self.meter.restart();
    }

    fn take_over(
        &mut self,
        _ack: &AckEvent,
        window: &Window,
        _rng: &mut Rng,
    ) -> Option<Ruled<u64>> {
        if !self.meter.is_open() {
            return None;
        }
        let round =
            self.meter.end_round().filter(|round| round.samples >= u64::from(MIN_SAMPLES))?;
        let cwnd = window.whole_segments();
        self.diff = backlog_linux(cwnd, &round);
        let fits = share(cwnd, round.base, round.min) + 1;
        (float(self.diff) > self.gamma).then(|| END.gives(cwnd.min(fits).max(2) * window.mss))
    }

    /// A round in the open state decides by itself.
    fn takes_rest(&self) -> bool {
        !self.meter.is_open()
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        self.has_judged = false;
        if !self.meter.is_open() {
            return RENO.gives(self.tally.reno(ack.credited, window));
        }
        let Some(round) = self.meter.end_round() else { return WAITING.gives(window.cwnd) };
        if round.samples < u64::from(MIN_SAMPLES) {
            return RENO.gives(self.tally.reno(ack.credited, window));
        }
        self.has_judged = true;
        self.diff = backlog_linux(window.whole_segments(), &round);
        if float(self.diff) > self.options.beta {
            LESS.gives((window.cwnd - window.mss).max(window.smallest()))
        } else if float(self.diff) < self.options.alpha {
            MORE.gives(window.cwnd + window.mss)
        } else {
            STAYS.gives(window.cwnd)
        }
    }

    /// ssthresh falls with the window, and is at least three quarters of it
    /// (`tcp_current_ssthresh`).
    fn next_ssthresh(&self, window: &Window) -> Option<u64> {
        let ssthresh = window.ssthresh?;
        if !self.has_judged {
            return Some(ssthresh);
        }
        let cwnd = window.whole_segments();
        Some(ssthresh.min(window.cwnd).max((cwnd / 2 + cwnd / 4) * window.mss))
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.tally.reset();
        CUT.gives(window.less_share(1.0 - self.options.loss_factor))
    }

    fn has_undo_state(&self) -> bool {
        false
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("vegas_diff", float(self.diff));
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let options = Options {
        alpha: values.number("alpha"),
        beta: values.number("beta"),
        loss_factor: values.number("loss_factor"),
    };
    if values.is_linux(setup) {
        Box::new(VegasLinux {
            options,
            gamma: values.number("gamma"),
            meter: VegasMeter::default(),
            tally: Tally::default(),
            diff: 0,
            has_judged: false,
        })
    } else {
        Box::new(Vegas::new(options))
    }
}

/// Catalogue entry `vegas`.
pub const ENTRY: Entry = Entry {
    name: "vegas",
    summary: "Keeps alpha to beta packets queued: one more or less per round trip, by what the \
              RTT has risen.",
    parameters: &[
        Parameter::quantity("alpha", 2.0, 0.0..=1e6, "packets")
            .meaning("grow with fewer queued (Linux: 2; ns-2: 1)"),
        Parameter::quantity("beta", 4.0, 0.0..=1e6, "packets")
            .meaning("shrink with more queued (Linux: 4; ns-2: 3)"),
        GAMMA,
        Parameter::number("loss_factor", 0.5, 0.1..=0.99)
            .meaning("what is left of the window after a loss (Linux: 0.5; ns-2: 0.75)"),
        LINUX,
    ],
    reference: "Brakmo & Peterson, TCP Vegas: end to end congestion avoidance on a global \
                Internet, IEEE JSAC 13(8), 1995; Linux 6 net/ipv4/tcp_vegas.c",
    implies: &[],
    traits: Traits {
        linearised: Linearised::Without(
            "it answers with the sign of what is queued beside what should be, which has no slope, \
             and between alpha and beta not at all: stabilised-vegas is the form that has a \
             linearisation (Choe & Low, INFOCOM 2003)",
        ),
        ..Traits::DELAY_BASED
    },
    make: Make::avoidance("vegas-start", make),
};
