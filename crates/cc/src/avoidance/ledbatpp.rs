//! LEDBAT++: LEDBAT by round-trip times, with multiplicative decrease and slowdowns that let it see the empty path.

use super::{Avoidance, Increase, MIN_WINDOW_SEGMENTS, segments};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::measure::QueueingDelay;
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, Signal, Time};

/// RTT samples of which the least is the present delay (section 4.5).
pub const CURRENT_FILTER: usize = 4;
/// Minutes over which the base delay is the least, as in RFC 6817.
pub const BASE_HISTORY: u64 = 10;
/// Round trips from slow start to the first slowdown, and of standing still in each (section 4.4).
const SLOWDOWN_ROUND_TRIPS: u64 = 2;
/// The time from a slowdown to the next, in durations of the slowdown.
const INTERVAL: u64 = 9;
/// The window in a slowdown and the smallest ever, segments.
const FLOOR: u64 = MIN_WINDOW_SEGMENTS;

/// Section 4.2: segments per round trip, fewer where the path is short.
#[must_use]
pub fn gain(target: f64, base: f64, max_divisor: f64) -> f64 {
    1.0 / libm::ceil(2.0 * target / base.max(1e-9)).clamp(1.0, max_divisor)
}

/// Parameters of [`LedbatPp`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Seconds.
    pub target: f64,
    /// Weight of the multiplicative decrease.
    pub constant: f64,
    /// Bound on 1 / GAIN.
    pub max_divisor: f64,
    /// Whether there are slowdowns.
    pub slowdowns: bool,
}

/// draft-irtf-iccrg-ledbat-plus-plus, without its slow start.
#[derive(Clone, Debug)]
pub struct LedbatPp {
    options: Options,
    delay: QueueingDelay,
    srtt: Duration,
    change: Increase,
    next_slowdown: Option<Time>,
    slowdown: Option<Slowdown>,
}

/// A slowdown that is running.
#[derive(Clone, Copy, Debug)]
struct Slowdown {
    began: Time,
    frozen_until: Time,
    /// The window to come back to, bytes.
    window: u64,
}

impl LedbatPp {
    /// Without a sample.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            delay: QueueingDelay::new(BASE_HISTORY, CURRENT_FILTER),
            srtt: Duration::ZERO,
            change: Increase::default(),
            next_slowdown: None,
            slowdown: None,
        }
    }

    fn some_round_trips(&self) -> Duration {
        self.srtt.saturating_mul(SLOWDOWN_ROUND_TRIPS)
    }

    fn end(&mut self, slowdown: &Slowdown, now: Time) {
        self.slowdown = None;
        let pause = now.since(slowdown.began).saturating_mul(INTERVAL);
        self.next_slowdown = Some(now.saturating_add(pause));
    }

    /// The window in a slowdown: still, and then as in slow start.
    fn slow(&mut self, slowdown: &Slowdown, gain: f64, ack: &AckEvent, window: &Window) -> u64 {
        if ack.now < slowdown.frozen_until {
            return FLOOR * window.mss;
        }
        let next = self.change.add(gain * as_float(ack.credited), window);
        if next < slowdown.window {
            return next;
        }
        self.end(slowdown, ack.now);
        slowdown.window
    }
}

#[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
fn as_float(bytes: u64) -> f64 {
    bytes as f64
}

impl Avoidance for LedbatPp {
    fn begin(&mut self, _window: &Window, now: Time) {
        if self.options.slowdowns && self.next_slowdown.is_none() {
            self.next_slowdown = Some(now.saturating_add(self.some_round_trips()));
        }
    }

    fn observe(&mut self, ack: &AckEvent, _window: &Window) {
        self.srtt = ack.srtt;
        if let Some(rtt) = ack.rtt_sample {
            self.delay.add(rtt, ack.now, Duration::MAX);
        }
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        let (Some(base), Some(queueing_delay)) = (self.delay.base(), self.delay.seconds()) else {
            return window.cwnd;
        };
        let Options { target, constant, .. } = self.options;
        let gain = gain(target, base.as_secs_f64(), self.options.max_divisor);
        if let Some(slowdown) = self.slowdown {
            return self.slow(&slowdown, gain, ack, window);
        }
        if self.next_slowdown.is_some_and(|at| at <= ack.now) {
            self.slowdown = Some(Slowdown {
                began: ack.now,
                frozen_until: ack.now.saturating_add(self.some_round_trips()),
                window: window.cwnd,
            });
            return FLOOR * window.mss;
        }
        // Section 4.3, in segments per round trip.
        let w = segments(window);
        let excess = (queueing_delay / target - 1.0).max(0.0);
        let change = (gain - constant * w * excess).max(-w / 2.0);
        let windows = as_float(ack.newly_acked) / as_float(window.cwnd);
        let next = self.change.change(change * windows * as_float(window.mss), window);
        next.max(FLOOR * window.mss)
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> u64 {
        let Some(mut slowdown) = self.slowdown else {
            return window.cwnd / 2;
        };
        // What was lost was sent with the window from before the slowdown, or as it came back: that one is halved.
        slowdown.window = (slowdown.window / 2).max(FLOOR * window.mss);
        if event.signal == Signal::Rto {
            self.end(&slowdown, event.now);
            return slowdown.window;
        }
        self.slowdown = Some(slowdown);
        window.cwnd.min(slowdown.window)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("slowdown", f64::from(u8::from(self.slowdown.is_some())));
        if let (Some(base), Some(queueing_delay)) = (self.delay.base(), self.delay.seconds()) {
            show("base_delay", base.as_secs_f64());
            show("queueing_delay", queueing_delay);
        }
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn Avoidance> {
    Box::new(LedbatPp::new(Options {
        target: values.number("target") * 1e-3,
        constant: values.number("constant"),
        max_divisor: values.number("max_divisor"),
        slowdowns: values.flag("slowdowns"),
    }))
}

/// Queueing delay to keep, ms (section 4.5).
pub const TARGET: Parameter = Parameter {
    name: "target",
    default: Value::Number(60.0),
    range: (1.0, 1000.0),
    unit: "ms",
    meaning: "queueing delay to keep",
};

/// How small GAIN may be (section 4.2).
pub const MAX_DIVISOR: Parameter = Parameter {
    name: "max_divisor",
    default: Value::Number(16.0),
    range: (1.0, 1000.0),
    unit: "",
    meaning: "bound on 1 / GAIN, which is 2 target / base RTT rounded up",
};

/// `ledbatpp`.
pub const ENTRY: Entry = Entry {
    name: "ledbatpp",
    summary: "Background traffic by round-trip times: slower than Reno, cut by the excess over a target, with regular slowdowns.",
    parameters: &[
        TARGET,
        MAX_DIVISOR,
        Parameter {
            name: "constant",
            default: Value::Number(1.0),
            range: (0.001, 100.0),
            unit: "",
            meaning: "part of the window lost per round trip for a delay of twice the target",
        },
        Parameter {
            name: "slowdowns",
            default: Value::Flag(true),
            range: (0.0, 0.0),
            unit: "",
            meaning: "go down to two segments now and then, for a tenth of the time at the most",
        },
    ],
    reference: "draft-irtf-iccrg-ledbat-plus-plus-01",
    implies: &[("timestamps", "true"), ("initial_window", "2 packets")],
    make: Make::Avoidance {
        slow_start: "ledbatpp-start",
        make,
    },
};
