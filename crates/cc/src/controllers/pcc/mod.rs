//! PCC: sends at a rate for an interval, measures what it was worth, and learns the next rate from
//! the result.
//!
//! Two algorithms share this frame: Allegro (Dong et al., PCC: re-architecting congestion control
//! for consistent high performance, NSDI 2015) and Vivace (Dong et al., PCC Vivace: online-learning
//! congestion control, NSDI 2018). The frame has the rates, the doubling at the start, the
//! experiments and the intervals that belong to them. The [`Learner`] decides what an interval is
//! worth and what an experiment teaches. Rates are in Mbit/s of payload, as in the papers'
//! utilities.

pub(crate) mod allegro;
pub(crate) mod vivace;

use std::collections::VecDeque;

use rand_core::Rng as _;

use crate::cast::{float, integer};
use crate::{
    AckEvent, Call, CongestionControl, CongestionEvent, Decision, Duration, Interval,
    IntervalStart, MAX_PACING_RATE, Rate, Rng, Rule, Setup, Signal, Time,
};

const BITS_PER_MBIT: f64 = 1e6;
/// Smallest rate, segments per smoothed RTT. Allegro begins with it (section 3.2).
const MIN_RATE_SEGMENTS: f64 = 2.0;
/// Length of an interval before the first RTT sample.
const BLIND_INTERVAL: Duration = Duration::from_millis(100);
/// cwnd in units of what the rate sends in a smoothed RTT. It is no limit while ACKs come, and a
/// brake when they do not (the authors' kernel module).
const WINDOW_GAIN: f64 = 2.0;
const MIN_WINDOW_SEGMENTS: f64 = 4.0;
/// Share of losses below which a doubling has not caused them: beyond the link's rate, a doubling
/// loses half (the authors' kernel module).
const STARTING_LOSS: f64 = 0.1;
/// Segments of an interval at the start. A few random losses are then less than [`STARTING_LOSS`].
const STARTING_SEGMENTS: f64 = 40.0;
/// Share of the rate that a timeout leaves (Vivace section 4.3, timeout of a monitor interval).
const TIMEOUT_LEFT: f64 = 0.5;
/// Share of losses from which an interval that is no evidence counts as a timeout ("emergency stop"
/// in the authors' code). Without it, a sender whose window is full of losses would never learn
/// that its rate is too high.
const HOPELESS_LOSS: f64 = 0.5;

/// Measurements of an interval.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Rate that was sent, Mbit/s.
    pub rate: f64,
    /// Share of the sent bytes that was lost.
    pub loss: f64,
    /// Slope of the RTT over the time of sending, s/s.
    pub rtt_gradient: f64,
    /// Standard error of the slope. `None`: too few samples.
    pub rtt_gradient_error: Option<f64>,
}

impl Sample {
    /// Measurements of an interval. `None`: the interval is no evidence, because something other
    /// than the rate limited it or its length is unknown.
    fn of(interval: &Interval) -> Option<Self> {
        let seconds = interval.duration().as_secs_f64();
        let sent = float(interval.sent);
        (!interval.is_limited && seconds > 0.0 && sent > 0.0).then(|| Self {
            rate: 8.0 * sent / seconds / BITS_PER_MBIT,
            loss: float(interval.lost) / sent,
            rtt_gradient: interval.rtt.gradient().unwrap_or(0.0),
            rtt_gradient_error: interval.rtt.gradient_error(),
        })
    }

    /// Measurements as they count while the rate doubles. Neither random loss nor the drain of the
    /// first burst is evidence then.
    fn of_start(self) -> Self {
        Self {
            loss: if self.loss < STARTING_LOSS { 0.0 } else { self.loss },
            rtt_gradient: self.rtt_gradient.max(0.0),
            ..self
        }
    }
}

/// A rate that was tried, and what it was worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// The rate, Mbit/s.
    pub rate: f64,
    /// Worth of the rate by the learner's utility.
    pub utility: f64,
}

