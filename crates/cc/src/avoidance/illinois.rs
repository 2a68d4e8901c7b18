//! TCP-Illinois (Liu, Basar & Srikant, Performance Evaluation 65, 2008): loss says whether to grow,
//! and delay how fast.

use super::Avoidance;
use crate::cast::{float, integer};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{BaseRtt, MICROSECOND, RoundTrip, RoundTrips};
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, RttSample, Rule, Ruled, Setup, Signal};

/// Thresholds of the mean queueing delay, as shares of the largest (eta 1 to 3 of the paper). Below
/// the first, growth is fastest. Between the second and the third, the cut rises.
const FAST_GROWTH: f64 = 0.01;
const SMALL_CUT: f64 = 0.1;
const LARGE_CUT: f64 = 0.8;
/// Growth in segments per round trip where nothing is known of the queue or the window is small.
const RENO_ALPHA: f64 = 1.0;

/// Parameters of the paper. The defaults are Linux's.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Growth with the longest queue, segments per round trip.
    pub alpha_min: f64,
    /// Growth without a queue, segments per round trip.
    pub alpha_max: f64,
    /// Share of the window that congestion takes without a queue.
    pub beta_min: f64,
    /// Share of the window that congestion takes with a long queue.
    pub beta_max: f64,
    /// Window below which it is Reno, segments.
    pub win_thresh: f64,
    /// Round trips without a queue before growth is fastest again.
    pub theta: f64,
}

/// AIMD whose two numbers depend on the queueing delay.
#[derive(Clone, Debug)]
pub struct Illinois {
    options: Options,
    alpha: f64,
    beta: f64,
    base_rtt: BaseRtt,
    max_rtt: Duration,
    /// Rounds in a row without a queue since growth left its fastest. `None`: growth is fastest.
    low_rounds: Option<f64>,
    rounds: RoundTrips,
    increase: Increase,
}

const SOURCE: &str = "Liu, Basar & Srikant 2008";
const GROWTH: Rule =
    Rule::new("alpha segments more per round trip, fewer where the queueing delay is long", SOURCE);
const CUT: Rule =
    Rule::cut("takes the share beta of the window, more where the queueing delay is long", SOURCE);

impl Illinois {
    /// An Illinois before its first congestion.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            alpha: RENO_ALPHA,
            beta: options.beta_max,
            base_rtt: BaseRtt::default(),
            max_rtt: Duration::ZERO,
            low_rounds: None,
            rounds: RoundTrips::default(),
            increase: Increase::default(),
        }
    }

    /// f1 of the paper, k1 / (k2 + d). It is `alpha_max` at the threshold and `alpha_min` at the
    /// largest delay.
    fn next_alpha(&mut self, delay: f64, max_delay: f64) -> f64 {
        let o = &self.options;
        let threshold = FAST_GROWTH * max_delay;
        if delay > threshold {
            self.low_rounds = Some(0.0);
            let (span, above) = (max_delay - threshold, delay - threshold);
            return span * o.alpha_max / (span + above * (o.alpha_max - o.alpha_min) / o.alpha_min);
        }
        // One round with a short queue does not make an empty path.
        match &mut self.low_rounds {
            Some(rounds) if *rounds + 1.0 < o.theta => {
                *rounds += 1.0;
                self.alpha
            }
            _ => {
                self.low_rounds = None;
                o.alpha_max
            }
        }
    }

    /// f2 of the paper: linear between the thresholds.
    fn next_beta(&self, delay: f64, max_delay: f64) -> f64 {
        let o = &self.options;
        let (small, large) = (SMALL_CUT * max_delay, LARGE_CUT * max_delay);
        if delay <= small {
            o.beta_min
        } else {
            o.beta_min + (o.beta_max - o.beta_min) * ((delay - small) / (large - small)).min(1.0)
        }
    }

    fn end_round(&mut self, round: &RoundTrip, cwnd: f64) {
        if cwnd < self.options.win_thresh {
            self.alpha = RENO_ALPHA;
            self.beta = self.options.beta_max;
            return;
        }
        let base = self.base_rtt.get().as_secs_f64();
        let max_delay = (self.max_rtt.as_secs_f64() - base).max(0.0);
        let delay = (round.mean() - base).clamp(0.0, max_delay);
        self.alpha = self.next_alpha(delay, max_delay);
        self.beta = self.next_beta(delay, max_delay);
    }
}

