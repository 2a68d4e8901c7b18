//! FAST TCP: the window follows an equation whose solution keeps alpha packets queued, whatever the RTT.

use super::{Avoidance, in_bytes, segments, whole_segments};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::measure::BaseRtt;
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Rng, Time};

/// Largest weight of a sample in the average RTT; in large windows it is [`SAMPLES`] per window.
const MAX_WEIGHT: f64 = 0.25;
/// How many samples the average follows, of a window's.
const SAMPLES: f64 = 3.0;

/// FAST (Wei, Jin, Low & Hegde 2006; draft-jin-wei-low-tcp-fast-01).
#[derive(Clone, Debug)]
pub struct Fast {
    alpha: f64,
    gain: f64,
    base_rtt: BaseRtt,
    /// Round trips from update to update.
    period: u64,
    /// Average RTT, seconds.
    rtt: Option<f64>,
    /// Round in which the window was last updated.
    updated: u64,
    round: u64,
}

impl Fast {
    /// Keeps `alpha` packets queued and moves by the part `gain` (gamma) of the way each `period` round trips.
    #[must_use]
    pub fn new(alpha: f64, gain: f64, period: u64) -> Self {
        Self {
            alpha,
            gain,
            base_rtt: BaseRtt::default(),
            period,
            rtt: None,
            updated: 0,
            round: 0,
        }
    }
}

impl Avoidance for Fast {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.updated = self.round;
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.round = ack.round.count;
        self.base_rtt.observe(ack);
        let Some(sample) = ack.rtt_sample.map(crate::Duration::as_secs_f64) else {
            return;
        };
        // Section 5.2 of the draft, where the bound is 1/8.
        let weight = (SAMPLES / segments(window)).min(MAX_WEIGHT);
        self.rtt = Some(self.rtt.map_or(sample, |rtt| rtt + weight * (sample - rtt)));
    }

    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        if ack.round.count < self.updated + self.period {
            return window.cwnd;
        }
        self.updated = ack.round.count;
        let w = segments(window);
        let base = self.base_rtt.get().as_secs_f64();
        let share = self.rtt.filter(|rtt| *rtt > base).map_or(1.0, |rtt| base / rtt);
        // Section 4.1 of the draft, where the gain is 1/2.
        let next = (2.0 * w).min((1.0 - self.gain) * w + self.gain * (share * w + self.alpha));
        in_bytes(next, window).max(window.mss)
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        whole_segments(window) / 2 * window.mss
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(rtt) = self.rtt {
            show("fast_rtt", rtt);
        }
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn Avoidance> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range of the parameter")]
    let period = values.number("period") as u64;
    Box::new(Fast::new(values.number("alpha"), values.number("gain"), period))
}

/// `fast`.
pub const ENTRY: Entry = Entry {
    name: "fast",
    summary: "Keeps alpha packets queued, whatever the RTT, moving half of the way there each second round trip.",
    parameters: &[
        Parameter {
            name: "alpha",
            default: Value::Number(20.0),
            range: (0.1, 1e6),
            unit: "packets",
            meaning: "how many to keep queued",
        },
        Parameter {
            name: "gain",
            default: Value::Number(0.5),
            range: (0.001, 1.0),
            unit: "",
            meaning: "part of the way that an update goes: gamma of the paper",
        },
        Parameter {
            name: "period",
            default: Value::Number(2.0),
            range: (1.0, 100.0),
            unit: "RTTs",
            meaning: "from update to update",
        },
    ],
    reference: "Wei, Jin, Low & Hegde, FAST TCP: motivation, architecture, algorithms, performance, IEEE/ACM ToN 14(6), 2006; \
        draft-jin-wei-low-tcp-fast-01",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "vegas-start",
        make,
    },
};
