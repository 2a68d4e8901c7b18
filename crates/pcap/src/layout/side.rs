//! One direction of a connection: its sequence space, and the view that its sender has of it.

use std::collections::{BTreeMap, VecDeque};

use super::scoreboard::{News, Scoreboard};
use super::tables::Kind;
use super::vantage::Echoes;

/// The lower bound of Linux for the variation in its retransmission timeout, ns; RFC 6298 section
/// 2.4 has a timeout of at least 1 s.
const SHORTEST_VARIATION_NS: u64 = 200_000_000;
/// "The sender SHOULD set RTO <- 1 second" before the first sample (RFC 6298 section 2.1), ns.
const FIRST_TIMEOUT_NS: u64 = 1_000_000_000;
/// A longer sample counts as this one, 36 years, so that sums of them stay numbers, ns.
const LONGEST_SAMPLE_NS: u64 = 1 << 60;
/// Duplicate ACKs that start fast retransmit (RFC 5681 section 3.2).
const DUP_ACKS: u32 = 3;

/// An acknowledgment on its way to the sender.
#[derive(Clone, Copy, Debug)]
pub struct Pending {
    /// When the sender has it at the latest, and what it then sends can be in the capture, ns.
    pub due_ns: u64,
    /// The acknowledgment's timestamp, whose echo shows that the sender has it.
    pub stamp: Option<u32>,
    pub ack: i64,
    pub sacks: [(i64, i64); 4],
    pub sack_count: usize,
    pub is_duplicate: bool,
}

/// One direction of a connection.
#[derive(Default)]
pub struct Side {
    /// Sequence number that counts as 0.
    base: Option<u32>,
    /// Near the last number that was converted.
    near: i64,
    /// Outstanding bytes as the capture shows them.
    pub board: Scoreboard,
    /// Outstanding bytes as the sender saw them.
    pub view: Scoreboard,
    pending: VecDeque<Pending>,
    /// The last window that this side advertised, bytes.
    pub window: Option<u32>,
    pub window_shift: Option<u8>,
    /// The highest acknowledgment number that this side sent.
    pub last_ack: Option<i64>,
    /// Position of the last segment while this side has sent no data.
    pub idle_at: Option<i64>,
    /// Whether the last segment of this side was a keep-alive.
    pub has_probed: bool,
    pub echoes: Echoes,
    /// Whether both ends may use SACK, which tail loss probes need (RFC 8985 section 4).
    pub may_probe: bool,
    srtt_ns: Option<u64>,
    rttvar_ns: u64,
    duplicates: u32,
    /// Since when the retransmission timer runs, ns.
    timer_ns: u64,
    last_sent_ns: u64,
    /// End of the bytes outstanding when a timeout struck.
    timeout_high: Option<i64>,
    /// End of the bytes outstanding when loss recovery began.
    recovery_high: Option<i64>,
    /// Rows of retransmissions by their first byte.
    pub repeated: BTreeMap<i64, usize>,
    /// Timestamp value of the segment that jumped over bytes, and its time, by the gap's end.
    gaps: BTreeMap<i64, (Option<u32>, u64)>,
}

