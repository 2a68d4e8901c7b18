//! The long-term bound on inflight: losses set it while probing, and their absence raises it (draft
//! sections "Probing for Bandwidth In `ProbeBW`" and "`ProbeBW` Algorithm Details").

use super::probe_bw::AckPhase;
use super::{Bbr3, State, UNBOUNDED, scale};
use crate::{AckEvent, LostSegment};

/// Most doublings of the probe's growth, so that a shift cannot overflow.
pub const MAX_PROBE_UP_ROUNDS: u32 = 30;

impl Bbr3 {
    /// `IsInflightTooHigh`: more than `BBR.LossThresh` of the bytes in flight were lost. Without
    /// SACK any loss is too much.
    pub(super) fn is_loss_too_high(&self, lost: u64, tx_in_flight: u64) -> bool {
        lost > scale(tx_in_flight, self.options.loss_thresh) || (lost > 0 && !self.options.has_sack)
    }

    /// `HandleLostPacket`, after `NoteLoss`.
    pub(super) fn handle_lost_packet(&mut self, segment: &LostSegment) {
        if self.cycle.is_bw_probe_sample
            && self.is_loss_too_high(segment.lost, segment.tx_in_flight)
        {
            self.handle_inflight_too_high(self.inflight_at_loss(segment), segment.is_app_limited);
        }
    }

    /// `InflightAtLoss`: the inflight, perhaps within this segment, at which losses crossed the
    /// threshold.
    fn inflight_at_loss(&self, segment: &LostSegment) -> u64 {
        let thresh = self.options.loss_thresh;
        let inflight_prev = segment.tx_in_flight.saturating_sub(segment.bytes);
        let lost_prev = segment.lost.saturating_sub(segment.bytes);
        let budget = scale(inflight_prev, thresh).saturating_sub(lost_prev);
        inflight_prev.saturating_add(scale(budget, 1.0 / (1.0 - thresh)))
    }

    /// `HandleInflightTooHigh`: bounds inflight where losses began, and ends the probe.
    pub(super) fn handle_inflight_too_high(&mut self, tx_in_flight: u64, is_app_limited: bool) {
        self.bounds.is_prev_probe_too_high = true;
        // There is one reaction per probe.
        self.cycle.is_bw_probe_sample = false;
        if !is_app_limited {
            self.bounds.inflight_longterm =
                tx_in_flight.max(scale(self.target_inflight(), self.options.beta));
        }
        if self.state == State::Up {
            self.undo.state = Some(State::Up);
            self.start_probe_bw_down();
        }
    }

    /// `InflightWithHeadroom`: the long-term bound less a share for other flows, bytes.
    pub(super) fn inflight_with_headroom(&self) -> u64 {
        let longterm = self.bounds.inflight_longterm;
        if longterm == UNBOUNDED {
            return UNBOUNDED;
        }
        let headroom = scale(longterm, self.options.headroom).max(self.options.mss);
        longterm.saturating_sub(headroom).max(self.min_pipe_cwnd())
    }

    /// `RaiseInflightLongtermSlope`: each round of a probe adds twice as many segments as the one
    /// before.
    pub(super) fn raise_inflight_longterm_slope(&mut self) {
        let growth_this_round = 1_u64 << self.bounds.probe_up_rounds;
        self.bounds.probe_up_rounds = (self.bounds.probe_up_rounds + 1).min(MAX_PROBE_UP_ROUNDS);
        self.bounds.acked_per_increment = (self.cwnd / growth_this_round).max(self.options.mss);
    }

    /// `ProbeInflightLongtermUpward`: raises the long-term bound while the probe fills it without
    /// losses.
    fn probe_inflight_longterm_upward(&mut self, ack: &AckEvent) {
        if !ack.is_cwnd_limited || self.cwnd < self.bounds.inflight_longterm {
            return;
        }
        let bounds = &mut self.bounds;
        bounds.probe_up_acked += ack.newly_acked;
        let increments = bounds.probe_up_acked / bounds.acked_per_increment;
        bounds.probe_up_acked -= increments * bounds.acked_per_increment;
        bounds.inflight_longterm =
            bounds.inflight_longterm.saturating_add(increments * self.options.mss);
        if self.rounds.is_start {
            self.raise_inflight_longterm_slope();
        }
    }

