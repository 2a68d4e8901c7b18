//! A script: the events of a peer and an application around one sender.

use serde::{Deserialize, Serialize};

/// One connection's script. Sequence numbers count from the first data byte.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// Number of the script in its campaign.
    pub number: u64,
    /// Congestion control, by the kernel's name.
    pub cc: String,
    /// Payload of a full segment, bytes.
    pub mss: u32,
    /// Whether ECN (RFC 3168) is negotiated.
    pub ecn: bool,
    /// Time from the SYN to the SYN-ACK, us.
    pub handshake_us: u64,
    /// Window that the SYN-ACK advertises, bytes.
    pub window: u32,
    /// Events in order of time.
    pub events: Vec<Event>,
    /// Time since the SYN-ACK after which nothing is compared, us.
    pub end_us: u64,
}

/// Something that the peer or the application does.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Event {
    /// Time since the SYN-ACK, us.
    pub at_us: u64,
    /// The action of the event.
    pub action: Action,
}

/// Action of an event.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// The application writes so many bytes.
    Write(u32),
    /// The application closes its side.
    Close,
    /// An ACK arrives.
    Ack(Ack),
}

/// An ACK of the peer.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Ack {
    /// Next byte expected.
    pub ack: u64,
    /// SACK blocks, first and past the last byte; a D-SACK comes first. At most three.
    #[serde(default)]
    pub sacks: Vec<(u64, u64)>,
    /// Advertised window, bytes; a multiple of [`WINDOW_UNIT`].
    pub window: u32,
    /// ECN echo.
    #[serde(default)]
    pub ece: bool,
    /// The transmission whose timestamp is echoed.
    pub echo: Echo,
}

/// Names a transmission: the `nth` (from 0) of the segment that covers byte `seq`. Where the sender
/// has not made so many, its last one is meant; where it has made none, its latest of anything.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Echo {
    /// A byte of the segment.
    pub seq: u64,
    /// Number of the transmission.
    pub nth: u32,
}

/// Shift of the peer's windows.
pub const WINDOW_SHIFT: u8 = 7;
/// Unit of windows, bytes.
pub const WINDOW_UNIT: u32 = 1 << WINDOW_SHIFT;

impl Script {
    /// Number of bytes that the application writes in the whole script.
    #[must_use]
    pub fn written(&self) -> u64 {
        let writes = self.events.iter().map(|event| match event.action {
            Action::Write(bytes) => u64::from(bytes),
            Action::Close | Action::Ack(_) => 0,
        });
        writes.sum()
    }
}

/// All transmissions, each with its bytes and its timestamp, to which [`Echo`] refers.
#[derive(Clone, Debug, Default)]
pub struct Transmissions(Vec<(u64, u64, u32)>);

impl Transmissions {
    /// Notes a transmission of bytes `start` to `end` with this timestamp.
    pub fn note(&mut self, start: u64, end: u64, timestamp: u32) {
        self.0.push((start, end, timestamp));
    }

    /// Number of transmissions of byte `seq`.
    #[must_use]
    pub fn count(&self, seq: u64) -> u32 {
        u32::try_from(self.0.iter().filter(|sent| (sent.0..sent.1).contains(&seq)).count())
            .unwrap_or(u32::MAX)
    }

    /// The timestamp that the echo means; `None` before anything was sent.
    #[must_use]
    pub fn timestamp(&self, echo: Echo) -> Option<u32> {
        let nth = usize::try_from(echo.nth).unwrap_or(usize::MAX);
        let mut of_seq = self.0.iter().filter(|sent| (sent.0..sent.1).contains(&echo.seq));
        let wanted = of_seq.clone().nth(nth).or_else(|| of_seq.next_back());
        wanted.or(self.0.last()).map(|sent| sent.2)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_echo_names_a_transmission_or_the_next_best() {
        let mut sent = Transmissions::default();
        assert_eq!(sent.timestamp(Echo::default()), None);
        for (start, end, timestamp) in [(0, 1000, 5), (1000, 2000, 6), (0, 1000, 9)] {
            sent.note(start, end, timestamp);
        }
        let stamp = |seq, nth| sent.timestamp(Echo { seq, nth });
        assert_eq!(
            [stamp(0, 0), stamp(999, 1), stamp(0, 7), stamp(1000, 0)],
            [Some(5), Some(9), Some(9), Some(6)]
        );
        assert_eq!(stamp(5000, 0), Some(9), "never sent: the latest of anything");
        assert_eq!((sent.count(500), sent.count(1500), sent.count(2000)), (2, 1, 0));
    }
}
