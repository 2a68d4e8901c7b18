//! `HyStart++`, RFC 9406: doubling until the RTT rises, then five rounds of slower growth in which it may fall back again.

use super::{Growth, SlowStart, double};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::window::Window;
use crate::{AckEvent, Duration};

/// Section 4.3's constants, in its names.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Smallest RTT increase that counts.
    pub min_rtt_thresh: Duration,
    /// Largest RTT increase that is needed.
    pub max_rtt_thresh: Duration,
    /// Between the two, this part of the last round's RTT.
    pub min_rtt_divisor: u64,
    /// RTT samples of a round before it is judged.
    pub n_rtt_sample: u32,
    /// CSS grows by this part of what slow start would.
    pub css_growth_divisor: u64,
    /// Rounds of CSS.
    pub css_rounds: u32,
    /// Segments that one ACK may grow the window by; `None` for a paced sender.
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

/// Conservative slow start.
#[derive(Clone, Copy, Debug)]
struct Css {
    /// The RTT that began it (`cssBaselineMinRtt`): less than this says that it was a mistake.
    baseline_min_rtt: Duration,
    /// Rounds that have ended since; the one that it began in counts.
    rounds: u32,
}

impl HyStartPlusPlus {
    /// A slow start with these constants.
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
            (Some(css), _) if current < css.baseline_min_rtt => self.css = None,
            (None, Some(last)) if current >= last + self.threshold(last) => {
                self.css = Some(Css {
                    baseline_min_rtt: current,
                    rounds: 0,
                });
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

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Growth {
        if window.ssthresh.is_some() {
            // Section 4.3: only while ssthresh is at its arbitrarily high initial value.
            return double(ack, window);
        }
        if self.round != Some(ack.round.count) {
            self.begin_round(ack.round.count);
        }
        if self.css.is_some_and(|css| css.rounds >= self.options.css_rounds) {
            // Section 4.2: "If CSS_ROUNDS rounds are complete, enter congestion avoidance by setting
            // the ssthresh to the current cwnd". The ACK that begins the next round is avoidance's.
            return Growth::ExitAt {
                cwnd: window.cwnd,
                left: ack.credited,
            };
        }
        let divisor = if self.css.is_some() { self.options.css_growth_divisor } else { 1 };
        if let Some(sample) = ack.rtt_sample {
            self.judge(sample);
        }
        let n = self.options.l.map_or(ack.credited, |l| ack.credited.min(l * window.mss));
        Growth::Grow(n / divisor)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("css", f64::from(u8::from(self.css.is_some())));
        if let Some(min_rtt) = self.current_round_min_rtt {
            show("hystart_round_rtt", min_rtt.as_secs_f64());
        }
    }

    fn clone_box(&self) -> Box<dyn SlowStart> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn SlowStart> {
    let milliseconds = |name: &str| Duration::from_secs_f64(values.number(name) * 1e-3);
    let count = |name: &str| u32::try_from(values.whole(name)).unwrap_or(u32::MAX);
    Box::new(HyStartPlusPlus::new(Options {
        min_rtt_thresh: milliseconds("min_rtt_thresh"),
        max_rtt_thresh: milliseconds("max_rtt_thresh"),
        min_rtt_divisor: values.whole("min_rtt_divisor"),
        n_rtt_sample: count("n_rtt_sample"),
        css_growth_divisor: values.whole("css_growth_divisor"),
        css_rounds: count("css_rounds"),
        l: (!values.flag("paced")).then(|| values.whole("l")),
    }))
}

/// `hystartpp`.
pub const ENTRY: Entry = Entry {
    name: "hystartpp",
    summary: "HyStart++: doubles until the RTT rises, then grows by a quarter of that for five rounds, or doubles again if it falls.",
    parameters: &[
        Parameter {
            name: "min_rtt_thresh",
            default: Value::Number(4.0),
            range: (0.0, 1e4),
            unit: "ms",
            meaning: "smallest RTT increase that counts",
        },
        Parameter {
            name: "max_rtt_thresh",
            default: Value::Number(16.0),
            range: (0.0, 1e4),
            unit: "ms",
            meaning: "largest RTT increase that is needed",
        },
        Parameter {
            name: "min_rtt_divisor",
            default: Value::Number(8.0),
            range: (1.0, 1000.0),
            unit: "",
            meaning: "between the two, this part of the last round's RTT",
        },
        Parameter {
            name: "n_rtt_sample",
            default: Value::Number(8.0),
            range: (1.0, 1e6),
            unit: "samples",
            meaning: "RTT samples of a round before it is judged",
        },
        Parameter {
            name: "css_growth_divisor",
            default: Value::Number(4.0),
            range: (1.0, 1000.0),
            unit: "",
            meaning: "conservative slow start grows by this part of slow start's growth",
        },
        Parameter {
            name: "css_rounds",
            default: Value::Number(5.0),
            range: (1.0, 1000.0),
            unit: "rounds",
            meaning: "how long conservative slow start lasts",
        },
        Parameter {
            name: "l",
            default: Value::Number(8.0),
            range: (1.0, 1e6),
            unit: "segments",
            meaning: "most that one ACK may grow the window by",
        },
        Parameter {
            name: "paced",
            default: Value::Flag(false),
            range: (0.0, 0.0),
            unit: "",
            meaning: "the sender is paced: no such limit per ACK",
        },
    ],
    reference: "RFC 9406",
    implies: &[],
    make: Make::SlowStart(make),
};
