//! The receiver of a stream: which datagrams came, when, and which of them could be played.

use std::collections::VecDeque;

use ackclock_units::{Duration, Time};

use crate::columns::counters;
use crate::histogram::DurationHistogram;

counters! {
    /// Counters of a stream's receiver, since the warm-up.
    #[derive(Clone, Debug, Default)]
    pub struct StreamStats {
        RECEIVED {
            /// Datagrams that arrived, each once.
            received_packets: u64 = sum, Integer, "packets";
            /// Wire bytes of the datagrams that arrived.
            received_bytes: u64 = sum, Integer, "bytes";
        }
        DISORDER {
            /// Copies of what had arrived.
            duplicate_packets: u64 = sum, Integer, "packets";
            /// Datagrams that one sent later had overtaken (RFC 4737 section 3.3).
            reordered_packets: u64 = sum, Integer, "packets";
        }
        UNPLAYED {
            /// Datagrams lost or late, of those that one sent later has followed.
            unplayed_packets: u64 = sum, Integer, "packets";
            /// Runs of unplayed datagrams without a played one between.
            unplayed_bursts: u64 = sum, Integer, "1";
        }
    }
    with {
        /// Payload of the datagrams that arrived, bytes.
        pub payload_bytes: u64 = sum;
        /// Datagrams that came too late to be played.
        pub late_packets: u64 = sum;
        /// Times from sending to playing of the datagrams that arrived, added up.
        pub play_after_sum_ps: u128 = sum;
        /// One-way delays.
        pub delay: DurationHistogram = sum;
        /// Largest estimate of the jitter.
        pub jitter_max: Duration = max;
    }
}

/// Number of the latest datagrams that are remembered, because they may still come late.
const MEMORY: usize = 65_536;

/// The fate of a datagram.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Seen {
    Not,
    Late,
    InTime,
}

/// The receiving end of a stream.
#[derive(Default)]
pub struct StreamReceiver {
    /// Counters since the warm-up.
    pub stats: StreamStats,
    /// Fate of each datagram from `seen_from` on.
    seen: VecDeque<Seen>,
    seen_from: u64,
    /// Whether the last datagram that was forgotten was played.
    played_before: bool,
    playout: Option<Duration>,
    /// The current talk spurt, and the time from the sending of its datagrams to their playout.
    play_after: Option<(u32, Duration)>,
    counts_from: u64,
    transit: Option<Duration>,
    /// Estimate of the jitter times 16, ps, as in RFC 3550 appendix A.8.
    jitter_16_ps: u64,
}

impl StreamReceiver {
    /// Makes a receiver with this playout delay; `None`: it plays nothing.
    #[must_use]
    pub fn new(playout: Option<Duration>) -> Self {
        Self { playout, played_before: true, ..Self::default() }
    }

    /// Mean time from the sending of a datagram to its playout, over the datagrams that count.
    #[must_use]
    pub fn play_after(&self) -> Option<Duration> {
        self.playout?;
        let mean =
            self.stats.play_after_sum_ps.checked_div(u128::from(self.stats.received_packets))?;
        Some(Duration::from_ps(u64::try_from(mean).unwrap_or(u64::MAX)))
    }

    /// Time from the sending of a datagram of this talk spurt to its playout: the delay of the
    /// spurt's first arrival plus the playout delay. Ramjee et al. 1994 adjust the playout in the
    /// pauses.
    fn play(&mut self, spurt: u32, delay: Duration) -> Option<Duration> {
        let playout = self.playout?;
        match self.play_after {
            // A late datagram of an earlier spurt does not bring that spurt's playout back.
            Some((current, after)) if spurt <= current => Some(after),
            _ => {
                self.play_after = Some((spurt, delay + playout));
                Some(delay + playout)
            }
        }
    }

    /// Takes in a datagram of a talk spurt (0: the stream has no spurts). Returns whether it is the
    /// first of its number.
    pub fn take_in(
        &mut self,
        number: u64,
        spurt: u32,
        sent: Time,
        now: Time,
        wire_size: u32,
        payload: u32,
    ) -> bool {
        let play_after = self.play(spurt, now.since(sent));
        let is_late = play_after.is_some_and(|after| now.since(sent) > after);
        let is_first = self.note(number, if is_late { Seen::Late } else { Seen::InTime });
        let counts = number >= self.counts_from;
        if !is_first {
            self.stats.duplicate_packets += u64::from(counts);
            return false;
        }
        let transit = now.since(sent);
        self.note_jitter(transit);
        if counts {
            self.stats.received_packets += 1;
            self.stats.received_bytes += u64::from(wire_size);
            self.stats.payload_bytes += u64::from(payload);
            self.stats.late_packets += u64::from(is_late);
            self.stats.play_after_sum_ps += play_after.map_or(0, |after| u128::from(after.as_ps()));
            self.stats.delay.record(transit);
        }
        // The estimate moves with datagrams sent during the warm-up, too.
        self.stats.jitter_max = self.stats.jitter_max.max(self.jitter());
        true
    }

