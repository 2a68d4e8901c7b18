//! Westwood+ (Mascolo, Grieco et al. 2004): after a loss the window is the delivered bandwidth
//! times the smallest RTT. `Westwood` follows the paper, `WestwoodLinux` the kernel.

use super::Avoidance;
use crate::cast::{float, integer};
use crate::entry::traits::{Law, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::{BaseRtt, Jiffies};
use crate::window::{Credit, Tally, Window};
use crate::{
    AckEvent, CongestionEvent, Duration, Rng, RttSample, Rule, Ruled, Setup, Signal, Time,
};

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

/// Westwood+ as Linux computes it (`net/ipv4/tcp_westwood.c`), in ticks of the kernel's clock.
///
/// A loss halves the window, and it becomes the estimate when the reduction is over. A timeout
/// makes the estimate ssthresh at once.
#[derive(Clone, Debug, Default)]
struct WestwoodLinux {
    jiffies: Jiffies,
    tally: Tally,
    /// Bandwidth after the first and after the second stage of the filter, bytes per tick.
    bandwidth: [u64; 2],
    /// Beginning of the running sample, ticks; `None` before the connection sends.
    since: Option<u64>,
    /// Bytes delivered until then.
    delivered: u64,
    rtt: u64,
    /// Smallest RTT, ticks; `None`: that of the next ACK.
    min_rtt: Option<u64>,
}

const HALVED: Rule = Rule::cut(
    "halves the window until the losses are repaired",
    "Linux 6 net/ipv4/tcp_westwood.c, tcp_westwood_event",
);
const REDUCED: Rule = Rule::new(
    "recovery ends with the delivered bandwidth times the smallest RTT",
    "Linux 6 net/ipv4/tcp_westwood.c, tcp_westwood_event",
);

/// RTT before any sample, ticks (`TCP_WESTWOOD_INIT_RTT`).
const INITIAL_RTT: u64 = 20 * Jiffies::PER_SECOND;

impl WestwoodLinux {
    /// Bandwidth x smallest RTT in whole segments, bytes (`tcp_westwood_bw_rttmin`).
    fn pipe(&self, mss: u64) -> u64 {
        self.bandwidth[1].saturating_mul(self.min_rtt.unwrap_or(self.rtt)) / mss * mss
    }
}

impl Avoidance for WestwoodLinux {
    fn set_up(&mut self, setup: &Setup) {
        self.jiffies = Jiffies::new(setup.clock_phase);
        self.rtt = INITIAL_RTT;
    }

    fn on_transmit_start(&mut self, now: Time, _idle: Duration) {
        self.since.get_or_insert(self.jiffies.at(now));
    }

    fn takes_rtts(&self) -> bool {
        true
    }

    fn on_rtt(&mut self, sample: &RttSample, _window: &Window) -> Option<Ruled<u64>> {
        self.rtt = Jiffies::of(sample.rtt);
        let now = self.jiffies.at(sample.now);
        let ticks = now - *self.since.get_or_insert(now);
        if ticks > self.rtt.max(Jiffies::of(SHORTEST_SAMPLE)) {
            let before = sample.delivered - sample.newly_delivered;
            let rate = (before - self.delivered) / ticks;
            let [first, last] = self.bandwidth;
            self.bandwidth = if first == 0 && last == 0 {
                [rate; 2]
            } else {
                let first = first.saturating_mul(7).saturating_add(rate) / 8;
                [first, last.saturating_mul(7).saturating_add(first) / 8]
            };
            (self.since, self.delivered) = (Some(now), before);
        }
        self.min_rtt = Some(self.min_rtt.map_or(self.rtt, |least| least.min(self.rtt)));
        None
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        GROWTH.gives(self.tally.reno(ack.credited, window))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        self.tally.reset();
        if event.signal == Signal::Rto {
            let pipe = self.pipe(window.mss);
            self.min_rtt = None;
            CUT.gives(pipe)
        } else {
            HALVED.gives(window.less_share(0.5))
        }
    }

    fn on_reduced(&mut self, window: &Window) -> Option<Ruled<u64>> {
        Some(REDUCED.gives(self.pipe(window.mss)))
    }

    fn has_undo_state(&self) -> bool {
        false
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("bandwidth", float(self.bandwidth[1] * Jiffies::PER_SECOND));
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn Avoidance> {
    if values.is_linux(setup) {
        return Box::new(WestwoodLinux::default());
    }
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
        Parameter::linux(
            "as Linux: gain 1/8 twice, times in jiffies, and the cut to the estimate when the \
             losses are repaired",
        ),
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
