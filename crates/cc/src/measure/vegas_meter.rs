//! RTTs of a round trip as Linux's Vegas, `YeAH` and Veno take them (`net/ipv4/tcp_vegas.c`).

use super::MICROSECOND;
use crate::{AckEvent, CaState, RttSample};

/// Smallest RTTs in microseconds, of the connection and of the running round trip.
///
/// Samples taken out of the open state do not count: the round begins again with it.
#[derive(Clone, Copy, Debug)]
pub struct VegasMeter {
    /// Smallest RTT since the connection began or was idle; `None` before any.
    base: Option<u64>,
    min: Option<u64>,
    samples: u64,
    /// SND.NXT when the round began.
    end: u64,
    una: u64,
    next: u64,
    is_open: bool,
}

/// RTTs of a round trip, microseconds.
#[derive(Clone, Copy, Debug)]
pub struct VegasRound {
    /// Smallest RTT of the connection.
    pub base: u64,
    /// Smallest RTT of the round.
    pub min: u64,
    /// Number of samples.
    pub samples: u64,
}

impl Default for VegasMeter {
    fn default() -> Self {
        Self { base: None, min: None, samples: 0, end: 0, una: 0, next: 0, is_open: true }
    }
}

impl VegasMeter {
    /// Takes in an RTT sample (`tcp_vegas_pkts_acked`).
    pub fn on_rtt(&mut self, sample: &RttSample) {
        let rtt = sample.rtt.as_ps() / MICROSECOND.as_ps() + 1;
        self.base = Some(self.base.map_or(rtt, |base| base.min(rtt)));
        self.min = Some(self.min.map_or(rtt, |min| min.min(rtt)));
        self.samples += 1;
        (self.una, self.next) = (sample.una, sample.next);
    }

    /// Takes in the state after an ACK (`tcp_vegas_state`).
    pub fn observe(&mut self, ack: &AckEvent) {
        let was_open = core::mem::replace(&mut self.is_open, ack.state == CaState::Open);
        if self.is_open && !was_open {
            self.begin_round();
        }
    }

    /// The connection sends with nothing in flight: what was measured is too old.
    pub fn restart(&mut self) {
        *self = Self { end: self.next, una: self.una, next: self.next, ..Self::default() };
    }

    /// Whether the sender is in the open state.
    #[must_use]
    pub fn is_open(&self) -> bool {
        self.is_open
    }

    /// The round, if the latest ACK has ended it. The next one begins.
    pub fn end_round(&mut self) -> Option<VegasRound> {
        if self.una <= self.end {
            return None;
        }
        let round = self.base.map(|base| VegasRound {
            base,
            min: self.min.unwrap_or(base),
            samples: self.samples,
        });
        self.begin_round();
        round
    }

    /// The smallest RTT, and that since the last call.
    pub fn take_min(&mut self) -> Option<(u64, u64)> {
        self.base.zip(self.min.take())
    }

    fn begin_round(&mut self) {
        (self.end, self.samples, self.min) = (self.next, 0, None);
    }
}
