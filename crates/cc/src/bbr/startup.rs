//! STARTUP until the bandwidth has stopped growing, then DRAIN until its queue is gone.

use super::{Bbr, Mode};
use crate::{AckEvent, Rate};

/// `bbr_full_bw_thresh`: growth that says there may be more.
const GROWTH: f64 = 1.25;
/// `bbr_full_bw_cnt`: rounds without it that say there is not.
const ROUNDS: u32 = 3;
/// Linux's unit of gains.
const GAIN_UNIT: f64 = 256.0;

/// DRAIN's gain: the inverse of STARTUP's, in Linux's unit (88/256).
pub fn drain_gain(high_gain: f64) -> f64 {
    libm::floor(GAIN_UNIT / high_gain) / GAIN_UNIT
}

/// Whether STARTUP has filled the pipe.
#[derive(Clone, Debug, Default)]
pub struct FullPipe {
    pub is_reached: bool,
    bw: Rate,
    rounds: u32,
}

impl FullPipe {
    /// What it has seen may have been a mistake; that the pipe was full once, it keeps.
    pub fn forget(&mut self) {
        self.bw = Rate::default();
        self.rounds = 0;
    }

    /// After a timeout any bandwidth is growth.
    pub fn on_timeout(&mut self) {
        self.bw = Rate::default();
    }
}

impl Bbr {
    /// `bbr_check_full_bw_reached`.
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

    /// `bbr_check_drain`.
    pub(super) fn check_drain(&mut self, ack: &AckEvent) {
        let target = self.inflight_target(self.max_bw.get(), 1.0);
        if self.mode == Mode::Startup && self.full_pipe.is_reached {
            self.ssthresh = Some(target);
            self.mode = Mode::Drain;
        }
        if self.mode == Mode::Drain && self.in_network(ack.inflight, ack.pacing_wait) <= target {
            self.enter_probe_bw(self.totals.delivered_at);
        }
    }
}
