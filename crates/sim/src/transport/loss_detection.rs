//! How a sender finds out what is lost: duplicate ACKs, RFC 6675's SACK rule, or RFC 8985's RACK.

use ackclock_units::{Duration, Time};

use super::scoreboard::{Scoreboard, Segment};
use crate::plan::LossDetection;

/// `DupThresh` of RFC 5681 and RFC 6675.
pub const DUP_THRESHOLD: u32 = 3;

/// What a detector needs to know besides the scoreboard.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The current instant.
    pub now: Time,
    /// Smoothed RTT.
    pub srtt: Duration,
    /// Smallest RTT.
    pub min_rtt: Duration,
    /// Whether losses are being repaired.
    pub in_recovery: bool,
    /// Duplicate ACKs in a row (without SACK).
    pub dupacks: u32,
    /// Payload of a full segment.
    pub mss: u64,
}

/// A way of finding losses.
#[derive(Clone, Debug)]
pub enum Detector {
    /// Three duplicate ACKs mean that the first outstanding segment is lost.
    Dupack,
    /// RFC 6675 section 4, `IsLost`.
    Sack(SackRule),
    /// RFC 8985 section 6.
    Rack(Rack),
}

impl Detector {
    /// The one that the plan names.
    #[must_use]
    pub fn new(kind: LossDetection) -> Self {
        match kind {
            LossDetection::Dupack => Self::Dupack,
            LossDetection::Sack => Self::Sack(SackRule::default()),
            LossDetection::Rack => Self::Rack(Rack::default()),
        }
    }

    /// A segment was delivered for the first time.
    #[inline]
    pub fn on_delivered(&mut self, segment: &Segment, now: Time, min_rtt: Duration, echo_is_older: bool) {
        if let Self::Rack(rack) = self {
            rack.on_delivered(segment, now, min_rtt, echo_is_older);
        }
    }

    /// Whether [`Detector::detect`] would find nothing: the common case, in which all that is out was sent after the newest delivery.
    #[must_use]
    #[inline]
    pub fn is_calm(&self, board: &Scoreboard) -> bool {
        match self {
            Self::Rack(rack) => board.oldest().is_none_or(|oldest| !rack.is_past(board.get(oldest))),
            Self::Dupack | Self::Sack(_) => false,
        }
    }

    /// Marks what is lost, shows each segment with the bytes that it took out of flight, and answers when to look again
    /// without an ACK.
    #[inline]
    pub fn detect(&mut self, board: &mut Scoreboard, moment: &Moment, on_lost: impl FnMut(&Segment, u64)) -> Option<Duration> {
        let mut losses = Losses { board, on_lost };
        match self {
            Self::Dupack => {
                let due = moment.dupacks >= DUP_THRESHOLD && !moment.in_recovery;
                if let Some(first) = losses.board.first_number().filter(|_| due) {
                    losses.mark(first);
                }
                None
            }
            Self::Sack(rule) => {
                rule.detect(&mut losses, moment.mss);
                None
            }
            Self::Rack(rack) => rack.detect(&mut losses, moment),
        }
    }

    /// A D-SACK said that a retransmission was needless.
    pub fn on_dsack(&mut self, round: u64) {
        if let Self::Rack(rack) = self {
            rack.on_dsack(round);
        }
    }

    /// A recovery ended.
    pub fn on_recovery_exit(&mut self) {
        if let Self::Rack(rack) = self {
            rack.on_recovery_exit();
        }
    }

    /// Everything out was declared lost by a timeout.
    pub fn on_timeout(&mut self, board: &Scoreboard) {
        if let Self::Sack(rule) = self {
            rule.scanned = board.una();
        }
    }
}

/// The scoreboard, and who is told of what is marked on it.
struct Losses<'a, F> {
    board: &'a mut Scoreboard,
    on_lost: F,
}

impl<F: FnMut(&Segment, u64)> Losses<'_, F> {
    fn mark(&mut self, number: u64) {
        let segment = *self.board.get(number);
        let bytes = self.board.mark_lost(number);
        if bytes > 0 {
            (self.on_lost)(&segment, bytes);
        }
    }
}

/// RFC 6675: a segment is lost when three discontiguous sequences, or more than two segments' worth of bytes, that
/// lie above it were selectively acknowledged.
#[derive(Clone, Debug, Default)]
pub struct SackRule {
    /// All below is judged. The rule's frontier only rises, so each segment is looked at once.
    scanned: u64,
}

impl SackRule {
    fn detect(&mut self, losses: &mut Losses<'_, impl FnMut(&Segment, u64)>, mss: u64) {
        let frontier = Self::frontier(losses.board, mss);
        let from = self.scanned.max(losses.board.una());
        if frontier <= from {
            return;
        }
        self.scanned = frontier;
        let mut number = losses.board.find(from);
        while let Some(last) = losses.board.last_number()
            && number <= last
            && losses.board.get(number).end() <= frontier
        {
            let segment = losses.board.get(number);
            if !segment.is_sacked() && !segment.is_lost() {
                losses.mark(number);
            }
            number += 1;
        }
    }