    /// `AdaptLongTermModel`. Returns true if it has changed the state.
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
            if self.state.is_probe_bw()
                && self.bounds.is_prev_probe_precautionary
                && !self.bounds.is_prev_probe_too_high
            {
                self.start_probe_bw_refill(0);
                return true;
            }
        }
        let Some(sample) = &ack.rate else { return false };
        if self.is_ecn_too_high() {
            if self.cycle.is_bw_probe_sample {
                self.handle_inflight_too_high(sample.tx_in_flight, sample.is_app_limited);
            }
        } else if !self.is_loss_too_high(sample.lost, sample.tx_in_flight)
            && self.bounds.inflight_longterm != UNBOUNDED
        {
            self.bounds.inflight_longterm = self.bounds.inflight_longterm.max(sample.tx_in_flight);
            if self.state == State::Up {
                self.probe_inflight_longterm_upward(ack);
            }
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::super::ecn::EcnResponse;
    use super::super::options::Options;
    use super::*;
    use crate::{CongestionControl, Time};

    const MSS: u64 = 1000;

    fn bbr3() -> Bbr3 {
        let options = Options {
            mss: MSS,
            initial_window: 10 * MSS,
            has_sack: true,
            loss_thresh: 0.02,
            beta: 0.7,
            headroom: 0.15,
            offload_quanta: 3,
        };
        Bbr3::new(options, EcnResponse::new(None))
    }

    fn probing() -> Bbr3 {
        let mut bbr3 = bbr3();
        bbr3.state = State::Up;
        bbr3.full_bw.reach();
        bbr3.cycle.is_bw_probe_sample = true;
        bbr3.cwnd = 200 * MSS;
        bbr3
    }

    fn lost(tx_in_flight: u64, lost: u64, is_app_limited: bool) -> LostSegment {
        LostSegment {
            now: Time::ZERO,
            seq: 0,
            bytes: MSS,
            delivered: 0,
            sent_at: Time::ZERO,
            tx_in_flight: tx_in_flight * MSS,
            lost: lost * MSS,
            is_app_limited,
        }
    }

    #[test]
    fn the_bound_is_where_losses_cross_two_percent() {
        // Of 100 segments in flight the third loss is one too many. The two before it are more than
        // 2 % of the 99 before it.
        let mut bbr3 = probing();
        bbr3.on_lost(&lost(100, 2, false));
        assert_eq!((bbr3.state, bbr3.bounds.inflight_longterm), (State::Up, UNBOUNDED));
        bbr3.on_lost(&lost(100, 3, false));
        assert_eq!((bbr3.state, bbr3.bounds.inflight_longterm), (State::Down, 99 * MSS));
        // Of a burst of ten segments, 0.02 * 90 / 0.98 fit.
        bbr3 = probing();
        bbr3.on_lost(&LostSegment { bytes: 10 * MSS, ..lost(100, 10, false) });
        assert_eq!(bbr3.bounds.inflight_longterm, 91_836);
    }

    #[test]
    fn a_probe_is_answered_once_and_not_where_the_application_limits() {
        let mut bbr3 = probing();
        bbr3.on_lost(&lost(100, 3, true));
        assert_eq!((bbr3.state, bbr3.bounds.inflight_longterm), (State::Down, UNBOUNDED));
        bbr3.on_lost(&lost(100, 4, false));
        assert_eq!(bbr3.bounds.inflight_longterm, UNBOUNDED);
    }

    #[test]
    fn a_spurious_episode_restores_what_was_before_its_first_loss() {
        let mut bbr3 = probing();
        bbr3.bounds.inflight_longterm = 170 * MSS;
        for count in 1..6 {
            bbr3.on_lost(&lost(100, count, false));
        }
        assert_eq!((bbr3.state, bbr3.bounds.inflight_longterm), (State::Down, 99 * MSS));
        bbr3.cwnd = 90 * MSS;
        bbr3.on_spurious(Time::ZERO);
        let restored = (bbr3.state, bbr3.bounds.inflight_longterm, bbr3.cwnd);
        assert_eq!(restored, (State::Refill, 170 * MSS, 200 * MSS));
    }

    #[test]
    fn headroom_is_a_share_and_a_segment_at_least() {
        let mut bbr3 = bbr3();
        assert_eq!(bbr3.inflight_with_headroom(), UNBOUNDED);
        for (longterm, expected) in [(100, 85), (6, 5), (4, 4)] {
            bbr3.bounds.inflight_longterm = longterm * MSS;
            assert_eq!(bbr3.inflight_with_headroom(), expected * MSS);
        }
    }

    #[test]
    fn each_round_of_a_probe_grows_the_bound_by_twice_as_many_segments() {
        let mut bbr3 = probing();
        for expected in [200, 100, 50, 25] {
            bbr3.raise_inflight_longterm_slope();
            assert_eq!(bbr3.bounds.acked_per_increment, expected * MSS);
        }
        bbr3.bounds.probe_up_rounds = MAX_PROBE_UP_ROUNDS;
        bbr3.raise_inflight_longterm_slope();
        assert_eq!(bbr3.bounds.acked_per_increment, MSS);
    }
}
