//! How a sender finds out what is lost: duplicate ACKs, RFC 6675's SACK rule, or RFC 8985's RACK.

use ackclock_units::{Duration, Time};

use super::scoreboard::{Scoreboard, Segment};
use crate::plan::LossDetection;

/// `DupThresh` of RFC 5681 and RFC 6675.
pub const DUP_THRESHOLD: u32 = 3;
/// Linux's `tcp_reordering`: the degree of reordering of a network that was not seen to reorder.
const LEAST_DEGREE: u16 = 3;

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
    pub fn new(kind: LossDetection, mss: u64) -> Self {
        match kind {
            LossDetection::Dupack => Self::Dupack,
            LossDetection::Sack => Self::Sack(SackRule::default()),
            LossDetection::Rack => Self::Rack(Rack::new(mss)),
        }
    }

    /// A segment was cumulatively acknowledged, and never selectively; `is_spurious`: the ACK's timestamp says that the
    /// original arrived, and not the retransmission; `fack`: [`Detector::fack`] before the ACK.
    #[inline]
    pub fn on_acked(&mut self, segment: &Segment, now: Time, min_rtt: Duration, is_spurious: bool, fack: u64) {
        if let Self::Rack(rack) = self {
            if segment.seq < rack.fack || rack.reordered_by > 0 {
                rack.see_order(segment, fack);
            } else {
                rack.fack = segment.end();
            }
            if !is_spurious {
                rack.advance(segment, now, min_rtt);
            }
        }
    }

    /// A segment was selectively acknowledged. The timestamp that came with it is that of the segment before the hole and
    /// says nothing of this one.
    #[inline]
    pub fn on_sacked(&mut self, segment: &Segment, now: Time, min_rtt: Duration) {
        if let Self::Rack(rack) = self {
            rack.see_order(segment, rack.fack);
            rack.advance(segment, now, min_rtt);
        }
    }

    /// The highest byte delivered, where the detector keeps it.
    #[must_use]
    #[inline]
    pub fn fack(&self) -> u64 {
        match self {
            Self::Rack(rack) => rack.fack,
            Self::Dupack | Self::Sack(_) => 0,
        }
    }

    /// The SACK blocks of an ACK are taken in, or what it acknowledges cumulatively.
    pub fn settle_order(&mut self) {
        if let Self::Rack(rack) = self {
            rack.settle_order();
        }
    }

    /// After a timeout in a window that was reduced for a mark the order of SACKs says nothing (Linux's
    /// `tcp_sacktag_write_queue`, which looks at it only where a reaction can be taken back).
    pub fn forget_order(&mut self) {
        if let Self::Rack(rack) = self {
            rack.reordered_by = 0;
        }
    }

    /// The receiver has dropped what it had selectively acknowledged: nothing above `una` has arrived.
    pub fn forget_sacked(&mut self, una: u64) {
        if let Self::Rack(rack) = self {
            rack.fack = una;
        }
    }

    /// An original below which everything had been acknowledged came late: its retransmission was needless (Linux's
    /// `tcp_try_undo_partial`). `start`: its first byte.
    pub fn on_late_original(&mut self, start: u64) {
        if let Self::Rack(rack) = self {
            rack.reordered_by = 0;
            rack.see_late(start);
            rack.settle_order();
        }
    }

    /// A D-SACK reports a copy of a segment that was selectively acknowledged and sent again; `start`: its first byte.
    pub fn on_copy_of_sacked(&mut self, start: u64) {
        if let Self::Rack(rack) = self {
            rack.see_late(start);
        }
    }

    /// Segments by which the network was seen to reorder, three at least (Linux's `reordering`).
    #[must_use]
    pub fn reordering(&self) -> u32 {
        match self {
            Self::Rack(rack) => rack.degree.into(),
            Self::Dupack | Self::Sack(_) => DUP_THRESHOLD,
        }
    }

    /// How often an ACK showed that the network reorders (Linux's `reord_seen`).
    #[must_use]
    pub fn reorderings(&self) -> u32 {
        match self {
            Self::Rack(rack) => rack.reorderings.into(),
            Self::Dupack | Self::Sack(_) => 0,
        }
    }

    /// Whether an ACK gives reason to look for losses: RACK's rule is asked where something was delivered, and by its timer.
    #[inline]
    pub fn has_news(&mut self) -> bool {
        match self {
            Self::Rack(rack) => core::mem::take(&mut rack.has_advanced),
            Self::Dupack | Self::Sack(_) => true,
        }
    }

    /// A reaction was taken back: what is out is judged anew (Linux's `tcp_undo_cwnd_reduction`).
    pub fn look_again(&mut self) {
        if let Self::Rack(rack) = self {
            rack.has_advanced = true;
        }
    }

    /// Whether [`Detector::detect`] would find nothing: the common case, in which all that is out was sent after the newest delivery.
    #[must_use]
    #[inline]
    pub fn is_calm(&self, board: &Scoreboard) -> bool {
        match self {
            Self::Rack(rack) => match board.oldest() {
                Some(oldest) => !rack.is_past(board.get(oldest)),
                None => true,
            },
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

    /// A D-SACK said that a retransmission was needless. Those of tail loss probes are not reported here: the probe
    /// is sent by a timer, and says nothing of reordering.
    pub fn on_dsack(&mut self) {
        if let Self::Rack(rack) = self {
            rack.dsack_seen |= rack.reorderings > 0;
        }
    }

    /// An ACK delivered a segment that was sent when `prior_delivered` bytes had been; `delivered` are now.
    #[inline]
    pub fn on_ack(&mut self, prior_delivered: u64, delivered: u64) {
        if let Self::Rack(rack) = self {
            rack.on_ack(prior_delivered, delivered);
        }
    }

    /// D-SACKs took an episode's reduction back.
    pub fn on_dsack_undo(&mut self) {
        if let Self::Rack(rack) = self {
            rack.persist = (rack.persist + 1).min(Rack::PERSIST);
        }
    }

    /// Whether a timeout spares a segment last sent at `sent_at`: its ACK may still come within the latest RTT
    /// (RFC 8985 section 6.3, and Linux's `tcp_timeout_mark_lost`, without the reordering window).
    #[must_use]
    pub fn spares(&self, sent_at: Time, now: Time) -> bool {
        matches!(self, Self::Rack(rack) if sent_at + rack.rtt > now)
    }

    /// A recovery ended, and nothing of it was taken back.
    pub fn on_recovery_exit(&mut self) {
        if let Self::Rack(rack) = self {
            rack.on_recovery_exit();
        }
    }

    /// A timeout declared what is out lost; `begins`: no episode was under way.
    pub fn on_timeout(&mut self, board: &Scoreboard, mss: u64, begins: bool) {
        match self {
            Self::Sack(rule) => rule.scanned = board.una(),
            // Linux's tcp_enter_loss: with so much SACKed the degree of reordering was overestimated.
            Self::Rack(rack) if begins && board.sacked_bytes() >= u64::from(DUP_THRESHOLD) * mss => rack.degree = LEAST_DEGREE,
            Self::Rack(_) | Self::Dupack => (),
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
#[derive(Clone, Debug)]
pub struct Rack {
    mss: u32,
    /// `RACK.xmit_ts`, `RACK.end_seq`: the most recently sent segment that was delivered.
    sent_at: Time,
    end: u64,
    /// `RACK.rtt`.
    rtt: Duration,
    /// It is that of a segment that was sent again.
    is_of_repeat: bool,
    /// `RACK.fack`: the highest byte delivered.
    fack: u64,
    /// How far the lowest segment of this ACK that was sent once and came late begins below `fack`, bytes; 0: none came late.
    reordered_by: u32,
    /// An ACK delivered something since losses were looked for (Linux's `rack.advanced`).
    has_advanced: bool,
    /// Linux's `reord_seen`: how often something came late, as far as a byte counts.
    reorderings: u8,
    /// Linux's `reordering`: segments by which the network reordered at most.
    degree: u16,
    /// A D-SACK came that widens the window at the next ACK with data.
    dsack_seen: bool,
    /// `RACK.reo_wnd_mult`, less one. The window never exceeds srtt: more quarters of `min_rtt` than a byte counts do not matter.
    extra_quarters: u8,
    /// Recoveries until it is forgotten.
    persist: u8,
    /// `delivered` when the window was widened last: it is widened once per round trip.
    widened_at: u64,
}

/// Bytes from `start` to `end`, which are of one window.
fn distance(start: u64, end: u64) -> u32 {
    u32::try_from(end - start).unwrap_or(u32::MAX)
}

impl Rack {
    /// RFC 8985 section 6.2 step 4: recoveries that an enlarged window outlives.
    const PERSIST: u8 = 16;
    /// Linux's `tcp_max_reordering`.
    const LARGEST_DEGREE: u64 = 300;

    fn new(mss: u64) -> Self {
        Self {
            mss: u32::try_from(mss).unwrap_or(u32::MAX),
            sent_at: Time::ZERO,
            end: 0,
            rtt: Duration::ZERO,
            is_of_repeat: false,
            fack: 0,
            reordered_by: 0,
            has_advanced: false,
            reorderings: 0,
            degree: LEAST_DEGREE,
            dsack_seen: false,
            extra_quarters: 0,
            persist: 0,
            widened_at: 0,
        }
    }

    fn is_after(sent_at: Time, end: u64, other_sent_at: Time, other_end: u64) -> bool {
        sent_at > other_sent_at || (sent_at == other_sent_at && end > other_end)
    }

    /// Whether something sent after it was delivered.
    #[inline]
    fn is_past(&self, segment: &Segment) -> bool {
        Self::is_after(self.sent_at, self.end, segment.sent_at, segment.end())
    }

    /// Step 3 of section 6.2: a segment sent once that was delivered below `fack` was reordered.
    fn see_order(&mut self, segment: &Segment, fack: u64) {
        if segment.seq < fack && !segment.was_retransmitted() {
            self.see_late(segment.seq);
        }
        let end = segment.end();
        if end > self.fack {
            if self.reordered_by > 0 {
                self.reordered_by = self.reordered_by.saturating_add(distance(self.fack, end));
            }
            self.fack = end;
        }
    }

    /// A segment that begins at `start` came late, where more than it had arrived.
    fn see_late(&mut self, start: u64) {
        if start < self.fack {
            self.reordered_by = self.reordered_by.max(distance(start, self.fack));
        }
    }

    /// Linux's `tcp_check_sack_reordering`: the degree is measured from the lowest of the segments that came late to all
    /// that has arrived by now.
    #[inline]
    fn settle_order(&mut self) {
        if self.reordered_by > 0 {
            let distance = std::mem::take(&mut self.reordered_by);
            self.on_reordering(distance.into());
        }
    }

    /// Steps 1 and 2.
    #[inline]
    fn advance(&mut self, segment: &Segment, now: Time, min_rtt: Duration) {
        let rtt = now.since(segment.sent_at);
        if segment.was_retransmitted() && rtt < min_rtt {
            // The ACK is of the original: it says nothing of when the retransmission was delivered.
            return;
        }
        self.has_advanced = true;
        self.rtt = rtt;
        self.is_of_repeat = segment.was_retransmitted();
        let end = segment.end();
        if Self::is_after(segment.sent_at, end, self.sent_at, self.end) {
            self.sent_at = segment.sent_at;
            self.end = end;
        }
    }

    #[cold]
    fn on_reordering(&mut self, distance: u64) {
        self.reorderings = self.reorderings.saturating_add(1);
        let segments = distance.div_ceil(u64::from(self.mss)).min(Self::LARGEST_DEGREE);
        self.degree = self.degree.max(u16::try_from(segments).unwrap_or(u16::MAX));
    }

    /// Linux's `tcp_rack_update_reo_wnd`.
    #[inline]
    fn on_ack(&mut self, prior_delivered: u64, delivered: u64) {
        if prior_delivered < self.widened_at {
            self.dsack_seen = false;
        }
        if self.dsack_seen {
            self.extra_quarters = self.extra_quarters.saturating_add(1);
            self.dsack_seen = false;
            self.widened_at = delivered;
            self.persist = Self::PERSIST;
        } else if self.persist == 0 {
            self.extra_quarters = 0;
        }
    }

    /// Step 4: the reordering window.
    fn reordering_window(&self, board: &Scoreboard, moment: &Moment) -> Duration {
        if self.reorderings == 0 {
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
            // What one ACK let go left in an order: new data a little later than what was sent again.
            let is_younger = self.is_of_repeat && !segment.was_retransmitted();
            if due < moment.now || due == moment.now && !is_younger {
                losses.mark(number);
                losses.board.judge(number);
            } else {
                again_after = Some(due.since(moment.now));
            }
        }
        again_after
    }

    fn on_recovery_exit(&mut self) {
        self.persist = self.persist.saturating_sub(1);
    }
}
