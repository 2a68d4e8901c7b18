//! NV's estimate: the window that the best rate needs on the empty path, and when that is known
//! well enough to decide by.

use crate::cast::{float, integer};
use crate::entry::Values;
use crate::window::{MIN_WINDOW_SEGMENTS, Window};
use crate::{AckEvent, Duration, Time};

/// Weight of a sample in the average RTT (`nv_rtt_factor`).
const RTT_WEIGHT: f64 = 0.5;
/// Distance from the largest window at which growth stops, packets (`nv_pad_buffer`).
const PAD_BUFFER: u64 = 2;
/// Share of the excess that is given up at once (`nv_cong_dec_mult`), and the excess in packets up
/// to which all of it is.
const DECREASE: f64 = 38.0 / 128.0;
const SMALL_EXCESS: u64 = 2;
/// RTT samples that a decision needs: to shrink in slow start, to shrink, to grow.
const CALLS_TO_EXIT: u32 = 30;
const CALLS_TO_SHRINK: u32 = 60;
const CALLS_TO_GROW: u32 = 20;
/// Round trips before the window shrinks (`nv_rtt_min_cnt`), and round trips without a decision
/// after which it does not grow (`nv_stop_rtt_cnt`).
const ROUNDS_TO_SHRINK: u32 = 2;
const ROUNDS_OF_DOUBT: u32 = 10;
/// Time from the first data to the first reset of the smallest RTT.
const FIRST_RESET: Duration = Duration::from_secs(2);

/// Estimate of the largest useful window. Avoidance and slow start have one each.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Packets that may be queued (`nv_pad`).
    pad: f64,
    /// Seconds between resets of the smallest RTT, on average (`nv_reset_period`).
    reset_period: f64,
    rtt: Option<f64>,
    min_rtt: f64,
    next_min_rtt: f64,
    /// Instant of the next reset of the smallest RTT.
    reset_at: Option<Time>,
    /// Largest rate since the last decision, bytes/s.
    max_rate: f64,
    /// RTT samples since the last decision; `rounds` counts the round trips.
    calls: u32,
    rounds: u32,
    needs_restart: bool,
}

/// Decision about a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is room: grow.
    Grow,
    /// Grow no more.
    Stay,
    /// The window exceeds this one, segments, and shrinks.
    Shrink(u64),
}

impl Estimate {
    /// An estimate without a sample.
    #[must_use]
    pub fn new(values: &Values) -> Self {
        Self {
            pad: values.number("pad"),
            reset_period: values.number("reset_period"),
            rtt: None,
            min_rtt: f64::MAX,
            next_min_rtt: f64::MAX,
            reset_at: None,
            max_rate: 0.0,
            calls: 0,
            rounds: 0,
            needs_restart: false,
        }
    }

    /// An episode of congestion began. What was measured before it no longer counts when it is over
    /// (`tcpnv_state`).
    pub fn on_congestion(&mut self) {
        self.needs_restart = true;
    }

    /// Takes in an ACK (`tcpnv_acked`). Must be called for every ACK.
    pub fn observe(&mut self, ack: &AckEvent) {
        if ack.in_recovery {
            return;
        }
        if self.needs_restart {
            self.needs_restart = false;
            self.rtt = None;
            self.decided();
        }
        let (Some(sample), Some(rate)) = (ack.rtt_sample, &ack.rate) else {
            return;
        };
        let sent_at = Time::ZERO + ack.now.since(Time::ZERO).saturating_sub(sample);
        self.reset_at.get_or_insert(sent_at + FIRST_RESET);
        let sample = sample.as_secs_f64();
        let rtt = self.rtt.map_or(sample, |rtt| rtt + RTT_WEIGHT * (sample - rtt));
        if self.rtt.is_none() {
            self.min_rtt = rtt;
        }
        self.rtt = Some(rtt);
        self.max_rate = self.max_rate.max(float(rate.delivered) / rtt.max(1e-9));
        self.calls = self.calls.saturating_add(1);
        self.min_rtt = self.min_rtt.min(rtt);
        self.next_min_rtt = self.next_min_rtt.min(rtt);
    }

    /// Resets the smallest RTT if it is time. `draw` gives a number from 0 to 1, which spreads the
    /// next reset from 3/4 to 5/4 of the period.
    pub fn renew(&mut self, now: Time, draw: impl FnOnce() -> f64) {
        if self.reset_at.is_some_and(|at| now >= at) && self.next_min_rtt < f64::MAX {
            self.min_rtt = self.next_min_rtt;
            self.next_min_rtt = f64::MAX;
            let period = self.reset_period * (0.75 + 0.5 * draw());
            self.reset_at = Some(now.saturating_add(Duration::from_secs_f64(period)));
        }
    }

    /// Decides at the end of a round trip, if there are enough samples.
    pub fn decide(&mut self, window: &Window, may_grow: bool) -> Option<Verdict> {
        self.rounds = self.rounds.saturating_add(1);
        self.rtt?;
        let largest = integer(self.max_rate * self.min_rtt / float(window.mss) + self.pad);
        let segments = window.whole_segments();
        let is_first = window.ssthresh.is_none();
        let verdict = if segments > largest {
            if self.rounds < ROUNDS_TO_SHRINK || is_first && self.calls < CALLS_TO_EXIT {
                return None;
            }
            if !is_first && self.calls < CALLS_TO_SHRINK {
                let is_doubtful = may_grow && self.rounds > ROUNDS_OF_DOUBT;
                return is_doubtful.then_some(Verdict::Stay);
            }
            Verdict::Shrink(largest)
        } else if segments + PAD_BUFFER <= largest && self.calls >= CALLS_TO_GROW {
            Verdict::Grow
        } else {
            return None;
        };
        self.decided();
        Some(verdict)
    }

    /// Shows internal state by name, for the recorded series.
    pub fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        if let Some(rtt) = self.rtt {
            show("nv_rtt", rtt);
            show("nv_min_rtt", self.min_rtt);
        }
    }

    fn decided(&mut self) {
        self.calls = 0;
        self.rounds = 0;
        self.max_rate = 0.0;
    }
    /// Window, bytes, after the verdict that `largest` segments are the most.
    #[must_use]
    pub fn shrink(window: &Window, largest: u64) -> u64 {
        let segments = window.whole_segments();
        let excess = segments.saturating_sub(largest);
        let segments = if excess > SMALL_EXCESS {
            segments - integer(float(excess) * DECREASE).max(2)
        } else {
            largest
        };
        segments.max(MIN_WINDOW_SEGMENTS) * window.mss
    }
}
