//! Long-term sampling: two stretches of heavy loss at the same rate mean a policer. BBR then keeps
//! to its rate for a while.

use super::{Bbr, Mode, Totals};
use crate::{Duration, Rate};

/// Shortest stretch in rounds (`bbr_lt_intvl_min_rtts`); four times as many are too many.
const MIN_ROUNDS: u64 = 4;
const MAX_ROUNDS: u64 = 4 * MIN_ROUNDS;
/// Lost share from which a stretch is lossy, in 256ths of the delivered bytes
/// (`bbr_lt_loss_thresh`).
const LOSS_THRESHOLD: u64 = 50;
const LOSS_UNIT: u64 = 256;
/// Difference up to which two rates are alike, as a share or in bit/s (`bbr_lt_bw_ratio`,
/// `bbr_lt_bw_diff`).
const ALIKE_DIVISOR: u64 = 8;
const ALIKE_DIFFERENCE: Rate = Rate::from_bps(4_000);
/// Rounds for which the policer's rate is used (`bbr_lt_bw_max_rtts`).
const ROUNDS_IN_USE: u64 = 48;
const SHORTEST: Duration = Duration::from_millis(1);

/// Detector of a policer.
#[derive(Clone, Debug, Default)]
pub struct LongTerm {
    is_sampling: bool,
    is_in_use: bool,
    /// Rate of the last stretch.
    bw: Option<Rate>,
    /// Rounds of the running stretch, or rounds in use.
    rounds: u64,
    /// Totals at the start of the stretch.
    began: Totals,
}

impl LongTerm {
    /// The policer's rate, while BBR keeps to it.
    pub fn in_use(&self) -> Option<Rate> {
        self.bw.filter(|_| self.is_in_use)
    }

    fn begin_stretch(&mut self, totals: &Totals) {
        self.began = *totals;
        self.rounds = 0;
    }

    /// Forgets the rates and begins to look for a policer again (`bbr_reset_lt_bw_sampling`).
    pub fn reset(&mut self, totals: &Totals) {
        *self = Self::default();
        self.begin_stretch(totals);
    }

    /// Ends a stretch: its rate is used if it is like the last stretch's
    /// (`bbr_lt_bw_interval_done`).
    fn end_stretch(&mut self, bw: Rate, totals: &Totals) {
        if let Some(last) = self.bw {
            let difference = Rate::from_bps(bw.as_bps().abs_diff(last.as_bps()));
            if difference.as_bps() <= last.as_bps() / ALIKE_DIVISOR
                || difference <= ALIKE_DIFFERENCE
            {
                self.bw = Some(Rate::from_bps(bw.as_bps().midpoint(last.as_bps())));
                self.is_in_use = true;
                self.rounds = 0;
                return;
            }
        }
        self.bw = Some(bw);
        self.begin_stretch(totals);
    }

    /// Ends the stretch if this loss does, and takes its rate (the rest of `bbr_lt_bw_sampling`).
    fn sample(
        &mut self,
        has_lost: bool,
        is_app_limited: bool,
        is_round_start: bool,
        totals: &Totals,
    ) {
        if !self.is_sampling {
            // Sampling begins with the first loss, when a policer has no tokens left.
            if !has_lost {
                return;
            }
            self.begin_stretch(totals);
            self.is_sampling = true;
        }
        if is_app_limited {
            self.reset(totals);
            return;
        }
        self.rounds += u64::from(is_round_start);
        if self.rounds < MIN_ROUNDS {
            return;
        }
        if self.rounds > MAX_ROUNDS {
            self.reset(totals);
            return;
        }
        let lost = totals.lost - self.began.lost;
        let delivered = totals.delivered.saturating_sub(self.began.delivered);
        let is_lossy = delivered > 0
            && u128::from(lost) * u128::from(LOSS_UNIT)
                >= u128::from(LOSS_THRESHOLD) * u128::from(delivered);
        let time = totals.delivered_at.since(self.began.delivered_at);
        if has_lost && is_lossy && time >= SHORTEST {
            self.end_stretch(Rate::of(delivered, time), totals);
        }
    }
}

impl Bbr {
    /// Takes in an ACK, or leaves a policer's rate after its rounds are over
    /// (`bbr_lt_bw_sampling`).
    pub(super) fn sample_long_term(&mut self, has_lost: bool, is_app_limited: bool) {
        if !self.options.long_term_bw {
            return;
        }
        if self.long_term.is_in_use {
            if self.mode == Mode::ProbeBw && self.rounds.start {
                self.long_term.rounds += 1;
                if self.long_term.rounds >= ROUNDS_IN_USE {
                    self.long_term.reset(&self.totals);
                    self.enter_probe_bw(self.totals.delivered_at);
                }
            }
            return;
        }
        self.long_term.sample(has_lost, is_app_limited, self.rounds.start, &self.totals);
        if self.long_term.is_in_use {
            self.pacing_gain = 1.0;
        }
    }
}
