//! Aggregated ACKs: how much more than the estimate they bring at once. The window grows by that
//! much, so that it lasts through the silence between two bursts of ACKs.

use super::Bbr;
use crate::{AckEvent, Duration, Rate, Time};

/// Rounds in a stretch (`bbr_extra_acked_win_rtts`). The largest excess of two stretches is kept.
const WINDOW_ROUNDS: u32 = 5;
/// Longest silence that the window allows for (`bbr_extra_acked_max_us`).
const MAX_SILENCE: Duration = Duration::from_millis(100);
/// Largest epoch, segments (`bbr_ack_epoch_acked_reset_thresh`).
const LONGEST_EPOCH_SEGMENTS: u64 = 1 << 20;

/// Estimator of aggregation.
#[derive(Clone, Debug, Default)]
pub struct Aggregation {
    /// Start of the epoch: the instant at which ACKs last fell behind the estimate.
    since: Time,
    acked: u64,
    /// Largest excess of the running stretch of rounds and of the one before, bytes.
    excess: [u64; 2],
    rounds: u32,
}

impl Aggregation {
    /// Begins a new epoch.
    pub fn restart(&mut self, now: Time) {
        self.since = now;
        self.acked = 0;
    }

    /// Largest excess of the last five to ten rounds, bytes.
    pub fn extra(&self) -> u64 {
        self.excess[0].max(self.excess[1])
    }

    /// Bytes that the window allows for aggregation (`bbr_ack_aggregation_cwnd`).
    pub fn allowance(&self, bw: Rate) -> u64 {
        self.extra().min(bw.bytes_in(MAX_SILENCE))
    }
}

impl Bbr {
    /// Measures by how much the bytes acknowledged since the epoch began exceed the estimate
    /// (`bbr_update_ack_aggregation`).
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
        // In whole segments, as Linux counts. Rounding down lets the next ACK be ahead by up to a
        // segment.
        let mut expected = bw.bytes_in(ack.now.since(epoch.since)) / self.mss * self.mss;
        if epoch.acked <= expected
            || epoch.acked + ack.newly_acked >= LONGEST_EPOCH_SEGMENTS * self.mss
        {
            epoch.restart(ack.now);
            expected = 0;
        }
        epoch.acked += ack.newly_acked;
        let excess = epoch.acked.saturating_sub(expected).min(self.cwnd);
        epoch.excess[0] = epoch.excess[0].max(excess);
    }
}
