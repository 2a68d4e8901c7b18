//! The bounds, and how the short-term ones follow congestion when the flow is not probing (draft section "When not Probing
//! for Bandwidth").

use ackclock_units::Rate;

use super::{Bbr3, Recovery, UNBOUNDED, UNBOUNDED_RATE, scale};

/// What congestion allows, on both time scales.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// `BBR.bw_shortterm`.
    pub bw_shortterm: Rate,
    /// `BBR.inflight_shortterm`.
    pub inflight_shortterm: u64,
    /// `BBR.inflight_longterm`.
    pub inflight_longterm: u64,
    /// `BBR.probe_up_acked_per_inc`.
    pub acked_per_increment: u64,
    /// `BBR.bw_probe_up_acked`.
    pub probe_up_acked: u64,
    /// `BBR.bw_probe_up_rounds`.
    pub probe_up_rounds: u32,
    /// `BBR.prev_probe_too_high`.
    pub is_prev_probe_too_high: bool,
    /// `BBR.prev_probe_precautionary`.
    pub is_prev_probe_precautionary: bool,
}

impl Default for Bounds {
    fn default() -> Self {
        Self {
            bw_shortterm: UNBOUNDED_RATE,
            inflight_shortterm: UNBOUNDED,
            inflight_longterm: UNBOUNDED,
            acked_per_increment: UNBOUNDED,
            probe_up_acked: 0,
            probe_up_rounds: 0,
            is_prev_probe_too_high: false,
            is_prev_probe_precautionary: false,
        }
    }
}

impl Bbr3 {
    /// `NoteLoss`, without saving state: that is once per episode.
    pub(super) fn note_loss(&mut self) {
        if !self.latest.is_loss_in_round {
            self.latest.round_delivered = self.delivered;
        }
        self.latest.is_loss_in_round = true;
    }

    /// `ResetCongestionSignals`.
    pub(super) fn reset_congestion_signals(&mut self) {
        self.latest.is_loss_in_round = false;
        self.latest.bw = Rate::default();
        self.latest.inflight = 0;
        self.ecn.reset_cycle();
    }

    /// `ResetShortTermModel`.
    pub(super) fn reset_short_term_model(&mut self) {
        self.bounds.bw_shortterm = UNBOUNDED_RATE;
        self.bounds.inflight_shortterm = UNBOUNDED;
    }

    /// `UpdateCongestionSignals`, after `UpdateMaxBw`.
    pub(super) fn update_congestion_signals(&mut self) {
        if self.latest.is_round_start {
            self.adapt_lower_bounds();
            self.latest.is_loss_in_round = false;
            self.ecn.is_in_round = false;
        }
    }

    /// `AdaptLowerBoundsFromCongestion`, `InitLowerBounds` and `LossLowerBounds`, and with them the ECN response of Linux's `bbr_adapt_lower_bounds`.
    fn adapt_lower_bounds(&mut self) {
        if self.state.is_probing_bw() {
            return;
        }
        let mut ecn_inflight = UNBOUNDED;
        if self.ecn.is_in_round {
            self.init_inflight_shortterm();
            ecn_inflight = scale(self.bounds.inflight_shortterm, self.ecn.cut());
        }
        if self.latest.is_loss_in_round {
            if self.bounds.bw_shortterm == UNBOUNDED_RATE {
                self.bounds.bw_shortterm = self.max_bw.max();
            }
            self.init_inflight_shortterm();
            self.bounds.bw_shortterm = self.latest.bw.max(self.bounds.bw_shortterm.scale(self.options.beta));
            self.bounds.inflight_shortterm = self.latest.inflight.max(scale(self.bounds.inflight_shortterm, self.options.beta));
        }
        self.bounds.inflight_shortterm = self.bounds.inflight_shortterm.min(ecn_inflight);
    }

    /// The window before a timeout cut it to a segment, as Linux (`bbr_set_state`): the draft says cwnd.
    fn init_inflight_shortterm(&mut self) {
        if self.bounds.inflight_shortterm == UNBOUNDED {
            let is_cut = self.recovery == Recovery::Timeout;
            self.bounds.inflight_shortterm = if is_cut { self.cwnd.max(self.undo.prior_cwnd) } else { self.cwnd };
        }
    }
}
