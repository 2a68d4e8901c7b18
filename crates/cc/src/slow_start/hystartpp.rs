//! `HyStart++`, RFC 9406: doubling until the RTT rises, then five rounds of slower growth in which
//! it may return to doubling. Sections are those of the RFC.

use super::{Growth, SlowStart};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::window::Window;
use crate::{AckEvent, Duration, Rule, Ruled, Setup};

/// Constants of section 4.3, in its names.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Smallest RTT increase that counts.
    pub min_rtt_thresh: Duration,
    /// Largest RTT increase that is needed.
    pub max_rtt_thresh: Duration,
    /// Divisor of the last round's RTT that gives the needed increase between the two bounds.
    pub min_rtt_divisor: u64,
    /// RTT samples of a round before it is judged.
    pub n_rtt_sample: u32,
    /// Divisor of slow start's growth that gives the growth of CSS.
    pub css_growth_divisor: u64,
    /// Rounds that CSS lasts.
    pub css_rounds: u32,
    /// Most segments by which one ACK may grow the window. `None` for a paced sender.
    pub l: Option<u64>,
}

/// Slow start and conservative slow start (CSS).
#[derive(Clone, Debug)]
pub struct HyStartPlusPlus {
    options: Options,
    round: Option<u64>,
    last_round_min_rtt: Option<Duration>,
    current_round_min_rtt: Option<Duration>,
    rtt_sample_count: u32,
    css: Option<Css>,
}

/// A conservative slow start that is running.
#[derive(Clone, Copy, Debug)]
struct Css {
    /// RTT that began it (`cssBaselineMinRtt`). A smaller one says that CSS was a mistake.
    baseline_min_rtt: Duration,
    /// Rounds that have ended since, with the one that CSS began in.
    rounds: u32,
}

const GROWTH: Rule = Rule::new(
    "slow start: cwnd grows by the bytes acknowledged, at most L segments per ACK",
    "RFC 9406 section 4.2",
);
const CONSERVATIVE: Rule = Rule::new(
    "conservative slow start: cwnd grows by the bytes acknowledged / CSS_GROWTH_DIVISOR",
    "RFC 9406 section 4.2",
);
const END: Rule =
    Rule::new("CSS_ROUNDS are over: ssthresh is the present window", "RFC 9406 section 4.2");
const LATER: Rule =
    Rule::new("slow start: cwnd grows by the bytes acknowledged", "RFC 9406 section 4.3");

impl HyStartPlusPlus {
    /// A `HyStart++` with these constants.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            round: None,
            last_round_min_rtt: None,
            current_round_min_rtt: None,
            rtt_sample_count: 0,
            css: None,
        }
    }

    fn begin_round(&mut self, count: u64) {
        self.round = Some(count);
        self.last_round_min_rtt = self.current_round_min_rtt.take();
        self.rtt_sample_count = 0;
        if let Some(css) = &mut self.css {
            css.rounds += 1;
        }
    }

    fn judge(&mut self, sample: Duration) {
        let current = self.current_round_min_rtt.map_or(sample, |min| min.min(sample));
        self.current_round_min_rtt = Some(current);
        self.rtt_sample_count = self.rtt_sample_count.saturating_add(1);
        if self.rtt_sample_count < self.options.n_rtt_sample {
            return;
        }
        match (self.css, self.last_round_min_rtt) {
            // Section 4.2: "check to see if the current round's minRTT drops below baseline
            // (cssBaselineMinRtt) indicating that slow start exit was spurious".
            (Some(css), _) if current < css.baseline_min_rtt => self.css = None,
            // Section 4.2: "if (currentRoundMinRTT >= (lastRoundMinRTT + RttThresh))", CSS begins.
            (None, Some(last)) if current >= last + self.threshold(last) => {
                self.css = Some(Css { baseline_min_rtt: current, rounds: 0 });
            }
            _ => {}
        }
    }

    fn threshold(&self, last_round_min_rtt: Duration) -> Duration {
        let share = last_round_min_rtt / self.options.min_rtt_divisor;
        share.min(self.options.max_rtt_thresh).max(self.options.min_rtt_thresh)
    }
}

