//! The segments in sequence order, and in the order of their last transmission.

use std::ops::Range;

use ackclock_units::Time;

use super::segment::{Links, NONE, Segment, flag};

/// Links keep this many low bits of a segment's number, so that none of them is [`NONE`].
const LOW: u32 = 0x7fff_ffff;

/// Segments by number. Those that RACK still expects are linked in transmission order. While that
/// is the order of their numbers, no link is kept.
#[derive(Clone, Debug, Default)]
pub(super) struct Ring {
    /// The length is a power of two. A segment's place is its number modulo the length.
    segments: Vec<Segment>,
    /// Number of the oldest segment.
    head: u64,
    count: u32,
    /// Links are kept until this many of the oldest segments have left; 0: none is kept.
    linked: u32,
    /// Oldest and newest transmission among linked segments.
    ends: Links,
}

impl Ring {
    pub fn count(&self) -> u64 {
        self.count.into()
    }

    /// Numbers of the segments.
    pub fn numbers(&self) -> Range<u64> {
        self.head..self.head + self.count()
    }

    pub fn get(&self, number: u64) -> &Segment {
        &self.segments[self.place(number)]
    }

    pub fn get_mut(&mut self, number: u64) -> &mut Segment {
        let place = self.place(number);
        &mut self.segments[place]
    }

    /// Number of the segment that contains `seq`, which is `una` at least. A guess is right if all
    /// segments from `una` on are full, of `mss` bytes.
    #[inline]
    pub fn find(&self, seq: u64, una: u64, mss: u64) -> u64 {
        let Range { start, end } = self.numbers();
        let guess = start + (seq - una) / mss;
        if guess < end {
            let segment = self.get(guess);
            if segment.seq <= seq && seq < segment.end() {
                return guess;
            }
        }
        self.search(seq)
    }

    fn search(&self, seq: u64) -> u64 {
        let Range { start: mut low, end: mut high } = self.numbers();
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle).end() <= seq {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Adds a segment that is sent now.
    #[inline]
    pub fn push(&mut self, segment: Segment) {
        self.make_room();
        let number = self.head + self.count();
        *self.get_mut(number) = segment;
        self.count += 1;
        if !self.is_in_order() {
            self.append(number);
        }
    }

    /// Whether all segments were sent once, in the order of their numbers, and none is `SACKed` or
    /// declared lost.
    #[inline]
    pub fn is_in_order(&self) -> bool {
        self.linked == 0
    }

    /// Removes the oldest segment.
    #[inline]
    pub fn pop(&mut self) {
        if self.is_in_order() {
            self.pop_in_order(1);
            return;
        }
        self.take_out(self.head);
        self.head += 1;
        self.count -= 1;
        self.linked -= 1;
    }

    /// Removes the `count` oldest segments of a ring whose segments are in order.
    #[inline]
    pub fn pop_in_order(&mut self, count: u32) {
        debug_assert!(self.is_in_order(), "links would remain");
        self.head += u64::from(count);
        self.count -= count;
    }

    /// Inserts a segment behind another one, in both orders. Later segments are renumbered.
    pub fn insert_behind(&mut self, number: u64, segment: Segment) {
        self.keep_links(number);
        self.linked += 1;
        let order: Vec<u64> =
            std::iter::successors(self.oldest(), |number| self.newer(*number)).collect();
        self.make_room();
        for moved in (number + 1..self.numbers().end).rev() {
            *self.get_mut(moved + 1) = *self.get(moved);
        }
        *self.get_mut(number + 1) = segment;
        self.get_mut(number + 1).put(flag::LINKED, false);
        self.count += 1;
        self.ends = Links::default();
        for linked in order {
            self.append(if linked > number { linked + 1 } else { linked });
            if linked == number {
                self.append(number + 1);
            }
        }
    }

    /// The linked segment transmitted longest ago.
    pub fn oldest(&self) -> Option<u64> {
        if self.is_in_order() {
            return (self.count > 0).then_some(self.head);
        }
        (self.ends.older != NONE).then(|| self.widen(self.ends.older))
    }

    /// The linked segment transmitted next after another one.
    pub fn newer(&self, number: u64) -> Option<u64> {
        if self.is_in_order() {
            return Some(number + 1).filter(|next| self.numbers().contains(next));
        }
        let newer = self.get(number).links.newer;
        (newer != NONE).then(|| self.widen(newer))
    }

    /// Keeps links until the segment has left.
    #[inline]
    fn keep_links(&mut self, number: u64) {
        if self.is_in_order() {
            self.link_all();
        }
        let linked = u32::try_from(number + 1 - self.head).unwrap_or(u32::MAX);
        self.linked = self.linked.max(linked);
    }

    #[cold]
    fn link_all(&mut self) {
        self.ends = Links::default();
        for number in self.numbers() {
            self.append(number);
        }
    }

    /// Links a segment as the newest transmission.
    pub fn link(&mut self, number: u64) {
        self.keep_links(number);
        self.append(number);
    }

    /// Links a segment behind all others.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "links keep the low 32 bits; Self::widen restores the rest"
    )]
    fn append(&mut self, number: u64) {
        let low = number as u32 & LOW;
        let older = self.ends.newer;
        if older == NONE {
            self.ends.older = low;
        } else {
            self.get_mut(self.widen(older)).links.newer = low;
        }
        let segment = self.get_mut(number);
        segment.links = Links { older, newer: NONE };
        segment.put(flag::LINKED, true);
        self.ends.newer = low;
    }

    /// Takes a segment out of the transmission order, if it is linked.
    pub fn unlink(&mut self, number: u64) {
        self.keep_links(number);
        self.take_out(number);
    }

    fn take_out(&mut self, number: u64) {
        let segment = self.get_mut(number);
        if !segment.has(flag::LINKED) {
            return;
        }
        segment.put(flag::LINKED, false);
        let Links { older, newer } = segment.links;
        if older == NONE {
            self.ends.older = newer;
        } else {
            self.get_mut(self.widen(older)).links.newer = newer;
        }
        if newer == NONE {
            self.ends.newer = older;
        } else {
            self.get_mut(self.widen(newer)).links.older = older;
        }
    }

    /// Links all segments that are not delivered, and that RACK has not judged, in the order of
    /// their last transmission.
    pub fn relink(&mut self) {
        if self.is_in_order() {
            return;
        }
        let mut order: Vec<(Time, u64)> = Vec::new();
        for number in self.numbers() {
            let segment = self.get_mut(number);
            segment.put(flag::LINKED, false);
            if !segment.has(flag::SACKED | flag::JUDGED) {
                order.push((segment.sent_at, number));
            }
        }
        order.sort_unstable();
        self.ends = Links::default();
        for (_, number) in order {
            self.append(number);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "masked to the ring's length")]
    fn place(&self, number: u64) -> usize {
        number as usize & (self.segments.len() - 1)
    }

    /// The number whose low 32 bits are `low`, among those in the ring.
    #[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
    fn widen(&self, low: u32) -> u64 {
        self.head + u64::from(low.wrapping_sub(self.head as u32) & LOW)
    }

    #[inline]
    fn make_room(&mut self) {
        if self.count as usize == self.segments.len() {
            self.grow();
        }
    }

    #[cold]
    fn grow(&mut self) {
        let length = (self.segments.len() * 2).max(16);
        let mut segments = vec![Segment::default(); length];
        for number in self.numbers() {
            let at = usize::try_from(number % length as u64).unwrap_or_default();
            segments[at] = *self.get(number);
        }
        self.segments = segments;
    }
}
