//! The RTT of the empty path, as far as a flow has seen it.

use crate::{AckEvent, Duration};

/// The smallest RTT of a data segment. The handshake's, which the connection's smallest RTT counts too, has less to
/// transmit: on a slow link a full segment would then look like one that had to wait.
#[derive(Clone, Copy, Debug, Default)]
pub struct BaseRtt(Option<Duration>);

impl BaseRtt {
    /// Every ACK.
    pub fn observe(&mut self, ack: &AckEvent) {
        if let Some(sample) = ack.rtt_sample {
            self.0 = Some(self.0.map_or(sample, |least| least.min(sample)));
        }
    }

    /// It, if there was a sample.
    #[must_use]
    pub fn known(self) -> Option<Duration> {
        self.0
    }

    /// It; zero before any sample.
    #[must_use]
    pub fn get(self) -> Duration {
        self.0.unwrap_or(Duration::ZERO)
    }
}
