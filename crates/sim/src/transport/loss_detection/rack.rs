//! RFC 8985's RACK: loss detection by time, with Linux's measure of how far the network reorders.

use ackclock_units::{Duration, Time};

use super::{DUP_THRESHOLD, Detector, Losses, Moment};
use crate::transport::scoreboard::{Scoreboard, Segment};

/// Linux's `tcp_reordering`: degree of reordering of a network that was not seen to reorder.
const LEAST_DEGREE: u16 = 3;
/// Linux's `tcp_max_reordering`.
const LARGEST_DEGREE: u64 = 300;
/// Recoveries that an enlarged reordering window outlives (RFC 8985 section 6.2 step 4).
const PERSIST: u8 = 16;

/// RFC 8985: a segment is lost a reordering window after a segment sent later was delivered.
#[derive(Clone, Debug, Default)]
pub struct Rack {
    mss: u32,
    /// `RACK.xmit_ts`: sending time of the most recently sent segment that was delivered.
    sent_at: Time,
    /// `RACK.end_seq`: end of the most recently sent segment that was delivered.
    end: u64,
    /// `RACK.rtt`.
    rtt: Duration,
    /// [`Rack::rtt`] is of a segment that was sent again.
    is_of_repeat: bool,
    /// `RACK.fack`: the highest byte delivered.
    fack: u64,
    /// Bytes from the current ACK's lowest late segment to `fack`; 0: no segment came late.
    reordered_by: u32,
    /// An ACK has delivered something since losses were looked for (Linux's `rack.advanced`).
    has_advanced: bool,
    /// Number of ACKs with late segments (Linux's `reord_seen`). Saturates.
    reorderings: u8,
    /// Most segments by which the network has reordered (Linux's `reordering`).
    degree: u16,
    /// A D-SACK has come that widens the reordering window at the next ACK with data.
    dsack_seen: bool,
    /// `RACK.reo_wnd_mult` less one. Saturates: the window never exceeds srtt.
    extra_quarters: u8,
    /// Recoveries until the widened window is forgotten.
    persist: u8,
    /// Bytes delivered when the window was last widened: it is widened once per round trip.
    widened_at: u64,
}

/// Bytes from `start` to `end`, which are of one window.
fn distance(start: u64, end: u64) -> u32 {
    u32::try_from(end - start).unwrap_or(u32::MAX)
}

impl Rack {
    pub(super) fn new(mss: u64) -> Self {
        Self {
            mss: u32::try_from(mss).unwrap_or(u32::MAX),
            degree: LEAST_DEGREE,
            ..Self::default()
        }
    }

    #[inline]
    pub(super) fn fack(&self) -> u64 {
        self.fack
    }

    pub(super) fn degree(&self) -> u32 {
        self.degree.into()
    }

    pub(super) fn reorderings(&self) -> u32 {
        self.reorderings.into()
    }

    /// Whether a segment sent after `segment` was delivered.
    #[inline]
    pub(super) fn is_past(&self, segment: &Segment) -> bool {
        self.sent_at > segment.sent_at
            || (self.sent_at == segment.sent_at && self.end > segment.end())
    }

    /// Whether an ACK has delivered something since the last call.
    #[inline]
    pub(super) fn take_news(&mut self) -> bool {
        core::mem::take(&mut self.has_advanced)
    }

    /// Steps 1 and 2 of RFC 8985 section 6.2: keeps the most recently sent segment delivered.
    #[inline]
    fn advance(&mut self, segment: &Segment, now: Time, min_rtt: Duration) {
        let rtt = now.since(segment.sent_at);
        if segment.was_retransmitted() && rtt < min_rtt {
            // The ACK is of the original: it tells nothing of the retransmission's delivery.
            return;
        }
        self.has_advanced = true;
        self.rtt = rtt;
        self.is_of_repeat = segment.was_retransmitted();
        let end = segment.end();
        if segment.sent_at > self.sent_at || (segment.sent_at == self.sent_at && end > self.end) {
            self.sent_at = segment.sent_at;
            self.end = end;
        }
    }

