//! How a sender finds losses: duplicate ACKs, RFC 6675's SACK rule, or RFC 8985's RACK.

mod rack;
mod sack;

use ackclock_units::{Duration, Time};

use self::rack::Rack;
use self::sack::SackRule;
use super::scoreboard::{Scoreboard, Segment};
use crate::transport::plan::LossDetection;

/// `DupThresh` of RFC 5681 and RFC 6675.
pub const DUP_THRESHOLD: u32 = 3;

/// State of the sender, besides the scoreboard, that a search for losses reads.
#[derive(Clone, Copy, Debug)]
pub struct Moment {
    /// The current instant.
    pub now: Time,
    /// Smoothed RTT.
    pub srtt: Duration,
    /// Smallest RTT.
    pub min_rtt: Duration,
    /// Whether losses are being repaired.
    pub is_repairing: bool,
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
    /// The detector that a plan names.
    pub fn new(kind: LossDetection, mss: u64) -> Self {
        match kind {
            LossDetection::Dupack => Self::Dupack,
            LossDetection::Sack => Self::Sack(SackRule::default()),
            LossDetection::Rack => Self::Rack(Rack::new(mss)),
        }
    }

    /// The highest byte delivered, where the detector keeps it.
    #[inline]
    pub fn fack(&self) -> u64 {
        match self {
            Self::Rack(rack) => rack.fack(),
            Self::Dupack | Self::Sack(_) => 0,
        }
    }

    /// Segments by which the network was seen to reorder, three at least (Linux's `reordering`).
    pub fn reordering(&self) -> u32 {
        match self {
            Self::Rack(rack) => rack.degree(),
            Self::Dupack | Self::Sack(_) => DUP_THRESHOLD,
        }
    }

    /// Number of ACKs that showed reordering, at most 255 (Linux's `reord_seen`).
    pub fn reorderings(&self) -> u32 {
        match self {
            Self::Rack(rack) => rack.reorderings(),
            Self::Dupack | Self::Sack(_) => 0,
        }
    }

    /// Whether an ACK is a reason to look for losses; for RACK only if it delivered something.
    #[inline]
    pub fn has_news(&mut self) -> bool {
        match self {
            Self::Rack(rack) => rack.take_news(),
            Self::Dupack | Self::Sack(_) => true,
        }
    }

    /// Whether [`Detector::detect`] would find nothing. Mostly it is so, because all segments in
    /// flight were sent after the newest delivery.
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

    /// Marks lost segments, and passes each with the bytes that it took out of flight to `on_lost`.
    /// Returns the time after which to look again without an ACK.
    #[inline]
    pub fn detect(
        &mut self,
        board: &mut Scoreboard,
        moment: &Moment,
        on_lost: impl FnMut(&Segment, u64),
    ) -> Option<Duration> {
        let mut losses = Losses { board, on_lost };
        match self {
            Self::Dupack => {
                let due = moment.dupacks >= DUP_THRESHOLD && !moment.is_repairing;
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

    /// A timeout has declared the segments in flight lost. `begins`: no episode was under way.
    pub fn on_timeout(&mut self, board: &Scoreboard, mss: u64, begins: bool) {
        match self {
            Self::Sack(rule) => rule.restart(board),
            // Linux's tcp_enter_loss: the degree of reordering was overestimated.
            Self::Rack(rack)
                if begins && board.sacked_bytes() >= u64::from(DUP_THRESHOLD) * mss =>
            {
                rack.forget_degree();
            }
            Self::Rack(_) | Self::Dupack => (),
        }
    }
}

/// The scoreboard, and a function that is called for each segment declared lost.
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
