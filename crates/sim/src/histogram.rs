//! A histogram of durations: percentiles of round-trip times and queueing delays without keeping
//! them.

use core::ops::Range;

use ackclock_units::Duration;
use serde::{Deserialize, Serialize};

/// Buckets per octave, as a power of two.
const SUB_BITS: u32 = 7;
const PER_OCTAVE: usize = 1 << SUB_BITS;

/// Counts durations in buckets of a relative width below 1/128, 128 per octave, so that the middle
/// of a bucket is within 0.4 % of everything in it and a quantile within 0.8 % of the exact one.
/// Count, mean, minimum and maximum are exact.
///
/// Recording is integer arithmetic in constant time, and allocates only when a value falls outside
/// the octaves seen so far. Only that span is stored, 512 bytes per octave. The
/// `hdrhistogram` crate reserves its whole range at once: some 50 kB for microseconds to minutes at
/// this precision, a gigabyte for 20,000 flows. A few octaves around each flow's RTT are enough.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct DurationHistogram {
    count: u64,
    sum_ps: u128,
    /// Of none: the largest.
    min_ps: u64,
    max_ps: u64,
    /// Kept apart from the buckets: a queue is often empty, and octave zero would stretch the span
    /// from picoseconds upwards.
    zeros: u64,
    /// Whole octaves; the first bucket is number `first`.
    counts: Vec<u32>,
    first: usize,
    /// The bucket of the latest value, which has a place, and values in it that are not in `counts`
    /// yet. RTTs come in runs, and `counts` is far from all else that a flow reads.
    run_bucket: usize,
    run: u32,
}

impl Default for DurationHistogram {
    fn default() -> Self {
        Self::new()
    }
}

impl DurationHistogram {
    /// An empty one, which owns no memory.
    #[must_use]
    pub const fn new() -> Self {
        Self {
            count: 0,
            sum_ps: 0,
            min_ps: u64::MAX,
            max_ps: 0,
            zeros: 0,
            counts: Vec::new(),
            first: 0,
            run_bucket: usize::MAX,
            run: 0,
        }
    }

    /// Adds one duration.
    pub fn record(&mut self, duration: Duration) {
        let ps = duration.as_ps();
        self.min_ps = self.min_ps.min(ps);
        self.max_ps = self.max_ps.max(ps);
        self.count += 1;
        self.sum_ps += u128::from(ps);
        if ps == 0 {
            self.zeros += 1;
            return;
        }
        let bucket = bucket_of(ps);
        if bucket == self.run_bucket {
            self.run = self.run.saturating_add(1);
        } else {
            self.begin_run(bucket);
        }
    }

    fn begin_run(&mut self, bucket: usize) {
        self.end_run();
        if bucket.wrapping_sub(self.first) >= self.counts.len() {
            self.cover(bucket);
        }
        (self.run_bucket, self.run) = (bucket, 1);
    }

    /// Moves the run to `counts`.
    fn end_run(&mut self) {
        if let Some(count) = self.counts.get_mut(self.run_bucket.wrapping_sub(self.first)) {
            *count = count.saturating_add(self.run);
        }
        (self.run_bucket, self.run) = (usize::MAX, 0);
    }

    /// Number of values in the bucket with this index.
    fn count_at(&self, index: usize) -> u32 {
        let run = if self.first + index == self.run_bucket { self.run } else { 0 };
        self.counts[index].saturating_add(run)
    }

    /// Adds all that another has recorded.
    pub fn add(&mut self, other: &Self) {
        if other.count == 0 {
            return;
        }
        self.min_ps = self.min_ps.min(other.min_ps);
        self.max_ps = self.max_ps.max(other.max_ps);
        self.count += other.count;
        self.sum_ps += other.sum_ps;
        self.zeros += other.zeros;
        if other.counts.is_empty() {
            return;
        }
        self.end_run();
        self.cover(other.first);
        self.cover(other.first + other.counts.len() - 1);
        let counts = &mut self.counts[other.first - self.first..];
        for (index, count) in counts.iter_mut().enumerate().take(other.counts.len()) {
            *count = count.saturating_add(other.count_at(index));
        }
    }

    /// Adds a duration of zero.
    #[inline]
    pub fn record_zero(&mut self) {
        self.min_ps = 0;
        self.count += 1;
        self.zeros += 1;
    }

    /// Forgets everything recorded, but keeps the memory.
    pub fn clear(&mut self) {
        let (mut counts, first) = (core::mem::take(&mut self.counts), self.first);
        counts.fill(0);
        *self = Self { counts, first, ..Self::new() };
    }

    /// Number of durations recorded.
    #[must_use]
    pub const fn count(&self) -> u64 {
        self.count
    }

    /// The exact sum, ps.
    #[must_use]
    pub const fn sum_ps(&self) -> u128 {
        self.sum_ps
    }

