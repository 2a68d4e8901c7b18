//! Westwood+ (Mascolo, Grieco et al. 2004), as Linux's `tcp_westwood` does it: after a loss the window is what the path delivered,
//! times its smallest RTT.

use super::{Avoidance, Credit, less_share};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::measure::BaseRtt;
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, Signal, Time};

/// Linux's `TCP_WESTWOOD_RTT_MIN`: no sample over a shorter time than this.
const SHORTEST_SAMPLE: Duration = Duration::from_millis(50);

/// Reno's growth; the cut is to bandwidth x smallest RTT.
#[derive(Clone, Debug)]
pub struct Westwood {
    gain: f64,
    two_stages: bool,
    credit: Credit,
    /// Bytes per second, after the first and the last stage of the filter.
    bandwidth: Option<[f64; 2]>,
    /// Since when the current sample is taken.
    since: Option<Time>,
    /// Bytes delivered in it.
    delivered: u64,
    last_rtt: Duration,
    /// Smallest RTT sample; Linux begins anew after a timeout, when the path may be another.
    min_rtt: BaseRtt,
}

impl Westwood {
    /// A new sample has the share `gain` of the estimate, at each stage.
    #[must_use]
    pub fn new(gain: f64, two_stages: bool) -> Self {
        Self {
            gain,
            two_stages,
            credit: Credit::default(),
            bandwidth: None,
            since: None,
            delivered: 0,
            last_rtt: Duration::ZERO,
            min_rtt: BaseRtt::default(),
        }
    }

    /// One sample per RTT, of all that was delivered in it: this, and not a sample per ACK, is Westwood's plus.
    #[expect(clippy::cast_precision_loss, reason = "far below 2^53 bytes")]
    fn end_sample(&mut self, interval: Duration) {
        let sample = self.delivered as f64 / interval.as_secs_f64();
        let towards = |old: f64, new: f64| old + self.gain * (new - old);
        // Linux: the first sample fills the filter.
        self.bandwidth = Some(self.bandwidth.map_or([sample; 2], |[first, last]| {
            let first = towards(first, sample);
            [first, if self.two_stages { towards(last, first) } else { first }]
        }));
    }

    /// Bandwidth x smallest RTT, whole segments.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "not negative: the cast clamps")]
    fn pipe(&self, mss: u64) -> Option<u64> {
        let bytes = self.bandwidth?[1] * self.min_rtt.known()?.as_secs_f64();
        Some((libm::floor(bytes / mss as f64) as u64).saturating_mul(mss))
    }
}

impl Avoidance for Westwood {
    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        if let Some(sample) = ack.rtt_sample {
            self.last_rtt = sample;
        }
        self.min_rtt.observe(ack);
        let interval = ack.now.since(*self.since.get_or_insert(ack.now));
        if interval > self.last_rtt.max(SHORTEST_SAMPLE) {
            self.end_sample(interval);
            self.since = Some(ack.now);
            self.delivered = 0;
        }
        self.delivered += ack.newly_acked;
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        self.credit.per_window(ack, window, 1.0)
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> u64 {
        self.credit.reset();
        let pipe = self.pipe(window.mss).unwrap_or_else(|| less_share(window, 0.5));
        if event.signal == Signal::Rto {
            self.min_rtt = BaseRtt::default();
            pipe
        } else {
            pipe.min(window.cwnd)
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some([_, bandwidth]) = self.bandwidth {
            show("bandwidth", bandwidth);
        }
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn Avoidance> {
    Box::new(Westwood::new(values.number("gain"), values.flag("two_stages")))
}

/// `westwood`.
pub const ENTRY: Entry = Entry {
    name: "westwood",
    summary: "Reno's growth; a loss cuts to the bandwidth that was delivered times the smallest RTT (Westwood+).",
    parameters: &[
        Parameter {
            name: "gain",
            default: Value::Number(0.125),
            range: (0.001, 1.0),
            unit: "",
            meaning: "share of a new sample in the bandwidth estimate, at each stage",
        },
        Parameter {
            name: "two_stages",
            default: Value::Flag(true),
            range: (0.0, 0.0),
            unit: "",
            meaning: "filter twice, as Linux does; the paper filters once, with gain 0.1",
        },
    ],
    reference: "Grieco & Mascolo, Performance evaluation and comparison of Westwood+, New Reno and Vegas TCP congestion control, \
        CCR 34(2), 2004; Linux 6 net/ipv4/tcp_westwood.c",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "classic",
        make,
    },
};
