//! Drain: sends slower than the path delivers until the queue of startup is gone (draft section
//! "Drain").

use super::{Bbr3, State};
use crate::AckEvent;

/// Longest drain, round trips. What is not drained by then is no queue: the bandwidth was estimated
/// too high, and the next cycle will forget it.
const MAX_ROUNDS: u64 = 3;

impl Bbr3 {
    /// `EnterDrain`: begins to drain the queue of startup.
    pub(super) fn enter_drain(&mut self) {
        self.state = State::Drain;
        self.drain_start_round = self.rounds.count;
    }

    /// `CheckDrainDone`: goes to `ProbeBW` when inflight is down to the BDP, or after three rounds.
    pub(super) fn check_drain_done(&mut self, ack: &AckEvent) {
        let is_drained = || ack.inflight <= self.inflight(self.bw, 1.0);
        if self.state == State::Drain
            && (is_drained() || self.rounds.count > self.drain_start_round + MAX_ROUNDS)
        {
            self.start_probe_bw_down();
        }
    }
}
