//! The limit of a sender ([`Limit`]), its time by phase, and the reasons of its window reductions.
//! The sender's ledger books them, but never per ACK.

use ackclock_units::{Duration, Time};

use crate::columns::{columns, counters};
use crate::wire::LossCause;

/// Why a sender does not send more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// Congestion window.
    Cwnd,
    /// Receiver's window.
    ReceiveWindow,
    /// Nothing to send.
    Application,
    /// The pacer.
    Pacing,
    /// The sender's own clamp on cwnd.
    Clamp,
    /// Not established, or done.
    Idle,
}

impl Limit {
    /// Number of limits.
    pub const COUNT: usize = 6;

    /// Names, by code.
    pub const NAMES: [&str; Self::COUNT] =
        ["cwnd", "receive_window", "application", "pacing", "clamp", "closed"];

    /// Limits of an open connection.
    pub const OF_A_CONNECTION: [Self; 5] =
        [Self::Cwnd, Self::ReceiveWindow, Self::Application, Self::Pacing, Self::Clamp];
}

/// Phase of congestion control in which a sender spends time.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Phase {
    /// cwnd is below ssthresh.
    #[default]
    SlowStart,
    /// Neither slow start nor an episode.
    Avoidance,
    /// Fast recovery.
    Recovery,
    /// After a timeout, until the lost segments are repaired.
    Loss,
}

impl Phase {
    /// Number of phases.
    pub const COUNT: usize = 4;
}

/// Reason for which a window was reduced.
#[derive(Clone, Copy, Default, PartialEq, Eq, Debug, serde::Serialize, serde::Deserialize)]
pub enum Reason {
    /// The window was not reduced yet.
    #[default]
    Nothing,
    /// A packet was lost on the wire.
    Wire,
    /// A packet found its queue full, or its average so high that every packet is dropped.
    Forced,
    /// An AQM dropped a packet.
    Early,
    /// A policer dropped a packet.
    Policed,
    /// A packet was marked.
    Mark,
    /// No packet was lost: packets came in another order, or too late.
    Reordering,
}

impl Reason {
    /// Number of reasons.
    pub const COUNT: usize = 7;
}

impl From<LossCause> for Reason {
    fn from(cause: LossCause) -> Self {
        match cause {
            LossCause::Wire => Self::Wire,
            LossCause::Forced => Self::Forced,
            LossCause::Early => Self::Early,
            LossCause::Policed => Self::Policed,
        }
    }
}

counters! {
    /// Times and counts since the warm-up.
    #[derive(Clone, Debug, Default)]
    pub struct Account {}
    with {
        phase: Phase = first;
        reason: Reason = first;
        /// The reason before the latest reduction, which an undo restores.
        earlier: Reason = first;
        /// First byte and cause of a loss that was repaired before the window is reduced for it.
        foreseen: Option<(u64, LossCause)> = first;
        /// The sender's times by limit when this account was last brought up to date.
        settled: [Duration; Limit::COUNT] = first;
        /// Time spent in each [`Phase`].
        pub in_phase: [Duration; Phase::COUNT] = mean;
        /// Time limited by cwnd or the pacer, by the reason of the window's last reduction.
        pub window_after: [Duration; Reason::COUNT] = mean;
        /// Reductions of the window, by reason.
        pub reductions: [u64; Reason::COUNT] = sum;
        /// Time from the last packet sent to a timeout that happened outside of [`Phase::Loss`].
        pub silence: Duration = mean;
        /// When the measured part of the run began; [`Time::ZERO`]: before this account.
        begins: Time = first;
        /// The window in bytes when slow start ended first, and when that was.
        pub first_exit: Option<(u64, Time)> = earliest;
    }
}

