//! Where a sender's time goes by its state, and what its window answered last. Kept on changes of state, never per ACK.

use ackclock_units::{Duration, Time};

use super::sender::Limit;
use crate::net::LossCause;

/// In which state a sender's time is spent.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Phase {
    /// cwnd is below ssthresh.
    SlowStart,
    /// Neither slow start nor an episode.
    Avoidance,
    /// Fast recovery.
    Recovery,
    /// After a timeout, until what was lost is repaired.
    Loss,
}

impl Phase {
    /// How many there are.
    pub const COUNT: usize = 4;
}

/// What the window was last reduced for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Reason {
    /// It was not reduced yet.
    Nothing,
    /// A packet was lost on the wire.
    Wire,
    /// A packet found its queue full.
    Forced,
    /// An AQM dropped a packet.
    Early,
    /// A policer dropped a packet.
    Policed,
    /// A packet was marked.
    Mark,
    /// No packet was lost: they came in another order, or too late.
    Reordering,
}

impl Reason {
    /// How many there are.
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

/// Times and counts since the warm-up.
#[derive(Clone, Debug)]
pub struct Account {
    phase: Phase,
    reason: Reason,
    /// The reason before the latest reduction, for when that is taken back.
    earlier: Reason,
    /// The byte at which data begins that was sent again before the window is reduced for it, and why it was lost.
    foreseen: Option<(u64, LossCause)>,
    /// The sender's times by limit when this account was last brought up to date.
    settled: [Duration; Limit::COUNT],
    /// Time spent in each [`Phase`].
    pub in_phase: [Duration; Phase::COUNT],
    /// Time that cwnd or the pacer was the limit, by what the window was last reduced for.
    pub window_after: [Duration; Reason::COUNT],
    /// Reductions of the window, by what for.
    pub reductions: [u64; Reason::COUNT],
    /// Time from the last packet sent to a timeout, of those outside of [`Phase::Loss`].
    pub silence: Duration,
    /// When the measured part of the run began; [`Time::ZERO`]: before this account.
    begins: Time,
    /// The window in bytes when slow start ended first, and when that was.
    pub first_exit: Option<(u64, Time)>,
}

impl Default for Account {
    fn default() -> Self {
        Self {
            phase: Phase::SlowStart,
            reason: Reason::Nothing,
            earlier: Reason::Nothing,
            foreseen: None,
            settled: [Duration::ZERO; Limit::COUNT],
            in_phase: [Duration::ZERO; Phase::COUNT],
            window_after: [Duration::ZERO; Reason::COUNT],
            reductions: [0; Reason::COUNT],
            silence: Duration::ZERO,
            begins: Time::ZERO,
            first_exit: None,
        }
    }
}

impl Account {
    /// The phase that time is counted in now.
    #[must_use]
    pub fn phase(&self) -> Phase {
        self.phase
    }

    /// An account that begins when the sender's times by limit are these.
    #[must_use]
    pub fn since(limited: &[Duration; Limit::COUNT]) -> Self {
        Self {
            settled: *limited,
            ..Self::default()
        }
    }

    /// Another connection of the flow begins.
    pub fn restart(&mut self, limited: &[Duration; Limit::COUNT]) {
        self.settle(limited);
        (self.phase, self.reason, self.earlier) = (Phase::SlowStart, Reason::Nothing, Reason::Nothing);
        self.foreseen = None;
    }

    /// Books the time since the last call; `limited`: the sender's times by limit, up to date.
    pub fn settle(&mut self, limited: &[Duration; Limit::COUNT]) {
        let mut spent = Duration::ZERO;
        for limit in Limit::OF_A_CONNECTION {
            let since = limited[limit as usize].saturating_sub(self.settled[limit as usize]);
            spent += since;
            if matches!(limit, Limit::Cwnd | Limit::Pacing) {
                self.window_after[self.reason as usize] += since;
            }
        }
        self.in_phase[self.phase as usize] += spent;
        self.settled = *limited;
    }

    /// Time counts in this phase from now on.
    pub fn enter(&mut self, phase: Phase, cwnd: u64, now: Time) {
        if self.phase == Phase::SlowStart && phase != Phase::SlowStart && self.first_exit.is_none() {
            self.first_exit = Some((cwnd, now));
        }
        self.phase = phase;
    }

    /// The window is reduced; [`Reason::Reordering`] until a loss is found to be the reason. `una`: what is acknowledged.
    pub fn reduce(&mut self, reason: Reason, una: u64) {
        let foreseen = self.foreseen.take().filter(|(seq, _)| *seq >= una && reason == Reason::Reordering);
        let reason = foreseen.map_or(reason, |(_, cause)| cause.into());
        self.earlier = core::mem::replace(&mut self.reason, reason);
        self.reductions[reason as usize] += 1;
    }

    /// The network lost data that begins at `seq` and is being sent again; [`u64::MAX`]: by a probe.
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

    /// A timeout at `now` ends a silence that the packet sent at `last_sent` began; a warm-up's part of it is left out.
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

    /// Adds what another sender counted; of the first exits from slow start the earliest stays.
    pub fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.in_phase.iter_mut().zip(other.in_phase) {
            *mine += theirs;
        }
        for (mine, theirs) in self.window_after.iter_mut().zip(other.window_after) {
            *mine += theirs;
        }
        for (mine, theirs) in self.reductions.iter_mut().zip(other.reductions) {
            *mine += theirs;
        }
        self.silence += other.silence;
        let exits = [self.first_exit, other.first_exit];
        self.first_exit = exits.into_iter().flatten().min_by_key(|(_, at)| *at);
    }

    /// Times become the mean of so many senders that were added up.
    pub fn divide(&mut self, count: u64) {
        self.in_phase = self.in_phase.map(|time| time / count);
        self.window_after = self.window_after.map(|time| time / count);
        self.silence = self.silence / count;
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

    #[test]
    fn time_counts_for_the_phase_and_the_reason_that_it_was_spent_under() {
        let mut account = Account::default();
        account.settle(&limited(10, 5));
        account.enter(Phase::Recovery, 7, Time::ZERO);
        account.reduce(Reason::Reordering, 0);
        account.blame(LossCause::Wire, 1);
        account.settle(&limited(30, 5));
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
    fn a_second_loss_of_an_episode_does_not_count_again_and_an_undo_brings_the_earlier_reason_back() {
        let mut account = Account::default();
        account.reduce(Reason::Reordering, 0);
        account.blame(LossCause::Forced, 1);
        account.blame(LossCause::Wire, 1);
        assert_eq!(account.reductions, [0, 0, 1, 0, 0, 0, 0]);
        account.reduce(Reason::Reordering, 10);
        account.take_back();
        account.settle(&limited(1, 0));
        assert_eq!(account.window_after[Reason::Forced as usize], Duration::from_millis(1));
        account.blame(LossCause::Wire, u64::MAX);
        account.reduce(Reason::Reordering, 10);
        assert_eq!(account.reductions[Reason::Wire as usize], 1, "the probe found out");
        account.reduce(Reason::Reordering, 10);
        account.take_back();
        assert_eq!(account.reductions, [0, 1, 1, 0, 0, 0, 2], "a needless reduction stays counted");
    }
}
