//! Parts of a link's waiting packets that a [`Held`] does not have.

use crate::packet::Packet;
use crate::qdisc::Held;

/// Packets of which a [`Held`] does not tell all.
#[derive(Default)]
pub struct Rests {
    packets: Vec<Packet>,
    /// Places in `packets` that are free.
    free: Vec<u32>,
}

impl Rests {
    /// Keeps a packet. Returns its place, from 1.
    #[expect(clippy::cast_possible_truncation, reason = "a link has fewer packets at once")]
    pub fn keep(&mut self, packet: &Packet) -> u32 {
        if let Some(place) = self.free.pop() {
            self.packets[place as usize - 1] = *packet;
            return place;
        }
        self.packets.push(*packet);
        self.packets.len() as u32
    }

    /// The packet that waits.
    #[must_use]
    #[inline]
    pub fn packet(&self, held: &Held) -> Packet {
        if held.rest == 0 {
            return held.packet();
        }
        Packet { ecn: held.packet.ecn(), ..self.packets[held.rest as usize - 1] }
    }

    /// The packet, which waits no longer. Its place is free for others.
    #[inline]
    pub fn give_back(&mut self, held: &Held) -> Packet {
        let packet = self.packet(held);
        if held.rest > 0 {
            self.free.push(held.rest);
        }
        packet
    }
}
