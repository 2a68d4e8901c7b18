//! PCC: sends at a rate for an interval, sees what it was worth, and learns from that which rate to send at next.
//!
//! What Allegro (Dong et al., PCC: re-architecting congestion control for consistent high performance, NSDI 2015) and Vivace
//! (Dong et al., PCC Vivace: online-learning congestion control, NSDI 2018) have in common: rates, the doubling at the start,
//! experiments and which intervals belong to them. What an interval is worth and what an experiment teaches is the [`Learner`]'s.
//! Rates are in Mbit/s of payload, as in the papers' utilities.

pub(crate) mod allegro;
pub(crate) mod vivace;

pub use allegro::Allegro;
pub use vivace::Vivace;

use std::collections::VecDeque;

use rand_core::Rng as _;

use crate::{
    AckEvent, CongestionControl, CongestionEvent, Decision, Duration, Interval, IntervalStart, MAX_PACING_RATE, Rate, Rng, Setup, Signal,
    Time,
};

const BITS_PER_MBIT: f64 = 1e6;
/// Smallest rate, segments per smoothed RTT; what Allegro begins with (section 3.2).
const MIN_RATE_SEGMENTS: f64 = 2.0;
/// Length of an interval before the first RTT sample.
const BLIND_INTERVAL: Duration = Duration::from_millis(100);
/// cwnd, in what the rate sends in a smoothed RTT: no limit while ACKs come, a brake when they do not (the authors' kernel module).
const WINDOW_GAIN: f64 = 2.0;
const MIN_WINDOW_SEGMENTS: f64 = 4.0;
/// While the rate doubles, loss below this share is not of its making: beyond the link's rate, a doubling loses half (the authors'
/// kernel module).
const STARTING_LOSS: f64 = 0.1;
/// Segments of an interval of the start, so that a few lost by chance are less than that.
const STARTING_SEGMENTS: f64 = 40.0;
/// Vivace section 4.3, "MI timeout".
const TIMEOUT_LEFT: f64 = 0.5;
/// An interval that is no evidence but lost more than this share is as good as a timeout ("emergency stop" in the authors' code): a sender
/// whose window is full of losses would else never learn that its rate is too high.
const HOPELESS_LOSS: f64 = 0.5;

/// What became of what was sent in an interval.
#[derive(Clone, Copy, Debug)]
pub struct Sample {
    /// Mbit/s sent.
    pub rate: f64,
    /// Share of it lost.
    pub loss: f64,
    /// Slope of the RTT over the time of sending.
    pub rtt_gradient: f64,
    /// Standard error of it; `None`: too few samples.
    pub rtt_gradient_error: Option<f64>,
}

impl Sample {
    /// `None` where the interval is no evidence: something else than the rate limited it, or its length is not known.
    #[expect(clippy::cast_precision_loss, reason = "an interval's bytes are far below 2^53")]
    fn of(interval: &Interval) -> Option<Self> {
        let seconds = interval.duration().as_secs_f64();
        let sent = interval.sent as f64;
        (!interval.is_limited && seconds > 0.0 && sent > 0.0).then(|| Self {
            rate: 8.0 * sent / seconds / BITS_PER_MBIT,
            loss: interval.lost as f64 / sent,
            rtt_gradient: interval.rtt.gradient().unwrap_or(0.0),
            rtt_gradient_error: interval.rtt.gradient_error(),
        })
    }

    /// As it counts while the rate doubles: neither random loss nor the drain of the first burst is evidence.
    fn of_start(self) -> Self {
        Self {
            loss: if self.loss < STARTING_LOSS { 0.0 } else { self.loss },
            rtt_gradient: self.rtt_gradient.max(0.0),
            ..self
        }
    }
}

/// A rate that was tried and what it was worth.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Outcome {
    /// Mbit/s.
    pub rate: f64,
    /// By the learner's utility.
    pub utility: f64,
}

