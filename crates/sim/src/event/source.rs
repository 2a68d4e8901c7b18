//! The sources of events, and their order at one instant.

use super::Source;

/// The source of an event, with its index in the plan.
///
/// Events of one instant are handled in the order of these variants, and within a variant in the
/// order of the index.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum EventSource {
    /// A link: a packet reaches its far end, or the transmitter is free again.
    Link(u32),
    /// A timer of a flow's sender.
    Sender(u32),
    /// A timer of a flow's receiver.
    Receiver(u32),
    /// A UDP stream, which sends a datagram.
    Stream(u32),
    /// A session, which starts or has set a timer.
    Session(u32),
    /// The clock: the end of the warm-up, a sample, the end of the run.
    Clock,
}

/// The numbers of event sources in a schedule: the first number of each kind.
#[derive(Clone, Copy, Debug)]
pub struct Sources {
    sender: Source,
    receiver: Source,
    stream: Source,
    session: Source,
    clock: Source,
}

impl Sources {
    /// Numbers the sources of a run with so many links, flows, streams and sessions, and one clock.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "Plan::check bounds all of them")]
    pub const fn new(links: usize, flows: usize, streams: usize, sessions: usize) -> Self {
        let sender = links as Source;
        let receiver = sender + flows as Source;
        let stream = receiver + flows as Source;
        let session = stream + streams as Source;
        Self { sender, receiver, stream, session, clock: session + sessions as Source }
    }

    /// Number of all sources together.
    #[must_use]
    pub const fn count(&self) -> usize {
        self.clock as usize + 1
    }

    /// Returns the number of a source.
    #[must_use]
    #[expect(clippy::inline_always, reason = "once per ACK, mostly of a kind that is known")]
    #[inline(always)]
    pub const fn number(&self, source: EventSource) -> Source {
        match source {
            EventSource::Link(index) => index,
            EventSource::Sender(index) => self.sender + index,
            EventSource::Receiver(index) => self.receiver + index,
            EventSource::Stream(index) => self.stream + index,
            EventSource::Session(index) => self.session + index,
            EventSource::Clock => self.clock,
        }
    }

    /// Returns the source with this number.
    #[must_use]
    #[expect(clippy::inline_always, reason = "once per event")]
    #[inline(always)]
    pub const fn decode(&self, number: Source) -> EventSource {
        if number < self.sender {
            EventSource::Link(number)
        } else if number < self.receiver {
            EventSource::Sender(number - self.sender)
        } else if number < self.stream {
            EventSource::Receiver(number - self.receiver)
        } else if number < self.session {
            EventSource::Stream(number - self.stream)
        } else if number < self.clock {
            EventSource::Session(number - self.session)
        } else {
            EventSource::Clock
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_decode_in_the_order_of_the_kinds() {
        use EventSource::{Clock, Link, Receiver, Sender, Session, Stream};
        let sources = Sources::new(2, 1, 2, 1);
        let decoded: Vec<_> = (0..8).map(|number| sources.decode(number)).collect();
        let expected =
            [Link(0), Link(1), Sender(0), Receiver(0), Stream(0), Stream(1), Session(0), Clock];
        assert_eq!(decoded, expected);
        assert_eq!(sources.count(), decoded.len());
        assert!(decoded.is_sorted());
        for (number, source) in (0..).zip(decoded) {
            assert_eq!(sources.number(source), number);
        }
    }
}
