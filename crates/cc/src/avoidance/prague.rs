//! Prague: DCTCP for the Internet: independent of the RTT, growing all the time, back to Reno on loss.

use super::{Avoidance, MIN_WINDOW_SEGMENTS, whole_segments};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng, Signal, Time};

/// Parameters of [`Prague`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Weight of a new sample in alpha.
    pub g: f64,
    /// Flows with a smaller RTT behave as if they had this one.
    pub reference_rtt: Duration,
    /// Rounds after slow start before that begins.
    pub transition: u64,
}

/// draft-briscoe-iccrg-prague-congestion-control section 2.4.
#[derive(Clone, Debug)]
pub struct Prague {
    options: Options,
    /// Estimate of the fraction of bytes marked.
    alpha: f64,
    /// When that was last updated, and what has come since.
    updated: Time,
    acked: u64,
    marked: u64,
    has_seen_mark: bool,
    /// When the window was last cut because of a mark.
    cut: Option<Time>,
    /// Rounds since slow start.
    rounds: u64,
    srtt: Duration,
    is_avoiding: bool,
    is_in_loss: bool,
    /// Growth not in the window yet, bytes.
    credit: f64,
}

impl Prague {
    /// Before the first mark alpha is 1.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            alpha: 1.0,
            updated: Time::ZERO,
            acked: 0,
            marked: 0,
            has_seen_mark: false,
            cut: None,
            rounds: 0,
            srtt: Duration::ZERO,
            is_avoiding: false,
            is_in_loss: false,
            credit: 0.0,
        }
    }

    /// The RTT in force, where the actual one is smaller (section 2.4.4).
    fn longer_rtt(&self) -> Option<Duration> {
        (self.is_avoiding && self.rounds >= self.options.transition && self.srtt < self.options.reference_rtt)
            .then_some(self.options.reference_rtt)
    }

    fn is_over(&self, since: Time, now: Time) -> bool {
        self.longer_rtt().is_none_or(|rtt| now.since(since) >= rtt)
    }

    /// Section 2.3.2, once per round trip or per reference RTT if that is longer.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    fn update_alpha(&mut self, now: Time) {
        // Nobody knows that there is an AQM before it has marked (Linux, `prague_update_alpha`).
        if self.has_seen_mark && self.acked > 0 {
            let fraction = (self.marked as f64 / self.acked as f64).min(1.0);
            self.alpha += self.options.g * (fraction - self.alpha);
        }
        (self.acked, self.marked, self.updated) = (0, 0, now);
    }

    /// Sections 2.4.3 and 2.4.4: a segment per window of what was not marked, scaled by 1 / M^2.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    fn grow(&mut self, ack: &AckEvent, window: &Window) {
        let ratio = self.longer_rtt().map_or(1.0, |rtt| self.srtt.as_secs_f64() / rtt.as_secs_f64());
        let unmarked = ack.newly_acked.saturating_sub(ack.newly_marked) as f64;
        self.credit += unmarked * window.mss as f64 / window.cwnd as f64 * ratio * ratio;
    }
}

impl Avoidance for Prague {
    fn begin(&mut self, _window: &Window, _now: Time) {
        self.is_avoiding = true;
    }

    fn observe(&mut self, ack: &AckEvent, window: &Window) {
        self.srtt = ack.srtt;
        if ack.round.start {
            self.rounds += u64::from(self.is_avoiding);
            if self.is_over(self.updated, ack.now) {
                self.update_alpha(ack.now);
            }
        }
        self.has_seen_mark |= ack.newly_marked > 0;
        self.acked += ack.newly_acked;
        self.marked += ack.newly_marked;
        // Section 2.4.3: a reduction because of marks does not stop the growth; it is paid out when that is over.
        if ack.in_recovery && ack.is_cwnd_limited && self.is_avoiding && !self.is_in_loss {
            self.grow(ack, window);
        }
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "growth is not negative and far below 2^63"
    )]
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        self.is_in_loss = false;
        self.grow(ack, window);
        let whole = libm::floor(self.credit);
        self.credit -= whole;
        window.cwnd + whole as u64
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a positive window below 2^53")]
    fn ssthresh(&mut self, event: &CongestionEvent, window: &Window) -> u64 {
        if event.signal != Signal::Ecn {
            // Section 2.4.1.
            self.is_in_loss = true;
            self.is_avoiding &= event.signal == Signal::Loss;
            self.credit = 0.0;
            return whole_segments(window) / 2 * window.mss;
        }
        if self.cut.is_some_and(|cut| !self.is_over(cut, event.now)) {
            return window.cwnd;
        }
        self.cut = Some(event.now);
        // Section 2.4.2.
        ((window.cwnd as f64 * (1.0 - self.alpha / 2.0)) as u64).max(MIN_WINDOW_SEGMENTS * window.mss)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("alpha", self.alpha);
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

fn make(values: &Values) -> Box<dyn Avoidance> {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range of the parameter")]
    let transition = values.number("transition") as u64;
    Box::new(Prague::new(Options {
        g: values.number("g"),
        reference_rtt: Duration::from_secs_f64(values.number("reference_rtt") * 1e-3),
        transition,
    }))
}

/// `prague`.
pub const ENTRY: Entry = Entry {
    name: "prague",
    summary: "DCTCP for the Internet: as fair to long RTTs as to short ones, growing through reductions, Reno on loss; L4S.",
    parameters: &[
        Parameter {
            name: "g",
            default: Value::Number(0.0625),
            range: (0.0001, 1.0),
            unit: "",
            meaning: "weight of a new sample in alpha, the estimate of the fraction marked",
        },
        Parameter {
            name: "reference_rtt",
            default: Value::Number(25.0),
            range: (0.0, 1000.0),
            unit: "ms",
            meaning: "flows with a smaller RTT behave as if they had this one; 0: no RTT independence",
        },
        Parameter {
            name: "transition",
            default: Value::Number(500.0),
            range: (0.0, 1e9),
            unit: "round trips",
            meaning: "from the end of slow start to RTT independence",
        },
    ],
    reference: "draft-briscoe-iccrg-prague-congestion-control-00 section 2",
    implies: &[("ecn", "l4s"), ("pacing", "cwnd")],
    make: Make::Avoidance {
        slow_start: "classic",
        make,
    },
};
