//! TCP-LP (Kuzmanovic & Knightly, INFOCOM 2003, `ToN` 14(4) 2006): yields as soon as the one-way
//! delay says that others send.

use super::Avoidance;
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::measure::DelayedAcks;
use crate::window::{Increase, Window};
use crate::{AckEvent, CongestionEvent, Duration, Rng, Rule, Ruled, Setup, Time};

/// Weight of a new one-way delay in the smoothed one (the paper's gamma).
const SMOOTHING: f64 = 0.125;
/// Share of the window that congestion leaves, whether seen early or by a loss.
const BETA: f64 = 0.5;
/// Largest delay after an early indication, as a multiple of the present one (Linux).
const RESET_MAX: f64 = 2.0;

/// Parameters of the paper.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Share of the range of delays from which there is early congestion (delta).
    pub threshold: f64,
    /// Length of the inference phase, round trips.
    pub inference: u64,
    /// Whether an early indication makes the present delay the smallest (Linux).
    pub reset: bool,
}

/// One-way delays, seconds.
#[derive(Clone, Copy, Debug)]
struct Delays {
    /// Smoothed delay since the last cut had its effect. `None`: nothing was measured since.
    smoothed: Option<f64>,
    min: f64,
    max: f64,
}

/// Reno's growth, and an early reaction to a rising delay.
#[derive(Clone, Debug)]
pub struct Lp {
    options: Options,
    delays: Option<Delays>,
    /// Whether the newest ACK says that others send.
    is_early: bool,
    delayed_acks: DelayedAcks,
    /// Instant and round of the last early indication.
    yielded: Option<(Time, u64)>,
    increase: Increase,
}

const SOURCE: &str = "Kuzmanovic & Knightly 2006";
const GROWTH: Rule = Rule::new("nobody else sends: Reno's growth", SOURCE);
const EARLY: Rule = Rule::new(
    "early congestion by the one-way delay: the window is halved, or one segment if the last sign \
     was an inference phase ago at most",
    SOURCE,
);
const INFERENCE: Rule = Rule::new("inference phase after an early sign: no growth", SOURCE);
const CUT: Rule = Rule::cut("halves the window", SOURCE);

impl Lp {
    /// An LP before its first delay.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            delays: None,
            is_early: false,
            delayed_acks: DelayedAcks::default(),
            yielded: None,
            increase: Increase::default(),
        }
    }

    /// One-way delay, as far as it is the path's.
    ///
    /// The timestamp that comes back is that of the earliest segment, which may have waited at the
    /// receiver for the next one. The RTT is that of the newest segment and bounds what can have
    /// been queued.
    fn measure(&mut self, ack: &AckEvent, window: &Window) -> Option<f64> {
        let is_late = self.delayed_acks.may_be_late(ack, window);
        let (delay, rtt) = (ack.one_way_delay?.as_secs_f64(), ack.rtt_sample?);
        let queueing = rtt.saturating_sub(ack.min_rtt).as_secs_f64();
        let bound = self.delays.map_or(delay, |d| d.min + queueing);
        (!is_late).then_some(delay.min(bound))
    }

    fn is_inferring(&self, now: Time, srtt: Duration) -> bool {
        let phase = srtt.saturating_mul(self.options.inference);
        self.yielded.is_some_and(|(at, _)| now.since(at) < phase)
    }

    fn on_early_congestion(&mut self, ack: &AckEvent, window: &Window) -> u64 {
        // A second indication within the inference phase means that others are there.
        let cwnd = if self.is_inferring(ack.now, ack.srtt) { window.mss } else { window.cwnd / 2 };
        self.yielded = Some((ack.now, ack.round.count));
        if let Some(d) = &mut self.delays
            && let Some(smoothed) = d.smoothed.take()
            && self.options.reset
        {
            d.min = smoothed;
            d.max = RESET_MAX * smoothed;
        }
        cwnd.max(window.mss)
    }
}

impl Avoidance for Lp {
    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.is_early = false;
        let Some(delay) = self.measure(ack, window) else { return };
        let d = self.delays.get_or_insert(Delays { smoothed: None, min: delay, max: delay });
        d.min = d.min.min(delay);
        d.max = d.max.max(delay);
        // What was sent before a cut comes back in this round and the next. It cannot tell whether
        // the cut helped.
        let is_answer = self.yielded.is_none_or(|(_, round)| ack.round.count > round + 1);
        if ack.in_recovery || !is_answer {
            return;
        }
        // Congestion is early when the smoothed delay leaves the lowest part of its range.
        let smoothed =
            d.smoothed.map_or(delay, |smoothed| smoothed + SMOOTHING * (delay - smoothed));
        d.smoothed = Some(smoothed);
        self.is_early = smoothed > d.min + self.options.threshold * (d.max - d.min);
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> Ruled<u64> {
        if self.is_early {
            EARLY.gives(self.on_early_congestion(ack, window))
        } else if self.is_inferring(ack.now, ack.srtt) {
            INFERENCE.gives(window.cwnd)
        } else {
            GROWTH.gives(self.increase.per_window(1.0, ack, window))
        }
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> Ruled<u64> {
        if let Some(d) = &mut self.delays {
            d.smoothed = None;
        }
        CUT.gives(window.in_bytes(window.segments() * BETA))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(d) = &self.delays {
            if let Some(smoothed) = d.smoothed {
                show("owd", smoothed);
            }
            show("owd_min", d.min);
            show("owd_max", d.max);
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    Box::new(Lp::new(Options {
        threshold: values.number("threshold"),
        inference: values.whole("inference"),
        reset: values.flag("reset"),
    }))
}

/// Catalogue entry `lp`.
pub const ENTRY: Entry = Entry {
    name: "lp",
    summary: "Low priority: takes what is left over, and halves or stops when the one-way delay \
              rises.",
    parameters: &[
        Parameter::number("threshold", 0.15, 0.0..=1.0)
            .meaning("share of the range of one-way delays that is early congestion"),
        Parameter::number("inference", 3.0, 0.0..=1000.0).meaning(
            "round trips after it in which the window does not grow, and a second sign \
                      stops the flow",
        ),
        Parameter::flag("reset", false)
            .meaning("take the delay at an early sign for the smallest from then on, as Linux"),
    ],
    reference: "Kuzmanovic & Knightly, TCP-LP: low-priority service via end-point congestion \
                control, IEEE/ACM ToN 14(4), 2006; Linux 6 net/ipv4/tcp_lp.c",
    implies: &[("timestamps", "true")],
    traits: Traits { gives_way: true, ..Traits::DELAY_BASED },
    make: Make::avoidance("classic", make),
};
