//! A set of bytes, as ranges that neither meet nor overlap.

use std::collections::BTreeMap;

/// A set of bytes. Each change costs a look-up and the ranges that it ends.
#[derive(Clone, Debug, Default)]
pub struct Ranges {
    /// End of each range, by its first byte.
    ends: BTreeMap<i64, i64>,
    bytes: i64,
    /// Ranges that were looked at.
    steps: u64,
}

impl Ranges {
    /// Number of bytes.
    pub fn bytes(&self) -> i64 {
        self.bytes
    }

    /// Ranges that were looked at so far.
    pub fn steps(&self) -> u64 {
        self.steps
    }

    /// First byte from `at` on that is missing.
    pub fn end_of(&self, at: i64) -> i64 {
        self.around(at).map_or(at, |(_, end)| end)
    }

    /// The range that holds this byte.
    fn around(&self, at: i64) -> Option<(i64, i64)> {
        let (&start, &end) = self.ends.range(..=at).next_back()?;
        (end > at).then_some((start, end))
    }

    /// The first range from this byte on, without what lies below the byte.
    pub fn at_or_after(&self, at: i64) -> Option<(i64, i64)> {
        match self.around(at) {
            Some((_, end)) => Some((at, end)),
            None => self.ends.range(at..).next().map(|(&start, &end)| (start, end)),
        }
    }

    /// Whether all bytes from `start` to `end` are there.
    pub fn has_all(&self, start: i64, end: i64) -> bool {
        self.end_of(start) >= end
    }

    /// Whether any byte from `start` to `end` is there.
    pub fn has_any(&self, start: i64, end: i64) -> bool {
        self.at_or_after(start).is_some_and(|(first, _)| first < end)
    }

    /// Parts from `start` to `end` that are missing, in order.
    pub fn missing(&mut self, start: i64, end: i64) -> Vec<(i64, i64)> {
        let mut missing = Vec::new();
        let mut from = start;
        while from < end {
            self.steps += 1;
            let (first, last) = self.at_or_after(from).unwrap_or((end, end));
            if first > from {
                missing.push((from, first.min(end)));
            }
            from = last;
        }
        missing
    }

    /// Adds the bytes from `start` to `end`; returns the parts that were missing.
    pub fn add(&mut self, start: i64, end: i64) -> Vec<(i64, i64)> {
        let missing = self.missing(start, end);
        if missing.is_empty() {
            return missing;
        }
        let (mut first, mut last) = (start, end);
        // Ranges that begin in it or at its end, and one that ends in it or at its beginning.
        if let Some((&before, &upto)) = self.ends.range(..start).next_back()
            && upto >= start
        {
            first = before;
            last = last.max(upto);
        }
        while let Some((&inner, &upto)) = self.ends.range(start..=end).next() {
            self.steps += 1;
            self.ends.remove(&inner);
            last = last.max(upto);
        }
        self.ends.insert(first, last);
        self.bytes += missing.iter().map(|(from, to)| to - from).sum::<i64>();
        missing
    }

    /// Removes the bytes from `start` to `end`; returns how many were there.
    pub fn remove(&mut self, start: i64, end: i64) -> i64 {
        let before = self.bytes;
        while start < end
            && let Some((first, last)) = self.at_or_after(start)
            && first < end
        {
            self.steps += 1;
            match self.around(first) {
                // It began below: that part stays.
                Some((below, _)) if below < first => self.ends.insert(below, first),
                _ => self.ends.remove(&first),
            };
            if last > end {
                self.ends.insert(end, last);
            }
            self.bytes -= last.min(end) - first;
        }
        before - self.bytes
    }
}
