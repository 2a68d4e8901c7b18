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
    current: Running,
    last: RoundSummary,
}

/// What has happened in the round so far.
#[derive(Clone, Debug)]
struct Running {
    /// Without a sample the longest time, so that the first is shorter.
    min_rtt: Duration,
    samples: u32,
    acked: u64,
    lost: u64,
    marked: u64,
}

impl Default for Running {
    fn default() -> Self {
        Self {
            min_rtt: Duration::MAX,
            samples: 0,
            acked: 0,
            lost: 0,
            marked: 0,
        }
    }
}

impl Running {
    fn summary(&self) -> RoundSummary {
        RoundSummary {
            min_rtt: (self.samples > 0).then_some(self.min_rtt),
            samples: self.samples,
            acked: self.acked,
            lost: self.lost,
            marked: self.marked,
        }
    }
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
            self.last = std::mem::take(&mut self.current).summary();
            self.expected = outstanding + ack.acked;
        }
        self.current.acked += ack.acked;
        self.current.lost += ack.lost;
        self.current.marked += ack.marked;
        if let Some(rtt) = ack.min_rtt {
            self.current.min_rtt = self.current.min_rtt.min(rtt);
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
