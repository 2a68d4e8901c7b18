//! Counters of the results: packets and events, and the time under each limit.

use ackclock_units::{Duration, Time};

use super::SenderStats;
use crate::transport::account::{Account, Limit, Phase, Reason};
use crate::wire::LossCause;

/// Counters and times of a sender. Of these, only the latest limit has influence on what is sent.
pub(super) struct Ledger {
    stats: SenderStats,
    /// Since when the limit holds; [`Time::MAX`]: time is not counted any more.
    since: Time,
    limit: Limit,
}

impl Ledger {
    /// An empty ledger of a sender that is idle from `start_at` on.
    pub fn new(start_at: Time) -> Self {
        Self { stats: SenderStats::default(), since: start_at, limit: Limit::Idle }
    }

    /// Goes on with the counters of the flow's last connection.
    pub fn follow(&mut self, last: Self) {
        self.stats = last.stats;
    }

    pub fn stats(&self) -> &SenderStats {
        &self.stats
    }

    /// Begins the measured part of the run. `cwnd`: the window now, bytes.
    pub fn reset(&mut self, cwnd: u64, now: Time) {
        let mut account = self.stats.account.take();
        if let Some(account) = &mut account {
            account.reset(now);
        }
        self.stats = SenderStats { cwnd_max: cwnd, account, ..SenderStats::default() };
        self.since = self.since.max(now);
    }

    pub fn limit(&self) -> Limit {
        self.limit
    }

    /// Time under a limit, up to `now`.
    pub fn time_under(&self, limit: Limit, now: Time) -> Duration {
        let mut time = self.stats.limited[limit as usize];
        if self.limit == limit && self.since < now {
            time += now.since(self.since);
        }
        time
    }

    /// Counts time from `now` on.
    pub fn begin(&mut self, now: Time) {
        self.since = now;
    }

    /// The limit that holds from `now` on is `limit`.
    #[inline]
    pub fn note_limit(&mut self, limit: Limit, now: Time) {
        if self.since < now {
            self.stats.limited[self.limit as usize] += now.since(self.since);
            self.since = now;
        }
        self.limit = limit;
    }

    /// Books the time up to `until`.
    pub fn settle(&mut self, until: Time) {
        self.note_limit(self.limit, until);
        if let Some(account) = &mut self.stats.account {
            account.settle(&self.stats.limited);
        }
    }

    /// Stops counting time at `until`.
    #[cold]
    #[inline(never)]
    pub fn stop(&mut self, until: Time) {
        self.settle(until);
        self.since = Time::MAX;
    }

    /// The connection is open: its time is booked by phase from now on.
    #[cold]
    pub fn open_account(&mut self) {
        match &mut self.stats.account {
            Some(account) => account.restart(&self.stats.limited),
            None => self.stats.account = Some(Box::new(Account::since(&self.stats.limited))),
        }
    }

    /// The sender is in `phase` at `now`. `until`: `now`, or the flow's stop if that is earlier.
    #[inline(never)]
    pub fn note_phase(&mut self, phase: Phase, cwnd: u64, until: Time, now: Time) {
        if self.stats.account.as_ref().is_some_and(|account| account.phase() != phase) {
            self.settle(until);
            if let Some(account) = &mut self.stats.account {
                account.enter(phase, cwnd, now);
            }
        }
    }

    /// The window is reduced. `una`: SND.UNA; `until`: now, or the flow's stop if that is earlier.
    #[inline(never)]
    pub fn note_reduction(&mut self, reason: Reason, una: u64, until: Time) {
        self.settle(until);
        if let Some(account) = &mut self.stats.account {
            account.reduce(reason, una);
        }
    }

    /// The latest reduction is taken back. `is_undo`: it counts as an undo.
    pub fn take_back(&mut self, is_undo: bool) {
        self.stats.undos += u32::from(is_undo);
        if let Some(account) = &mut self.stats.account {
            account.take_back();
        }
    }

    /// Whether the cause of a loss is asked for.
    #[inline]
    pub fn wants_causes(&self) -> bool {
        self.stats.account.is_some()
    }

    /// Books the cause of a loss that is being repaired. `seq`: first lost byte, or [`u64::MAX`]
    /// for a tail loss probe.
    pub fn blame(&mut self, cause: LossCause, seq: u64) {
        if let Some(account) = &mut self.stats.account {
            account.blame(cause, seq);
        }
    }

    /// A timeout of data. `ends_silence`: it ends a silence that began with the packet sent at
    /// `last_sent_at`, which counts until the flow's stop.
    pub fn on_timeout(&mut self, ends_silence: bool, last_sent_at: Time, now: Time) {
        self.on_syn_timeout();
        let counts = ends_silence && self.since < Time::MAX;
        if let Some(account) = self.stats.account.as_mut().filter(|_| counts) {
            account.end_silence(last_sent_at, now);
        }
    }

    pub fn on_syn_timeout(&mut self) {
        self.stats.timeouts = self.stats.timeouts.saturating_add(1);
    }

    pub fn on_spurious_timeout(&mut self) {
        self.stats.spurious_timeouts += 1;
    }

    pub fn on_recovery(&mut self) {
        self.stats.recoveries = self.stats.recoveries.saturating_add(1);
    }

    pub fn on_tail_probe(&mut self) {
        self.stats.tail_probes += 1;
    }

    pub fn on_ecn_reduction(&mut self) {
        self.stats.ecn_reductions += 1;
    }

    /// A data segment is sent. Sizes are in bytes.
    #[inline]
    pub fn on_sent(&mut self, wire_size: u32, payload: u32) {
        self.stats.sent_packets += 1;
        self.stats.sent_bytes += u64::from(wire_size);
        self.stats.sent_payload_bytes += u64::from(payload);
    }

    pub fn on_sent_again(&mut self) {
        self.stats.retransmitted_packets += 1;
    }

    #[inline]
    pub fn on_acked(&mut self, payload: u64) {
        self.stats.acked_bytes += payload;
    }

    #[inline]
    pub fn note_cwnd(&mut self, cwnd: u64) {
        self.stats.cwnd_max = self.stats.cwnd_max.max(cwnd);
    }
}
