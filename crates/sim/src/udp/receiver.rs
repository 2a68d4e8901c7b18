//! What the receiver of a stream counts.

use std::collections::VecDeque;

use ackclock_units::{Duration, Time};

use crate::histogram::DurationHistogram;

/// Counters, since the warm-up.
#[derive(Clone, Debug, Default)]
pub struct StreamStats {
    /// Datagrams that arrived, each once.
    pub received_packets: u64,
    /// On the wire.
    pub received_bytes: u64,
    /// Their payload.
    pub payload_bytes: u64,
    /// Copies of what had arrived.
    pub duplicate_packets: u64,
    /// Datagrams that one sent later had overtaken (RFC 4737 section 3.3).
    pub reordered_packets: u64,
    /// One-way delays.
    pub delay: DurationHistogram,
    /// Largest estimate of the jitter.
    pub jitter_max: Duration,
}

/// Datagrams that may still come late are remembered this far back.
const MEMORY: usize = 65_536;

/// The receiving end of a stream.
#[derive(Default)]
pub struct StreamReceiver {
    /// Counters.
    pub stats: StreamStats,
    /// Whether the datagrams from `seen_from` on have arrived.
    seen: VecDeque<bool>,
    seen_from: u64,
    counts_from: u64,
    transit: Option<Duration>,
    /// Sixteen times the estimate, ps, as RFC 3550 appendix A.8 keeps it.
    jitter_16_ps: u64,
}

impl StreamReceiver {
    /// Takes in a datagram; whether it is the first of its number.
    pub fn take_in(&mut self, number: u64, sent: Time, now: Time, wire_size: u32, payload: u32) -> bool {
        let is_first = self.note(number);
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
            self.stats.delay.record(transit);
            self.stats.jitter_max = self.stats.jitter_max.max(self.jitter());
        }
        true
    }

    fn note(&mut self, number: u64) -> bool {
        let next = self.seen_from + self.seen.len() as u64;
        if number >= next {
            for _ in next..number {
                self.push(false);
            }
            self.push(true);
            return true;
        }
        if number < self.seen_from {
            return false;
        }
        let at = usize::try_from(number - self.seen_from).unwrap_or(usize::MAX);
        let is_first = !std::mem::replace(&mut self.seen[at], true);
        self.stats.reordered_packets += u64::from(is_first && number >= self.counts_from);
        is_first
    }

    fn push(&mut self, seen: bool) {
        if self.seen.len() == MEMORY {
            self.seen.pop_front();
            self.seen_from += 1;
        }
        self.seen.push_back(seen);
    }

    /// RFC 3550 section 6.4.1: J += (|D| - J) / 16, D the difference of two datagrams' transit times, in order of arrival.
    fn note_jitter(&mut self, transit: Duration) {
        if let Some(before) = self.transit.replace(transit) {
            let difference = transit.as_ps().abs_diff(before.as_ps());
            self.jitter_16_ps = self.jitter_16_ps + difference - self.jitter_16_ps / 16;
        }
    }

    /// The jitter as of the last arrival.
    #[must_use]
    pub fn jitter(&self) -> Duration {
        Duration::from_ps(self.jitter_16_ps / 16)
    }

    /// Begins the measured part of the run: datagrams from `number` on count.
    pub fn reset_stats(&mut self, number: u64) {
        self.stats = StreamStats::default();
        self.counts_from = number;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MS: u64 = 1_000_000_000;

    fn arrive(receiver: &mut StreamReceiver, number: u64, sent_ms: u64, at_ms: u64) -> bool {
        receiver.take_in(number, Time::from_ps(sent_ms * MS), Time::from_ps(at_ms * MS), 200, 172)
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
        for (number, is_first) in [(0, true), (3, true), (1, true), (1, false), (3, false), (4, true)] {
            assert_eq!(arrive(&mut receiver, number, 0, 10), is_first, "{number}");
        }
        let stats = &receiver.stats;
        assert_eq!(
            (stats.received_packets, stats.duplicate_packets, stats.reordered_packets),
            (4, 2, 1)
        );
    }
}
