//! The long-term bound on inflight: found by losses while probing, raised while there are none (draft sections "Probing for
//! Bandwidth In `ProbeBW`" and "`ProbeBW` Algorithm Details").

use super::probe_bw::AckPhase;
use super::{Bbr3, State, UNBOUNDED, scale};
use crate::{AckEvent, LostSegment};

/// Doublings of the probe's growth, so that a shift cannot overflow.
pub const MAX_PROBE_UP_ROUNDS: u32 = 30;

impl Bbr3 {
    /// `IsInflightTooHigh`.
    pub(super) fn is_loss_too_high(&self, lost: u64, tx_in_flight: u64) -> bool {
        lost > scale(tx_in_flight, self.options.loss_thresh) || (lost > 0 && !self.options.has_sack)
    }

    /// `HandleLostPacket`, after `NoteLoss`.
    pub(super) fn handle_lost_packet(&mut self, segment: &LostSegment) {
        if self.cycle.is_bw_probe_sample && self.is_loss_too_high(segment.lost, segment.tx_in_flight) {
            self.handle_inflight_too_high(self.inflight_at_loss(segment), segment.is_app_limited);
        }
    }

    /// `InflightAtLoss`: at what inflight, perhaps within this segment, losses crossed the threshold.
    fn inflight_at_loss(&self, segment: &LostSegment) -> u64 {
        let thresh = self.options.loss_thresh;
        let inflight_prev = segment.tx_in_flight.saturating_sub(segment.bytes);
        let lost_prev = segment.lost.saturating_sub(segment.bytes);
        let budget = scale(inflight_prev, thresh).saturating_sub(lost_prev);
        inflight_prev.saturating_add(scale(budget, 1.0 / (1.0 - thresh)))
    }

    /// `HandleInflightTooHigh`.
    pub(super) fn handle_inflight_too_high(&mut self, tx_in_flight: u64, is_app_limited: bool) {
        self.bounds.is_prev_probe_too_high = true;
        // One reaction per probe.
        self.cycle.is_bw_probe_sample = false;
        if !is_app_limited {
            self.bounds.inflight_longterm = tx_in_flight.max(scale(self.target_inflight(), self.options.beta));
        }
        if self.state == State::Up {
            self.undo.state = Some(State::Up);
            self.start_probe_bw_down();
        }
    }

    /// `InflightWithHeadroom`.
    pub(super) fn inflight_with_headroom(&self) -> u64 {
        let longterm = self.bounds.inflight_longterm;
        if longterm == UNBOUNDED {
            return UNBOUNDED;
        }
        let headroom = scale(longterm, self.options.headroom).max(self.options.mss);
        longterm.saturating_sub(headroom).max(self.min_pipe_cwnd())
    }

    /// `RaiseInflightLongtermSlope`: twice as many segments in each round of a probe.
    pub(super) fn raise_inflight_longterm_slope(&mut self) {
        let growth_this_round = 1_u64 << self.bounds.probe_up_rounds;
        self.bounds.probe_up_rounds = (self.bounds.probe_up_rounds + 1).min(MAX_PROBE_UP_ROUNDS);
        self.bounds.acked_per_increment = (self.cwnd / growth_this_round).max(self.options.mss);
    }

    /// `ProbeInflightLongtermUpward`.
    fn probe_inflight_longterm_upward(&mut self, ack: &AckEvent) {
        if !ack.is_cwnd_limited || self.cwnd < self.bounds.inflight_longterm {
            return;
        }
        let bounds = &mut self.bounds;
        bounds.probe_up_acked += ack.newly_acked;
        let increments = bounds.probe_up_acked / bounds.acked_per_increment;
        bounds.probe_up_acked -= increments * bounds.acked_per_increment;
        bounds.inflight_longterm = bounds.inflight_longterm.saturating_add(increments * self.options.mss);
        if self.rounds.is_start {
            self.raise_inflight_longterm_slope();
        }
    }

    /// `AdaptLongTermModel`; whether it has decided a transition.
    pub(super) fn adapt_long_term_model(&mut self, ack: &AckEvent) -> bool {
        let is_app_limited = ack.rate.is_some_and(|sample| sample.is_app_limited);
        if self.cycle.ack_phase == AckPhase::ProbeStarting && self.rounds.is_start {
            self.cycle.ack_phase = AckPhase::ProbeFeedback;
        }
        if self.cycle.ack_phase == AckPhase::ProbeStopping && self.rounds.is_start {
            self.cycle.is_bw_probe_sample = false;
            self.cycle.ack_phase = AckPhase::Init;
            if self.state.is_probe_bw() && !is_app_limited {
                self.max_bw.advance();
            }
            if self.state.is_probe_bw() && self.bounds.is_prev_probe_precautionary && !self.bounds.is_prev_probe_too_high {
                self.start_probe_bw_refill(0);
                return true;
            }
        }
        let Some(sample) = &ack.rate else { return false };
        if self.is_ecn_too_high(sample) {
            if self.cycle.is_bw_probe_sample {
                self.handle_inflight_too_high(sample.tx_in_flight, sample.is_app_limited);
            }
        } else if !self.is_loss_too_high(sample.lost, sample.tx_in_flight) && self.bounds.inflight_longterm != UNBOUNDED {
            self.bounds.inflight_longterm = self.bounds.inflight_longterm.max(sample.tx_in_flight);
            if self.state == State::Up {
                self.probe_inflight_longterm_upward(ack);
            }
        }
        false
    }
}
