//! H-TCP (Leith & Shorten 2004; draft-leith-tcp-htcp-06 specifies its growth): growth rises with
//! the time since the last congestion, and the cut leaves what the path held without its queue.

use super::Avoidance;
use crate::cast::float;
use crate::entry::traits::{Law, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::BaseRtt;
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled, Setup, Time};

/// `Delta_L`: seconds after congestion in which H-TCP grows as Reno.
const LOW_SPEED: f64 = 1.0;
/// Bounds of the share of the window that congestion leaves.
const BETA_MIN: f64 = 0.5;
const BETA_MAX: f64 = 0.8;
/// Relative change of the throughput since the last congestion that means competition. H-TCP then
/// halves.
const BANDWIDTH_CHANGE: f64 = 0.2;
/// RTT at which RTT scaling changes nothing, seconds, and the bounds of the scaling factor.
const RTT_REFERENCE: f64 = 0.1;
const RTT_SCALE: (f64, f64) = (0.1, 2.0);
/// Share of the largest queueing delay that is remembered from one congestion to the next.
const RTT_MEMORY: f64 = 0.95;

const GROWTH_SOURCE: &str = "draft-leith-tcp-htcp-06 section 3; Leith & Shorten 2004";
const FIRST_SECOND: Rule =
    Rule::new("the first second after congestion: Reno's growth", GROWTH_SOURCE);
const GROWTH: Rule =
    Rule::new("growth rises with the time since the last congestion", GROWTH_SOURCE);
const CUT_SOURCE: &str = "Leith & Shorten 2004; Linux 6 net/ipv4/tcp_htcp.c, htcp_beta_update";
const BACKOFF: Rule = Rule::cut("leaves RTT_min / RTT_max of the window, at most 0.8", CUT_SOURCE);
const HALVED: Rule = Rule::cut(
    "halves the window: it is the first, the throughput has changed, or the queue is long",
    CUT_SOURCE,
);

/// Optional parts. The draft has only RTT scaling (section 5); the others are Linux's.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Cut to `RTT_min/RTT_max` instead of to one half.
    pub adaptive_backoff: bool,
    /// Halve where the throughput has changed since the last congestion.
    pub bandwidth_switch: bool,
    /// Grow by time, not by round trips.
    pub rtt_scaling: bool,
}

/// Growth by the time since congestion, and a cut to the path's share of the RTT.
#[derive(Clone, Debug)]
pub struct Htcp {
    options: Options,
    beta: f64,
    had_congestion: bool,
    /// Instant of the last congestion; before any, of the first ACK.
    since: Option<Time>,
    base_rtt: BaseRtt,
    rtt_max: Option<Duration>,
    throughput: Throughput,
    increase: Increase,
}

/// Largest throughput of a round trip since the last congestion.
#[derive(Clone, Copy, Debug, Default)]
struct Throughput {
    /// Instant at which the running round began, and the bytes delivered until then.
    round: Option<(Time, u64)>,
    /// Largest throughput of a round since the last congestion, bytes/s.
    best: Option<f64>,
    /// Largest throughput of a round between the two congestions before, bytes/s.
    previous: Option<f64>,
}

impl Throughput {
    fn on_ack(&mut self, ack: &AckEvent) {
        if ack.in_recovery {
            self.round = None;
        } else if ack.round.start {
            if let Some((began, delivered)) = self.round {
                let seconds = ack.now.since(began).as_secs_f64();
                if seconds > 0.0 {
                    let rate = float(ack.delivered.saturating_sub(delivered)) / seconds;
                    self.best = Some(self.best.map_or(rate, |best| best.max(rate)));
                }
            }
            self.round = Some((ack.now, ack.delivered));
        }
    }

    /// Whether the flow got as much as before the last congestion. False if that is unknown.
    fn is_steady(&self) -> bool {
        match (self.best, self.previous) {
            (Some(best), Some(previous)) => (best - previous).abs() <= BANDWIDTH_CHANGE * previous,
            _ => false,
        }
    }

    fn on_congestion(&mut self) {
        self.previous = self.best.or(self.previous);
        self.best = None;
        self.round = None;
    }
}

