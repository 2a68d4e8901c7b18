//! The bounds, and how the short-term ones follow congestion while the flow is not probing (draft
//! section "When not Probing for Bandwidth").

use ackclock_units::Rate;

use super::{Bbr3, Recovery, UNBOUNDED, UNBOUNDED_RATE, scale};

/// Bounds that congestion sets, on both time scales.
#[derive(Clone, Copy, Debug)]
pub struct Bounds {
    /// `BBR.bw_shortterm`: bound on the bandwidth since the last probe.
    pub bw_shortterm: Rate,
    /// `BBR.inflight_shortterm`: bound on inflight since the last probe, bytes.
    pub inflight_shortterm: u64,
    /// `BBR.inflight_longterm`: bound on inflight that probes have found, bytes.
    pub inflight_longterm: u64,
    /// `BBR.probe_up_acked_per_inc`: acknowledged bytes for which the long-term bound rises by a
    /// segment.
    pub acked_per_increment: u64,
    /// `BBR.bw_probe_up_acked`: bytes acknowledged since the bound last rose.
    pub probe_up_acked: u64,
    /// `BBR.bw_probe_up_rounds`: rounds of the probe, which double the bound's growth.
    pub probe_up_rounds: u32,
    /// `BBR.prev_probe_too_high`: the last probe caused too many losses.
    pub is_prev_probe_too_high: bool,
    /// `BBR.prev_probe_precautionary`: the last probe ended at the bound, before losses could show.
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
    /// `NoteLoss`, without saving state, which is done once per episode.
    pub(super) fn note_loss(&mut self) {
        if !self.latest.is_loss_in_round {
            self.latest.round_delivered = self.delivered;
        }
        self.latest.is_loss_in_round = true;
    }

    /// `ResetCongestionSignals`: forgets losses, rates and volumes of the round.
    pub(super) fn reset_congestion_signals(&mut self) {
        self.latest.is_loss_in_round = false;
        self.latest.bw = Rate::default();
        self.latest.inflight = 0;
        self.ecn.reset_cycle();
    }

    /// `ResetShortTermModel`: removes the short-term bounds.
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

    /// `AdaptLowerBoundsFromCongestion`, `InitLowerBounds` and `LossLowerBounds`, with the ECN
    /// response of Linux's `bbr_adapt_lower_bounds`.
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
            self.bounds.bw_shortterm =
                self.latest.bw.max(self.bounds.bw_shortterm.scale(self.options.beta));
            self.bounds.inflight_shortterm =
                self.latest.inflight.max(scale(self.bounds.inflight_shortterm, self.options.beta));
        }
        self.bounds.inflight_shortterm = self.bounds.inflight_shortterm.min(ecn_inflight);
    }

    /// Sets `inflight_shortterm` if it is unbounded. After a timeout it becomes the window from
    /// before the timeout, as in Linux (`bbr_set_state`). The draft takes cwnd, which is then one
    /// segment.
    fn init_inflight_shortterm(&mut self) {
        if self.bounds.inflight_shortterm == UNBOUNDED {
            let is_cut = self.recovery == Recovery::Timeout;
            self.bounds.inflight_shortterm =
                if is_cut { self.cwnd.max(self.undo.prior_cwnd) } else { self.cwnd };
        }
    }
}
