//! Packets on their way to a link's far end, in the order in which they arrive there.

use ackclock_units::Time;

use crate::packet::{Ecn, Packet};
use crate::ring::Ring;

/// A packet and the time at which it arrives.
#[derive(Clone, Copy, Default)]
pub struct OnWire {
    /// Time at which the packet reaches the far end and, on the last link of its route, the host's
    /// TCP.
    pub deliver_at: Time,
    /// The packet.
    pub packet: Packet,
}

/// Packets ordered by time of arrival, and at one time by the order of sending.
pub struct Flight {
    packets: Ring<OnWire>,
    /// Arrival of the first and of the last packet; [`Time::MAX`] and zero if there is none.
    first_at: Time,
    last_at: Time,
}

impl Default for Flight {
    fn default() -> Self {
        Self { packets: Ring::default(), first_at: Time::MAX, last_at: Time::ZERO }
    }
}

impl Flight {
    /// Appends a packet that left the link after all others, with this ECN field. It overtakes
    /// packets whose host takes longer, but none of its own flow.
    #[expect(
        clippy::inline_always,
        reason = "once per packet and link, whose fields it shares with the caller"
    )]
    #[inline(always)]
    pub fn append(&mut self, deliver_at: Time, packet: &Packet, ecn: Ecn) {
        if deliver_at < self.last_at {
            self.overtake(deliver_at, packet, ecn);
            return;
        }
        let slot = self.packets.grow_back();
        slot.deliver_at = deliver_at;
        slot.packet = *packet;
        slot.packet.ecn = ecn;
        self.last_at = deliver_at;
        self.first_at = self.first_at.min(deliver_at);
    }

    #[cold]
    fn overtake(&mut self, deliver_at: Time, packet: &Packet, ecn: Ecn) {
        let packet = Packet { ecn, ..*packet };
        self.insert(OnWire { deliver_at, packet }, |_| false);
    }

    /// Inserts a packet that may overtake others. It overtakes a packet of its own flow only if
    /// `yields` is true for that packet's index. Returns the number of packets overtaken.
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
        self.last_at = self.last_at.max(entry.deliver_at);
        self.first_at = self.first_at.min(entry.deliver_at);
        self.packets.insert(at, entry);
        self.packets.len() - 1 - at
    }

    /// Arrival of the first packet; [`Time::MAX`]: there is none.
    #[must_use]
    #[inline]
    pub fn next(&self) -> Time {
        self.first_at
    }

    /// Takes the first packet out into `packet`. False: there is none.
    #[inline]
    pub fn take(&mut self, packet: &mut Packet) -> bool {
        let Some(head) = self.packets.front() else { return false };
        *packet = head.packet;
        self.packets.drop_front();
        if let Some(next) = self.packets.front() {
            self.first_at = next.deliver_at;
        } else {
            (self.first_at, self.last_at) = (Time::MAX, Time::ZERO);
        }
        true
    }

    /// Indices of the packets that arrive after `time`.
    #[must_use]
    pub fn later_than(&self, time: Time) -> core::ops::Range<usize> {
        self.packets.partition_point(|entry| entry.deliver_at <= time)..self.packets.len()
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

    /// All packets, in order of arrival.
    pub fn packets(&self) -> impl Iterator<Item = &Packet> {
        self.packets.iter().map(|entry| &entry.packet)
    }
}
