//! `HyStart` (Ha & Rhee, 2011) as Linux 6 has it: doubling that ends before the loss, on a long ACK
//! train or a rising RTT.

use super::{Growth, SlowStart};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::window::Window;
use crate::{AckEvent, Duration, RttSample, Rule, Ruled, Setup};

/// RTT samples of a round whose minimum is compared with the smallest RTT.
const MIN_SAMPLES: u32 = 8;
/// Bounds of the RTT increase that ends slow start. Between them it is an eighth of the smallest
/// RTT.
const DELAY_MIN: Duration = Duration::from_millis(4);
const DELAY_MAX: Duration = Duration::from_millis(16);
const DELAY_DIVISOR: u64 = 8;
/// Largest extra time that Linux allows the ACK train: the time of four of its largest segments at
/// the pacing rate, but not more than this.
const TRAIN_ALLOWANCE: Duration = Duration::from_millis(1);
const LARGEST_SEGMENT_BYTES: u64 = 65_536;

/// Detectors that run, and the window from which they do.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Smallest window that can end slow start, segments.
    pub low_window: u64,
    /// Largest time between two ACKs of one train.
    pub ack_delta: Duration,
    /// Whether the ACK-train detector runs.
    pub ack_train: bool,
    /// Whether the delay detector runs.
    pub delay: bool,
    /// Whether the sender is paced. Pacing stretches the train, which may then last a whole RTT
    /// instead of half.
    pub paced: bool,
}

/// Doubling with two detectors of a full path.
#[derive(Clone, Debug)]
pub struct HyStart {
    options: Options,
    /// Smallest RTT sample. Linux forgets earlier ones at a timeout, but not in idle periods.
    delay_min: Option<Duration>,
    round: Round,
    /// Whether the end was found. It is not looked for again until the next timeout (Linux's
    /// `found`): slow start after an idle period goes up to ssthresh.
    found: bool,
}

/// Measurements of one round so far.
#[derive(Clone, Copy, Debug)]
struct Round {
    /// Sequence number whose acknowledgement ends the round. `None`: the round ends with the
    /// episode of congestion that it began in.
    end: Option<u64>,
    /// Instant at which the round began.
    start: crate::Time,
    /// Last ACK of the train; `None`: no ACK is close to it.
    last_ack: Option<crate::Time>,
    min_rtt: Duration,
    samples: u32,
}

impl Round {
    /// Round that begins with the connection or a timeout. No ACK is close to its start.
    const FIRST: Self = Self {
        end: None,
        start: crate::Time::ZERO,
        last_ack: None,
        min_rtt: Duration::MAX,
        samples: 0,
    };
}

const SOURCE: &str = "Ha & Rhee 2011; Linux 6 net/ipv4/tcp_cubic.c, hystart_update";
const GROWTH: Rule =
    Rule::new("slow start with HyStart: cwnd grows by the bytes acknowledged", SOURCE);
const END: Rule = Rule::new(
    "HyStart ends slow start: the ACK train is long, or the RTT of the round has risen",
    SOURCE,
);

