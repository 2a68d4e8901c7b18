//! The state that losses have changed, and how a spurious loss recovery restores it (draft section
//! "Updating the Model Upon Detecting a Spurious Loss Recovery").

use ackclock_units::Rate;

use super::{Bbr3, Recovery, State};

/// State that a spurious episode restores.
#[derive(Clone, Copy, Debug, Default)]
pub struct Undo {
    /// `BBR.prior_cwnd`: the last window that neither recovery nor `ProbeRTT` had cut, bytes.
    pub prior_cwnd: u64,
    /// `BBR.undo_state`: the state that losses have ended.
    pub state: Option<State>,
    bw_shortterm: Rate,
    inflight_shortterm: u64,
    inflight_longterm: u64,
}

impl Bbr3 {
    /// `OnEnterFastRecovery`, at the first loss of an episode and before anything answers it. The
    /// draft saves the state again at the first loss of every round, after the losses of the ACK
    /// were answered. That would forget what there is to restore.
    pub(super) fn enter_recovery(&mut self) {
        self.save_cwnd();
        if self.recovery == Recovery::None {
            self.recovery = Recovery::Fast;
            self.undo = Undo {
                prior_cwnd: self.undo.prior_cwnd,
                state: None,
                bw_shortterm: self.bounds.bw_shortterm,
                inflight_shortterm: self.bounds.inflight_shortterm,
                inflight_longterm: self.bounds.inflight_longterm,
            };
        }
    }

    /// `HandleSpuriousLossDetection`. The ACK that reveals it may deliver all that was held up, and
    /// its `on_ack` follows. A round that begins here must therefore not count from before that
    /// ACK.
    pub(super) fn handle_spurious_loss(&mut self) {
        self.recovery = Recovery::None;
        self.restore_cwnd();
        self.latest.is_loss_in_round = false;
        self.full_bw.reset(Rate::default());
        self.bounds.bw_shortterm = self.bounds.bw_shortterm.max(self.undo.bw_shortterm);
        self.bounds.inflight_shortterm =
            self.bounds.inflight_shortterm.max(self.undo.inflight_shortterm);
        self.bounds.inflight_longterm =
            self.bounds.inflight_longterm.max(self.undo.inflight_longterm);
        match self.undo.state.take() {
            Some(State::Startup) if self.state != State::Startup => {
                self.full_bw.is_reached = false;
                if self.state != State::ProbeRtt {
                    self.enter_startup();
                }
            }
            Some(State::Up) if !matches!(self.state, State::Up | State::ProbeRtt) => {
                self.start_probe_bw_refill(0);
                self.rounds.starts_with_next_ack = true;
            }
            _ => (),
        }
    }

    /// `SaveCwnd`: keeps the window that recovery or `ProbeRTT` is about to cut.
    pub(super) fn save_cwnd(&mut self) {
        let is_good = self.recovery == Recovery::None && self.state != State::ProbeRtt;
        self.undo.prior_cwnd =
            if is_good { self.cwnd } else { self.undo.prior_cwnd.max(self.cwnd) };
    }

    /// `RestoreCwnd`. The model bounds the window with the next ACK.
    pub(super) fn restore_cwnd(&mut self) {
        self.cwnd = self.cwnd.max(self.undo.prior_cwnd);
    }
}