impl Htcp {
    /// An H-TCP before its first congestion.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            beta: BETA_MIN,
            had_congestion: false,
            since: None,
            base_rtt: BaseRtt::default(),
            rtt_max: None,
            throughput: Throughput::default(),
            increase: Increase::default(),
        }
    }

    /// Growth, segments per round trip, `delta` seconds after the first second since congestion.
    /// The factor 2(1 - beta) gives Reno's mean window for any cut.
    fn alpha(&self, delta: f64) -> f64 {
        let mut alpha = 1.0;
        if delta > 0.0 {
            // Linux and FreeBSD have (delta / 2)^2; the draft (section 3) writes 0.5 delta^2.
            alpha += 10.0 * delta + 0.25 * delta * delta;
        }
        // Section 5 does not scale in the first second, which is Reno's.
        if self.options.rtt_scaling && delta > 0.0 {
            let scale =
                (self.base_rtt.get().as_secs_f64() / RTT_REFERENCE).clamp(RTT_SCALE.0, RTT_SCALE.1);
            alpha = (alpha * scale).max(1.0);
        }
        2.0 * (1.0 - self.beta) * alpha
    }

    fn next_beta(&self) -> f64 {
        // As Linux's mode switch: the first congestion, which ends slow start, halves.
        let is_adaptive = self.options.adaptive_backoff && self.had_congestion;
        if !is_adaptive || (self.options.bandwidth_switch && !self.throughput.is_steady()) {
            return BETA_MIN;
        }
        let min_rtt = self.base_rtt.get();
        let rtt_max = self.rtt_max.unwrap_or(min_rtt).max(min_rtt).as_secs_f64();
        let ratio = if rtt_max > 0.0 { min_rtt.as_secs_f64() / rtt_max } else { 1.0 };
        ratio.clamp(BETA_MIN, BETA_MAX)
    }
}

impl Avoidance for Htcp {
    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.since.get_or_insert(ack.now);
        self.throughput.on_ack(ack);
        self.base_rtt.observe(ack);
        if !ack.in_recovery {
            self.rtt_max = self.rtt_max.max(ack.rtt_sample);
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let delta = self.since.map_or(0.0, |since| ack.now.since(since).as_secs_f64()) - LOW_SPEED;
        let rule = if delta > 0.0 { &GROWTH } else { &FIRST_SECOND };
        rule.gives(self.increase.per_window(self.alpha(delta), ack, window))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.beta = self.next_beta();
        self.throughput.on_congestion();
        self.had_congestion = true;
        self.since = Some(event.now);
        // The largest RTT fades, so that a shorter queue is noticed in time.
        let base = self.base_rtt.get();
        self.rtt_max = self.rtt_max.map(|max| {
            base + Duration::from_secs_f64(RTT_MEMORY * max.saturating_sub(base).as_secs_f64())
        });
        let rule = if self.beta > BETA_MIN { &BACKOFF } else { &HALVED };
        rule.gives(window.in_bytes(window.segments() * self.beta))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("beta", self.beta);
        if let Some(rtt_max) = self.rtt_max {
            show("rtt_max", rtt_max.as_secs_f64());
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(Htcp::new(Options {
        adaptive_backoff: values.flag("adaptive_backoff"),
        bandwidth_switch: values.flag("bandwidth_switch"),
        rtt_scaling: values.flag("rtt_scaling"),
    }))
}

/// Catalogue entry `htcp`.
pub const ENTRY: Entry = Entry {
    name: "htcp",
    summary: "Growth that rises with the time since the last loss; the cut leaves what the path \
              held without its queue.",
    parameters: &[
        Parameter::flag("adaptive_backoff", true)
            .meaning("cut to RTT_min/RTT_max, 0.5 to 0.8, instead of to one half"),
        Parameter::flag("bandwidth_switch", true)
            .meaning("halve where the throughput has changed by a fifth since the last loss"),
        Parameter::flag("rtt_scaling", true).meaning(
            "scale growth by RTT_min/100 ms, 0.1 to 2, so that flows of different RTT \
                      grow alike",
        ),
    ],
    reference: "Leith & Shorten, H-TCP: TCP for high-speed and long-distance networks, PFLDnet \
                2004; draft-leith-tcp-htcp-06; Linux 6 net/ipv4/tcp_htcp.c",
    implies: &[],
    traits: Traits {
        response: &[Law::new(
            "htcp_window",
            &[("loss_rate", Term::LossRate), ("rtt", Term::Rtt)],
            "Leith & Shorten 2004",
        )],
        ..Traits::AVOIDANCE
    },
    make: Make::avoidance("classic", make),
};
