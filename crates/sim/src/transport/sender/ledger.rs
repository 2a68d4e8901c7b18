//! Counters of the results: packets and events, and the time under each limit.

use std::collections::VecDeque;
use std::ops::Range;

use ackclock_units::{Duration, Time};

use super::SenderStats;
use crate::event::Step;
use crate::transport::accounting::{Account, Limit, Phase, Reason};
use crate::wire::LossCause;

/// Counters and times of a sender. Of these, only the latest limit has influence on what is sent.
pub(super) struct Ledger {
    stats: SenderStats,
    /// Since when the limit holds; [`Time::MAX`]: time is not counted any more.
    since: Time,
    limit: Limit,
    /// Entries of the account that wait for the answer to the first of them. Absent before the
    /// first question.
    waiting: Option<Box<Waiting>>,
}

/// Entries of the account that wait.
#[derive(Default)]
struct Waiting {
    entries: VecDeque<Entry>,
}

impl Waiting {
    /// Adds an entry. Times without another entry between them are one.
    fn add(&mut self, entry: Entry) {
        match (self.entries.back_mut(), &entry) {
            (Some(Entry::Spend(sum)), Entry::Spend(by_window)) => *sum += *by_window,
            _ => self.entries.push_back(entry),
        }
    }
}

/// A question that the network answers later: why data was lost.
#[derive(Clone, Debug)]
pub(super) struct Question {
    /// When the sender asked.
    pub asked: Step,
    /// Number of the connection.
    pub connection: u32,
    /// The data.
    pub data: Range<u64>,
    /// First lost byte, or [`u64::MAX`] for a tail loss probe.
    pub seq: u64,
}

/// An entry of the account that depends on the reason of the window's last reduction.
#[derive(Clone, Debug)]
enum Entry {
    Spend(Duration),
    ForgetReasons,
    Reduce(Reason, u64),
    TakeBack,
    Ask(Question),
    Blame(LossCause, u64),
}

impl Ledger {
    /// An empty ledger of a sender that is idle from `start_at` on.
    pub fn new(start_at: Time) -> Self {
        Self { stats: SenderStats::default(), since: start_at, limit: Limit::Idle, waiting: None }
    }

    /// Goes on with the counters of the flow's last connection.
    pub fn follow(&mut self, last: Self) {
        self.stats = last.stats;
        self.waiting = last.waiting;
    }

    /// Books an entry of the account, or keeps it until an open question is answered.
    #[inline]
    fn book(&mut self, entry: Entry) {
        match &mut self.waiting {
            Some(waiting) if !waiting.entries.is_empty() => waiting.add(entry),
            _ => self.enter(&entry),
        }
    }

    /// Brings the account's times up to date with those by limit.
    fn settle_account(&mut self) {
        let Some(account) = &mut self.stats.account else { return };
        let by_window = account.settle(&self.stats.limited);
        if !by_window.is_zero() {
            self.book(Entry::Spend(by_window));
        }
    }

    fn enter(&mut self, entry: &Entry) {
        let Some(account) = &mut self.stats.account else { return };
        match *entry {
            Entry::Spend(by_window) => account.spend(by_window),
            Entry::ForgetReasons => account.forget_reasons(),
            Entry::Reduce(reason, una) => account.reduce(reason, una),
            Entry::TakeBack => account.take_back(),
            Entry::Blame(cause, seq) => account.blame(cause, seq),
            Entry::Ask(_) => (),
        }
    }

    /// Asks a question that is answered later.
    pub fn ask(&mut self, question: Question) {
        self.waiting.get_or_insert_default().entries.push_back(Entry::Ask(question));
    }

    /// Whether a question is open.
    #[inline]
    pub fn is_waiting(&self) -> bool {
        self.waiting.as_ref().is_some_and(|waiting| !waiting.entries.is_empty())
    }

    /// Books the entries before the first question that `answer` cannot answer yet. `answer`
    /// returns `None` if it cannot, and otherwise the cause.
    #[cold]
    pub fn hear(&mut self, mut answer: impl FnMut(&Question) -> Option<Option<LossCause>>) {
        let Some(mut waiting) = self.waiting.take() else { return };
        while let Some(entry) = waiting.entries.front() {
            match entry {
                Entry::Ask(question) => match answer(question) {
                    Some(Some(cause)) => self.enter(&Entry::Blame(cause, question.seq)),
                    Some(None) => (),
                    None => break,
                },
                _ => self.enter(entry),
            }
            waiting.entries.pop_front();
        }
        self.waiting = Some(waiting);
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
        self.settle_account();
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
        self.settle_account();
        if let Some(account) = &mut self.stats.account {
            account.restart();
            self.book(Entry::ForgetReasons);
        } else {
            self.stats.account = Some(Box::new(Account::since(&self.stats.limited)));
        }
    }

    /// The sender is in `phase` at `now`. `until`: `now`, or the flow's stop if that is earlier.
    #[inline]
    pub fn note_phase(&mut self, phase: Phase, cwnd: u64, until: Time, now: Time) {
        if self.stats.account.as_ref().is_some_and(|account| account.phase() != phase) {
            self.enter_phase(phase, cwnd, until, now);
        }
    }

    #[inline(never)]
    fn enter_phase(&mut self, phase: Phase, cwnd: u64, until: Time, now: Time) {
        self.settle(until);
        if let Some(account) = &mut self.stats.account {
            account.enter(phase, cwnd, now);
        }
    }

    /// The window is reduced. `una`: SND.UNA; `until`: now, or the flow's stop if that is earlier.
    #[inline(never)]
    pub fn note_reduction(&mut self, reason: Reason, una: u64, until: Time) {
        self.settle(until);
        self.book(Entry::Reduce(reason, una));
    }

    /// The latest reduction is taken back. `is_undo`: it counts as an undo.
    pub fn take_back(&mut self, is_undo: bool) {
        self.stats.undos += u32::from(is_undo);
        self.book(Entry::TakeBack);
    }

    /// Whether the cause of a loss is asked for.
    #[inline]
    pub fn wants_causes(&self) -> bool {
        self.stats.account.is_some()
    }

    /// Books the cause of a loss that is being repaired. `seq`: first lost byte, or [`u64::MAX`]
    /// for a tail loss probe.
    pub fn blame(&mut self, cause: LossCause, seq: u64) {
        self.book(Entry::Blame(cause, seq));
    }

    /// A timeout of data. `ends_silence`: it ends a silence that began with the packet sent at
    /// `last_sent_at`, which counts until the flow's stop.
    pub fn on_timeout(&mut self, ends_silence: bool, last_sent_at: Time, now: Time) {
        self.on_syn_timeout();
        if ends_silence
            && self.since < Time::MAX
            && let Some(account) = &mut self.stats.account
        {
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

    /// `count` data segments of equal sizes, in bytes, are sent.
    #[inline]
    pub fn on_all_sent(&mut self, count: u64, wire_size: u32, payload: u32) {
        self.stats.sent_packets += count;
        self.stats.sent_bytes += count * u64::from(wire_size);
        self.stats.sent_payload_bytes += count * u64::from(payload);
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
