//! Startup, and whether the pipe is full: by a plateau of the delivery rate or by losses (draft
//! section "Startup").

use ackclock_units::Rate;

use super::{Bbr3, Recovery, State};
use crate::{AckEvent, LostSegment};

/// Growth of the rate in a round below which the round counts as a plateau (section "Exiting
/// Acceleration Based on Bandwidth Plateau").
const FULL_BW_GROWTH: f64 = 1.25;
/// Rounds of plateau after which the pipe is full.
const FULL_BW_COUNT: u32 = 3;
/// Lost ranges in a round from which losses may end startup (`BBRStartupFullLossCnt`).
const FULL_LOSS_COUNT: u32 = 6;

/// Estimator of a full pipe.
#[derive(Clone, Copy, Debug, Default)]
pub struct FullBw {
    /// `BBR.full_bw_reached`: the pipe has been full at some time.
    pub is_reached: bool,
    /// `BBR.full_bw_now`: the pipe has been full since the last reset.
    pub is_now: bool,
    /// `BBR.full_bw_count`: rounds of plateau in a row.
    pub count: u32,
    /// `BBR.full_bw`: rate that the next rounds must exceed.
    pub baseline: Rate,
}

impl FullBw {
    /// `ResetFullBW`. `baseline` is the rate that must be exceeded next; many callers of the draft
    /// set it right after.
    pub fn reset(&mut self, baseline: Rate) {
        *self = Self { is_reached: self.is_reached, baseline, ..Self::default() };
    }

    /// Notes that the pipe is full.
    pub fn reach(&mut self) {
        self.is_now = true;
        self.is_reached = true;
    }
}

/// Discontiguous ranges of lost bytes since the loss round began.
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
    /// `EnterStartup`: doubles the rate each round trip.
    pub(super) fn enter_startup(&mut self) {
        self.state = State::Startup;
    }

    /// `CheckFullBWReached`: declares the pipe full after three rounds of plateau.
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

    /// `CheckStartupDone`: goes to drain when the pipe is full, by a plateau or by losses.
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
        // A loss round begins with the first loss. When it ends, recovery has lasted a round trip.
        self.recovery == Recovery::Fast
            && self.latest.is_round_start
            && self.lost_ranges.count >= FULL_LOSS_COUNT
            && ack
                .rate
                .is_some_and(|sample| self.is_loss_too_high(sample.lost, sample.tx_in_flight))
    }

    /// Ends startup because of congestion: the pipe is full, and a safe volume is what the last
    /// round delivered.
    pub(super) fn end_startup_for_congestion(&mut self) {
        self.full_bw.reach();
        self.bounds.inflight_longterm = self.bdp().max(self.latest.inflight);
    }
}