    /// The exact mean, to the nearest picosecond.
    #[must_use]
    pub fn mean(&self) -> Option<Duration> {
        let count = u128::from(self.count);
        let mean = (self.sum_ps + count / 2).checked_div(count)?;
        Some(Duration::from_ps(u64::try_from(mean).unwrap_or(u64::MAX)))
    }

    /// The exact minimum.
    #[must_use]
    pub fn min(&self) -> Option<Duration> {
        (self.count > 0).then_some(Duration::from_ps(self.min_ps))
    }

    /// The exact maximum.
    #[must_use]
    pub fn max(&self) -> Option<Duration> {
        (self.count > 0).then_some(Duration::from_ps(self.max_ps))
    }

    /// The smallest duration that a share `q` of the recorded ones does not exceed (the
    /// nearest-rank quantile, rank ceil(q n)), within 0.8 %: the durations in a bucket are
    /// taken to be evenly spread over it. Exact at `q` 0 and 1.
    #[must_use]
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "an approximate figure, and float-to-int casts saturate"
    )]
    pub fn quantile(&self, q: f64) -> Option<Duration> {
        let rank = ((q * self.count as f64).ceil() as u64).max(1);
        if rank == 1 {
            return self.min();
        }
        if rank >= self.count {
            return self.max();
        }
        let mut below = self.zeros;
        if rank <= below {
            return Some(Duration::ZERO);
        }
        for i in 0..self.counts.len() {
            let count = u64::from(self.count_at(i));
            if rank <= below + count {
                let range = range_of(self.first + i);
                let within = ((rank - below) as f64 - 0.5) / count as f64;
                let ps = range.start + ((range.end - range.start) as f64 * within) as u64;
                return Some(Duration::from_ps(ps.clamp(self.min_ps, self.max_ps)));
            }
            below += count;
        }
        self.max()
    }

    /// Extends the span to the octave of this bucket.
    #[cold]
    fn cover(&mut self, bucket: usize) {
        let octave = bucket / PER_OCTAVE * PER_OCTAVE;
        if self.counts.is_empty() {
            self.first = octave;
        }
        let end = (self.first + self.counts.len()).max(octave + PER_OCTAVE);
        let first = self.first.min(octave);
        let mut counts = Vec::with_capacity(end - first);
        counts.resize(self.first - first, 0);
        counts.append(&mut self.counts);
        counts.resize(end - first, 0);
        self.counts = counts;
        self.first = first;
    }
}

/// Up to 255 a bucket per picosecond; above, the leading 8 bits of the value number the bucket
/// within its octave.
#[inline]
fn bucket_of(ps: u64) -> usize {
    let shift = (u64::BITS - ps.leading_zeros()).saturating_sub(SUB_BITS + 1);
    (shift as usize) * PER_OCTAVE + usize::try_from(ps >> shift).expect("8 bits")
}

