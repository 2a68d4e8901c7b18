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
}

/// Totals of a round. Bytes fit into 32 bits, because a window is less than 2^30 (RFC 7323 section
/// 2.3); there are many connections.
#[derive(Clone, Debug)]
struct Totals {
    /// Smallest RTT; [`Duration::MAX`] without a sample.
    min_rtt: Duration,
    /// RTT samples.
    samples: u32,
    acked: u32,
    lost: u32,
    marked: u32,
}

impl Default for Totals {
    fn default() -> Self {
        Self { min_rtt: Duration::MAX, samples: 0, acked: 0, lost: 0, marked: 0 }
    }
}

/// Adds bytes to a sum.
#[inline]
fn add(sum: &mut u32, bytes: u64) {
    *sum = sum.saturating_add(u32::try_from(bytes).unwrap_or(u32::MAX));
}

impl Rounds {
    /// Adds an ACK. `prior_delivered`: bytes delivered when its newest segment was sent.
    #[expect(clippy::inline_always, reason = "once per ACK, whose facts go through memory")]
    #[inline(always)]
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
            self.expected = outstanding + ack.acked;
        }
        add(&mut self.current.acked, ack.acked);
        add(&mut self.current.lost, ack.lost);
        add(&mut self.current.marked, ack.marked);
        if let Some(rtt) = ack.min_rtt {
            self.current.min_rtt = self.current.min_rtt.min(rtt);
            self.current.samples += 1;
        }
        Round {
            count: self.count,
            start,
            expected: self.expected,
            acked: self.current.acked.into(),
            last: RoundSummary {
                min_rtt: (self.last.samples > 0).then_some(self.last.min_rtt),
                samples: self.last.samples,
                acked: self.last.acked.into(),
                lost: self.last.lost.into(),
                marked: self.last.marked.into(),
            },
        }
    }
}
