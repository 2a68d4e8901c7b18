//! Packet-timed round trips: a round ends when a segment sent after its start is delivered.

use ackclock_cc::{Round, RoundSummary};
use ackclock_units::Duration;

/// Counts rounds and sums up the one that is running and the one before.
#[derive(Clone, Debug, Default)]
pub struct Rounds {
    count: u64,
    /// Bytes delivered at the start of the round.
    began_at: u64,
    /// Bytes that the round is to deliver: all that was out at its start.
    expected: u64,
    current: Totals,
    last: Totals,
    /// RTT samples of the current round. The counts are not in [`Totals`], where padding would
    /// double their size; there are many connections.
    samples: u32,
    last_samples: u32,
}

/// Totals of a round.
#[derive(Clone, Debug)]
struct Totals {
    /// Smallest RTT; [`Duration::MAX`] without a sample.
    min_rtt: Duration,
    acked: u64,
    lost: u64,
    marked: u64,
}

impl Default for Totals {
    fn default() -> Self {
        Self { min_rtt: Duration::MAX, acked: 0, lost: 0, marked: 0 }
    }
}

impl Rounds {
    /// Adds an ACK. `prior_delivered`: bytes delivered when its newest segment was sent.
    #[inline]
    pub fn on_ack(
        &mut self,
        prior_delivered: Option<u64>,
        delivered: u64,
        outstanding: u64,
        ack: RoundSummary,
    ) -> Round {
        let start = prior_delivered.is_some_and(|prior| prior >= self.began_at);
        if start {
            self.count += 1;
            self.began_at = delivered;
            self.last = core::mem::take(&mut self.current);
            self.last_samples = core::mem::take(&mut self.samples);
            self.expected = outstanding + ack.acked;
        }
        self.current.acked += ack.acked;
        self.current.lost += ack.lost;
        self.current.marked += ack.marked;
        if let Some(rtt) = ack.min_rtt {
            self.current.min_rtt = self.current.min_rtt.min(rtt);
            self.samples += 1;
        }
        Round {
            count: self.count,
            start,
            expected: self.expected,
            acked: self.current.acked,
            last: RoundSummary {
                min_rtt: (self.last_samples > 0).then_some(self.last.min_rtt),
                samples: self.last_samples,
                acked: self.last.acked,
                lost: self.last.lost,
                marked: self.last.marked,
            },
        }
    }
}
