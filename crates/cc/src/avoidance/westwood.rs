//! Westwood+ (Mascolo, Grieco et al. 2004), as Linux's `tcp_westwood` does it: after a loss the
//! window is the delivered bandwidth times the smallest RTT.

use super::Avoidance;
use crate::cast::{float, integer};
use crate::entry::traits::{Law, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::BaseRtt;
use crate::window::{Credit, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled, Setup, Signal, Time};

/// Shortest time that a bandwidth sample takes (Linux's `TCP_WESTWOOD_RTT_MIN`).
const SHORTEST_SAMPLE: Duration = Duration::from_millis(50);

/// Reno's growth, and a cut to bandwidth x smallest RTT.
#[derive(Clone, Debug)]
pub struct Westwood {
    gain: f64,
    two_stages: bool,
    credit: Credit,
    /// Bandwidth after the first and after the last stage of the filter, bytes/s.
    bandwidth: Option<[f64; 2]>,
    /// Start of the current sample.
    since: Option<Time>,
    /// Bytes delivered in the current sample.
    delivered: u64,
    last_rtt: Duration,
    /// Smallest RTT sample. Linux forgets it at a timeout, when the path may have changed.
    min_rtt: BaseRtt,
}

const GROWTH: Rule =
    Rule::new("Reno's growth: one segment more per acknowledged window", "RFC 5681 section 3.1");
const CUT: Rule = Rule::cut(
    "cuts to the delivered bandwidth times the smallest RTT",
    "Grieco & Mascolo 2004; Linux 6 net/ipv4/tcp_westwood.c, tcp_westwood_bw_rttmin",
);

impl Westwood {
    /// A Westwood whose filter takes a new sample with weight `gain` at each of its one or two
    /// stages.
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

    /// Ends a sample: one per RTT, of everything that was delivered in it. This is the plus of
    /// Westwood+, where the original takes a sample per ACK.
    fn end_sample(&mut self, interval: Duration) {
        let sample = float(self.delivered) / interval.as_secs_f64();
        let towards = |old: f64, new: f64| old + self.gain * (new - old);
        // As in Linux, the first sample fills the filter.
        self.bandwidth = Some(self.bandwidth.map_or([sample; 2], |[first, last]| {
            let first = towards(first, sample);
            [first, if self.two_stages { towards(last, first) } else { first }]
        }));
    }

    /// Bandwidth x smallest RTT in whole segments, bytes.
    fn pipe(&self, mss: u64) -> Option<u64> {
        let bytes = self.bandwidth?[1] * self.min_rtt.known()?.as_secs_f64();
        Some(integer(libm::floor(bytes / float(mss))).saturating_mul(mss))
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

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        GROWTH.gives(self.credit.per_window(ack, window, 1.0))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.credit.reset();
        let pipe = self.pipe(window.mss).unwrap_or_else(|| window.less_share(0.5));
        if event.signal == Signal::Rto {
            self.min_rtt = BaseRtt::default();
            CUT.gives(pipe)
        } else {
            CUT.gives(pipe.min(window.cwnd))
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some([_, bandwidth]) = self.bandwidth {
            show("bandwidth", bandwidth);
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(Westwood::new(values.number("gain"), values.flag("two_stages")))
}

/// Catalogue entry `westwood`.
pub const ENTRY: Entry = Entry {
    name: "westwood",
    summary: "Reno's growth; a loss cuts to the bandwidth that was delivered times the smallest \
              RTT (Westwood+).",
    parameters: &[
        Parameter::number("gain", 0.125, 0.001..=1.0)
            .meaning("share of a new sample in the bandwidth estimate, at each stage"),
        Parameter::flag("two_stages", true)
            .meaning("filter twice, as Linux does; the paper filters once, with gain 0.1"),
    ],
    reference: "Grieco & Mascolo, Performance evaluation and comparison of Westwood+, New Reno \
                and Vegas TCP congestion control, CCR 34(2), 2004; Linux 6 net/ipv4/tcp_westwood.c",
    implies: &[],
    traits: Traits {
        response: &[Law::new(
            "westwood_rate",
            &[("loss_rate", Term::LossRate), ("rtt", Term::Rtt), ("queueing", Term::Queueing)],
            "Grieco & Mascolo 2004, sqrt((1-p)/p) / sqrt(RTT T_q)",
        )],
        ..Traits::AVOIDANCE
    },
    make: Make::avoidance("classic", make),
};
