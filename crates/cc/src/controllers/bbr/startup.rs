//! STARTUP until the bandwidth stops growing, then DRAIN until the queue is gone.

use super::{Bbr, Mode};
use crate::{AckEvent, Rate};

/// Growth of the bandwidth in a round that says there may be more (`bbr_full_bw_thresh`).
const GROWTH: f64 = 1.25;
/// Rounds without growth after which the pipe is full (`bbr_full_bw_cnt`).
const ROUNDS: u32 = 3;
/// Linux counts gains in 256ths.
const GAIN_UNIT: f64 = 256.0;

/// Pacing gain of DRAIN: the inverse of STARTUP's, in Linux's unit (88/256).
pub fn drain_gain(high_gain: f64) -> f64 {
    libm::floor(GAIN_UNIT / high_gain) / GAIN_UNIT
}

/// Detector of a full pipe.
#[derive(Clone, Debug, Default)]
pub struct FullPipe {
    pub is_reached: bool,
    bw: Rate,
    rounds: u32,
}

impl FullPipe {
    /// Discards what was measured, because it may have been a mistake. That the pipe was full once
    /// is kept.
    pub fn forget(&mut self) {
        self.bw = Rate::default();
        self.rounds = 0;
    }

    /// After a timeout any bandwidth counts as growth.
    pub fn on_timeout(&mut self) {
        self.bw = Rate::default();
    }
}

impl Bbr {
    /// Declares the pipe full after three rounds without growth (`bbr_check_full_bw_reached`).
    pub(super) fn check_full_pipe(&mut self, ack: &AckEvent) {
        let is_app_limited = ack.rate.is_some_and(|sample| sample.is_app_limited);
        if self.full_pipe.is_reached || !self.rounds.start || is_app_limited {
            return;
        }
        let bw = self.max_bw.get();
        let full = &mut self.full_pipe;
        if bw >= full.bw.scale(GROWTH) {
            full.bw = bw;
            full.rounds = 0;
            return;
        }
        full.rounds += 1;
        full.is_reached = full.rounds >= ROUNDS;
    }

    /// Goes from STARTUP to DRAIN when the pipe is full, and to `PROBE_BW` when its queue is gone
    /// (`bbr_check_drain`).
    pub(super) fn check_drain(&mut self, ack: &AckEvent) {
        let is_found = self.mode == Mode::Startup && self.full_pipe.is_reached;
        if !is_found && self.mode != Mode::Drain {
            return;
        }
        let target = self.inflight_target(self.max_bw.get(), 1.0);
        if is_found {
            self.ssthresh = Some(target);
            self.mode = Mode::Drain;
        }
        if self.in_network(ack.inflight, ack.pacing_wait) <= target {
            self.enter_probe_bw(self.totals.delivered_at);
        }
    }
}