columns! {
    impl Account as account {
        TIMES {
            /// Time with cwnd below ssthresh, to within a round trip; null on a kernel and for UDP
            /// streams.
            time_slow_start: Duration = Real, "s", account.in_phase[Phase::SlowStart as usize];
            /// Time spent in fast recovery; null on a kernel and for UDP streams.
            time_recovery: Duration = Real, "s", account.in_phase[Phase::Recovery as usize];
            /// Time spent repairing the segments that a timeout declared lost; null on a kernel and
            /// for UDP streams.
            time_loss: Duration = Real, "s", account.in_phase[Phase::Loss as usize];
            /// Time spent from the last packet sent to a timeout, without the time in `time_loss`;
            /// null on a kernel and for UDP streams.
            time_silence: Duration = Real, "s", account.silence;
        }
        WINDOW_AFTER {
            /// Time limited by cwnd or pacing, with cwnd reduced for nothing yet; null on a kernel
            /// and for UDP streams.
            window_after_nothing: Duration = Real, "s",
                account.window_after[Reason::Nothing as usize];
            /// Time limited by cwnd or pacing, with cwnd last reduced for a loss on the wire; null
            /// on a kernel and for UDP streams.
            window_after_wire: Duration = Real, "s",
                account.window_after[Reason::Wire as usize];
            /// Time limited by cwnd or pacing, with cwnd last reduced for a drop at a queue's
            /// limit; null on a kernel and for UDP streams.
            window_after_forced: Duration = Real, "s",
                account.window_after[Reason::Forced as usize];
            /// Time limited by cwnd or pacing, with cwnd last reduced for a drop by a queue's own
            /// decision; null on a kernel and for UDP streams.
            window_after_early: Duration = Real, "s",
                account.window_after[Reason::Early as usize];
            /// Time limited by cwnd or pacing, with cwnd last reduced for a policer's drop; null on
            /// a kernel and for UDP streams.
            window_after_policed: Duration = Real, "s",
                account.window_after[Reason::Policed as usize];
            /// Time limited by cwnd or pacing, with cwnd last reduced for a mark (ECN); null on a
            /// kernel and for UDP streams.
            window_after_mark: Duration = Real, "s",
                account.window_after[Reason::Mark as usize];
            /// Time limited by cwnd or pacing, with cwnd last reduced for no loss: reordering or a
            /// spurious timeout; null on a kernel and for UDP streams.
            window_after_reordering: Duration = Real, "s",
                account.window_after[Reason::Reordering as usize];
        }
        REDUCTIONS {
            /// Reductions of cwnd for a loss on the wire; null on a kernel and for UDP streams.
            reductions_wire: u64 = Integer, "1", account.reductions[Reason::Wire as usize];
            /// Reductions of cwnd for a drop at a queue's limit; null on a kernel and for UDP
            /// streams.
            reductions_forced: u64 = Integer, "1", account.reductions[Reason::Forced as usize];
            /// Reductions of cwnd for a drop by a queue's own decision; null on a kernel and for
            /// UDP streams.
            reductions_early: u64 = Integer, "1", account.reductions[Reason::Early as usize];
            /// Reductions of cwnd for a policer's drop; null on a kernel and for UDP streams.
            reductions_policed: u64 = Integer, "1", account.reductions[Reason::Policed as usize];
            /// Reductions of cwnd for a mark (ECN); null on a kernel and for UDP streams.
            reductions_mark: u64 = Integer, "1", account.reductions[Reason::Mark as usize];
            /// Reductions of cwnd for no loss: reordering or a spurious timeout; null on a kernel
            /// and for UDP streams.
            reductions_reordering: u64 = Integer, "1",
                account.reductions[Reason::Reordering as usize];
        }
        SLOW_START {
            /// cwnd when slow start ended first; null: it did not, or not known.
            slow_start_end_cwnd: Option<u64> = Real, "bytes",
                account.first_exit.map(|(cwnd, _)| cwnd);
            /// When slow start ended first; null as `slow_start_end_cwnd`.
            slow_start_end_time: Option<Time> = Real, "s", account.first_exit.map(|(_, at)| at);
        }
    }
}

impl Account {
    /// The phase that time is counted in now.
    pub(crate) fn phase(&self) -> Phase {
        self.phase
    }

    /// Begins an account now. `limited`: the sender's times by limit so far.
    pub(crate) fn since(limited: &[Duration; Limit::COUNT]) -> Self {
        Self { settled: *limited, ..Self::default() }
    }

    /// Another connection of the flow begins. [`Account::forget_reasons`] follows.
    pub fn restart(&mut self) {
        self.phase = Phase::SlowStart;
    }

    /// Another connection has begun, whose window was not reduced yet.
    pub fn forget_reasons(&mut self) {
        (self.reason, self.earlier) = (Reason::Nothing, Reason::Nothing);
        self.foreseen = None;
    }

    /// Books the time since the last call under the present phase. `limited`: the sender's times by
    /// limit, up to date. Returns the part for [`Account::spend`].
    pub fn settle(&mut self, limited: &[Duration; Limit::COUNT]) -> Duration {
        let (mut spent, mut by_window) = (Duration::ZERO, Duration::ZERO);
        for limit in Limit::OF_A_CONNECTION {
            let since = limited[limit as usize].saturating_sub(self.settled[limit as usize]);
            spent += since;
            if matches!(limit, Limit::Cwnd | Limit::Pacing) {
                by_window += since;
            }
        }
        self.in_phase[self.phase as usize] += spent;
        self.settled = *limited;
        by_window
    }

    /// Books time limited by cwnd or the pacer under the present reason.
    pub fn spend(&mut self, by_window: Duration) {
        self.window_after[self.reason as usize] += by_window;
    }

    /// Counts time in `phase` from now on.
    pub fn enter(&mut self, phase: Phase, cwnd: u64, now: Time) {
        if self.phase == Phase::SlowStart && phase != Phase::SlowStart && self.first_exit.is_none()
        {
            self.first_exit = Some((cwnd, now));
        }
        self.phase = phase;
    }

