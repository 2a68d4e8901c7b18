//! Rows of the record that wait until the run has come past them, in a run by rounds.

use std::collections::VecDeque;

use ackclock_units::Time;

use crate::event::{Moment, Step};
use crate::record::{LinkColumns, LinkSample, PacketColumns, PacketSeen};

/// Packets that will reach the far end of a link of which every change is recorded.
#[derive(Clone, Debug, Default)]
struct Ahead {
    packets: VecDeque<(Moment, u32)>,
    bytes: u64,
}

/// Rows that wait.
#[derive(Clone, Debug)]
pub struct Later {
    step: Step,
    packets: Vec<(Step, Time, PacketSeen)>,
    links: Vec<(Step, Time, LinkSample)>,
    /// By link; used for links whose every change is recorded.
    ahead: Vec<Ahead>,
}

impl Later {
    /// No rows.
    pub fn new(links: usize) -> Self {
        Self {
            step: Step::begins(Moment::before(Time::ZERO)),
            packets: Vec::new(),
            links: Vec::new(),
            ahead: vec![Ahead::default(); links],
        }
    }

    /// Everything from now on happens at this step.
    #[inline]
    pub fn at(&mut self, step: Step) {
        self.step = step;
    }

    pub fn packet(&mut self, now: Time, row: PacketSeen) {
        self.packets.push((self.step, now, row));
    }

    /// Adds a row of a link's series, with what has reached the link's far end by now.
    pub fn link(&mut self, at: Time, row: LinkSample) {
        let ahead = &mut self.ahead[row.link as usize];
        while let Some((then, bytes)) = ahead.packets.front()
            && *then <= self.step.moment
        {
            ahead.bytes += u64::from(*bytes);
            ahead.packets.pop_front();
        }
        self.links.push((self.step, at, LinkSample { delivered_bytes: ahead.bytes, ..row }));
    }

    /// A packet will reach the far end of a link.
    pub fn will_arrive(&mut self, link: u32, moment: Moment, bytes: u32) {
        let packets = &mut self.ahead[link as usize].packets;
        let later = packets.iter().rev().take_while(|(other, _)| *other > moment).count();
        packets.insert(packets.len() - later, (moment, bytes));
    }

    /// When the next packet reaches the far end of a link, of those that have no row yet.
    pub fn next_arrival(&self, link: u32) -> Option<Moment> {
        self.ahead[link as usize].packets.front().map(|(moment, _)| *moment)
    }

    /// Counts the next packet that reaches the far end of a link.
    pub fn count_arrival(&mut self, link: u32) {
        let ahead = &mut self.ahead[link as usize];
        if let Some((_, bytes)) = ahead.packets.pop_front() {
            ahead.bytes += u64::from(bytes);
        }
    }

    /// Begins the measured part of the run at the present moment.
    pub fn reset(&mut self) {
        for ahead in &mut self.ahead {
            ahead.packets.retain(|(then, _)| *then >= self.step.moment);
            ahead.bytes = 0;
        }
    }

    /// Writes the rows before `until`, in their order.
    pub fn flush(&mut self, until: Moment, packets: &mut PacketColumns, links: &mut LinkColumns) {
        for (_, now, row) in due(&mut self.packets, until, |row| row.0) {
            if packets.has_room(now) {
                packets.push(row);
            }
        }
        for (_, at, row) in due(&mut self.links, until, |row| row.0) {
            if links.has_room(at) {
                links.push(row);
            }
        }
    }
}

/// Takes out the entries before `until`, in their order. `step`: when an entry was made.
pub fn due<T>(
    entries: &mut Vec<T>,
    until: Moment,
    step: impl Fn(&T) -> Step,
) -> std::vec::Drain<'_, T> {
    // The sort is stable: entries of one step stay in the order in which they were made.
    entries.sort_by_key(&step);
    let count = entries.partition_point(|entry| step(entry).moment < until);
    entries.drain(..count)
}
