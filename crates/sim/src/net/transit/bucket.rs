//! Sorting by time: entries go to buckets of equal lengths of time, of which each has about half an
//! entry, and then past their neighbours.

use ackclock_units::Time;

/// Entries up to which comparing is faster than buckets.
const FEW: usize = 32;

/// Memory for sorting, kept from one use to the next.
pub struct Sorter<T> {
    counts: Vec<u32>,
    sorted: Vec<T>,
}

impl<T> Default for Sorter<T> {
    fn default() -> Self {
        Self { counts: Vec::new(), sorted: Vec::new() }
    }
}

impl<T: Copy> Sorter<T> {
    /// Sorts entries by keys, of which no two are equal. The order must begin with `time`.
    #[expect(clippy::cast_possible_truncation, reason = "a bucket's number is small")]
    pub fn sort<K: Ord>(
        &mut self,
        entries: &mut [T],
        time: impl Fn(&T) -> Time,
        key: impl Fn(&T) -> K,
    ) {
        if entries.is_sorted_by_key(&key) {
            return;
        }
        if entries.len() <= FEW {
            entries.sort_unstable_by_key(key);
            return;
        }
        let (mut first, mut last) = (Time::MAX, Time::ZERO);
        for entry in &*entries {
            first = first.min(time(entry));
            last = last.max(time(entry));
        }
        let span = last.since(first).as_ps();
        let most = 2 * entries.len() as u64;
        let shift = (span / most + 1).next_power_of_two().trailing_zeros();
        let bucket = |entry: &T| (time(entry).since(first).as_ps() >> shift) as usize;
        let buckets = (span >> shift) as usize + 1;
        self.counts.clear();
        self.counts.resize(buckets + 1, 0);
        for entry in &*entries {
            self.counts[bucket(entry) + 1] += 1;
        }
        for at in 1..=buckets {
            self.counts[at] += self.counts[at - 1];
        }
        self.sorted.clear();
        self.sorted.extend_from_slice(entries);
        for entry in &self.sorted {
            let place = &mut self.counts[bucket(entry)];
            entries[*place as usize] = *entry;
            *place += 1;
        }
        for at in 1..entries.len() {
            let entry = entries[at];
            let mut to = at;
            while to > 0 && key(&entries[to - 1]) > key(&entry) {
                entries[to] = entries[to - 1];
                to -= 1;
            }
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
            entries in proptest::collection::vec((0..1_000_000_u64, 0..3_u32), 0..300),
            scale in 0..40_u32,
        ) {
            let mut entries: Vec<_> =
                entries.into_iter().map(|(at, n)| (Time::from_ps(at << scale), n)).collect();
            let mut expected = entries.clone();
            expected.sort_unstable();
            Sorter::default().sort(&mut entries, |entry| entry.0, |entry| *entry);
            prop_assert_eq!(entries, expected);
        }
    }
}
