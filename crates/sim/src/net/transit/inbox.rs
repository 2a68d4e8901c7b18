//! Packets on their way from the last link to one host.

use ackclock_units::Time;

use super::thin::{Extra, Thin};
use crate::ring::Ring;

/// A place in an inbox: a packet, or the [`Extra`] of the packet before.
#[derive(Clone, Copy, Default)]
struct Slot {
    time: Time,
    /// The packet. The inbox knows its flow: the number stands in place of the flow and the hop.
    thin: Thin,
}

/// Packets on their way from the last link to one host, in order of arrival.
#[derive(Default)]
pub struct Inbox {
    slots: Ring<Slot>,
    last_number: u64,
}

impl Inbox {
    /// Adds a packet that left its last link after all others of this flow. It overtakes none of
    /// them. `number`: among the packets of that link, times 256. Packets that wait at the host
    /// until one before them has arrived have its number, and one more each. Returns when the
    /// packet arrives, with its number.
    #[expect(clippy::cast_possible_truncation, reason = "the parts of a number")]
    #[inline]
    pub fn push(&mut self, time: Time, number: u64, thin: Thin) -> (Time, u64) {
        let (mut time, mut number) = (time, number);
        if let Some(last) = self.slots.back().filter(|last| last.time > time) {
            time = last.time;
            number = self.last_number + u64::from(self.last_number % 256 < 255);
        }
        self.last_number = number;
        let mut slot = Slot { time, thin };
        (slot.thin.flow, slot.thin.hop) = ((number >> 8) as u32, number as u8);
        self.slots.push_back(slot);
        (time, number)
    }

    /// Adds the [`Extra`] of the latest packet.
    #[cold]
    pub fn push_extra(&mut self, extra: &Extra) {
        if let Some(time) = self.slots.back().map(|last| last.time) {
            self.slots.push_back(Slot { time, thin: extra.stored() });
        }
    }

    /// When the first packet arrives, with its number.
    #[must_use]
    #[inline]
    pub fn front(&self) -> Option<(Time, u64)> {
        self.slots.front().map(|slot| (slot.time, number(&slot.thin)))
    }

    /// Takes the first packet out.
    #[inline]
    pub fn take(&mut self, flow: u32) -> Option<(Thin, Extra)> {
        let mut thin = self.slots.front()?.thin;
        thin.flow = flow;
        self.slots.drop_front();
        if !thin.has_extra() {
            return Some((thin, Extra::default()));
        }
        let extra = Extra::restored(&self.slots.front()?.thin);
        self.slots.drop_front();
        Some((thin, extra))
    }

    /// Arrivals of all packets, with their numbers.
    pub fn arrivals(&self) -> impl Iterator<Item = (Time, u64)> {
        let mut is_extra = false;
        self.slots.iter().filter_map(move |slot| {
            let is_packet = !std::mem::replace(&mut is_extra, false);
            is_extra = is_packet && slot.thin.has_extra();
            is_packet.then(|| (slot.time, number(&slot.thin)))
        })
    }
}

#[inline]
fn number(thin: &Thin) -> u64 {
    u64::from(thin.flow) << 8 | u64::from(thin.hop)
}
