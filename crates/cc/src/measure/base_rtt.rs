//! The RTT of the empty path, as far as a flow has seen it.

use crate::{AckEvent, Duration};

/// Smallest RTT of a data segment.
///
/// It leaves out the handshake, which the connection's smallest RTT includes. A SYN takes less time
/// to transmit: on a slow link a full segment would then look as if it had waited in a queue.
#[derive(Clone, Copy, Debug, Default)]
pub struct BaseRtt(Option<Duration>);

impl BaseRtt {
    /// Takes in an ACK. Must be called for every ACK.
    pub fn observe(&mut self, ack: &AckEvent) {
        if let Some(sample) = ack.rtt_sample {
            self.0 = Some(self.0.map_or(sample, |least| least.min(sample)));
        }
    }

    /// Smallest RTT; `None` before any sample.
    #[must_use]
    pub fn known(self) -> Option<Duration> {
        self.0
    }

    /// Smallest RTT; zero before any sample.
    #[must_use]
    pub fn get(self) -> Duration {
        self.0.unwrap_or(Duration::ZERO)
    }
}