/// How a PCC judges intervals and what it makes of an experiment.
pub trait Learner: Clone + Send + 'static {
    /// How many intervals of the start may be unsettled when the rate doubles. An interval ends a round trip before it is settled, so 1 is
    /// doubling in every interval, and 0 after the result of the one before. More would be blind: while a deep buffer fills, each
    /// result comes later than the last.
    const UNSETTLED: usize;
    /// An interval is long enough for so many segments.
    const MIN_SEGMENTS: f64;
    /// What an interval was worth.
    fn utility(&self, sample: &Sample) -> f64;
    /// How long an interval should last, smoothed RTTs.
    fn interval_rtts(&self, rng: &mut Rng) -> f64;
    /// The rates to try around `rate`, in order.
    fn experiment(&self, rate: f64, rng: &mut Rng) -> VecDeque<f64>;
    /// The rate after an experiment around `rate`, whose outcomes are in the order of their trial.
    fn learn(&mut self, rate: f64, outcomes: &[Outcome]) -> f64;
    /// A timeout: what was under way counts for nothing.
    fn reset(&mut self);
    /// Shows internal state by name, for the record.
    fn internals(&self, show: &mut dyn FnMut(&'static str, f64));
}

/// Pairs of `rate` (1 + epsilon) and `rate` (1 - epsilon), each in random order, so that what changes meanwhile favours none.
#[must_use]
pub fn random_pairs(rate: f64, epsilon: f64, pairs: usize, rng: &mut Rng) -> VecDeque<f64> {
    let (up, down) = (rate * (1.0 + epsilon), rate * (1.0 - epsilon));
    (0..pairs)
        .flat_map(|_| if rng.next_u64() >> 63 == 0 { [up, down] } else { [down, up] })
        .collect()
}

/// An interval that something is to be learned from.
#[derive(Clone, Copy, Debug)]
struct Trial {
    number: u64,
    rate: f64,
}

#[derive(Clone, Debug)]
enum Phase {
    /// Doubling until it is worth less.
    Starting { next: f64, best: Option<Outcome> },
    /// Experiments: what is still to be tried, and what came out.
    Learning { todo: VecDeque<f64>, outcomes: Vec<Outcome> },
}

/// A PCC.
#[derive(Clone, Debug)]
pub struct Pcc<L> {
    learner: L,
    mss_bits: f64,
    initial_segments: f64,
    phase: Phase,
    /// What experiments vary, Mbit/s; sent while their results are awaited.
    rate: f64,
    /// What is sent now.
    current: f64,
    /// Under way.
    trials: VecDeque<Trial>,
    /// Seconds; `None`: no RTT sample yet.
    srtt: Option<f64>,
    /// The rate before the latest timeout.
    before_timeout: Option<f64>,
}

impl<L: Learner> Pcc<L> {
    /// Before the first byte.
    #[must_use]
    #[expect(clippy::cast_precision_loss, reason = "a segment and an initial window are far below 2^53 bytes")]
    pub fn new(learner: L, setup: &Setup) -> Self {
        Self {
            learner,
            mss_bits: 8.0 * setup.mss as f64,
            initial_segments: setup.initial_window as f64 / setup.mss as f64,
            phase: Phase::Starting { next: 0.0, best: None },
            rate: 0.0,
            current: 0.0,
            trials: VecDeque::new(),
            srtt: None,
            before_timeout: None,
        }
    }

    /// Mbit/s at which `segments` are sent in a smoothed RTT, within what a link can be.
    fn per_rtt(&self, segments: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "2^50")]
        let max = MAX_PACING_RATE.as_bps() as f64;
        let srtt = self.srtt.unwrap_or(BLIND_INTERVAL.as_secs_f64());
        (segments * self.mss_bits / srtt).min(max) / BITS_PER_MBIT
    }

    fn bounded(&self, rate: f64) -> f64 {
        #[expect(clippy::cast_precision_loss, reason = "2^50")]
        let max = MAX_PACING_RATE.as_bps() as f64 / BITS_PER_MBIT;
        rate.max(self.per_rtt(MIN_RATE_SEGMENTS)).min(max)
    }

    /// The rate of the interval that begins; notes whether it is a trial.
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
            Phase::Learning { todo, outcomes } => todo.is_empty() && outcomes.is_empty() && self.trials.is_empty(),
        }
    }

    /// Halves the rate; what was under way counts for nothing.
    fn give_way(&mut self, rate: f64, rng: &mut Rng) {
        self.learner.reset();
        self.experiment(rate * TIMEOUT_LEFT, rng);
    }

    /// What was tried is no evidence: it is tried again.
    fn repeat(&mut self, rate: f64, rng: &mut Rng) {
        self.trials.clear();
        match &mut self.phase {
            Phase::Starting { next, .. } => *next = rate,
            Phase::Learning { .. } => self.experiment(self.rate, rng),
        }
    }

    fn take_in(&mut self, outcome: Outcome, rng: &mut Rng) {
        match &mut self.phase {
            Phase::Starting { best, .. } if best.is_none_or(|best| outcome.utility > best.utility) => {
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
        #[expect(clippy::cast_precision_loss, reason = "a restart window is far below 2^53 bytes")]
        let segments = 8.0 * restart_window as f64 / self.mss_bits;
        self.initial_segments = self.initial_segments.min(segments);
    }

    fn on_spurious(&mut self, _now: Time) {
        // A copy from before the signal would wait for intervals that have ended since.
        if let Some(rate) = self.before_timeout.take() {
            // What was begun since varies another rate; the next interval begins anew.
            self.rate = self.rate.max(rate);
            self.current = self.rate;
            self.trials.clear();
            self.phase = Phase::Learning {
                todo: VecDeque::new(),
                outcomes: Vec::new(),
            };
        }
    }

    fn begin_interval(&mut self, start: &IntervalStart, rng: &mut Rng) -> Option<Duration> {
        let srtt = start.srtt.map(Duration::as_secs_f64).filter(|srtt| *srtt > 0.0);
        let is_first_estimate = self.srtt.is_none();
        self.srtt = srtt.or(self.srtt);
        if is_first_estimate {
            self.rate = self.bounded(self.per_rtt(self.initial_segments));
            self.phase = Phase::Starting {
                next: self.rate,
                best: None,
            };
        }
        if self.has_nothing_to_learn() {
            self.experiment(self.rate, rng);
        }
        // The first packets are not paced (Linux), so the first interval says nothing of its rate.
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
        let enough = Duration::from_secs_f64(segments * self.mss_bits / (self.current * BITS_PER_MBIT));
        Some(length.max(enough).max(Duration::from_ps(1)))
    }

    fn on_interval(&mut self, interval: &Interval, rng: &mut Rng) {
        let Some(trial) = self.trials.front().copied().filter(|trial| trial.number <= interval.number) else {
            return;
        };
        self.trials.pop_front();
        let sample = Sample::of(interval).filter(|_| trial.number == interval.number);
        let Some(sample) = sample else {
            #[expect(clippy::cast_precision_loss, reason = "an interval's bytes are far below 2^53")]
            let is_hopeless = interval.lost as f64 > HOPELESS_LOSS * interval.sent as f64;
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

    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "positive; the casts saturate")]
    fn decision(&self) -> Decision {
        let window_bits = match self.srtt {
            Some(srtt) => (WINDOW_GAIN * self.current * BITS_PER_MBIT * srtt).max(MIN_WINDOW_SEGMENTS * self.mss_bits),
            None => self.initial_segments.max(1.0) * self.mss_bits,
        };
        Decision {
            cwnd: (window_bits / 8.0) as u64,
            ssthresh: None,
            pacing_rate: self
                .srtt
                .map(|_| Rate::from_bps((self.current * BITS_PER_MBIT) as u64).clamp(Rate::from_bps(1), MAX_PACING_RATE)),
        }
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("starting", f64::from(u8::from(matches!(self.phase, Phase::Starting { .. }))));
        show("base_rate", self.rate * BITS_PER_MBIT);
        self.learner.internals(show);
    }

    fn clone_box(&self) -> Box<dyn CongestionControl> {
        Box::new(self.clone())
    }
}