    /// Step 5: marks lost segments. Returns the time after which the next segment would be lost.
    pub(super) fn detect(
        &mut self,
        losses: &mut Losses<'_, impl FnMut(&Segment, u64)>,
        moment: &Moment,
    ) -> Option<Duration> {
        let patience = self.rtt + self.reordering_window(losses.board, moment);
        let mut again_after = None;
        // Only holes below the newest delivery are visited: the list is in order of transmission.
        let mut at = losses.board.oldest();
        while let Some(number) = at {
            let segment = losses.board.get(number);
            if !self.is_past(segment) {
                break;
            }
            let due = segment.sent_at + patience;
            // Within one answer to an ACK, retransmissions have left before new data.
            let is_younger = self.is_of_repeat && !segment.was_retransmitted();
            at = losses.board.newer(number);
            if due < moment.now || due == moment.now && !is_younger {
                losses.mark(number);
                losses.board.judge(number);
            } else {
                again_after = Some(due.since(moment.now));
            }
        }
        again_after
    }
}

// The order of deliveries.
impl Rack {
    /// Step 3: a segment sent once that was delivered below `fack` was reordered.
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

    /// A segment that begins at `start` came late, if data above it had arrived.
    fn see_late(&mut self, start: u64) {
        if start < self.fack {
            self.reordered_by = self.reordered_by.max(distance(start, self.fack));
        }
    }

    /// Measures the reordering of the current ACK (Linux's `tcp_check_sack_reordering`).
    #[inline]
    fn settle_order(&mut self) {
        if self.reordered_by > 0 {
            let distance = std::mem::take(&mut self.reordered_by);
            self.on_reordering(distance.into());
        }
    }

    /// Takes back a degree of reordering that a timeout has shown to be overestimated.
    pub(super) fn forget_degree(&mut self) {
        self.degree = LEAST_DEGREE;
    }

    #[cold]
    fn on_reordering(&mut self, distance: u64) {
        self.reorderings = self.reorderings.saturating_add(1);
        let segments = distance.div_ceil(u64::from(self.mss)).min(LARGEST_DEGREE);
        self.degree = self.degree.max(u16::try_from(segments).unwrap_or(u16::MAX));
    }
}

// The reordering window.
impl Rack {
    /// The reordering window (step 4).
    fn reordering_window(&self, board: &Scoreboard, moment: &Moment) -> Duration {
        if self.reorderings == 0 {
            let dup_threshold = u64::from(DUP_THRESHOLD) * moment.mss;
            if moment.is_repairing || board.sacked_bytes() >= dup_threshold {
                return Duration::ZERO;
            }
        }
        // Both RFC 8985 and Linux (tcp_rack_reo_wnd) bound the window by srtt.
        let quarters = 1 + u64::from(self.extra_quarters);
        (moment.min_rtt / 4).saturating_mul(quarters).min(moment.srtt)
    }
}