/// The values of a bucket, ps; its end saturates at the top.
fn range_of(bucket: usize) -> Range<u64> {
    let shift = (bucket / PER_OCTAVE).saturating_sub(1);
    let start = (bucket - shift * PER_OCTAVE) as u64;
    start << shift..u64::try_from((u128::from(start) + 1) << shift).unwrap_or(u64::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;

    const QUANTILES: [f64; 9] = [0.0, 0.01, 0.1, 0.25, 0.5, 0.9, 0.95, 0.99, 1.0];

    fn of(values: &[u64]) -> DurationHistogram {
        let mut histogram = DurationHistogram::new();
        for &ps in values {
            histogram.record(Duration::from_ps(ps));
        }
        histogram
    }

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "test values are small"
    )]
    fn exact(values: &[u64], q: f64) -> u64 {
        let mut sorted = values.to_vec();
        sorted.sort_unstable();
        sorted[((q * values.len() as f64).ceil() as usize).max(1) - 1]
    }

    /// A bucket is 1/128 = 0.78 % of its lower end wide, and the quantile is inside the exact one's
    /// bucket.
    #[expect(clippy::cast_precision_loss, reason = "test values are small")]
    fn check(name: &str, values: &[u64]) {
        let histogram = of(values);
        for q in QUANTILES {
            let (is, should) = (histogram.quantile(q).unwrap().as_ps(), exact(values, q));
            let error = is.abs_diff(should) as f64 / (should as f64).max(1.0);
            assert!(error < 0.008, "{name}, q = {q}: {is} for {should}, {error}");
        }
        let sum: u128 = values.iter().map(|&v| u128::from(v)).sum();
        let mean = histogram.mean().unwrap().as_ps();
        assert!(
            (u128::from(mean) * values.len() as u128).abs_diff(sum) <= values.len() as u128 / 2,
            "{name}"
        );
        assert_eq!(histogram.min().unwrap().as_ps(), exact(values, 0.0), "{name}");
        assert_eq!(histogram.max().unwrap().as_ps(), exact(values, 1.0), "{name}");
        assert_eq!(histogram.count(), values.len() as u64, "{name}");
    }

    #[test]
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "positive and small"
    )]
    fn quantiles_are_within_a_bucket_of_the_exact_ones() {
        let mut rng = rng::stream(1, "histogram");
        let mut draw = |f: &dyn Fn(f64) -> f64| {
            (0..10_000).map(|_| f(rng::unit(&mut rng)) as u64).collect::<Vec<_>>()
        };
        check("uniform, 40 to 100 ms", &draw(&|u| 4e10 + 6e10 * u));
        check("exponential, mean 1 ms", &draw(&|u| -1e9 * libm::log1p(-u)));
        check("Pareto over nine decades", &draw(&|u| 1e3 * libm::pow(1.0 - u, -2.5)));
        check("below one bucket per value", &draw(&|u| 1e3 * u));
        check("two far apart", &draw(&|u| if u < 0.3 { 1e6 } else { 1e12 + u }));
        check("an often empty queue", &draw(&|u| if u < 0.6 { 0.0 } else { 1e9 * u }));
    }

    #[test]
    fn two_together_are_one_of_all_values() {
        let (low, high) =
            ([0, 3, 40_000_000_000, 41_000_000_000], [1_000, 60_000_000_000, 900_000_000_000]);
        let all: Vec<u64> = low.iter().chain(&high).copied().collect();
        for (mut sum, other) in
            [(of(&low), of(&high)), (of(&high), of(&low)), (of(&all), of(&[])), (of(&[]), of(&all))]
        {
            sum.add(&other);
            assert_eq!(
                (sum.count(), sum.mean(), sum.min(), sum.max()),
                (7, of(&all).mean(), of(&all).min(), of(&all).max())
            );
            for q in QUANTILES {
                assert_eq!(sum.quantile(q), of(&all).quantile(q), "q = {q}");
            }
        }
    }

    #[test]
    fn few_values() {
        check("one", &[60_000_000_000]);
        check("two", &[3, 60_000_000_000]);
        check("equal", &[123_456_789; 1000]);
        check("zeros", &[0; 10]);
    }

    #[test]
    fn every_value_is_inside_its_bucket_and_buckets_follow_each_other() {
        for bits in 0..64_u32 {
            for ps in [1_u64 << bits, (1 << bits) + (1 << bits) / 3, u64::MAX >> (63 - bits)] {
                let range = range_of(bucket_of(ps));
                assert!(range.start <= ps && (ps < range.end || range.end == u64::MAX), "{ps}");
            }
        }
        assert_eq!(range_of(0), 0..1);
        for bucket in 1..=bucket_of(u64::MAX) {
            assert_eq!(range_of(bucket).start, range_of(bucket - 1).end);
            assert_eq!(bucket_of(range_of(bucket).start), bucket);
        }
    }

    #[test]
    fn empty_has_no_figures_and_no_memory() {
        let histogram = DurationHistogram::new();
        assert_eq!((histogram.count(), histogram.counts.capacity()), (0, 0));
        assert_eq!(
            [histogram.mean(), histogram.min(), histogram.max(), histogram.quantile(0.5)],
            [None; 4]
        );
    }

    #[test]
    fn memory_covers_the_octaves_seen_and_no_more() {
        let mut histogram = of(&[60_000_000_000, 65_000_000_000]);
        assert_eq!(histogram.counts.capacity(), PER_OCTAVE);
        histogram.record(Duration::ZERO);
        assert_eq!(histogram.counts.capacity(), PER_OCTAVE);
        histogram.record(Duration::from_ps(140_000_000_000));
        assert_eq!(histogram.counts.capacity(), 3 * PER_OCTAVE);
        histogram.record(Duration::from_ps(30_000_000_000));
        assert_eq!(histogram.counts.capacity(), 4 * PER_OCTAVE);
        // Growing in both directions kept what was there: of 0, 30, 60, 65 and 140 ms these are the
        // second, third and fourth.
        for (q, ps) in [(0.4, 30_000_000_000_u64), (0.6, 60_000_000_000), (0.8, 65_000_000_000)] {
            assert!(histogram.quantile(q).unwrap().as_ps().abs_diff(ps) < ps / 128, "{q}");
        }
    }

    #[test]
    fn clear_forgets_values_and_keeps_memory() {
        let mut histogram = of(&[0, 5, 60_000_000_000]);
        let capacity = histogram.counts.capacity();
        histogram.clear();
        assert_eq!(
            (histogram.count(), histogram.max(), histogram.counts.capacity()),
            (0, None, capacity)
        );
        histogram.record(Duration::from_millis(60));
        assert_eq!(histogram.quantile(0.5), Some(Duration::from_millis(60)));
        assert_eq!(histogram.min(), Some(Duration::from_millis(60)));
    }
}
