//! LEDBAT++'s avoidance: LEDBAT by round-trip times, with a multiplicative decrease and with
//! slowdowns that let it see the empty path. Sections are those of
//! draft-irtf-iccrg-ledbat-plus-plus.

use super::{BASE_HISTORY, CURRENT_FILTER, MAX_DIVISOR, TARGET, gain};
use crate::avoidance::Avoidance;
use crate::cast::float;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::QueueingDelay;
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled, Setup, Signal, Time};

/// Round trips from slow start to the first slowdown, and at the smallest window in each slowdown
/// (section 4.4).
const SLOWDOWN_ROUND_TRIPS: u64 = 2;
/// Time from a slowdown to the next, in durations of the slowdown.
const INTERVAL: u64 = 9;

/// Parameters of [`LedbatPp`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Queueing delay to keep, seconds.
    pub target: f64,
    /// Weight of the multiplicative decrease.
    pub constant: f64,
    /// Largest 1 / GAIN.
    pub max_divisor: f64,
    /// Whether there are slowdowns.
    pub slowdowns: bool,
}

/// The sender of the draft, without its slow start.
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
    /// Window to come back to, bytes.
    window: u64,
}

const GROWTH: Rule = Rule::new(
    "GAIN segments more per round trip, less constant w (delay / target - 1) above target",
    "draft-irtf-iccrg-ledbat-plus-plus-01 sections 4.2 and 4.3",
);
const SLOWDOWN: Rule = Rule::new(
    "slowdown: two segments for two round trips, then back by slow start's growth",
    "draft-irtf-iccrg-ledbat-plus-plus-01 section 4.4",
);
const CUT: Rule = Rule::cut("halves the window", "RFC 6817 section 2.4.2");
const GOAL_CUT: Rule = Rule::cut(
    "halves the goal of the slowdown, the window from before it",
    "RFC 6817 section 2.4.2",
);

impl LedbatPp {
    /// A LEDBAT++ before its first sample.
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

    /// Window in a slowdown, bytes: two segments for a while, and then growth as in slow start.
    fn slow(&mut self, slowdown: &Slowdown, gain: f64, ack: &AckEvent, window: &Window) -> u64 {
        if ack.now < slowdown.frozen_until {
            return window.smallest();
        }
        let next = self.change.add(gain * float(ack.credited), window);
        if next < slowdown.window {
            return next;
        }
        self.end(slowdown, ack.now);
        slowdown.window
    }
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

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        let (Some(base), Some(queueing_delay)) = (self.delay.base(), self.delay.seconds()) else {
            return GROWTH.gives(window.cwnd);
        };
        let Options { target, constant, .. } = self.options;
        let gain = gain(target, base.as_secs_f64(), self.options.max_divisor);
        if let Some(slowdown) = self.slowdown {
            return SLOWDOWN.gives(self.slow(&slowdown, gain, ack, window));
        }
        if self.next_slowdown.is_some_and(|at| at <= ack.now) {
            self.slowdown = Some(Slowdown {
                began: ack.now,
                frozen_until: ack.now.saturating_add(self.some_round_trips()),
                window: window.cwnd,
            });
            return SLOWDOWN.gives(window.smallest());
        }
        // Section 4.3: change in segments per round trip.
        let w = window.segments();
        let excess = (queueing_delay / target - 1.0).max(0.0);
        let change = (gain - constant * w * excess).max(-w / 2.0);
        let windows = float(ack.newly_acked) / float(window.cwnd);
        let next = self.change.change(change * windows * float(window.mss), window);
        GROWTH.gives(next.max(window.smallest()))
    }

    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        let Some(mut slowdown) = self.slowdown else {
            return CUT.gives(window.cwnd / 2);
        };
        // The lost data was sent with the window from before the slowdown, or on the way back to
        // it. That window is halved.
        slowdown.window = (slowdown.window / 2).max(window.smallest());
        if event.signal == Signal::Rto {
            self.end(&slowdown, event.now);
            return GOAL_CUT.gives(slowdown.window);
        }
        self.slowdown = Some(slowdown);
        GOAL_CUT.gives(window.cwnd.min(slowdown.window))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("slowdown", f64::from(u8::from(self.slowdown.is_some())));
        if let (Some(base), Some(queueing_delay)) = (self.delay.base(), self.delay.seconds()) {
            show("base_delay", base.as_secs_f64());
            show("queueing_delay", queueing_delay);
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(LedbatPp::new(Options {
        target: values.number("target") * 1e-3,
        constant: values.number("constant"),
        max_divisor: values.number("max_divisor"),
        slowdowns: values.flag("slowdowns"),
    }))
}

/// Catalogue entry `ledbatpp`.
pub const ENTRY: Entry = Entry {
    name: "ledbatpp",
    summary: "Background traffic by round-trip times: slower than Reno, cut by the excess over a \
              target, with regular slowdowns.",
    parameters: &[
        TARGET,
        MAX_DIVISOR,
        Parameter::number("constant", 1.0, 0.001..=100.0)
            .meaning("part of the window lost per round trip for a delay of twice the target"),
        Parameter::flag("slowdowns", true)
            .meaning("go down to two segments now and then, for a tenth of the time at the most"),
    ],
    reference: "draft-irtf-iccrg-ledbat-plus-plus-01",
    implies: &[("timestamps", "true"), ("initial_window", "2 packets")],
    traits: Traits { gives_way: true, ..Traits::DELAY_BASED },
    make: Make::avoidance("ledbatpp-start", make),
};
