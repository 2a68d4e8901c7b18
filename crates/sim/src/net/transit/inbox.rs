//! Packets on their way from the last link to one host.

use ackclock_units::Time;

use super::thin::{Extra, Thin};
use crate::ring::Ring;

/// A place in an inbox: a packet, or, at [`Time::MAX`], the [`Extra`] of the packet behind.
#[derive(Clone, Copy, Default)]
struct Slot {
    time: Time,
    /// The packet. The inbox knows its flow: the number stands in place of the flow and the hop.
    thin: Thin,
}

impl Slot {
    #[inline]
    fn number(&self) -> u64 {
        u64::from(self.thin.flow) << 8 | u64::from(self.thin.hop)
    }
}

/// Packets on their way from the last link to one host, in order of arrival.
#[derive(Default)]
pub struct Inbox {
    slots: Ring<Slot>,
}

impl Inbox {
    /// Adds a packet that left its last link after all others of this flow. It overtakes none of
    /// them. `number`: among the packets of that link, times 256. Packets that wait at the host
    /// until one before them has arrived have its number, and one more each. Returns when the
    /// packet arrives, with its number.
    #[expect(clippy::cast_possible_truncation, reason = "the parts of a number")]
    #[inline]
    pub fn push(&mut self, time: Time, number: u64, thin: Thin, extra: &Extra) -> (Time, u64) {
        let (mut time, mut number) = (time, number);
        if let Some(last) = self.slots.back().filter(|last| last.time > time) {
            (time, number) = (last.time, last.number());
            number += u64::from(number % 256 < 255);
        }
        if thin.has_extra() {
            self.slots.push_back(Slot { time: Time::MAX, thin: extra.stored() });
        }
        let mut slot = Slot { time, thin };
        (slot.thin.flow, slot.thin.hop) = ((number >> 8) as u32, number as u8);
        self.slots.push_back(slot);
        (time, number)
    }

    /// When the first packet arrives, with its number.
    #[must_use]
    #[inline]
    pub fn front(&self) -> Option<(Time, u64)> {
        let mut first = self.slots.front()?;
        if first.time == Time::MAX {
            first = &self.slots[1];
        }
        Some((first.time, first.number()))
    }

    /// Takes the first packet out.
    #[inline]
    pub fn take(&mut self, flow: u32) -> Option<(Thin, Extra)> {
        let mut first = *self.slots.front()?;
        self.slots.drop_front();
        let mut extra = Extra::default();
        if first.time == Time::MAX {
            extra = Extra::restored(&first.thin);
            first = *self.slots.front()?;
            self.slots.drop_front();
        }
        first.thin.flow = flow;
        Some((first.thin, extra))
    }

    /// Arrivals of all packets, with their numbers.
    pub fn arrivals(&self) -> impl Iterator<Item = (Time, u64)> {
        let packets = self.slots.iter().filter(|slot| slot.time < Time::MAX);
        packets.map(|slot| (slot.time, slot.number()))
    }
}
