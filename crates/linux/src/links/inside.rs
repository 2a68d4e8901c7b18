//! The packets inside the network, followed from place to place.
//!
//! A packet is known by its flow, its direction and the identification of its IP header. The queue
//! of a link keeps the packets of one flow in order, by any discipline; so a packet was dropped
//! there if a later one of its flow has left. A packet that is there when the network has drained
//! was dropped, too.

use std::collections::VecDeque;

use ackclock_sim::packet::Packet;
use ackclock_units::Time;

/// A packet at a link.
#[derive(Clone, Copy, Debug)]
pub struct Inside {
    /// Identification of its IP header.
    pub id: u16,
    /// The packet as it entered the network; `hop` counts the links that it has passed.
    pub packet: Packet,
    /// Time at which it came to the link, or left the link's queue.
    pub since: Time,
}

/// Packets of one flow and direction in one place, in the order in which they came.
#[derive(Clone, Debug, Default)]
pub struct Line {
    packets: VecDeque<Inside>,
}

impl Line {
    /// Adds a packet.
    pub fn push(&mut self, packet: Inside) {
        self.packets.push_back(packet);
    }

    /// Takes the packet of this identification out, and shows those before it, which are lost if
    /// the place keeps the order.
    pub fn take(
        &mut self,
        id: u16,
        keeps_order: bool,
        mut lost: impl FnMut(Inside),
    ) -> Option<Inside> {
        let at = self.packets.iter().position(|inside| inside.id == id)?;
        if keeps_order {
            self.packets.drain(..at).for_each(&mut lost);
            return self.packets.pop_front();
        }
        self.packets.remove(at)
    }

    /// Takes all packets out.
    pub fn clear(&mut self) -> impl Iterator<Item = Inside> {
        self.packets.drain(..)
    }

    /// Whether there is no packet.
    pub fn is_empty(&self) -> bool {
        self.packets.is_empty()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn line() -> Line {
        let mut line = Line::default();
        for id in 1..=4 {
            line.push(Inside { id, packet: Packet::default(), since: Time::ZERO });
        }
        line
    }

    #[test]
    fn a_packet_that_was_overtaken_in_a_queue_is_lost() {
        let (mut line, mut lost) = (line(), Vec::new());
        let mut take = |id, keeps_order| {
            let taken = line.take(id, keeps_order, |inside| lost.push(inside.id));
            taken.map(|inside| inside.id)
        };
        assert_eq!((take(1, true), take(3, true), take(2, true)), (Some(1), Some(3), None));
        assert_eq!((take(9, true), take(4, true)), (None, Some(4)));
        assert_eq!(lost, [2]);
        assert!(line.is_empty());
    }

    #[test]
    fn on_a_wire_that_reorders_it_is_late() {
        let mut line = line();
        let mut take = |id| line.take(id, false, |_| panic!("nothing is lost")).is_some();
        assert_eq!([take(3), take(1), take(3)], [true, true, false]);
        assert_eq!(line.clear().map(|inside| inside.id).collect::<Vec<_>>(), [2, 4]);
    }
}
