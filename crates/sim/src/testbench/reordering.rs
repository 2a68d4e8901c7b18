//! How far packets were reordered, as Linux reports it (`tcpi_reordering`, `tcpi_reord_seen`). The transport itself needs
//! only whether there was any; the distance is worked out here, from what each ACK changes.

use crate::transport::sender::Sender;

/// Linux's first value (`net.ipv4.tcp_reordering`).
const FIRST: u64 = 3;
/// The most that Linux reports (`net.ipv4.tcp_max_reordering`).
const MOST: u64 = 300;

/// What is known of reordering.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Reordering {
    /// Largest distance so far, segments.
    pub degree: u64,
    /// ACKs that showed some.
    pub seen: u64,
}

impl Default for Reordering {
    fn default() -> Self {
        Self { degree: FIRST, seen: 0 }
    }
}

/// The scoreboard before an ACK.
pub struct Before {
    /// End of the highest segment acknowledged selectively.
    highest: u64,
    /// Segments that were sent once and not delivered below it: first byte and end.
    missing: Vec<(u64, u64)>,
}

impl Before {
    /// Looks at a sender's scoreboard.
    #[must_use]
    pub fn of(sender: &Sender) -> Self {
        let board = sender.board();
        let highest = board.sacked().as_slice().last().map_or(board.una(), |range| range.1);
        let mut missing = Vec::new();
        if let (Some(first), Some(last)) = (board.first_number(), board.last_number()) {
            for segment in (first..=last).map(|number| board.get(number)) {
                if segment.seq < highest && !segment.is_sacked() && !segment.was_retransmitted() {
                    missing.push((segment.seq, segment.end()));
                }
            }
        }
        Self { highest, missing }
    }

    /// Takes in what the ACK delivered below what had been acknowledged selectively before.
    pub fn compare(&self, sender: &Sender, mss: u64, known: &mut Reordering) {
        let board = sender.board();
        let arrived = |(_, end): &&(u64, u64)| *end <= board.una() || board.sacked().containing(*end - 1).is_some();
        let Some((lowest, _)) = self.missing.iter().find(arrived) else {
            return;
        };
        known.seen += 1;
        known.degree = known.degree.max((self.highest - lowest).div_ceil(mss)).min(MOST);
    }
}
