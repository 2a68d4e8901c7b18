//! Packets on their way to a link's far end, in the order in which they arrive there.

use ackclock_units::Time;

use crate::packet::Packet;
use crate::ring::Ring;

/// A packet and when it arrives.
#[derive(Clone, Copy, Default)]
pub struct OnWire {
    /// When it reaches the far end and, at the end of its way, the host's TCP.
    pub deliver_at: Time,
    /// The packet.
    pub packet: Packet,
}

/// A queue by time of arrival; of those that arrive at once the first sent is first.
#[derive(Default)]
pub struct Flight {
    packets: Ring<OnWire>,
}

impl Flight {
    /// One that left the link after all others: it overtakes those whose host takes longer, none of its own flow.
    #[inline]
    pub fn append(&mut self, entry: OnWire) {
        if self.packets.back().is_none_or(|last| last.deliver_at <= entry.deliver_at) {
            self.packets.push_back(entry);
        } else {
            self.insert(entry, |_| false);
        }
    }

    /// One that may overtake others, of its own flow those of whose place `yields` says so; how many it did.
    pub fn insert(&mut self, mut entry: OnWire, yields: impl Fn(usize) -> bool) -> usize {
        let mut at = self.packets.len();
        while let Some(before) = at.checked_sub(1).map(|before| &self.packets[before])
            && before.deliver_at > entry.deliver_at
        {
            if before.packet.is_of_same_flow(&entry.packet) && !yields(at - 1) {
                entry.deliver_at = before.deliver_at;
                break;
            }
            at -= 1;
        }
        self.packets.insert(at, entry);
        self.packets.len() - 1 - at
    }

    /// When the first arrives.
    #[must_use]
    #[inline]
    pub fn next(&self) -> Option<Time> {
        self.packets.front().map(|head| head.deliver_at)
    }

    /// Makes `packet` the first, which leaves; false: there is none.
    #[inline]
    pub fn take(&mut self, packet: &mut Packet) -> bool {
        let Some(head) = self.packets.front() else { return false };
        *packet = head.packet;
        self.packets.drop_front();
        true
    }

    /// Places, from 0, of those that arrive after `time`.
    #[must_use]
    pub fn later_than(&self, time: Time) -> core::ops::Range<usize> {
        self.packets.partition_point(|entry| entry.deliver_at <= time)..self.packets.len()
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
