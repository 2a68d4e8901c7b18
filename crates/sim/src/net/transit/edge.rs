//! Packets on their way into a link.

use super::bucket::Sorter;
use crate::event::{Moment, Step};
use crate::packet::{Extra, Packet, Thin};

/// Number of entries from which on an edge drops those that have been taken.
const LEAST_COMPACTED: usize = 4096;

/// Packets on their way into a link, from one other link or from a set of hosts.
#[derive(Default)]
pub struct Edge {
    packets: Vec<Entry>,
    /// The parts that few packets have.
    extras: Vec<Extra>,
    /// Entries that have been taken.
    taken: usize,
    /// Entries that are sorted.
    sorted: usize,
}

/// A packet, in the order of entry.
#[derive(Clone, Copy)]
pub struct Entry {
    /// When the packet enters the link.
    pub moment: Moment,
    /// Number within the moment.
    pub number: u32,
    /// Index of the packet's [`Extra`], if it has one.
    extra: u32,
    /// The packet.
    pub thin: Thin,
}

impl Entry {
    /// The step at which the packet enters the link.
    #[must_use]
    #[inline]
    pub fn step(&self) -> Step {
        Step { moment: self.moment, number: self.number }
    }
}

/// The first packets of an edge, in order.
pub struct Due<'a> {
    entries: std::slice::Iter<'a, Entry>,
    extras: &'a [Extra],
}

impl Due<'_> {
    /// Number of packets.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there is no packet.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The [`Extra`] of a packet.
    #[must_use]
    #[inline]
    pub fn extra(&self, entry: &Entry) -> Extra {
        if entry.thin.has_extra() { self.extras[entry.extra as usize] } else { Extra::default() }
    }
}

impl<'a> Iterator for Due<'a> {
    type Item = &'a Entry;

    #[inline]
    fn next(&mut self) -> Option<&'a Entry> {
        self.entries.next()
    }
}

/// Memory for sorting the packets of edges.
#[derive(Default)]
pub struct EdgeSorter(Sorter);

impl Edge {
    /// Adds a packet that enters the link at this step. [`Edge::seal`] must follow the last one.
    #[expect(clippy::inline_always, reason = "once per packet, whose fields are known")]
    #[inline(always)]
    pub fn push(&mut self, step: Step, packet: &Packet) {
        let thin = Thin::of(packet);
        self.push_thin(step, thin);
        if thin.has_extra() {
            self.extras.push(Extra::of(packet));
        }
    }

    /// Adds a packet whose [`Extra`], if it has one, follows by [`Edge::push_extra`].
    #[expect(clippy::cast_possible_truncation, reason = "a run has fewer packets at once")]
    #[inline]
    pub fn push_thin(&mut self, step: Step, thin: Thin) {
        let extra = self.extras.len() as u32;
        self.packets.push(Entry { moment: step.moment, number: step.number, extra, thin });
    }

    /// Adds the [`Extra`] of the latest packet.
    pub fn push_extra(&mut self, extra: &Extra) {
        self.extras.push(*extra);
    }

    /// Puts the packets since the last call in order. They follow those before, unless a host had
    /// a shorter turn than others.
    pub fn seal(&mut self, sorter: &mut EdgeSorter) {
        let last = self.packets[self.taken..self.sorted].last().map(|last| last.moment);
        if last.is_some_and(|last| self.packets[self.sorted..].iter().any(|it| it.moment < last)) {
            self.sorted = self.taken;
        }
        // What one host sends in one moment stays in the order in which it was sent. Numbers do not
        // tell that order: they begin again if the host's timer fires twice at one time.
        sorter.0.sort(&mut self.packets, self.sorted, |it| it.moment.time, |it| it.moment);
        self.sorted = self.packets.len();
    }

    /// Number of packets that wait.
    #[must_use]
    pub fn len(&self) -> usize {
        self.packets.len() - self.taken
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
        self.packets.get(self.taken).map(|entry| entry.moment)
    }

    /// The packets that enter before `until`.
    #[must_use]
    pub fn due(&self, until: Moment) -> Due<'_> {
        let waiting = &self.packets[self.taken..];
        let due = waiting.partition_point(|entry| entry.moment < until);
        Due { entries: waiting[..due].iter(), extras: &self.extras }
    }

    /// Drops the first packets.
    pub fn drop_first(&mut self, packets: usize) {
        self.taken += packets;
    }

    /// Takes the first packet out, if it enters before `until`.
    #[inline]
    pub fn take_before(&mut self, until: Moment) -> Option<(Step, Thin)> {
        let entry = self.packets.get(self.taken).filter(|entry| entry.moment < until)?;
        self.taken += 1;
        Some((entry.step(), entry.thin))
    }

    /// The [`Extra`] of the packet that was taken out last.
    #[must_use]
    #[inline]
    pub fn extra(&self) -> Extra {
        let last = &self.packets[self.taken - 1];
        if last.thin.has_extra() { self.extras[last.extra as usize] } else { Extra::default() }
    }

    /// Gives the memory of packets that were taken out to those to come.
    pub fn recycle(&mut self) {
        if self.is_empty() {
            self.packets.clear();
            self.extras.clear();
            (self.taken, self.sorted) = (0, 0);
        } else if self.taken > LEAST_COMPACTED && self.taken > self.len() {
            self.packets.drain(..self.taken);
            self.sorted = self.sorted.saturating_sub(self.taken);
            self.taken = 0;
            let extras = std::mem::take(&mut self.extras);
            for entry in self.packets.iter_mut().filter(|entry| entry.thin.has_extra()) {
                let at = entry.extra as usize;
                entry.extra = u32::try_from(self.extras.len()).unwrap_or(u32::MAX);
                self.extras.push(extras[at]);
            }
        }
    }
}