impl SlowStart for HyStartPlusPlus {
    fn begin(&mut self, _window: &Window) {
        *self = Self::new(self.options);
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        if window.ssthresh.is_some() {
            // Section 4.3: "An implementation SHOULD use HyStart++ only for the initial slow start
            // (when the ssthresh is at its initial value of arbitrarily high per [RFC5681])".
            return LATER.gives(Growth::double(ack, window));
        }
        if self.round != Some(ack.round.count) {
            self.begin_round(ack.round.count);
        }
        if self.css.is_some_and(|css| css.rounds >= self.options.css_rounds) {
            // Section 4.2: "If CSS_ROUNDS rounds are complete, enter congestion avoidance by
            // setting the ssthresh to the current cwnd". The ACK that begins the next round belongs
            // to the avoidance.
            return END.gives(Growth::ExitAt { cwnd: window.cwnd, left: ack.credited });
        }
        let (divisor, rule) = if self.css.is_some() {
            (self.options.css_growth_divisor, &CONSERVATIVE)
        } else {
            (1, &GROWTH)
        };
        if let Some(sample) = ack.rtt_sample {
            self.judge(sample);
        }
        // Section 4.2: "cwnd = cwnd + (min(N, L * SMSS) / CSS_GROWTH_DIVISOR)"; without the divisor
        // before CSS.
        let n = self.options.l.map_or(ack.credited, |l| ack.credited.min(l * window.mss));
        rule.gives(Growth::Grow(n / divisor))
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("css", f64::from(u8::from(self.css.is_some())));
        if let Some(min_rtt) = self.current_round_min_rtt {
            show("hystart_round_rtt", min_rtt.as_secs_f64());
        }
    }
}

fn make(values: &Values, _setup: &Setup) -> Box<dyn SlowStart> {
    Box::new(HyStartPlusPlus::new(Options {
        min_rtt_thresh: values.milliseconds("min_rtt_thresh"),
        max_rtt_thresh: values.milliseconds("max_rtt_thresh"),
        min_rtt_divisor: values.whole("min_rtt_divisor"),
        n_rtt_sample: values.count("n_rtt_sample"),
        css_growth_divisor: values.whole("css_growth_divisor"),
        css_rounds: values.count("css_rounds"),
        l: (!values.flag("paced")).then(|| values.whole("l")),
    }))
}

/// Catalogue entry `hystartpp`.
pub const ENTRY: Entry = Entry {
    name: "hystartpp",
    summary: "HyStart++: doubles until the RTT rises, then grows by a quarter of that for five \
              rounds, or doubles again if it falls.",
    parameters: &[
        Parameter::quantity("min_rtt_thresh", 4.0, 0.0..=1e4, "ms")
            .meaning("smallest RTT increase that counts"),
        Parameter::quantity("max_rtt_thresh", 16.0, 0.0..=1e4, "ms")
            .meaning("largest RTT increase that is needed"),
        Parameter::number("min_rtt_divisor", 8.0, 1.0..=1000.0)
            .meaning("between the two, this part of the last round's RTT"),
        Parameter::quantity("n_rtt_sample", 8.0, 1.0..=1e6, "samples")
            .meaning("RTT samples of a round before it is judged"),
        Parameter::number("css_growth_divisor", 4.0, 1.0..=1000.0)
            .meaning("conservative slow start grows by this part of slow start's growth"),
        Parameter::quantity("css_rounds", 5.0, 1.0..=1000.0, "rounds")
            .meaning("how long conservative slow start lasts"),
        Parameter::quantity("l", 8.0, 1.0..=1e6, "segments")
            .meaning("most that one ACK may grow the window by"),
        Parameter::flag("paced", false).meaning("the sender is paced: no such limit per ACK"),
    ],
    reference: "RFC 9406",
    implies: &[],
    traits: Traits::DELAY_BASED_START,
    make: Make::slow_start(make),
};
