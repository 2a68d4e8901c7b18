//! How a sender finds losses and books them.

use ackclock_cc::LostSegment;
use ackclock_units::{Duration, Time};

use super::Sender;
use super::ack_summary::AckSummary;
use super::cc_driver::CcDriver;
use crate::transport::loss_detection::Moment;
use crate::transport::plan::DupackRecovery;
use crate::transport::rate_sample::DeliveryRate;
use crate::transport::recovery::CaState;
use crate::transport::scoreboard::Segment;

/// Result of a search for losses.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Bytes declared lost now.
    pub lost: u64,
    /// A retransmission is among the segments declared lost.
    pub has_retransmission: bool,
    /// Time after which to look again without an ACK.
    pub again_after: Option<Duration>,
}

impl Found {
    /// No loss.
    pub const NOTHING: Self = Self { lost: 0, has_retransmission: false, again_after: None };
}

/// Counts a segment that is declared lost and tells the algorithm of it.
fn book_loss(
    segment: &Segment,
    bytes: u64,
    now: Time,
    rate: &mut DeliveryRate,
    control: &mut CcDriver,
) {
    rate.on_lost(bytes);
    control.on_lost(&LostSegment {
        now,
        seq: segment.seq,
        bytes,
        delivered: rate.delivered(),
        sent_at: segment.sent_at,
        tx_in_flight: u64::from(segment.tx_in_flight),
        lost: rate.lost_since(segment.lost),
        is_app_limited: segment.is_app_limited(),
    });
}

impl Sender {
    /// Looks for losses and marks them.
    pub(super) fn detect_losses(&mut self, now: Time) -> Found {
        let may_retransmit = self.options.has_sack || self.may_fast_retransmit();
        let moment = Moment {
            now,
            srtt: self.rtt.srtt(),
            min_rtt: self.rtt.min_rtt(),
            is_repairing: self.episode.is_repairing(),
            dupacks: if may_retransmit { self.episode.dupacks() } else { 0 },
            mss: self.options.mss,
        };
        let Self { board, detector, rate, control, .. } = self;
        let before = rate.lost();
        let mut has_retransmission = false;
        let again_after = detector.detect(board, &moment, |segment, bytes| {
            has_retransmission |= segment.is_retransmission_out();
            book_loss(segment, bytes, now, rate, control);
        });
        Found { lost: rate.lost() - before, has_retransmission, again_after }
    }

    /// Declares one segment lost.
    pub(super) fn lose(&mut self, number: u64, now: Time) {
        let segment = *self.board.get(number);
        let bytes = self.board.mark_lost(number);
        if bytes > 0 {
            book_loss(&segment, bytes, now, &mut self.rate, &mut self.control);
        }
    }

    /// Whether duplicate ACKs may start a fast retransmission, and are no echo of the last episode
    /// (RFC 6582 section 3.2 step 1, and ns-2's `bugFix_` for Reno).
    fn may_fast_retransmit(&self) -> bool {
        let is_careless =
            self.options.dupack_recovery == DupackRecovery::Reno && !self.options.ns2_rules;
        let point = self.episode.point();
        is_careless || point == 0 || self.board.una() > point
    }

    /// The reordering timer has run out: the segments for which RACK was waiting are lost.
    pub(super) fn on_reorder_timeout(&mut self, now: Time) {
        let prior_inflight = self.board.inflight();
        let losses = self.detect_losses(now);
        if losses.lost > 0 && self.episode.state() != CaState::Recovery {
            self.enter_recovery(&AckSummary::default(), losses.lost, prior_inflight, now);
            // Linux's tcp_rack_reo_timeout: the timer counts as one segment delivered.
            self.episode.conserve(self.options.mss, self.board.inflight(), false);
        }
        self.rearm_rto(now);
    }

    /// Declares the segments in flight lost, at a timeout. RACK may spare any but the first.
    pub(super) fn mark_all_lost(&mut self, now: Time) {
        self.episode.set_dupacks(0);
        if !self.options.has_sack {
            self.board.emulate_sacked(0);
        }
        let (Some(first), Some(last)) = (self.board.first_number(), self.board.last_number())
        else {
            return;
        };
        // RFC 2018 section 8: the receiver has dropped data that it had selectively acknowledged.
        let reneges = self.board.get(first).is_sacked();
        if reneges {
            for number in first..=last {
                let segment = self.board.get(number);
                if segment.is_sacked() {
                    self.control.on_reneged(segment);
                }
            }
            self.board.forget_sacked();
            self.detector.forget_sacked(self.board.una());
        }
        for number in first..=last {
            let is_young = || self.detector.spares(self.board.get(number).sent_at, now);
            if number == first || reneges || !is_young() {
                self.lose(number, now);
            }
        }
        let begins = self.episode.state() <= CaState::Disorder;
        self.detector.on_timeout(&self.board, self.options.mss, begins);
    }
}
