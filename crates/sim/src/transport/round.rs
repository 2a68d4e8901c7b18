//! Packet-timed round trips: a round ends when a segment sent after its start is delivered.

use ackclock_cc::{Round, RoundSummary};
use ackclock_units::Duration;

/// Counts rounds and sums up the one that is running.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    count: u64,
    /// `delivered` at the start of the round.
    began_at: u64,
    expected: u64,
    current: RoundSummary,
    last: RoundSummary,
}

impl Rounds {
    /// Rounds so far.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// Adds an ACK; `prior_delivered` is `delivered` when the newest segment it acknowledges was sent.
    #[must_use]
    #[inline]
    pub fn on_ack(&mut self, prior_delivered: Option<u64>, delivered: u64, outstanding: u64, ack: RoundSummary) -> Round {
        let start = prior_delivered.is_some_and(|prior| prior >= self.began_at);
        if start {
            self.count += 1;
            self.began_at = delivered;
            self.last = std::mem::take(&mut self.current);
            self.expected = outstanding + ack.acked;
        }
        self.current.acked += ack.acked;
        self.current.lost += ack.lost;
        self.current.marked += ack.marked;
        if let Some(rtt) = ack.min_rtt {
            self.current.min_rtt = Some(self.current.min_rtt.map_or(rtt, |least: Duration| least.min(rtt)));
            self.current.samples += 1;
        }
        Round {
            count: self.count,
            start,
            expected: self.expected,
            acked: self.current.acked,
            last: self.last,
        }
    }
}