// Events that only RACK takes in.
impl Detector {
    /// A segment was cumulatively acknowledged, and never selectively. `is_spurious`: the ACK's
    /// timestamp shows that it answers the original, not the retransmission; `fack`:
    /// [`Detector::fack`] before the ACK.
    #[inline]
    pub fn on_acked(
        &mut self,
        segment: &Segment,
        now: Time,
        min_rtt: Duration,
        is_spurious: bool,
        fack: u64,
    ) {
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

    /// Whether a delivery of `first`, the oldest segment out, and of others behind it would be in
    /// order, and would leave nothing that may be lost.
    #[inline]
    pub fn is_in_order(&self, first: &Segment) -> bool {
        match self {
            Self::Rack(rack) => {
                first.seq >= rack.fack && rack.reordered_by == 0 && !rack.is_past(first)
            }
            Self::Dupack | Self::Sack(_) => false,
        }
    }

    /// Segments that were sent once were cumulatively acknowledged in order, `last` as the last.
    /// There is no reason to look for losses.
    #[inline]
    pub fn on_acked_in_order(&mut self, last: &Segment, now: Time) {
        if let Self::Rack(rack) = self {
            rack.fack = last.end();
            rack.rtt = now.since(last.sent_at);
            rack.is_of_repeat = false;
            (rack.sent_at, rack.end) = (last.sent_at, last.end());
            rack.has_advanced = false;
        }
    }

    /// A segment was selectively acknowledged. The ACK's timestamp is that of the segment before
    /// the hole, and tells nothing of this one.
    #[inline]
    pub fn on_sacked(&mut self, segment: &Segment, now: Time, min_rtt: Duration) {
        if let Self::Rack(rack) = self {
            rack.see_order(segment, rack.fack);
            rack.advance(segment, now, min_rtt);
        }
    }

    /// All segments are taken in that an ACK has acknowledged selectively, or cumulatively.
    pub fn settle_order(&mut self) {
        if let Self::Rack(rack) = self {
            rack.settle_order();
        }
    }

    /// Ignores the order of an ACK's segments (in Linux's `tcp_sacktag_write_queue` if no undo is
    /// possible).
    pub fn forget_order(&mut self) {
        if let Self::Rack(rack) = self {
            rack.reordered_by = 0;
        }
    }

    /// The receiver has dropped all data above `una`.
    pub fn forget_sacked(&mut self, una: u64) {
        if let Self::Rack(rack) = self {
            rack.fack = una;
        }
    }

    /// An original that begins at `start` came late, after all data below it was acknowledged: its
    /// retransmission was needless (Linux's `tcp_try_undo_partial`).
    pub fn on_late_original(&mut self, start: u64) {
        if let Self::Rack(rack) = self {
            rack.reordered_by = 0;
            rack.see_late(start);
            rack.settle_order();
        }
    }

    /// A D-SACK reports a copy of a `SACKed` segment that begins at `start` and was sent again.
    pub fn on_copy_of_sacked(&mut self, start: u64) {
        if let Self::Rack(rack) = self {
            rack.see_late(start);
        }
    }

    /// Judges the segments in flight again after an undo (Linux's `tcp_undo_cwnd_reduction`).
    pub fn look_again(&mut self) {
        if let Self::Rack(rack) = self {
            rack.has_advanced = true;
        }
    }

    /// An ACK delivered a segment that was sent when `prior_delivered` bytes were delivered. Now
    /// there are `delivered`. Widens the reordering window for a D-SACK, or forgets the widening
    /// (Linux's `tcp_rack_update_reo_wnd`).
    #[inline]
    pub fn on_ack(&mut self, prior_delivered: u64, delivered: u64) {
        if let Self::Rack(rack) = self {
            if prior_delivered < rack.widened_at {
                rack.dsack_seen = false;
            }
            if rack.dsack_seen {
                rack.extra_quarters = rack.extra_quarters.saturating_add(1);
                rack.dsack_seen = false;
                rack.widened_at = delivered;
                rack.persist = PERSIST;
            } else if rack.persist == 0 {
                rack.extra_quarters = 0;
            }
        }
    }

    /// A D-SACK reports a needless retransmission other than a tail loss probe. A probe is sent by
    /// a timer, and tells nothing of reordering.
    pub fn on_dsack(&mut self) {
        if let Self::Rack(rack) = self {
            rack.dsack_seen |= rack.reorderings > 0;
        }
    }

    /// D-SACKs have taken an episode's reduction back.
    pub fn on_dsack_undo(&mut self) {
        if let Self::Rack(rack) = self {
            rack.persist = (rack.persist + 1).min(PERSIST);
        }
    }

    /// Whether a timeout spares a segment last sent at `sent_at`, within the latest RTT (RFC 8985
    /// section 6.3, and Linux's `tcp_timeout_mark_lost`, without the reordering window).
    pub fn spares(&self, sent_at: Time, now: Time) -> bool {
        matches!(self, Self::Rack(rack) if sent_at + rack.rtt > now)
    }

    /// A recovery has ended, and nothing of it was taken back.
    pub fn on_recovery_exit(&mut self) {
        if let Self::Rack(rack) = self {
            rack.persist = rack.persist.saturating_sub(1);
        }
    }
}
