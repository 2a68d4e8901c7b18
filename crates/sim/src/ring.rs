//! A queue in a ring whose length is a power of two, so that an index costs a mask. `VecDeque`
//! compares and subtracts instead, and moves an entry twice when it takes it in; each packet would
//! pay for that at each link (docs/performance.md).

use core::ops::Index;

/// A queue of `Copy` entries.
#[derive(Clone, Debug, Default)]
pub struct Ring<T> {
    /// Slots of the ring; their number is zero or a power of two.
    slots: Vec<T>,
    /// Number of the first entry; its slot is that number modulo the length of the ring.
    head: u32,
    len: u32,
}

const LEAST: usize = 4;

impl<T: Copy + Default> Ring<T> {
    /// Number of entries.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len as usize
    }

    /// Whether there is no entry.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first entry.
    #[inline]
    #[must_use]
    pub fn front(&self) -> Option<&T> {
        (self.len > 0).then(|| &self.slots[self.place(0)])
    }

    /// Appends an entry.
    #[inline]
    pub fn push_back(&mut self, entry: T) {
        *self.grow_back() = entry;
    }

    /// Appends an entry and returns it for the caller to write: it has old content.
    #[inline]
    pub fn grow_back(&mut self) -> &mut T {
        if self.len() == self.slots.len() {
            self.grow();
        }
        let place = self.place(self.len());
        self.len += 1;
        &mut self.slots[place]
    }

    /// Removes the first entry, if there is one.
    #[inline]
    pub fn drop_front(&mut self) {
        if self.len > 0 {
            self.head = self.head.wrapping_add(1);
            self.len -= 1;
        }
    }

    /// Inserts an entry at index `at`, before the entries from there on.
    pub fn insert(&mut self, at: usize, entry: T) {
        self.push_back(entry);
        for moved in (at + 1..self.len()).rev() {
            let (to, from) = (self.place(moved), self.place(moved - 1));
            self.slots[to] = self.slots[from];
        }
        let place = self.place(at);
        self.slots[place] = entry;
    }

    /// All entries, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len()).map(|at| &self.slots[self.place(at)])
    }

    /// Index of the first entry for which `holds` is false. Entries must be partitioned by it.
    pub fn partition_point(&self, holds: impl Fn(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low + (high - low) / 2;
            if holds(&self[middle]) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    #[inline]
    fn place(&self, at: usize) -> usize {
        (self.head as usize).wrapping_add(at) & self.slots.len().wrapping_sub(1)
    }

    #[cold]
    fn grow(&mut self) {
        let length = (2 * self.len()).max(LEAST);
        let mut slots = Vec::with_capacity(length);
        slots.extend(self.iter().copied());
        slots.resize(length, T::default());
        self.slots = slots;
        self.head = 0;
    }
}

impl<T: Copy + Default> Index<usize> for Ring<T> {
    type Output = T;

    #[inline]
    fn index(&self, at: usize) -> &T {
        &self.slots[self.place(at)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::VecDeque;

    proptest! {
        /// Does the same as the standard library's queue.
        #[test]
        fn does_what_a_deque_does(
            steps in proptest::collection::vec((0u8..4, any::<u16>()), 1..300),
        ) {
            let (mut ring, mut model) = (Ring::default(), VecDeque::new());
            for (what, value) in steps {
                match what {
                    0 => { ring.drop_front(); model.pop_front(); }
                    1 => {
                        let at = usize::from(value) % (model.len() + 1);
                        ring.insert(at, value);
                        model.insert(at, value);
                    }
                    _ => { ring.push_back(value); model.push_back(value); }
                }
                prop_assert_eq!(ring.len(), model.len());
                prop_assert_eq!(ring.front(), model.front());
                prop_assert!(ring.iter().eq(model.iter()));
            }
            model.make_contiguous().sort_unstable();
            let mut sorted = Ring::default();
            for value in &model {
                sorted.push_back(*value);
            }
            let below = |value: &u16| *value < 30_000;
            prop_assert_eq!(sorted.partition_point(below), model.partition_point(below));
        }
    }
}
