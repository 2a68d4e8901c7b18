//! Packets between links and hosts in a run by rounds.
//!
//! A link or host is done with a stretch of time before others have begun it. Packets that it has
//! sent wait here, in the order in which the event loop would hand them over.

use ackclock_units::Time;

use crate::event::{Moment, Source, Step};
use crate::packet::Packet;
use crate::ring::Ring;

/// Number of entries from which on an edge drops those that have been taken.
const LEAST_COMPACTED: usize = 4096;

/// Packets on their way into a link, from one other link or from a set of hosts.
#[derive(Default)]
pub struct Edge {
    packets: Vec<Packet>,
    /// Order of entry: the moment, the index in `packets`, and the number within the moment.
    order: Vec<(Moment, u32, u32)>,
    /// Entries of `order` that have been taken.
    taken: usize,
    /// Entries of `order` that are sorted.
    sorted: usize,
}

impl Edge {
    /// Adds a packet that enters the link at this step. [`Edge::seal`] must follow the last one.
    #[expect(clippy::cast_possible_truncation, reason = "a run has fewer packets at once")]
    #[inline]
    pub fn push(&mut self, step: Step, packet: &Packet) {
        self.order.push((step.moment, self.packets.len() as u32, step.number));
        self.packets.push(*packet);
    }

    /// Puts the packets since the last call in order. All of them follow those before.
    pub fn seal(&mut self) {
        let fresh = &mut self.order[self.sorted..];
        if !fresh.is_sorted() {
            fresh.sort_unstable();
        }
        self.sorted = self.order.len();
    }

    /// Number of packets that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.order.len() - self.taken
    }

    /// Whether no packet waits.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The moment at which the first packet enters.
    #[must_use]
    #[inline]
    pub fn front(&self) -> Option<Moment> {
        self.order.get(self.taken).map(|entry| entry.0)
    }

    /// Takes the first packet out.
    #[inline]
    pub fn take(&mut self) -> Option<(Step, Packet)> {
        let (moment, at, number) = *self.order.get(self.taken)?;
        self.taken += 1;
        Some((Step { moment, number }, self.packets[at as usize]))
    }

    /// Gives the memory of packets that were taken out to those to come.
    pub fn recycle(&mut self) {
        if self.is_empty() {
            self.packets.clear();
            self.order.clear();
            (self.taken, self.sorted) = (0, 0);
        } else if self.taken > LEAST_COMPACTED && self.taken > self.len() {
            self.order.drain(..self.taken);
            let packets = &self.packets;
            let kept = self.order.iter().map(|(_, at, _)| packets[*at as usize]).collect();
            self.packets = kept;
            for (at, entry) in (0..).zip(&mut self.order) {
                entry.1 = at;
            }
            self.sorted -= self.taken;
            self.taken = 0;
        }
    }
}

/// A packet that reaches a host.
#[derive(Clone, Copy, Default)]
pub struct Incoming {
    /// Time of arrival.
    pub time: Time,
    /// Number among the packets of its last link, times 256. Packets that wait at the host until
    /// one before them has arrived have its number, and one more each.
    pub number: u64,
    /// The packet.
    pub packet: Packet,
}

/// Packets on their way from the last link to one host, in order of arrival.
#[derive(Default)]
pub struct Inbox {
    packets: Ring<Incoming>,
}

impl Inbox {
    /// Adds a packet that left its last link after all others of this flow. It overtakes none of
    /// them. Returns when it arrives, with its number.
    #[inline]
    pub fn push(&mut self, mut incoming: Incoming) -> (Time, u64) {
        if let Some(last) = self.packets.back().filter(|last| last.time > incoming.time) {
            let is_last = last.number % 256 == 255;
            (incoming.time, incoming.number) = (last.time, last.number + u64::from(!is_last));
        }
        self.packets.push_back(incoming);
        (incoming.time, incoming.number)
    }

    /// The first packet.
    #[must_use]
    #[inline]
    pub fn front(&self) -> Option<&Incoming> {
        self.packets.front()
    }

    /// Takes the first packet out.
    #[inline]
    pub fn drop_front(&mut self) {
        self.packets.drop_front();
    }

    /// All packets, in order of arrival.
    pub fn iter(&self) -> impl Iterator<Item = &Incoming> {
        self.packets.iter()
    }

    /// Number of packets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packets.len()
    }

    /// Whether there is no packet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packets.is_empty()
    }
}

/// Whose packets an edge carries.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Feeder {
    /// Those of a link.
    Link(Source),
    /// Those of the hosts behind a link.
    Hosts(Source),
    /// Those of the hosts that act together.
    Party,
    /// Those of the UDP streams.
    Streams,
}

/// An edge into a link.
#[derive(Clone, Copy, Debug)]
pub struct Fed {
    /// Index of the edge.
    pub edge: u32,
    /// Whose packets it carries.
    pub by: Feeder,
}

/// All packets between links and hosts.
#[derive(Default)]
pub struct Transit {
    /// The edges. Empty in a run by events.
    pub edges: Vec<Edge>,
    /// By position in the network's hops: the edge over which a packet enters that hop.
    pub edge_of_hop: Vec<u32>,
    /// By flow and stream: what reaches the receiver.
    pub data: Vec<Inbox>,
    /// By flow: what reaches the sender.
    pub acks: Vec<Inbox>,
    /// By link: packets that have been sent over it, modulo 2^32.
    pub numbers: Vec<u32>,
    /// By link: those of them that have reached the far end.
    pub left: Vec<u32>,
}
