//! Packets on their way to a link's far end, in the order in which they arrive there.

use std::collections::VecDeque;

use ackclock_units::Time;

use crate::packet::Packet;

/// A packet and when it arrives.
pub struct OnWire {
    /// When it reaches the far end.
    pub deliver_at: Time,
    /// The packet.
    pub packet: Packet,
}

/// A queue by time of arrival; of those that arrive at once the first sent is first.
#[derive(Default)]
pub struct Flight {
    packets: VecDeque<OnWire>,
}

impl Flight {
    /// One that nobody before it is later than.
    #[inline]
    pub fn append(&mut self, entry: OnWire) {
        debug_assert!(
            self.packets.back().is_none_or(|last| last.deliver_at <= entry.deliver_at),
            "overtakes"
        );
        self.packets.push_back(entry);
    }

    /// One that may overtake; how many it did.
    pub fn insert(&mut self, entry: OnWire) -> usize {
        let at = self.packets.partition_point(|other| other.deliver_at <= entry.deliver_at);
        self.packets.insert(at, entry);
        self.packets.len() - 1 - at
    }

    /// When the first arrives.
    #[must_use]
    #[inline]
    pub fn next(&self) -> Option<Time> {
        self.packets.front().map(|head| head.deliver_at)
    }

    /// The first.
    #[inline]
    pub fn take(&mut self) -> Option<Packet> {
        self.packets.pop_front().map(|head| head.packet)
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packets.len()
    }

    /// Whether there is none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.packets.is_empty()
    }

    /// All of them, the next to arrive first.
    pub fn packets(&self) -> impl Iterator<Item = &Packet> {
        self.packets.iter().map(|entry| &entry.packet)
    }
}
