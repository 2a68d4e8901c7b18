//! What NV makes of the ACKs: the window that its best rate needs on the empty path, and when that is known well enough.

use super::{MIN_WINDOW_SEGMENTS, whole_segments};
use crate::entry::Values;
use crate::window::Window;
use crate::{AckEvent, Duration, Time};

/// Weight of a sample in the average RTT (`nv_rtt_factor`).
const RTT_WEIGHT: f64 = 0.5;
/// How close to the largest window it stops to grow, packets (`nv_pad_buffer`).
const PAD_BUFFER: u64 = 2;
/// Part of the excess that goes at once (`nv_cong_dec_mult`), and the excess above which only that goes.
const DECREASE: f64 = 38.0 / 128.0;
const SMALL_EXCESS: u64 = 2;
/// RTT samples that a decision needs: to shrink in slow start, to shrink, to grow.
const CALLS_TO_EXIT: u32 = 30;
const CALLS_TO_SHRINK: u32 = 60;
const CALLS_TO_GROW: u32 = 20;
/// Round trips before it shrinks (`nv_rtt_min_cnt`), and of doubt after which it does not grow (`nv_stop_rtt_cnt`).
const ROUNDS_TO_SHRINK: u32 = 2;
const ROUNDS_OF_DOUBT: u32 = 10;
/// The first time that the smallest RTT is renewed.
const FIRST_RESET: Duration = Duration::from_secs(2);

/// What NV makes of the ACKs; its slow start keeps the same books.
#[derive(Clone, Debug)]
pub struct Estimate {
    /// Packets that may be queued (`nv_pad`).
    pad: f64,
    /// Seconds between resets of the smallest RTT, on average (`nv_reset_period`).
    reset_period: f64,
    rtt: Option<f64>,
    min_rtt: f64,
    next_min_rtt: f64,
    reset_at: Time,
    /// Largest rate since the last decision, bytes/s.
    max_rate: f64,
    /// Samples and rounds since then.
    calls: u32,
    rounds: u32,
    needs_restart: bool,
}

/// What the estimate says about a window.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// There is room: grow.
    Grow,
    /// Grow no more.
    Stay,
    /// This is the largest window, segments, and it is exceeded.
    Shrink(u64),
}

impl Estimate {
    /// Without a sample.
    #[must_use]
    pub fn new(values: &Values) -> Self {
        Self {
            pad: values.number("pad"),
            reset_period: values.number("reset_period"),
            rtt: None,
            min_rtt: f64::MAX,
            next_min_rtt: f64::MAX,
            reset_at: Time::ZERO + FIRST_RESET,
            max_rate: 0.0,
            calls: 0,
            rounds: 0,
            needs_restart: false,
        }
    }

    /// An episode of congestion began; what was measured before it counts no more when it is over (`tcpnv_state`).
    pub fn on_congestion(&mut self) {
        self.needs_restart = true;
    }

    /// Every ACK (`tcpnv_acked`).
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
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
        let sample = sample.as_secs_f64();
        let rtt = self.rtt.map_or(sample, |rtt| rtt + RTT_WEIGHT * (sample - rtt));
        if self.rtt.is_none() {
            self.min_rtt = rtt;
        }
        self.rtt = Some(rtt);
        self.max_rate = self.max_rate.max(rate.tx_in_flight as f64 / rtt.max(1e-9));
        self.calls = self.calls.saturating_add(1);
        self.min_rtt = self.min_rtt.min(rtt);
        self.next_min_rtt = self.next_min_rtt.min(rtt);
    }

    /// Forgets the smallest RTT now and then; a `draw` from 0 to 1 spreads it from 3/4 to 5/4 of the period.
    pub fn renew(&mut self, now: Time, draw: impl FnOnce() -> f64) {
        if now >= self.reset_at && self.next_min_rtt < f64::MAX {
            self.min_rtt = self.next_min_rtt;
            self.next_min_rtt = f64::MAX;
            let period = self.reset_period * (0.75 + 0.5 * draw());
            self.reset_at = now.saturating_add(Duration::from_secs_f64(period));
        }
    }

    /// At the end of a round trip: a decision, if there is enough to decide by.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a saturating cast is right")]
    pub fn decide(&mut self, window: &Window, may_grow: bool) -> Option<Verdict> {
        self.rounds = self.rounds.saturating_add(1);
        self.rtt?;
        let largest = (self.max_rate * self.min_rtt / window.mss as f64 + self.pad) as u64;
        let segments = whole_segments(window);
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

    /// For the record.
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
}

/// The window, bytes, after a verdict that `largest` segments are the most.
#[must_use]
#[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 packets")]
#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a part of the window")]
pub fn shrunk(window: &Window, largest: u64) -> u64 {
    let segments = whole_segments(window);
    let excess = segments.saturating_sub(largest);
    let segments = if excess > SMALL_EXCESS {
        segments - ((excess as f64 * DECREASE) as u64).max(2)
    } else {
        largest
    };
    segments.max(MIN_WINDOW_SEGMENTS) * window.mss
}
