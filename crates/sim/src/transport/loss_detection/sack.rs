//! RFC 6675's rule for losses.

use super::{DUP_THRESHOLD, Losses};
use crate::transport::scoreboard::{Scoreboard, Segment};

/// RFC 6675: a segment is lost when three discontiguous sequences above it, or more than two
/// segments' worth of bytes, were selectively acknowledged.
#[derive(Clone, Debug, Default)]
pub struct SackRule {
    /// All segments below are judged. The frontier only rises, so each segment is judged once.
    scanned: u64,
}

impl SackRule {
    /// Judges every segment again, because a timeout has declared all of them lost.
    pub(super) fn restart(&mut self, board: &Scoreboard) {
        self.scanned = board.una();
    }

    pub(super) fn detect(&mut self, losses: &mut Losses<'_, impl FnMut(&Segment, u64)>, mss: u64) {
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

    /// Sequence number below which all data is lost that was not selectively acknowledged.
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