impl HyStart {
    /// A `HyStart` with these detectors.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, delay_min: None, round: Round::FIRST, found: false }
    }

    fn is_train_long(&mut self, sample: &RttSample, delay_min: Duration) -> bool {
        let Some(last_ack) = self.round.last_ack else { return false };
        if sample.now.since(last_ack) > self.options.ack_delta {
            return false;
        }
        self.round.last_ack = Some(sample.now);
        // In slow start Linux paces, or would pace, at two windows per smoothed RTT.
        let largest =
            sample.srtt.saturating_mul(4 * LARGEST_SEGMENT_BYTES) / (2 * sample.cwnd).max(1);
        let threshold = delay_min + largest.min(TRAIN_ALLOWANCE);
        let threshold = if self.options.paced { threshold } else { threshold / 2 };
        sample.now.since(self.round.start) > threshold
    }

    fn has_delay_risen(&mut self, sample: Duration, delay_min: Duration) -> bool {
        let round = &mut self.round;
        round.min_rtt = round.min_rtt.min(sample);
        if round.samples < MIN_SAMPLES {
            round.samples += 1;
            return false;
        }
        round.min_rtt > delay_min + (delay_min / DELAY_DIVISOR).clamp(DELAY_MIN, DELAY_MAX)
    }

    /// Whether this sample shows that the path is full (Linux's `hystart_update`).
    fn has_found_end(&mut self, sample: &RttSample, mss: u64, delay_min: Duration) -> bool {
        if sample.una > *self.round.end.get_or_insert(sample.recovery_point) {
            self.round = Round {
                end: Some(sample.next),
                start: sample.now,
                last_ack: Some(sample.now),
                ..Round::FIRST
            };
        }
        if sample.cwnd < self.options.low_window * mss {
            return false;
        }
        let is_long = self.options.ack_train && self.is_train_long(sample, delay_min);
        let has_risen = self.options.delay && self.has_delay_risen(sample.rtt, delay_min);
        is_long || has_risen
    }
}

impl SlowStart for HyStart {
    fn begin(&mut self, _window: &Window) {
        self.round = Round::FIRST;
        self.delay_min = None;
        self.found = false;
    }

    // An idle period resets nothing: in Linux only a timeout calls `bictcp_reset`.
    fn resume(&mut self, _window: &Window) {}

    fn takes_rtts(&self) -> bool {
        true
    }

    // Follows Linux's order. `pkts_acked` sees each ACK first, in recovery and without regard to
    // what limits the sender, and may set ssthresh. `cong_avoid` then finds itself in avoidance.
    fn on_rtt(&mut self, sample: &RttSample, mss: u64, is_below: bool) -> Option<&'static Rule> {
        let delay_min = self.delay_min.map_or(sample.rtt, |min| min.min(sample.rtt));
        self.delay_min = Some(delay_min);
        if !self.found && is_below {
            self.found = self.has_found_end(sample, mss, delay_min);
            return self.found.then_some(&END);
        }
        None
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        GROWTH.gives(Growth::double(ack, window))
    }

    fn has_undo_state(&self) -> bool {
        false
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(delay_min) = self.delay_min {
            show("hystart_delay_min", delay_min.as_secs_f64());
        }
        if self.round.samples > 0 {
            show("hystart_round_rtt", self.round.min_rtt.as_secs_f64());
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn SlowStart> {
    Box::new(HyStart::new(Options {
        low_window: values.whole("low_window"),
        ack_delta: values.milliseconds("ack_delta"),
        ack_train: values.flag("ack_train"),
        delay: values.flag("delay"),
        paced: values.flag("paced"),
    }))
}

/// Catalogue entry `hystart`.
pub const ENTRY: Entry = Entry {
    name: "hystart",
    summary: "Doubles until the ACK train is as long as the path or the RTT rises, so that slow \
              start ends without loss.",
    parameters: &[
        Parameter::quantity("low_window", 16.0, 1.0..=1e6, "segments")
            .meaning("smallest window that can end it"),
        Parameter::quantity("ack_delta", 2.0, 0.0..=1000.0, "ms")
            .meaning("ACKs closer than this belong to one train"),
        Parameter::flag("ack_train", true)
            .meaning("end when the ACK train lasts half the smallest RTT"),
        Parameter::flag("delay", true)
            .meaning("end when the RTT rises by an eighth (4 ms to 16 ms)"),
        Parameter::flag("paced", false)
            .meaning("the sender is paced: the train may last a whole RTT"),
    ],
    reference: "Ha & Rhee, Taming the elephants: new TCP slow start, Computer Networks 55(9), \
                2011; Linux 6 net/ipv4/tcp_cubic.c",
    implies: &[],
    traits: Traits::DELAY_BASED_START,
    make: Make::slow_start(make),
};