    fn note(&mut self, number: u64, seen: Seen) -> bool {
        let next = self.seen_from + self.seen.len() as u64;
        if number >= next {
            for _ in next..number {
                self.push(Seen::Not);
            }
            self.push(seen);
            return true;
        }
        if number < self.seen_from {
            return false;
        }
        let at = usize::try_from(number - self.seen_from).unwrap_or(usize::MAX);
        let is_first = self.seen[at] == Seen::Not;
        if is_first {
            self.seen[at] = seen;
        }
        self.stats.reordered_packets += u64::from(is_first && number >= self.counts_from);
        is_first
    }

    fn push(&mut self, seen: Seen) {
        if self.seen.len() == MEMORY {
            self.forget_first();
        }
        self.seen.push_back(seen);
    }

    /// Forgets the oldest datagram: its fate cannot change any more.
    fn forget_first(&mut self) {
        let Some(seen) = self.seen.pop_front() else { return };
        let counts = self.seen_from >= self.counts_from;
        self.seen_from += 1;
        let is_played = seen == Seen::InTime;
        if counts && !is_played {
            self.stats.unplayed_packets += 1;
            self.stats.unplayed_bursts += u64::from(self.played_before);
        }
        self.played_before = is_played || !counts;
    }

    /// Counts the fates of all datagrams that are still remembered, at the end of the run.
    pub fn settle(&mut self) {
        while !self.seen.is_empty() {
            self.forget_first();
        }
    }

    /// RFC 3550 section 6.4.1: J += (|D| - J) / 16, D the difference of two datagrams' transit
    /// times, in order of arrival.
    fn note_jitter(&mut self, transit: Duration) {
        if let Some(before) = self.transit.replace(transit) {
            let difference = transit.as_ps().abs_diff(before.as_ps());
            self.jitter_16_ps = self.jitter_16_ps + difference - self.jitter_16_ps / 16;
        }
    }

    /// Jitter after the last arrival.
    #[must_use]
    pub fn jitter(&self) -> Duration {
        Duration::from_ps(self.jitter_16_ps / 16)
    }

    /// Begins the measured part of the run: datagrams from `number` on count.
    pub fn reset_stats(&mut self, number: u64) {
        // The estimate goes on, so that its present value is the largest so far.
        self.stats = StreamStats { jitter_max: self.jitter(), ..StreamStats::default() };
        self.counts_from = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000_000;

    #[test]
    fn what_is_late_or_lost_comes_in_bursts() {
        let mut receiver = StreamReceiver::new(Some(Duration::from_millis(30)));
        // The first takes 10 ms, so the others may take 40 ms; 1 and 2 are late, 3 is played, 4 is
        // lost, 5 is played.
        for (number, delay) in [(0, 10), (1, 41), (2, 60), (3, 40), (5, 10)] {
            arrive(&mut receiver, number, 20 * number, 20 * number + delay);
        }
        receiver.settle();
        let stats = &receiver.stats;
        assert_eq!((stats.late_packets, stats.unplayed_packets, stats.unplayed_bursts), (2, 3, 2));
        assert_eq!(receiver.play_after(), Some(Duration::from_millis(40)));
    }

    #[test]
    fn each_spurt_is_played_by_its_first_datagram() {
        let mut receiver = StreamReceiver::new(Some(Duration::from_millis(30)));
        for (number, spurt, delay) in [(0, 0, 10), (1, 0, 45), (2, 1, 50), (3, 1, 80), (4, 1, 81)] {
            let sent = Time::from_ps(20 * number * MS);
            receiver.take_in(number, spurt, sent, sent + Duration::from_millis(delay), 200, 172);
        }
        assert_eq!(receiver.stats.late_packets, 2);
        // Twice 40 ms, three times 80 ms.
        assert_eq!(receiver.play_after(), Some(Duration::from_millis(64)));
    }

    fn arrive(receiver: &mut StreamReceiver, number: u64, sent_ms: u64, at_ms: u64) -> bool {
        receiver.take_in(
            number,
            0,
            Time::from_ps(sent_ms * MS),
            Time::from_ps(at_ms * MS),
            200,
            172,
        )
    }

    #[test]
    fn jitter_is_rfc_3550s() {
        let mut receiver = StreamReceiver::default();
        arrive(&mut receiver, 0, 0, 50);
        arrive(&mut receiver, 1, 20, 86);
        // |66 - 50| / 16 = 1 ms.
        assert_eq!(receiver.jitter(), Duration::from_millis(1));
        arrive(&mut receiver, 2, 40, 106);
        // 1 + (0 - 1) / 16 ms.
        assert_eq!(receiver.jitter(), Duration::from_ps(MS * 15 / 16));
    }

    #[test]
    fn duplicates_and_late_ones_are_told_apart() {
        let mut receiver = StreamReceiver::default();
        for (number, is_first) in
            [(0, true), (3, true), (1, true), (1, false), (3, false), (4, true)]
        {
            assert_eq!(arrive(&mut receiver, number, 0, 10), is_first, "{number}");
        }
        let stats = &receiver.stats;
        assert_eq!(
            (stats.received_packets, stats.duplicate_packets, stats.reordered_packets),
            (4, 2, 1)
        );
    }
}
