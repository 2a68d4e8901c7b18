//! Sorting by time: keys go to buckets of equal lengths of time, of which each has about half a
//! key, and then past their neighbours. A few keys need no buckets.

use ackclock_units::Time;

/// Entries up to which keys go past their neighbours without buckets.
const FEW: usize = 32;
/// Bits of a key that hold an entry's index.
const INDEX_BITS: u32 = 24;

/// Memory for sorting, kept from one use to the next.
#[derive(Default)]
pub struct Sorter {
    counts: Vec<u32>,
    /// By entry: time since the first one, and index.
    keys: Vec<u64>,
    sorted_keys: Vec<u64>,
}

impl Sorter {
    /// Sorts the entries from index `from` on by `key`. Its order must begin with `time`. Entries
    /// with equal keys stay in their order.
    pub fn sort<T: Copy, K: Ord>(
        &mut self,
        entries: &mut [T],
        from: usize,
        time: impl Fn(&T) -> Time,
        key: impl Fn(&T) -> K,
    ) {
        let unsorted = &mut entries[from..];
        if unsorted.is_sorted_by_key(&key) {
            return;
        }
        let (mut first, mut last) = (Time::MAX, Time::ZERO);
        for entry in &*unsorted {
            first = first.min(time(entry));
            last = last.max(time(entry));
        }
        let span = last.since(first).as_ps();
        let has_keys = span < 1 << (u64::BITS - INDEX_BITS) && unsorted.len() < 1 << INDEX_BITS;
        if !has_keys {
            unsorted.sort_by_key(key);
            return;
        }
        self.keys.clear();
        self.keys.extend(
            (0..)
                .zip(&*unsorted)
                .map(|(at, entry)| time(entry).since(first).as_ps() << INDEX_BITS | at),
        );
        if unsorted.len() > FEW {
            self.sort_keys(span);
        } else {
            self.sorted_keys.clone_from(&self.keys);
            settle(&mut self.sorted_keys, |a, b| a > b);
        }
        let is_same = |pair: &[u64]| pair[0] >> INDEX_BITS == pair[1] >> INDEX_BITS;
        let has_same = self.sorted_keys.windows(2).any(is_same);
        self.arrange(unsorted);
        // Entries of equal times stand in their old order so far.
        if has_same {
            settle(unsorted, |a, b| time(a) == time(b) && key(a) > key(b));
        }
    }

    /// Moves the entries to the order of the sorted keys, in place: a second copy of all entries
    /// would take most of the memory of a run with many packets.
    fn arrange<T: Copy>(&mut self, entries: &mut [T]) {
        const INDEX: u64 = (1 << INDEX_BITS) - 1;
        let index = |key: u64| usize::try_from(key & INDEX).unwrap_or_default();
        for first in 0..entries.len() {
            let mut from = index(self.sorted_keys[first]);
            if from == first {
                continue;
            }
            let (moved, mut to) = (entries[first], first);
            while from != first {
                entries[to] = entries[from];
                self.sorted_keys[to] = to as u64;
                to = from;
                from = index(self.sorted_keys[to]);
            }
            entries[to] = moved;
            self.sorted_keys[to] = to as u64;
        }
    }

    /// Sorts the keys, which are of times up to `span`.
    #[expect(clippy::cast_possible_truncation, reason = "a bucket's number is small")]
    fn sort_keys(&mut self, span: u64) {
        let most = 2 * self.keys.len() as u64;
        let shift = (span / most + 1).next_power_of_two().trailing_zeros() + INDEX_BITS;
        let bucket = |key: u64| (key >> shift) as usize;
        let buckets = bucket(span << INDEX_BITS) + 1;
        self.counts.clear();
        self.counts.resize(buckets + 1, 0);
        for key in &self.keys {
            self.counts[bucket(*key) + 1] += 1;
        }
        let mut sum = 0;
        for count in &mut self.counts {
            sum += *count;
            *count = sum;
        }
        self.sorted_keys.resize(self.keys.len(), 0);
        for key in &self.keys {
            let place = &mut self.counts[bucket(*key)];
            self.sorted_keys[*place as usize] = *key;
            *place += 1;
        }
        settle(&mut self.sorted_keys, |a, b| a > b);
    }
}

/// Moves each entry past its neighbours that come after it.
#[inline]
fn settle<T: Copy>(entries: &mut [T], comes_after: impl Fn(&T, &T) -> bool) {
    for at in 1..entries.len() {
        let entry = entries[at];
        let mut to = at;
        while to > 0 && comes_after(&entries[to - 1], &entry) {
            entries[to] = entries[to - 1];
            to -= 1;
        }
        if to < at {
            entries[to] = entry;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn buckets_sort_as_comparing_does(
            // A few times, so that many entries have equal keys, or many.
            entries in prop_oneof![Just(30_u64), Just(1_000_000)].prop_flat_map(|most| {
                proptest::collection::vec((0..most, 0..3_u32), 0..300)
            }),
            scale in 0..44_u32,
            from in 0..3_usize,
        ) {
            let mut entries: Vec<_> = (0..)
                .zip(entries)
                .map(|(index, (at, n))| (Time::from_ps(at << scale), n, index))
                .collect();
            let from = from.min(entries.len());
            let mut expected = entries.clone();
            // With the index, so that equal keys stay in their order.
            expected[from..].sort_unstable();
            Sorter::default().sort(&mut entries, from, |it| it.0, |it| (it.0, it.1));
            prop_assert_eq!(entries, expected);
        }
    }
}
