//! Packets on their way into a link.

use super::bucket::Sorter;
use super::thin::{Extra, Thin};
use crate::event::{Moment, Step};
use crate::packet::Packet;

/// Number of entries from which on an edge drops those that have been taken.
const LEAST_COMPACTED: usize = 4096;

/// Packets on their way into a link, from one other link or from a set of hosts.
#[derive(Default)]
pub struct Edge {
    /// The packets, each followed by its [`Extra`] if it has one.
    slots: Vec<Thin>,
    order: Vec<Entry>,
    /// Entries of `order` that have been taken.
    taken: usize,
    /// Entries of `order` that are sorted.
    sorted: usize,
}

/// A packet's place in the order of entry.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Entry {
    moment: Moment,
    /// Index of its slot.
    at: u32,
    /// Number within the moment.
    number: u32,
}

/// Memory for sorting the packets of edges.
#[derive(Default)]
pub struct EdgeSorter(Sorter<Entry>);

impl Edge {
    /// Adds a packet that enters the link at this step. [`Edge::seal`] must follow the last one.
    #[expect(clippy::inline_always, reason = "once per packet, whose fields are known")]
    #[inline(always)]
    pub fn push(&mut self, step: Step, packet: &Packet) {
        let thin = Thin::of(packet);
        self.push_thin(step, thin);
        if thin.has_extra() {
            self.slots.push(Extra::of(packet).stored());
        }
    }

    /// Adds a packet whose [`Extra`], if it has one, follows by [`Edge::push_extra`].
    #[expect(clippy::cast_possible_truncation, reason = "a run has fewer packets at once")]
    #[inline]
    pub fn push_thin(&mut self, step: Step, thin: Thin) {
        let at = self.slots.len() as u32;
        self.order.push(Entry { moment: step.moment, at, number: step.number });
        self.slots.push(thin);
    }

    /// Adds the [`Extra`] of the latest packet.
    pub fn push_extra(&mut self, extra: &Extra) {
        self.slots.push(extra.stored());
    }

    /// Puts the packets since the last call in order. They follow those before, unless a host had
    /// a shorter turn than others.
    pub fn seal(&mut self, sorter: &mut EdgeSorter) {
        let last = self.order[self.taken..self.sorted].last();
        if last.is_some_and(|last| self.order[self.sorted..].iter().any(|entry| entry < last)) {
            self.sorted = self.taken;
        }
        sorter.0.sort(&mut self.order[self.sorted..], |entry| entry.moment.time);
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
        self.order.get(self.taken).map(|entry| entry.moment)
    }

    /// Takes the first packet out.
    #[inline]
    pub fn take(&mut self) -> Option<(Step, Thin, Extra)> {
        let Entry { moment, at, number } = *self.order.get(self.taken)?;
        self.taken += 1;
        let thin = self.slots[at as usize];
        let extra = if thin.has_extra() {
            Extra::restored(&self.slots[at as usize + 1])
        } else {
            Extra::default()
        };
        Some((Step { moment, number }, thin, extra))
    }

    /// Gives the memory of packets that were taken out to those to come.
    pub fn recycle(&mut self) {
        if self.is_empty() {
            self.slots.clear();
            self.order.clear();
            (self.taken, self.sorted) = (0, 0);
        } else if self.taken > LEAST_COMPACTED && self.taken > self.len() {
            self.order.drain(..self.taken);
            self.sorted = self.sorted.saturating_sub(self.taken);
            self.taken = 0;
            let slots = std::mem::take(&mut self.slots);
            for entry in &mut self.order {
                let at = entry.at as usize;
                entry.at = u32::try_from(self.slots.len()).unwrap_or(u32::MAX);
                self.slots.push(slots[at]);
                if slots[at].has_extra() {
                    self.slots.push(slots[at + 1]);
                }
            }
        }
    }
}