impl Side {
    /// The position of a sequence number of this direction, relative to its first one.
    pub fn position(&mut self, number: u32, first: i64) -> i64 {
        let base = *self.base.get_or_insert_with(|| {
            #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "0 or 1")]
            let first = first as u32;
            number.wrapping_sub(first)
        });
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            clippy::cast_possible_wrap,
            reason = "numbers count modulo 2^32"
        )]
        let position = {
            let near = base.wrapping_add(self.near as u32);
            self.near + i64::from(number.wrapping_sub(near) as i32)
        };
        self.near = self.near.max(position);
        position
    }

    /// Counts the acknowledgments that have reached the sender by now: their time has come, or the
    /// sender echoes their timestamp or a later one.
    pub fn catch_up(&mut self, now_ns: u64, echo: Option<u32>, mss: u32) {
        while let Some(&one) = self.pending.front()
            && (one.due_ns <= now_ns || is_echoed(one.stamp, echo))
        {
            self.pending.pop_front();
            let News { acked, .. } =
                self.view.acknowledge(one.ack, &one.sacks[..one.sack_count], mss);
            if acked > 0 {
                self.duplicates = 0;
                self.timer_ns = one.due_ns.min(now_ns);
            } else if one.is_duplicate {
                self.duplicates = self.duplicates.saturating_add(1);
            }
            let una = self.view.una();
            self.timeout_high = self.timeout_high.filter(|&high| una < high);
            self.recovery_high = self.recovery_high.filter(|&high| una < high);
        }
    }

    /// Puts an acknowledgment on its way to the sender.
    pub fn hear(&mut self, pending: Pending) {
        self.pending.push_back(pending);
    }

    /// Takes a sample of the round-trip time (RFC 6298 section 2).
    pub fn sample(&mut self, rtt_ns: u64) {
        let rtt_ns = rtt_ns.min(LONGEST_SAMPLE_NS);
        match self.srtt_ns {
            None => {
                self.srtt_ns = Some(rtt_ns);
                self.rttvar_ns = rtt_ns / 2;
            }
            Some(srtt) => {
                self.rttvar_ns = (3 * self.rttvar_ns + srtt.abs_diff(rtt_ns)) / 4;
                self.srtt_ns = Some((7 * srtt + rtt_ns) / 8);
            }
        }
    }

    /// Parts of the scoreboards that were looked at so far.
    pub fn steps(&self) -> u64 {
        self.board.steps() + self.view.steps()
    }

    /// Smoothed round-trip time, ns.
    pub fn srtt_ns(&self) -> Option<u64> {
        self.srtt_ns
    }

    fn timeout_ns(&self) -> u64 {
        self.srtt_ns
            .map_or(FIRST_TIMEOUT_NS, |srtt| srtt + (4 * self.rttvar_ns).max(SHORTEST_VARIATION_NS))
    }

    /// Whether loss recovery, or the return from a timeout, is under way.
    pub fn is_recovering(&self) -> bool {
        self.recovery_high.is_some() || self.timeout_high.is_some()
    }

    /// Why bytes from `start` to `end`, which were sent before, are sent again.
    pub fn trigger(&mut self, start: i64, end: i64, now_ns: u64) -> Kind {
        let next = self.view.next();
        if self.timeout_high.is_some_and(|high| start < high) {
            return Kind::Timeout;
        }
        let earlier = self.view.earlier(start, end);
        let has_sack_above = self.view.has_sack_above(start);
        let since_timer = now_ns.saturating_sub(self.timer_ns.max(self.last_sent_ns));
        let since_sent = now_ns.saturating_sub(earlier.map_or(self.timer_ns, |it| it.sent_ns));
        // A tenth for the distance from the sender and the coarseness of its clock.
        let timeout = self.timeout_ns() / 10 * 9;
        let is_head = start <= self.view.head();
        let is_tail = end >= next && !has_sack_above;
        let srtt = self.srtt_ns.unwrap_or(FIRST_TIMEOUT_NS);
        let was_repeated = earlier.is_some_and(|it| it.sent > 1);
        // "PTO = 2 * SRTT", and never later than the retransmission timer (RFC 8985 section 7.2).
        // A segment that is outstanding alone waits 200 ms longer there, mostly until that timer:
        // then its first repetition is the probe, its second one the timeout.
        let may_be_probe = !is_head || since_timer < timeout || (self.may_probe && !was_repeated);
        if is_tail && !self.is_recovering() && since_timer >= srtt * 3 / 2 && may_be_probe {
            return Kind::TailProbe;
        }
        let is_asked = has_sack_above || self.duplicates >= DUP_ACKS;
        let waited = if was_repeated { since_sent } else { since_timer };
        if is_head && waited >= timeout && (!is_asked || was_repeated) {
            self.timeout_high = Some(next);
            self.recovery_high = None;
            self.view.time_out();
            return Kind::Timeout;
        }
        if is_asked || self.recovery_high.is_some_and(|high| start < high) {
            self.recovery_high.get_or_insert(next);
            return Kind::Fast;
        }
        Kind::Retransmission
    }

    /// Notes bytes that were sent.
    pub fn send(&mut self, start: i64, end: i64, now_ns: u64, stamp: Option<u32>) {
        if !self.board.has_started() || self.view.una() >= self.view.next() {
            self.timer_ns = now_ns;
        }
        if self.board.has_started() && start > self.board.next() {
            self.gaps.insert(start, (stamp, now_ns));
        }
        self.last_sent_ns = now_ns;
        self.board.send(start, end, now_ns);
        self.view.send(start, end, now_ns);
        let una = self.board.una();
        while let Some(entry) = self.gaps.first_entry()
            && *entry.key() <= una
        {
            entry.remove();
        }
    }

    /// Whether bytes of a gap came too soon to be a repetition: before the sender could know.
    pub fn is_late(&self, end: i64, now_ns: u64, stamp: Option<u32>, shortest_ns: u64) -> bool {
        let Some((_, &(later, since_ns))) = self.gaps.range(end..).next() else { return false };
        match (stamp, later) {
            (Some(stamp), Some(later)) if stamp != later => {
                // An older timestamp was sent before the segment that made the gap.
                later.wrapping_sub(stamp) < 1 << 31
            }
            _ => now_ns.saturating_sub(since_ns) < shortest_ns,
        }
    }
}

fn is_echoed(stamp: Option<u32>, echo: Option<u32>) -> bool {
    stamp.zip(echo).is_some_and(|(stamp, echo)| echo.wrapping_sub(stamp) < 1 << 31)
}
