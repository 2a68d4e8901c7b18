//! Reassembly: data in order, and data above holes.

use crate::transport::range_set::RangeSet;

/// Sequence number that stands for none. An `Option` would double the size, for many receivers.
pub(super) const NO_BYTE: u64 = u64::MAX;

/// Data that has arrived.
pub(super) struct Reassembly {
    /// `RCV.NXT`, the FIN counted.
    next: u64,
    /// End of the data; [`NO_BYTE`] until the FIN is seen.
    fin_at: u64,
    out_of_order: RangeSet,
}

impl Reassembly {
    /// Reassembly before the first byte.
    pub fn new() -> Self {
        Self { next: 0, fin_at: NO_BYTE, out_of_order: RangeSet::default() }
    }

    /// `RCV.NXT`, the FIN counted.
    #[inline]
    pub fn next(&self) -> u64 {
        self.next
    }

    /// End of the data and of the FIN; [`NO_BYTE`] until the FIN is seen.
    pub fn end(&self) -> u64 {
        self.fin_at.saturating_add(1)
    }

    /// Payload in order, bytes.
    #[inline]
    pub fn delivered(&self) -> u64 {
        self.next.min(self.fin_at)
    }

    /// Whether everything has arrived, the FIN included.
    #[inline]
    pub fn is_closed(&self) -> bool {
        self.next > self.fin_at
    }

    /// Whether a hole waits to be filled.
    #[inline]
    pub fn has_hole(&self) -> bool {
        !self.out_of_order.is_empty()
    }

    /// Whether all that was sent has arrived, as far as the receiver knows, and no end is seen.
    #[inline]
    pub fn is_plain(&self) -> bool {
        self.out_of_order.is_empty() && self.fin_at == NO_BYTE
    }

    /// Bytes held above a hole.
    #[inline]
    pub fn held(&self) -> u64 {
        self.out_of_order.bytes()
    }

    /// End of the data held above a hole; `RCV.NXT` if there is none.
    pub fn held_to(&self) -> u64 {
        self.out_of_order.as_slice().last().map_or(self.next, |range| range.1)
    }

    /// The first block above a hole.
    pub fn first_block(&self) -> Option<(u64, u64)> {
        self.out_of_order.as_slice().first().copied()
    }

    /// The block above a hole that has `byte`.
    pub fn block(&self, byte: u64) -> Option<(u64, u64)> {
        self.out_of_order.containing(byte)
    }

    /// The first part of `[start, end)` that had arrived before. `end` is above `RCV.NXT`.
    pub fn repeated(&self, start: u64, end: u64) -> Option<(u64, u64)> {
        if start < self.next {
            Some((start, self.next))
        } else {
            self.out_of_order.first_overlap(start, end)
        }
    }

    /// The data ends at `end`.
    pub fn finish(&mut self, end: u64) {
        self.fin_at = end;
    }

    /// Takes in `bytes` in order while nothing is missing.
    #[inline]
    pub fn push(&mut self, bytes: u64) {
        self.next += bytes;
    }

    /// Takes in everything up to `end`, which is above `RCV.NXT`, and the blocks that join it.
    pub fn fill(&mut self, end: u64) {
        self.next = end;
        if self.has_hole() {
            if let Some((_, filled)) = self.out_of_order.containing(end) {
                self.next = filled;
            }
            self.out_of_order.remove_below(self.next);
        }
    }

    /// Takes in a block above a hole.
    pub fn hold(&mut self, start: u64, end: u64) {
        self.out_of_order.insert(start, end, |_, _| ());
    }

    /// Gives up what is missing below `next`.
    pub fn skip_to(&mut self, next: u64) {
        self.next = next;
    }
}
