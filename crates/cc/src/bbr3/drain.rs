//! Drain: slower than the path delivers, until what startup has queued is gone (draft section "Drain").

use super::{Bbr3, State};
use crate::AckEvent;

/// What is not drained after so many round trips was a bandwidth estimated too high, which the next cycle will forget.
const MAX_ROUNDS: u64 = 3;

impl Bbr3 {
    /// `EnterDrain`.
    pub(super) fn enter_drain(&mut self) {
        self.state = State::Drain;
        self.drain_start_round = self.rounds.count;
    }

    /// `CheckDrainDone`.
    pub(super) fn check_drain_done(&mut self, ack: &AckEvent) {
        let is_drained = || ack.inflight <= self.inflight(self.bw, 1.0);
        if self.state == State::Drain && (is_drained() || self.rounds.count > self.drain_start_round + MAX_ROUNDS) {
            self.start_probe_bw_down();
        }
    }
}