    /// The window is reduced: for [`Reason::Reordering`], until a loss is found. `una`: SND.UNA.
    pub fn reduce(&mut self, reason: Reason, una: u64) {
        let foreseen =
            self.foreseen.take().filter(|(seq, _)| *seq >= una && reason == Reason::Reordering);
        let reason = foreseen.map_or(reason, |(_, cause)| cause.into());
        self.earlier = core::mem::replace(&mut self.reason, reason);
        self.reductions[reason as usize] += 1;
    }

    /// Books the cause of a loss that is being repaired. `seq`: first lost byte, or [`u64::MAX`]
    /// for a tail loss probe.
    pub fn blame(&mut self, cause: LossCause, seq: u64) {
        if self.reason == Reason::Reordering && seq < u64::MAX {
            self.reason = cause.into();
            let needless = &mut self.reductions[Reason::Reordering as usize];
            *needless = needless.saturating_sub(1);
            self.reductions[self.reason as usize] += 1;
        } else {
            self.foreseen = Some((seq, cause));
        }
    }

    /// The latest reduction is taken back.
    pub fn take_back(&mut self) {
        self.reason = self.earlier;
    }

    /// A timeout at `now` ends a silence that began with the packet sent at `last_sent`. The part
    /// of the silence in the warm-up is left out.
    pub fn end_silence(&mut self, last_sent: Time, now: Time) {
        self.silence += now.since(last_sent.max(self.begins));
    }

    /// The measured part of the run begins: times and counts start again, states stay.
    pub fn reset(&mut self, now: Time) {
        *self = Self {
            begins: now,
            phase: self.phase,
            reason: self.reason,
            earlier: self.earlier,
            first_exit: self.first_exit,
            ..Self::default()
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limited(cwnd_ms: u64, application_ms: u64) -> [Duration; Limit::COUNT] {
        let mut times = [Duration::ZERO; Limit::COUNT];
        times[Limit::Cwnd as usize] = Duration::from_millis(cwnd_ms);
        times[Limit::Application as usize] = Duration::from_millis(application_ms);
        times
    }

    fn settle(account: &mut Account, cwnd_ms: u64, application_ms: u64) {
        let by_window = account.settle(&limited(cwnd_ms, application_ms));
        account.spend(by_window);
    }

    #[test]
    fn time_counts_for_the_phase_and_the_reason_that_it_was_spent_under() {
        let mut account = Account::default();
        settle(&mut account, 10, 5);
        account.enter(Phase::Recovery, 7, Time::ZERO);
        account.reduce(Reason::Reordering, 0);
        account.blame(LossCause::Wire, 1);
        settle(&mut account, 30, 5);
        assert_eq!(account.in_phase[Phase::SlowStart as usize], Duration::from_millis(15));
        assert_eq!(account.in_phase[Phase::Recovery as usize], Duration::from_millis(20));
        assert_eq!(account.window_after[Reason::Nothing as usize], Duration::from_millis(10));
        assert_eq!(account.window_after[Reason::Wire as usize], Duration::from_millis(20));
        assert_eq!(account.first_exit, Some((7, Time::ZERO)));
    }

    #[test]
    fn a_silence_that_a_warmup_began_counts_from_its_end() {
        let mut account = Account::default();
        account.end_silence(Time::from_ps(5), Time::from_ps(9));
        assert_eq!(account.silence, Duration::from_ps(4));
        account.reset(Time::from_ps(100));
        account.end_silence(Time::from_ps(9), Time::from_ps(103));
        account.end_silence(Time::from_ps(110), Time::from_ps(111));
        assert_eq!(account.silence, Duration::from_ps(4));
    }

    #[test]
    fn a_second_loss_of_an_episode_does_not_count_again_and_an_undo_brings_the_earlier_reason_back()
    {
        let mut account = Account::default();
        account.reduce(Reason::Reordering, 0);
        account.blame(LossCause::Forced, 1);
        account.blame(LossCause::Wire, 1);
        assert_eq!(account.reductions, [0, 0, 1, 0, 0, 0, 0]);
        account.reduce(Reason::Reordering, 10);
        account.take_back();
        settle(&mut account, 1, 0);
        assert_eq!(account.window_after[Reason::Forced as usize], Duration::from_millis(1));
        account.blame(LossCause::Wire, u64::MAX);
        account.reduce(Reason::Reordering, 10);
        assert_eq!(account.reductions[Reason::Wire as usize], 1, "the probe found out");
        account.reduce(Reason::Reordering, 10);
        account.take_back();
        assert_eq!(account.reductions, [0, 1, 1, 0, 0, 0, 2], "a needless reduction stays counted");
    }
}