impl Avoidance for Illinois {
    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.base_rtt.observe(ack);
        self.max_rtt = self.max_rtt.max(ack.rtt_sample.unwrap_or_default());
        if let Some(round) = self.rounds.on_ack(ack) {
            self.end_round(&round, window.segments());
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        GROWTH.gives(self.increase.per_window(self.alpha, ack, window))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let left = 1.0 - self.beta;
        self.rounds.restart();
        if event.signal == Signal::Rto {
            self.alpha = RENO_ALPHA;
            self.beta = self.options.beta_max;
            self.low_rounds = None;
        }
        CUT.gives(window.in_bytes(window.segments() * left))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("alpha", self.alpha);
        show("beta", self.beta);
    }
}

/// Illinois as Linux computes it (`net/ipv4/tcp_illinois.c`): whole packets and microseconds, alpha
/// in 128ths and beta in 64ths. Slow start counts as a queue: its rounds are judged too.
#[derive(Clone, Debug)]
struct IllinoisLinux {
    options: Options,
    alpha: u64,
    beta: u64,
    base_rtt: Option<u64>,
    max_rtt: u64,
    sum: u64,
    samples: u64,
    /// SND.NXT when the round began.
    end: u64,
    una: u64,
    next: u64,
    /// Growth has left its fastest, and rounds without a queue since.
    was_above: bool,
    low_rounds: u64,
    /// Packets that the latest ACK acknowledged.
    acked: u64,
    /// Packets acknowledged towards the next of the window.
    counted: u64,
}

const STEPS: Rule = Rule::new(
    "alpha segments for each acknowledged window, several at once where alpha is large",
    "Linux 6 net/ipv4/tcp_illinois.c, tcp_illinois_cong_avoid",
);

/// One in the units of alpha, and of beta.
const ALPHA_UNIT: u64 = 128;
const BETA_UNIT: u64 = 64;
/// Largest RTT that counts, microseconds: 3.3 s.
const LARGEST_RTT: u64 = u32::MAX as u64 / (10 * ALPHA_UNIT);

impl IllinoisLinux {
    fn new(options: Options) -> Self {
        Self {
            alpha: integer(options.alpha_max * float(ALPHA_UNIT)),
            beta: integer(options.beta_max * float(BETA_UNIT)),
            options,
            base_rtt: None,
            max_rtt: 0,
            sum: 0,
            samples: 0,
            end: 0,
            una: 0,
            next: 0,
            was_above: false,
            low_rounds: 0,
            acked: 0,
            counted: 0,
        }
    }

    fn next_alpha(&mut self, delay: u64, most: u64) -> u64 {
        let in_units = |alpha: f64| integer(alpha * float(ALPHA_UNIT)).max(1);
        let (least, fastest) = (in_units(self.options.alpha_min), in_units(self.options.alpha_max));
        let threshold = most / 100;
        if delay > threshold {
            self.was_above = true;
            let (span, above) = (most - threshold, delay - threshold);
            return span * fastest / (span + above * (fastest - least) / least);
        }
        if self.was_above {
            self.low_rounds += 1;
            if float(self.low_rounds) < self.options.theta {
                return self.alpha;
            }
        }
        (self.was_above, self.low_rounds) = (false, 0);
        fastest
    }

    fn next_beta(&self, delay: u64, most: u64) -> u64 {
        let in_units = |beta: f64| integer(beta * float(BETA_UNIT));
        let (least, largest) = (in_units(self.options.beta_min), in_units(self.options.beta_max));
        let (small, large) = (most / 10, 8 * most / 10);
        if delay <= small {
            least
        } else if delay >= large {
            largest
        } else {
            (least * (large - delay) + largest * (delay - small)) / (large - small)
        }
    }

    /// `update_params`.
    fn end_round(&mut self, cwnd: u64) {
        if float(cwnd) < self.options.win_thresh {
            self.be_reno();
        } else if let Some(mean) = self.sum.checked_div(self.samples) {
            let base = self.base_rtt.unwrap_or(0);
            let most = self.max_rtt - base;
            let delay = mean - base;
            self.alpha = self.next_alpha(delay, most);
            self.beta = self.next_beta(delay, most);
        }
        self.begin_round();
    }

