//! Vegas: keeps between alpha and beta packets queued, by what the RTT says.

use super::{Avoidance, MIN_WINDOW_SEGMENTS, in_bytes, segments, whole_segments};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::measure::{BaseRtt, RoundTrip, RoundTrips, backlog};
use crate::slow_start::vegas_start::GAMMA;
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, Time};

/// RTT samples that a round needs to be judged: with fewer, all may be of delayed ACKs (Linux, `tcp_vegas_cong_avoid`).
pub const MIN_SAMPLES: u32 = 3;

/// Parameters of [`Vegas`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// With fewer packets queued it grows.
    pub alpha: f64,
    /// With more packets queued it shrinks.
    pub beta: f64,
    /// What is left of the window after a loss.
    pub loss_factor: f64,
    /// [`backlog_linux`] rather than [`backlog`].
    pub linux: bool,
}

/// Vegas's congestion avoidance.
#[derive(Clone, Debug)]
pub struct Vegas {
    options: Options,
    base_rtt: BaseRtt,
    rounds: RoundTrips,
    /// The round trip that the present ACK ended.
    ended: Option<RoundTrip>,
    /// Packets queued as of the last round trip.
    diff: f64,
}

impl Vegas {
    /// With these thresholds.
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

    fn on_round(&mut self, round: &RoundTrip, window: &Window) -> u64 {
        let grown = window.cwnd + window.mss;
        if round.samples < MIN_SAMPLES {
            return grown;
        }
        let base_rtt = self.base_rtt.get();
        self.diff = if self.options.linux {
            backlog_linux(window, round.min, base_rtt)
        } else {
            backlog(segments(window), round.min, base_rtt)
        };
        if self.diff > self.options.beta {
            (window.cwnd.saturating_sub(window.mss)).max(MIN_WINDOW_SEGMENTS * window.mss)
        } else if self.diff < self.options.alpha {
            grown
        } else {
            window.cwnd
        }
    }
}

/// As Linux counts what is queued: whole packets, and W (RTT - base) / base, which is more than there is by RTT / base.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 packets")]
pub fn backlog_linux(window: &Window, rtt: Duration, base: Duration) -> f64 {
    let risen = rtt.saturating_sub(base).as_secs_f64();
    libm::floor(whole_segments(window) as f64 * risen / base.as_secs_f64().max(f64::MIN_POSITIVE))
}

impl Avoidance for Vegas {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.rounds.restart();
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.base_rtt.observe(ack);
        self.ended = self.rounds.on_ack(ack);
    }

    fn next_cwnd(&mut self, _ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        match self.ended {
            Some(round) => self.on_round(&round, window),
            None => window.cwnd,
        }
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        in_bytes(segments(window) * self.options.loss_factor, window)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("vegas_diff", self.diff);
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn Avoidance> {
    Box::new(Vegas::new(Options {
        alpha: values.number("alpha"),
        beta: values.number("beta"),
        loss_factor: values.number("loss_factor"),
        linux: values.flag("linux"),
    }))
}

/// `vegas`.
pub const ENTRY: Entry = Entry {
    name: "vegas",
    summary: "Keeps alpha to beta packets queued: one more or less per round trip, by what the RTT has risen.",
    parameters: &[
        Parameter {
            name: "alpha",
            default: Value::Number(2.0),
            range: (0.0, 1e6),
            unit: "packets",
            meaning: "grow with fewer queued (Linux: 2; ns-2: 1)",
        },
        Parameter {
            name: "beta",
            default: Value::Number(4.0),
            range: (0.0, 1e6),
            unit: "packets",
            meaning: "shrink with more queued (Linux: 4; ns-2: 3)",
        },
        GAMMA,
        Parameter {
            name: "loss_factor",
            default: Value::Number(0.5),
            range: (0.1, 0.99),
            unit: "",
            meaning: "what is left of the window after a loss (Linux: 0.5; ns-2: 0.75)",
        },
        Parameter {
            name: "linux",
            default: Value::Flag(false),
            range: (0.0, 0.0),
            unit: "",
            meaning: "count what is queued as Linux does, more by RTT / base RTT",
        },
    ],
    reference: "Brakmo & Peterson, TCP Vegas: end to end congestion avoidance on a global Internet, IEEE JSAC 13(8), 1995; Linux 6 net/ipv4/tcp_vegas.c",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "vegas-start",
        make,
    },
};
