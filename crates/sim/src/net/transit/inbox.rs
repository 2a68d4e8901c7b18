//! Packets on their way from the last link to one host.

use ackclock_units::Time;

use crate::packet::{Extra, Thin};

/// Slots taken from which on an inbox that never empties gives their memory back.
const LEAST_COMPACTED: usize = 8;

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
        u64::from(self.thin.flow) << 8 | u64::from(self.thin.hop())
    }
}

/// Packets on their way from the last link to one host, in order of arrival.
#[derive(Default)]
pub struct Inbox {
    slots: Vec<Slot>,
    /// Slots that have been taken.
    taken: usize,
}

impl Inbox {
    /// Adds a packet that left its last link after all others of this flow. It overtakes none of
    /// them. `number`: among the packets of that link, times 256. Packets that wait at the host
    /// until one before them has arrived have its number, and one more each. Returns when the
    /// packet arrives, with its number.
    #[expect(clippy::cast_possible_truncation, reason = "the parts of a number")]
    #[inline]
    pub fn push(
        &mut self,
        time: Time,
        number: u64,
        thin: Thin,
        extra: impl FnOnce() -> Extra,
    ) -> (Time, u64) {
        let (mut time, mut number) = (time, number);
        if let Some(last) = self.slots.last().filter(|last| last.time > time) {
            (time, number) = (last.time, last.number());
            number += u64::from(number % 256 < 255);
        }
        if thin.has_extra() {
            self.slots.push(Slot { time: Time::MAX, thin: extra().stored() });
        }
        let mut slot = Slot { time, thin };
        slot.thin.flow = (number >> 8) as u32;
        slot.thin.set_hop(number as u8);
        self.slots.push(slot);
        (time, number)
    }

    /// When the first packet arrives, with its number.
    #[must_use]
    #[inline]
    pub fn front(&self) -> Option<(Time, u64)> {
        let mut first = self.slots.get(self.taken)?;
        if first.time == Time::MAX {
            first = self.slots.get(self.taken + 1)?;
        }
        Some((first.time, first.number()))
    }

    /// Whether nothing arrives at `time` or before.
    #[must_use]
    #[inline]
    pub fn is_quiet_until(&self, time: Time) -> bool {
        self.front().is_none_or(|(first, _)| first > time)
    }

    /// Takes the first packet out.
    #[inline]
    pub fn take(&mut self, flow: u32) -> Option<(Thin, Option<Extra>)> {
        let mut first = self.slots.get(self.taken)?;
        let mut extra = None;
        if first.time == Time::MAX {
            extra = Some(Extra::restored(&first.thin));
            self.taken += 1;
            first = self.slots.get(self.taken)?;
        }
        self.taken += 1;
        let mut thin = first.thin;
        thin.flow = flow;
        Some((thin, extra))
    }

    /// Gives the memory of packets that were taken out to those to come.
    #[inline]
    pub fn recycle(&mut self) {
        if self.taken == self.slots.len() {
            self.slots.clear();
            self.taken = 0;
        } else if self.taken > LEAST_COMPACTED && self.taken > self.slots.len() / 2 {
            self.slots.drain(..self.taken);
            self.taken = 0;
        }
    }

    /// Arrivals of all packets, with their numbers.
    pub fn arrivals(&self) -> impl Iterator<Item = (Time, u64)> {
        let packets = self.slots[self.taken..].iter().filter(|slot| slot.time < Time::MAX);
        packets.map(|slot| (slot.time, slot.number()))
    }
}
