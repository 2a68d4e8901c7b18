//! H-TCP (Leith & Shorten 2004; draft-leith-tcp-htcp-06 specifies its growth): growth rises with
//! the time since the last congestion, and the cut leaves what the path held without its queue.

use super::Avoidance;
use crate::cast::float;
use crate::entry::traits::{Law, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{BaseRtt, Jiffies};
use crate::window::{Increase, Window};
use crate::{
    AckEvent, CaState, CongestionEvent, Duration, Rng, RttSample, Rule, Ruled, Setup, Time,
};

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

/// H-TCP as Linux computes it (`net/ipv4/tcp_htcp.c`): whole packets, ticks of the kernel's clock,
/// alpha and beta in 128ths.
///
/// Growth is looked up only when the window grows, so that a flow begins an interval with the
/// growth that it had at the loss. The ACKs towards a segment count for less than they acknowledge:
/// the one that pays for the segment counts for nothing.
#[derive(Clone, Debug)]
struct HtcpLinux {
    options: Options,
    jiffies: Jiffies,
    alpha: u64,
    beta: u64,
    /// Whether the last congestion found the throughput steady.
    is_adaptive: bool,
    min_rtt: u64,
    max_rtt: u64,
    /// Beginning or end of the last congestion, ticks.
    since: u64,
    /// Whether the last congestion is not over.
    is_congested: bool,
    /// Packets that the latest ACK of the open state acknowledged.
    acked: u64,
    /// Packets acknowledged towards the next of the window.
    counted: u64,
    rate: RateLinux,
}

/// Throughput of about a round trip, packets per second.
#[derive(Clone, Copy, Debug, Default)]
struct RateLinux {
    /// Packets acknowledged since the last sample, and its time, ticks.
    packets: u64,
    at: Option<u64>,
    smoothed: u64,
    best: u64,
    previous: u64,
}

/// One in the units of alpha and beta.
const UNIT: u64 = 128;
const BETA_MIN_LINUX: u64 = UNIT / 2;
const BETA_MAX_LINUX: u64 = 102;
/// Smallest RTT above which the cut adapts, and step by which the largest RTT may rise at a time.
const SHORT_RTT: Duration = Duration::from_millis(10);
const LARGEST_STEP: Duration = Duration::from_millis(20);
/// Round trips after a congestion in which the throughput is not smoothed.
const FRESH_ROUNDS: u64 = 3;

impl HtcpLinux {
    fn new(options: Options) -> Self {
        Self {
            options,
            jiffies: Jiffies::default(),
            alpha: UNIT,
            beta: BETA_MIN_LINUX,
            is_adaptive: false,
            min_rtt: 0,
            max_rtt: 0,
            since: 0,
            is_congested: false,
            acked: 1,
            counted: 0,
            rate: RateLinux::default(),
        }
    }

    /// `measure_achieved_throughput`.
    fn measure_rate(&mut self, sample: &RttSample, cwnd: u64, acked: u64, now: u64) {
        if sample.state > CaState::Disorder {
            (self.rate.packets, self.rate.at) = (0, Some(now));
            return;
        }
        self.rate.packets += acked;
        let enough = cwnd.checked_sub((self.alpha / UNIT).max(1));
        // Before the first sample a time has passed that makes any throughput nothing.
        let elapsed = self.rate.at.map_or(u64::from(u32::MAX), |at| now - at);
        if enough.is_none_or(|enough| self.rate.packets < enough) || elapsed < self.min_rtt {
            return;
        }
        let rate = self.rate.packets * Jiffies::PER_SECOND / elapsed.max(1);
        if (now - self.since) / self.min_rtt.max(1) <= FRESH_ROUNDS {
            (self.rate.smoothed, self.rate.best) = (rate, rate);
        } else {
            self.rate.smoothed = (3 * self.rate.smoothed + rate) / 4;
            self.rate.best = self.rate.best.max(self.rate.smoothed);
        }
        (self.rate.packets, self.rate.at) = (0, Some(now));
    }

    /// `htcp_beta_update`.
    fn update_beta(&mut self) {
        let previous = core::mem::replace(&mut self.rate.previous, self.rate.best);
        let is_steady = (4 * previous..=6 * previous).contains(&(5 * self.rate.best));
        if self.options.bandwidth_switch && !is_steady {
            (self.beta, self.is_adaptive) = (BETA_MIN_LINUX, false);
        } else if self.options.adaptive_backoff
            && self.is_adaptive
            && self.min_rtt > Jiffies::of(SHORT_RTT)
        {
            self.beta =
                (self.min_rtt * UNIT / self.max_rtt.max(1)).clamp(BETA_MIN_LINUX, BETA_MAX_LINUX);
        } else {
            (self.beta, self.is_adaptive) = (BETA_MIN_LINUX, true);
        }
    }

    /// `htcp_alpha_update`.
    fn update_alpha(&mut self, now: u64) {
        let second = Jiffies::PER_SECOND;
        let mut factor = 1;
        if let Some(after) = (now - self.since).checked_sub(second).filter(|after| *after > 0) {
            factor += (10 * after + (after / 2) * (after / 2) / second) / second;
        }
        if self.options.rtt_scaling && self.min_rtt > 0 {
            // Eighths of 100 ms per RTT.
            let scale = (8 * second / (10 * self.min_rtt)).clamp(4, 80);
            factor = (8 * factor / scale).max(1);
        }
        self.alpha = 2 * factor * (UNIT - self.beta);
    }
}

impl Avoidance for HtcpLinux {
    fn set_up(&mut self, setup: &Setup) {
        self.jiffies = Jiffies::new(setup.clock_phase);
    }

    fn takes_rtts(&self) -> bool {
        true
    }

    fn on_rtt(&mut self, sample: &RttSample, window: &Window) -> Option<Ruled<u64>> {
        let acked = sample.acked / window.mss;
        let rtt = Jiffies::of(sample.rtt);
        if self.min_rtt == 0 || rtt < self.min_rtt {
            self.min_rtt = rtt;
        }
        if sample.state == CaState::Open {
            self.acked = acked;
            self.max_rtt = self.max_rtt.max(self.min_rtt);
            if rtt <= self.max_rtt + Jiffies::of(LARGEST_STEP) {
                self.max_rtt = self.max_rtt.max(rtt);
            }
        }
        if self.options.bandwidth_switch {
            self.measure_rate(sample, sample.cwnd / window.mss, acked, self.jiffies.at(sample.now));
        }
        None
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        if ack.state == CaState::Open && core::mem::take(&mut self.is_congested) {
            self.since = self.jiffies.at(ack.now);
        }
    }

    fn on_transmit_start(&mut self, now: Time, _idle: Duration) {
        if self.min_rtt == 0 {
            self.since = self.jiffies.at(now);
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let now = self.jiffies.at(ack.now);
        let rule = if now - self.since > Jiffies::PER_SECOND { &GROWTH } else { &FIRST_SECOND };
        let acked = core::mem::replace(&mut self.acked, 1);
        if self.counted.saturating_mul(self.alpha) / UNIT < window.whole_segments() {
            self.counted += acked;
            return rule.gives(window.cwnd);
        }
        self.counted = 0;
        self.update_alpha(now);
        rule.gives(window.cwnd + window.mss)
    }

    fn takes_rest(&self) -> bool {
        false
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let now = self.jiffies.at(event.now);
        self.update_beta();
        self.update_alpha(now);
        if self.min_rtt > 0 && self.max_rtt > self.min_rtt {
            self.max_rtt = self.min_rtt + (self.max_rtt - self.min_rtt) * 95 / 100;
        }
        (self.since, self.is_congested, self.counted) = (now, true, 0);
        let rule = if self.beta > BETA_MIN_LINUX { &BACKOFF } else { &HALVED };
        rule.gives(window.whole_segments() * self.beta / UNIT * window.mss)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("beta", float(self.beta) / float(UNIT));
        show("rtt_max", float(self.max_rtt) / float(Jiffies::PER_SECOND));
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let options = Options {
        adaptive_backoff: values.flag("adaptive_backoff"),
        bandwidth_switch: values.flag("bandwidth_switch"),
        rtt_scaling: values.flag("rtt_scaling"),
    };
    if values.is_linux(setup) {
        Box::new(HtcpLinux::new(options))
    } else {
        Box::new(Htcp::new(options))
    }
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
        Parameter::linux(
            "compute as Linux, in whole packets and jiffies, with growth looked up where it ends",
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