    /// Below this everything is lost but what was selectively acknowledged.
    fn frontier(board: &Scoreboard, mss: u64) -> u64 {
        let need = u64::from(DUP_THRESHOLD - 1) * mss;
        let mut above = 0;
        for (nth, (start, end)) in (1..).zip(board.sacked().as_slice().iter().rev()) {
            above += end - start;
            if above > need || nth >= DUP_THRESHOLD {
                return *start;
            }
        }
        0
    }
}

/// RFC 8985: a segment is lost when one sent later was delivered, and a reordering window has passed since.
#[derive(Clone, Debug, Default)]
pub struct Rack {
    /// `RACK.xmit_ts`, `RACK.end_seq`: the most recently sent segment that was delivered.
    sent_at: Time,
    end: u64,
    /// `RACK.rtt`.
    rtt: Duration,
    /// `RACK.fack`: the highest byte delivered.
    fack: u64,
    reordering_seen: bool,
    /// `RACK.reo_wnd_mult`, less one. The window never exceeds srtt: more quarters of `min_rtt` than a byte counts do not matter.
    extra_quarters: u8,
    /// Recoveries until it is forgotten.
    persist: u8,
    dsack_round: u64,
}

impl Rack {
    /// RFC 8985 section 6.2 step 4: recoveries that an enlarged window outlives.
    const PERSIST: u8 = 16;

    fn is_after(sent_at: Time, end: u64, other_sent_at: Time, other_end: u64) -> bool {
        sent_at > other_sent_at || (sent_at == other_sent_at && end > other_end)
    }

    /// Whether something sent after it was delivered.
    #[inline]
    fn is_past(&self, segment: &Segment) -> bool {
        Self::is_after(self.sent_at, self.end, segment.sent_at, segment.end())
    }

    /// Steps 1 to 3 of section 6.2.
    #[inline]
    fn on_delivered(&mut self, segment: &Segment, now: Time, min_rtt: Duration, echo_is_older: bool) {
        let end = segment.end();
        if end > self.fack {
            self.fack = end;
        } else if end < self.fack && !segment.was_retransmitted() {
            self.reordering_seen = true;
        }
        let rtt = now.since(segment.sent_at);
        if segment.was_retransmitted() && (echo_is_older || rtt < min_rtt) {
            // The ACK is of the original: it says nothing of when the retransmission was delivered.
            return;
        }
        self.rtt = rtt;
        if Self::is_after(segment.sent_at, end, self.sent_at, self.end) {
            self.sent_at = segment.sent_at;
            self.end = end;
        }
    }

    /// Step 4: the reordering window.
    fn reordering_window(&self, board: &Scoreboard, moment: &Moment) -> Duration {
        if !self.reordering_seen {
            let dup_threshold = u64::from(DUP_THRESHOLD) * moment.mss;
            if moment.in_recovery || board.sacked_bytes() >= dup_threshold {
                return Duration::ZERO;
            }
        }
        // RFC 8985 bounds it by srtt; Linux (tcp_rack_reo_wnd) by srtt/8 of its scaled value, which is srtt as well.
        let quarters = 1 + u64::from(self.extra_quarters);
        (moment.min_rtt / 4).saturating_mul(quarters).min(moment.srtt)
    }

    /// Step 5: marks, and says when the next segment would be due.
    fn detect(&mut self, losses: &mut Losses<'_, impl FnMut(&Segment, u64)>, moment: &Moment) -> Option<Duration> {
        let patience = self.rtt + self.reordering_window(losses.board, moment);
        let mut again_after = None;
        // Only holes below the newest delivery are visited: the list is in order of transmission.
        let mut at = losses.board.oldest();
        while let Some(number) = at {
            let segment = *losses.board.get(number);
            if !self.is_past(&segment) {
                break;
            }
            at = losses.board.newer(number);
            let due = segment.sent_at + patience;
            if due <= moment.now {
                losses.mark(number);
            } else {
                again_after = Some(due.since(moment.now));
            }
        }
        again_after
    }

    fn on_dsack(&mut self, round: u64) {
        // At most once per round trip.
        if round > self.dsack_round || self.dsack_round == 0 {
            self.dsack_round = round;
            self.extra_quarters = self.extra_quarters.saturating_add(1);
            self.persist = Self::PERSIST;
        }
    }

    fn on_recovery_exit(&mut self) {
        self.persist = self.persist.saturating_sub(1);
        if self.persist == 0 {
            self.extra_quarters = 0;
        }
    }
}
