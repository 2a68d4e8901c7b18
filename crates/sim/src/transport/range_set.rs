//! Which bytes above the cumulative ACK have arrived: disjoint, sorted ranges.

/// Disjoint half-open ranges in ascending order.
#[derive(Clone, Debug, Default)]
pub struct RangeSet {
    ranges: Vec<(u64, u64)>,
    bytes: u64,
}

impl RangeSet {
    /// Whether nothing is in it.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ranges.is_empty()
    }

    /// The ranges.
    #[must_use]
    pub fn as_slice(&self) -> &[(u64, u64)] {
        &self.ranges
    }

    /// Bytes in it.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// The range that contains `byte`.
    #[must_use]
    pub fn containing(&self, byte: u64) -> Option<(u64, u64)> {
        let at = self.ranges.partition_point(|r| r.1 <= byte);
        self.ranges.get(at).copied().filter(|r| r.0 <= byte)
    }

    /// The first part of `[start, end)` that is there.
    #[must_use]
    pub fn first_overlap(&self, start: u64, end: u64) -> Option<(u64, u64)> {
        let at = self.ranges.partition_point(|r| r.1 <= start);
        let range = self.ranges.get(at).filter(|r| r.0 < end)?;
        Some((range.0.max(start), range.1.min(end)))
    }

    /// Adds `[start, end)` and shows each part of it that was not there, in ascending order.
    pub fn insert(&mut self, start: u64, end: u64, mut new: impl FnMut(u64, u64)) {
        if start >= end {
            return;
        }
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

    /// Forgets everything below `to`.
    pub fn remove_below(&mut self, to: u64) {
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
        fn agrees_with_a_bitmap(steps in proptest::collection::vec((0u64..200, 1u64..40, any::<bool>()), 1..60)) {
            let mut set = RangeSet::default();
            let mut map = [false; 300];
            for (start, length, cut) in steps {
                if cut && start < 40 {
                    set.remove_below(start);
                    map[..usize::try_from(start).unwrap()].fill(false);
                } else {
                    let present = |byte: &u64| map[usize::try_from(*byte).unwrap()];
                    let first = (start..start + length).find(present);
                    let overlap = first.map(|f| (f, (f..start + length).find(|b| !present(b)).unwrap_or(start + length)));
                    prop_assert_eq!(set.first_overlap(start, start + length), overlap);
                    let mut shown = Vec::new();
                    set.insert(start, start + length, |s, e| shown.extend(s..e));
                    let fresh: Vec<u64> = (start..start + length).filter(|b| !map[usize::try_from(*b).unwrap()]).collect();
                    prop_assert_eq!(shown, fresh);
                    map[usize::try_from(start).unwrap()..usize::try_from(start + length).unwrap()].fill(true);
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