/// How a PCC values intervals and what it learns from an experiment.
pub trait Learner: Clone + Send + 'static {
    /// Unsettled intervals with which the rate may still double at the start.
    ///
    /// An interval settles a round trip after its end. With 1 the rate doubles in every interval,
    /// and with 0 only after the result of the one before. More would be blind: while a deep buffer
    /// fills, each result comes later than the last.
    const UNSETTLED: usize;
    /// Least number of segments for which an interval is long enough.
    const MIN_SEGMENTS: f64;
    /// Section of the paper that has the doubling at the start.
    const STARTING: &str;
    /// Section of the paper that has the experiments.
    const LEARNING: &str;
    /// Section of the paper that has the answer to a timeout.
    const TIMEOUT: &str;
    /// Worth of an interval.
    fn utility(&self, sample: &Sample) -> f64;
    /// Length of an interval, smoothed RTTs.
    fn interval_rtts(&self, rng: &mut Rng) -> f64;
    /// Rates to try around `rate`, in order.
    fn experiment(&self, rate: f64, rng: &mut Rng) -> VecDeque<f64>;
    /// Rate after an experiment around `rate`. `outcomes` are in the order of the trials.
    fn learn(&mut self, rate: f64, outcomes: &[Outcome]) -> f64;
    /// A timeout: what was under way counts for nothing.
    fn reset(&mut self);
    /// Shows internal state by name, for the recorded series.
    fn internals(&self, show: &mut dyn FnMut(&'static str, f64));
}

/// Pairs of `rate` (1 + epsilon) and `rate` (1 - epsilon), each in random order. What changes
/// meanwhile then favours neither.
#[must_use]
pub fn random_pairs(rate: f64, epsilon: f64, pairs: usize, rng: &mut Rng) -> VecDeque<f64> {
    let (up, down) = (rate * (1.0 + epsilon), rate * (1.0 - epsilon));
    (0..pairs)
        .flat_map(|_| if rng.next_u64() >> 63 == 0 { [up, down] } else { [down, up] })
        .collect()
}

/// An interval from which something is to be learned.
#[derive(Clone, Copy, Debug)]
struct Trial {
    number: u64,
    rate: f64,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Doubling until a rate is worth less than the one before.
    Starting { next: f64, best: Option<Outcome> },
    /// Experiments: the rates still to be tried, and the outcomes so far.
    Learning { todo: VecDeque<f64>, outcomes: Vec<Outcome> },
}

/// A PCC with this learner.
#[derive(Clone, Debug)]
pub struct Pcc<L> {
    learner: L,
    mss_bits: f64,
    initial_segments: f64,
    phase: Phase,
    /// Rate that experiments vary, Mbit/s. It is sent while their results are awaited.
    rate: f64,
    /// Rate that is sent now, Mbit/s.
    current: f64,
    /// Trials under way.
    trials: VecDeque<Trial>,
    /// Smoothed RTT, seconds. `None`: no sample yet.
    srtt: Option<f64>,
    /// The rate before the latest timeout.
    before_timeout: Option<f64>,
}

impl<L: Learner> Pcc<L> {
    /// A PCC before the first byte.
    #[must_use]
    pub fn new(learner: L, setup: &Setup) -> Self {
        Self {
            learner,
            mss_bits: 8.0 * float(setup.mss),
            initial_segments: float(setup.initial_window) / float(setup.mss),
            phase: Phase::Starting { next: 0.0, best: None },
            rate: 0.0,
            current: 0.0,
            trials: VecDeque::new(),
            srtt: None,
            before_timeout: None,
        }
    }

    /// Rate at which `segments` are sent in a smoothed RTT, Mbit/s, at most the fastest link's.
    fn per_rtt(&self, segments: f64) -> f64 {
        let max = float(MAX_PACING_RATE.as_bps());
        let srtt = self.srtt.unwrap_or(BLIND_INTERVAL.as_secs_f64());
        (segments * self.mss_bits / srtt).min(max) / BITS_PER_MBIT
    }

    fn bounded(&self, rate: f64) -> f64 {
        let max = float(MAX_PACING_RATE.as_bps()) / BITS_PER_MBIT;
        rate.max(self.per_rtt(MIN_RATE_SEGMENTS)).min(max)
    }

    /// Rate of the interval that begins. Notes whether the interval is a trial.
    fn next_rate(&mut self, number: u64) -> f64 {
        let unsettled = self.trials.len();
        let trial = match &mut self.phase {
            Phase::Starting { .. } if unsettled > L::UNSETTLED => None,
            Phase::Starting { next, .. } => {
                let rate = *next;
                *next *= 2.0;
                Some(rate)
            }
            Phase::Learning { todo, .. } => todo.pop_front(),
        };
        let Some(rate) = trial else { return self.rate };
        let rate = self.bounded(rate);
        if matches!(self.phase, Phase::Starting { .. }) {
            self.rate = rate;
        }
        self.trials.push_back(Trial { number, rate });
        rate
    }

    /// Begins an experiment around `rate` with the next segment: a changed rate begins an interval.
    fn experiment(&mut self, rate: f64, rng: &mut Rng) {
        self.rate = self.bounded(rate);
        self.trials.clear();
        let todo = self.learner.experiment(self.rate, rng);
        self.current = todo.front().map_or(self.rate, |first| self.bounded(*first));
        let outcomes = Vec::with_capacity(todo.len());
        self.phase = Phase::Learning { todo, outcomes };
    }

    fn has_nothing_to_learn(&self) -> bool {
        match &self.phase {
            Phase::Starting { .. } => false,
            Phase::Learning { todo, outcomes } => {
                todo.is_empty() && outcomes.is_empty() && self.trials.is_empty()
            }
        }
    }

    /// Halves the rate. What was under way counts for nothing.
    fn give_way(&mut self, rate: f64, rng: &mut Rng) {
        self.learner.reset();
        self.experiment(rate * TIMEOUT_LEFT, rng);
    }

    /// Tries again what turned out to be no evidence.
    fn repeat(&mut self, rate: f64, rng: &mut Rng) {
        self.trials.clear();
        match &mut self.phase {
            Phase::Starting { next, .. } => *next = rate,
            Phase::Learning { .. } => self.experiment(self.rate, rng),
        }
    }

    fn take_in(&mut self, outcome: Outcome, rng: &mut Rng) {
        match &mut self.phase {
            Phase::Starting { best, .. }
                if best.is_none_or(|best| outcome.utility > best.utility) =>
            {
                *best = Some(outcome);
                if self.trials.is_empty() {
                    // A changed rate begins the next interval.
                    self.current = self.bounded(2.0 * outcome.rate);
                }
            }
            // Allegro section 3.2: back to the rate that was worth more.
            Phase::Starting { best, .. } => {
                let rate = best.map_or(outcome.rate, |best| best.rate);
                self.experiment(rate, rng);
            }
            Phase::Learning { todo, outcomes } => {
                outcomes.push(outcome);
                if todo.is_empty() && self.trials.is_empty() {
                    let rate = self.learner.learn(self.rate, outcomes);
                    self.experiment(rate, rng);
                }
            }
        }
    }
}

impl<L: Learner> CongestionControl for Pcc<L> {
    fn on_ack(&mut self, _ack: &AckEvent, _rng: &mut Rng) {}

    fn on_congestion(&mut self, event: &CongestionEvent, rng: &mut Rng) {
        if event.signal == Signal::Rto && self.srtt.is_some() {
            self.before_timeout = Some(self.rate);
            self.give_way(self.rate, rng);
        }
    }

    fn owns_window(&self) -> bool {
        true
    }

    fn on_idle_restart(&mut self, restart_window: u64, _now: Time) {
        let segments = 8.0 * float(restart_window) / self.mss_bits;
        self.initial_segments = self.initial_segments.min(segments);
    }

    fn on_spurious(&mut self, _now: Time) {
        // A copy from before the signal would wait for intervals that have ended since.
        if let Some(rate) = self.before_timeout.take() {
            // Trials begun since the timeout vary another rate. The next interval begins a new
            // experiment.
            self.rate = self.rate.max(rate);
            self.current = self.rate;
            self.trials.clear();
            self.phase = Phase::Learning { todo: VecDeque::new(), outcomes: Vec::new() };
        }
    }

    fn begin_interval(&mut self, start: &IntervalStart, rng: &mut Rng) -> Option<Duration> {
        let srtt = start.srtt.map(Duration::as_secs_f64).filter(|srtt| *srtt > 0.0);
        let is_first_estimate = self.srtt.is_none();
        self.srtt = srtt.or(self.srtt);
        if is_first_estimate {
            self.rate = self.bounded(self.per_rtt(self.initial_segments));
            self.phase = Phase::Starting { next: self.rate, best: None };
        }
        if self.has_nothing_to_learn() {
            self.experiment(self.rate, rng);
        }
        // As in Linux, the first packets are not paced. The first interval says nothing about its
        // rate.
        self.current = if self.srtt.is_none() || start.number == 0 {
            self.rate
        } else {
            self.next_rate(start.number)
        };
        let rtts = self.learner.interval_rtts(rng);
        let length = srtt.map_or(BLIND_INTERVAL, |srtt| Duration::from_secs_f64(rtts * srtt));
        let segments = match self.phase {
            Phase::Starting { .. } => STARTING_SEGMENTS.max(L::MIN_SEGMENTS),
            Phase::Learning { .. } => L::MIN_SEGMENTS,
        };
        let enough =
            Duration::from_secs_f64(segments * self.mss_bits / (self.current * BITS_PER_MBIT));
        Some(length.max(enough).max(Duration::from_ps(1)))
    }

    fn on_interval(&mut self, interval: &Interval, rng: &mut Rng) {
        let Some(trial) =
            self.trials.front().copied().filter(|trial| trial.number <= interval.number)
        else {
            return;
        };
        self.trials.pop_front();
        let sample = Sample::of(interval).filter(|_| trial.number == interval.number);
        let Some(sample) = sample else {
            let is_hopeless = float(interval.lost) > HOPELESS_LOSS * float(interval.sent);
            if is_hopeless {
                self.give_way(trial.rate, rng);
            } else {
                self.repeat(trial.rate, rng);
            }
            return;
        };
        let utility = match self.phase {
            Phase::Starting { .. } => self.learner.utility(&sample.of_start()),
            Phase::Learning { .. } => self.learner.utility(&sample),
        };
        self.take_in(Outcome { rate: trial.rate, utility }, rng);
    }

    fn decision(&self) -> Decision {
        let window_bits = match self.srtt {
            Some(srtt) => (WINDOW_GAIN * self.current * BITS_PER_MBIT * srtt)
                .max(MIN_WINDOW_SEGMENTS * self.mss_bits),
            None => self.initial_segments.max(1.0) * self.mss_bits,
        };
        Decision {
            cwnd: integer(window_bits / 8.0),
            ssthresh: None,
            pacing_rate: self.srtt.map(|_| {
                Rate::from_bps(integer(self.current * BITS_PER_MBIT))
                    .clamp(Rate::from_bps(1), MAX_PACING_RATE)
            }),
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("starting", f64::from(u8::from(matches!(self.phase, Phase::Starting { .. }))));
        show("base_rate", self.rate * BITS_PER_MBIT);
        self.learner.internals(show);
    }

    fn rule(&self, call: Call) -> String {
        let rule = match call {
            Call::Congestion(Signal::Rto) | Call::RepeatedTimeout => {
                Rule::new("a timeout halves the rate, and a new experiment begins", L::TIMEOUT)
            }
            Call::Undo => Rule::new(
                "the timeout was a mistake: the rate from before it comes back",
                "RFC 4015 section 3.4",
            ),
            Call::IdleRestart | Call::WindowKept | Call::LostSyn => Rule::new(
                "the first interval sends at most the restart window",
                "RFC 5681 sections 3.1 and 4.1",
            ),
            _ => match &self.phase {
                Phase::Starting { .. } => Rule::new(
                    "starting: the rate doubles until the utility of an interval falls",
                    L::STARTING,
                ),
                Phase::Learning { .. } => Rule::new(
                    "learning: rates around the present one are tried; the utilities give the next",
                    L::LEARNING,
                ),
            },
        };
        rule.text(call)
    }
}
