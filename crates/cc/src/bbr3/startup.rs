//! Startup, and whether the pipe is full: by a plateau of the delivery rate or by losses (draft section "Startup").

use ackclock_units::Rate;

use super::{Bbr3, Recovery, State};
use crate::{AckEvent, LostSegment};

/// Less growth than this in a round is little (section "Exiting Acceleration Based on Bandwidth Plateau").
const FULL_BW_GROWTH: f64 = 1.25;
/// So many rounds of little growth fill the pipe.
const FULL_BW_COUNT: u32 = 3;
/// `BBRStartupFullLossCnt`.
const FULL_LOSS_COUNT: u32 = 6;

/// The full pipe estimator.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullBw {
    /// `BBR.full_bw_reached`: the pipe has been full before.
    pub is_reached: bool,
    /// `BBR.full_bw_now`: it is full since the last reset.
    pub is_now: bool,
    /// `BBR.full_bw_count`.
    pub count: u32,
    /// `BBR.full_bw`.
    pub baseline: Rate,
}

impl FullBw {
    /// `ResetFullBW`, then as many callers do with the rate that is to be exceeded.
    pub fn reset(&mut self, baseline: Rate) {
        *self = Self {
            is_reached: self.is_reached,
            baseline,
            ..Self::default()
        };
    }

    /// The pipe is full.
    pub fn reach(&mut self) {
        self.is_now = true;
        self.is_reached = true;
    }
}

/// Discontiguous ranges lost since the loss round began.
#[derive(Clone, Copy, Debug, Default)]
pub struct LostRanges {
    count: u32,
    end: Option<u64>,
}

impl LostRanges {
    pub fn add(&mut self, segment: &LostSegment) {
        if self.end != Some(segment.seq) {
            self.count += 1;
        }
        self.end = Some(segment.seq + segment.bytes);
    }
}

impl Bbr3 {
    /// `EnterStartup`.
    pub(super) fn enter_startup(&mut self) {
        self.state = State::Startup;
    }

    /// `CheckFullBWReached`.
    pub(super) fn check_full_bw_reached(&mut self, ack: &AckEvent) {
        let Some(sample) = &ack.rate else { return };
        if self.full_bw.is_now || !self.rounds.is_start || sample.is_app_limited {
            return;
        }
        if sample.delivery_rate >= self.full_bw.baseline.scale(FULL_BW_GROWTH) {
            self.full_bw.reset(sample.delivery_rate);
            return;
        }
        self.full_bw.count += 1;
        if self.full_bw.count >= FULL_BW_COUNT {
            self.full_bw.reach();
        }
    }

    /// `CheckStartupDone`.
    pub(super) fn check_startup_done(&mut self, ack: &AckEvent) {
        if self.state == State::Startup {
            if !self.full_bw.is_reached && self.is_startup_loss_high(ack) {
                self.undo.state = Some(State::Startup);
                self.end_startup_for_congestion();
            }
            if self.full_bw.is_reached {
                self.enter_drain();
            }
        }
        if self.latest.is_round_start {
            self.lost_ranges = LostRanges::default();
        }
    }

    /// `CheckStartupHighLoss`'s criteria (section "Exiting Startup Based on Packet Loss").
    fn is_startup_loss_high(&self, ack: &AckEvent) -> bool {
        if !self.options.has_sack {
            return self.recovery == Recovery::Fast && ack.newly_lost > 0;
        }
        // A loss round begins with the first loss: when it ends, recovery has lasted a round trip.
        self.recovery == Recovery::Fast
            && self.latest.is_round_start
            && self.lost_ranges.count >= FULL_LOSS_COUNT
            && ack
                .rate
                .is_some_and(|sample| self.is_loss_too_high(sample.lost, sample.tx_in_flight))
    }

    /// The pipe is full, and a safe volume is what was delivered in the last round.
    pub(super) fn end_startup_for_congestion(&mut self) {
        self.full_bw.reach();
        self.bounds.inflight_longterm = self.bdp().max(self.latest.inflight);
    }
}
