//! Sets of bytes as disjoint, sorted ranges: the data that has arrived above the cumulative ACK.

/// Disjoint half-open ranges in ascending order.
#[derive(Clone, Debug, Default)]
pub struct RangeSet {
    ranges: Vec<(u64, u64)>,
    bytes: u64,
}

impl RangeSet {
    /// Whether the set is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The ranges in ascending order.
    #[must_use]
    pub fn as_slice(&self) -> &[(u64, u64)] {
        &self.ranges
    }

    /// Number of bytes in the set.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Index of the first range that ends beyond `byte`. Most sets are asked for one of their last
    /// two ranges, because data arrives at the end.
    #[inline]
    fn first_beyond(&self, byte: u64) -> usize {
        let mut at = self.ranges.len();
        for _ in 0..2 {
            match self.ranges[..at].last() {
                Some(range) if range.1 > byte => at -= 1,
                _ => return at,
            }
        }
        self.ranges[..at].partition_point(|range| range.1 <= byte)
    }

    /// The range that contains `byte`.
    #[must_use]
    #[inline]
    pub fn containing(&self, byte: u64) -> Option<(u64, u64)> {
        let at = self.first_beyond(byte);
        self.ranges.get(at).copied().filter(|r| r.0 <= byte)
    }

    /// Whether all of `[start, end)` is there.
    #[must_use]
    #[inline]
    pub fn covers(&self, start: u64, end: u64) -> bool {
        self.containing(start).is_some_and(|range| end <= range.1)
    }

    /// The first part of `[start, end)` that is there.
    #[must_use]
    pub fn first_overlap(&self, start: u64, end: u64) -> Option<(u64, u64)> {
        let at = self.first_beyond(start);
        let range = self.ranges.get(at).filter(|r| r.0 < end)?;
        Some((range.0.max(start), range.1.min(end)))
    }

    /// Adds `[start, end)` and passes each part that was missing to `new`, in ascending order.
    #[inline]
    pub fn insert(&mut self, start: u64, end: u64, mut new: impl FnMut(u64, u64)) {
        if start >= end {
            return;
        }
        // Mostly the last range grows, or another one begins behind it.
        let from = match self.ranges.last_mut() {
            Some(last) if start < last.0 => return self.insert_before_end(start, end, new),
            Some(last) if end <= last.1 => return,
            Some(last) if start <= last.1 => core::mem::replace(&mut last.1, end),
            _ => {
                self.ranges.push((start, end));
                start
            }
        };
        self.bytes += end - from;
        new(from, end);
    }

    /// [`RangeSet::insert`] of a range that begins before the last one.
    fn insert_before_end(&mut self, start: u64, end: u64, mut new: impl FnMut(u64, u64)) {
        // Ranges from `first` to `last` touch or overlap the new one and become one.
        let first = self.ranges.partition_point(|r| r.1 < start);
        let mut last = first;
        let mut from = start;
        while let Some(&(s, e)) = self.ranges.get(last) {
            if s > end {
                break;
            }
            if from < s {
                self.bytes += s - from;
                new(from, s);
            }
            from = from.max(e);
            last += 1;
        }
        if from < end {
            self.bytes += end - from;
            new(from, end);
        }
        if first == last {
            self.ranges.insert(first, (start, end));
            return;
        }
        let merged = (self.ranges[first].0.min(start), self.ranges[last - 1].1.max(end));
        self.ranges[first] = merged;
        if last > first + 1 {
            self.ranges.drain(first + 1..last);
        }
    }

    /// Forgets `[start, end)`. Returns the number of bytes that were there.
    pub fn remove(&mut self, start: u64, end: u64) -> u64 {
        let first = self.ranges.partition_point(|range| range.1 <= start);
        let last = first + self.ranges[first..].partition_point(|range| range.0 < end);
        if start >= end || first == last {
            return 0;
        }
        let (from, to) = (self.ranges[first].0, self.ranges[last - 1].1);
        let there: u64 = self.ranges[first..last]
            .iter()
            .map(|range| range.1.min(end) - range.0.max(start))
            .sum();
        let left = [(from, start), (end, to)].into_iter().filter(|range| range.0 < range.1);
        self.ranges.splice(first..last, left);
        self.bytes -= there;
        there
    }

    /// Forgets everything below `to`.
    #[inline]
    pub fn remove_below(&mut self, to: u64) {
        if self.ranges.first().is_some_and(|first| first.0 < to) {
            self.remove_some_below(to);
        }
    }

    fn remove_some_below(&mut self, to: u64) {
        let whole = self.ranges.partition_point(|r| r.1 <= to);
        for (start, end) in self.ranges.drain(..whole) {
            self.bytes -= end - start;
        }
        if let Some(first) = self.ranges.first_mut()
            && first.0 < to
        {
            self.bytes -= to - first.0;
            first.0 = to;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// Against a bitmap: membership, and each byte shown as new exactly when it was.
        #[test]
        fn agrees_with_a_bitmap(
            steps in proptest::collection::vec((0usize..200, 1usize..40, any::<bool>()), 1..60)
        ) {
            let mut set = RangeSet::default();
            let mut map = [false; 300];
            for (start, length, cut) in steps {
                let end = start + length;
                if cut && start < 40 {
                    set.remove_below(start as u64);
                    map[..start].fill(false);
                } else if cut && start < 100 {
                    let there = map[start..end].iter().filter(|byte| **byte).count() as u64;
                    prop_assert_eq!(set.remove(start as u64, end as u64), there);
                    map[start..end].fill(false);
                } else {
                    let first = (start..end).find(|byte| map[*byte]);
                    let overlap = first.map(|first| {
                        let missing = (first..end).find(|byte| !map[*byte]);
                        (first as u64, missing.unwrap_or(end) as u64)
                    });
                    prop_assert_eq!(set.first_overlap(start as u64, end as u64), overlap);
                    let mut shown = Vec::new();
                    set.insert(start as u64, end as u64, |s, e| shown.extend(s..e));
                    let fresh = (start..end).filter(|byte| !map[*byte]).map(|byte| byte as u64);
                    prop_assert_eq!(shown, fresh.collect::<Vec<_>>());
                    map[start..end].fill(true);
                }
                for (byte, present) in map.iter().enumerate() {
                    prop_assert_eq!(set.containing(byte as u64).is_some(), *present);
                }
                prop_assert_eq!(set.bytes(), map.iter().filter(|b| **b).count() as u64);
                prop_assert!(set.as_slice().windows(2).all(|w| w[0].1 < w[1].0));
            }
        }
    }
}
