//! ACKs that come in lumps: how much more than the estimate they bring at once, so that the window lasts through the silence after.

use super::Bbr;
use crate::{AckEvent, Duration, Rate, Time};

/// `bbr_extra_acked_win_rtts`: two such stretches are remembered.
const WINDOW_ROUNDS: u32 = 5;
/// `bbr_extra_acked_max_us`.
const MAX_SILENCE: Duration = Duration::from_millis(100);
/// `bbr_ack_epoch_acked_reset_thresh`, segments.
const LONGEST_EPOCH_SEGMENTS: u64 = 1 << 20;

/// The estimator.
#[derive(Clone, Debug, Default)]
pub struct Aggregation {
    /// The epoch begins where ACKs last fell behind the estimate.
    since: Time,
    acked: u64,
    /// Largest excess of this stretch of rounds and of the one before, bytes.
    excess: [u64; 2],
    rounds: u32,
}

impl Aggregation {
    /// Data flows again after a silence.
    pub fn restart(&mut self, now: Time) {
        self.since = now;
        self.acked = 0;
    }

    /// Largest excess of the last five to ten rounds, bytes.
    pub fn extra(&self) -> u64 {
        self.excess[0].max(self.excess[1])
    }

    /// What the window allows for it (`bbr_ack_aggregation_cwnd`), bytes.
    pub fn allowance(&self, bw: Rate) -> u64 {
        self.extra().min(bw.bytes_in(MAX_SILENCE))
    }
}

impl Bbr {
    /// `bbr_update_ack_aggregation`.
    pub(super) fn update_aggregation(&mut self, ack: &AckEvent) {
        if ack.newly_acked == 0 || ack.rate.is_none() {
            return;
        }
        let bw = self.bw();
        let epoch = &mut self.aggregation;
        if self.rounds.start {
            epoch.rounds += 1;
            if epoch.rounds >= WINDOW_ROUNDS {
                epoch.rounds = 0;
                epoch.excess = [0, epoch.excess[0]];
            }
        }
        // Whole segments, as Linux counts: what is expected is rounded down, and the next ACK is ahead of it by up to one.
        let mut expected = bw.bytes_in(ack.now.since(epoch.since)) / self.mss * self.mss;
        if epoch.acked <= expected || epoch.acked + ack.newly_acked >= LONGEST_EPOCH_SEGMENTS * self.mss {
            epoch.restart(ack.now);
            expected = 0;
        }
        epoch.acked += ack.newly_acked;
        let excess = epoch.acked.saturating_sub(expected).min(self.cwnd);
        epoch.excess[0] = epoch.excess[0].max(excess);
    }
}
