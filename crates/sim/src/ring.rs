//! A queue in a ring whose length is a power of two, so that a place is a mask away. `VecDeque` compares and subtracts instead, and moves what it
//! takes in twice, which each packet would pay at each link (docs/performance.md).

use core::ops::Index;

/// A queue of what is `Copy`.
#[derive(Clone, Debug, Default)]
pub struct Ring<T> {
    /// Empty, or as long as a power of two.
    slots: Vec<T>,
    /// Number of the first entry; its place is that modulo the ring's length.
    head: usize,
    len: usize,
}

const LEAST: usize = 16;

impl<T: Copy + Default> Ring<T> {
    /// How many there are.
    #[inline]
    #[must_use]
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    #[inline]
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The first.
    #[inline]
    #[must_use]
    pub fn front(&self) -> Option<&T> {
        (self.len > 0).then(|| &self.slots[self.place(0)])
    }

    /// One more at the end.
    #[inline]
    pub fn push_back(&mut self, entry: T) {
        *self.grow_back() = entry;
    }

    /// One more at the end, to be written: something old is in it.
    #[inline]
    pub fn grow_back(&mut self) -> &mut T {
        if self.len == self.slots.len() {
            self.grow();
        }
        let place = self.place(self.len);
        self.len += 1;
        &mut self.slots[place]
    }

    /// The first goes, if there is one.
    #[inline]
    pub fn drop_front(&mut self) {
        if self.len > 0 {
            self.head = self.head.wrapping_add(1);
            self.len -= 1;
        }
    }

    /// One more in the `at`th place, before those from there on.
    pub fn insert(&mut self, at: usize, entry: T) {
        self.push_back(entry);
        for moved in (at + 1..self.len).rev() {
            let (to, from) = (self.place(moved), self.place(moved - 1));
            self.slots[to] = self.slots[from];
        }
        let place = self.place(at);
        self.slots[place] = entry;
    }

    /// All of them, the first one first.
    pub fn iter(&self) -> impl Iterator<Item = &T> {
        (0..self.len).map(|at| &self.slots[self.place(at)])
    }

    /// How many of the first ones `holds` of, if it holds of none after one of which it does not.
    pub fn partition_point(&self, holds: impl Fn(&T) -> bool) -> usize {
        let (mut low, mut high) = (0, self.len);
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
        self.head.wrapping_add(at) & self.slots.len().wrapping_sub(1)
    }

    #[cold]
    fn grow(&mut self) {
        let length = (2 * self.len).max(LEAST);
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
        /// Against the standard library's queue.
        #[test]
        fn does_what_a_deque_does(steps in proptest::collection::vec((0u8..4, any::<u16>()), 1..300)) {
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
            prop_assert_eq!(sorted.partition_point(|value| *value < 30_000), model.partition_point(|value| *value < 30_000));
        }
    }
}