    fn begin_round(&mut self) {
        (self.end, self.sum, self.samples) = (self.next, 0, 0);
    }

    fn be_reno(&mut self) {
        self.alpha = ALPHA_UNIT;
        self.beta = integer(self.options.beta_max * float(BETA_UNIT));
    }
}

impl Avoidance for IllinoisLinux {
    fn takes_rtts(&self) -> bool {
        true
    }

    fn on_rtt(&mut self, sample: &RttSample, window: &Window) -> Option<Ruled<u64>> {
        let rtt = (sample.rtt.as_ps() / MICROSECOND.as_ps()).min(LARGEST_RTT);
        self.base_rtt = Some(self.base_rtt.map_or(rtt, |base| base.min(rtt)));
        self.max_rtt = self.max_rtt.max(rtt);
        self.sum += rtt;
        self.samples += 1;
        self.acked = sample.acked / window.mss;
        (self.una, self.next) = (sample.una, sample.next);
        None
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        if !ack.in_recovery && ack.newly_acked > 0 && self.una > self.end {
            self.end_round(window.whole_segments());
        }
    }

    fn next_cwnd(&mut self, _ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        self.counted += core::mem::replace(&mut self.acked, 1);
        let cwnd = window.whole_segments();
        let more = self.counted * self.alpha / ALPHA_UNIT / cwnd;
        if more > 0 {
            self.counted = 0;
        }
        STEPS.gives(window.cwnd + more * window.mss)
    }

    fn takes_rest(&self) -> bool {
        false
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let cwnd = window.whole_segments();
        let left = cwnd - cwnd * self.beta / BETA_UNIT;
        self.counted = 0;
        if event.signal == Signal::Rto {
            self.on_repeated_timeout();
        }
        CUT.gives(left * window.mss)
    }

    fn on_repeated_timeout(&mut self) {
        self.be_reno();
        (self.was_above, self.low_rounds) = (false, 0);
        self.begin_round();
    }

    fn has_undo_state(&self) -> bool {
        false
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("alpha", float(self.alpha) / float(ALPHA_UNIT));
        show("beta", float(self.beta) / float(BETA_UNIT));
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    let options = Options {
        alpha_min: values.number("alpha_min"),
        alpha_max: values.number("alpha_max"),
        beta_min: values.number("beta_min"),
        beta_max: values.number("beta_max"),
        win_thresh: values.number("win_thresh"),
        theta: values.number("theta"),
    };
    if values.is_linux(setup) {
        Box::new(IllinoisLinux::new(options))
    } else {
        Box::new(Illinois::new(options))
    }
}

/// Catalogue entry `illinois`.
pub const ENTRY: Entry = Entry {
    name: "illinois",
    summary: "AIMD whose growth falls and whose cut rises with the queueing delay.",
    parameters: &[
        Parameter::quantity("alpha_min", 0.3, 0.01..=1.0, "segments")
            .meaning("growth per round trip with the longest queue (the paper of 2006: 0.1)"),
        Parameter::quantity("alpha_max", 10.0, 1.0..=1000.0, "segments")
            .meaning("growth per round trip without a queue"),
        Parameter::number("beta_min", 0.125, 0.01..=0.5)
            .meaning("share of the window that congestion takes without a queue"),
        Parameter::number("beta_max", 0.5, 0.5..=0.9)
            .meaning("share that it takes with a long queue"),
        Parameter::quantity("win_thresh", 15.0, 0.0..=1e6, "segments")
            .meaning("below this window it is Reno (the paper: 10)"),
        Parameter::number("theta", 5.0, 1.0..=1000.0)
            .meaning("round trips without a queue before growth is fastest again"),
        Parameter::linux(
            "compute as Linux, in whole packets, with the fastest growth before the first round",
        ),
    ],
    reference: "Liu, Basar & Srikant, TCP-Illinois, Performance Evaluation 65(6-7), 2008; Linux 6 \
                net/ipv4/tcp_illinois.c",
    implies: &[],
    traits: Traits::AVOIDANCE,
    make: Make::avoidance("classic", make),
};
