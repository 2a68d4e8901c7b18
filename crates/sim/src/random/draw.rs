//! Draws from bytes: those of a fuzzer, or of a stream of random numbers.

use core::ops::Range;

use rand_core::Rng as _;

use crate::rng;

/// A source of choices. Where its bytes end, each choice is the first one and each number the
/// least, so that fewer bytes give a simpler plan.
pub struct Draw<'a> {
    bytes: Box<dyn Iterator<Item = u8> + 'a>,
}

impl<'a> Draw<'a> {
    /// Draws from these bytes.
    #[must_use]
    pub fn from_bytes(bytes: &'a [u8]) -> Self {
        Self { bytes: Box::new(bytes.iter().copied()) }
    }

    /// Draws from the first `most` bytes of the random stream of a seed.
    #[must_use]
    pub fn from_seed(seed: u64, most: usize) -> Self {
        let mut stream = rng::stream(seed, "random plan");
        let words = std::iter::repeat_with(move || stream.next_u64().to_le_bytes());
        Self { bytes: Box::new(words.flatten().take(most)) }
    }

    /// A number of the range.
    pub fn number(&mut self, range: Range<u64>) -> u64 {
        let most = range.end.saturating_sub(range.start).saturating_sub(1);
        let bytes = (u64::BITS - most.leading_zeros()).div_ceil(8);
        let drawn = (0..bytes)
            .fold(0_u64, |drawn, _| drawn << 8 | u64::from(self.bytes.next().unwrap_or(0)));
        range.start + most.checked_add(1).map_or(drawn, |count| drawn % count)
    }

    /// A small number of the range.
    pub fn small(&mut self, range: Range<u32>) -> u32 {
        u32::try_from(self.number(range.start.into()..range.end.into())).unwrap_or(range.start)
    }

    /// An index below `count`.
    pub fn index(&mut self, count: usize) -> usize {
        usize::try_from(self.number(0..count as u64)).unwrap_or(0)
    }

    /// A value between two.
    pub fn value(&mut self, range: Range<f64>) -> f64 {
        range.start
            + (range.end - range.start) * f64::from(self.small(0..u32::MAX)) / 4_294_967_296.0
    }

    /// Whether something is so that is in `percent` of all cases.
    pub fn chance(&mut self, percent: u64) -> bool {
        self.number(0..100) >= 100 - percent
    }

    /// Whether something is so that is in half of all cases.
    pub fn flag(&mut self) -> bool {
        self.chance(50)
    }

    /// One of the choices.
    pub fn choice<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.index(choices.len())]
    }

    /// The number of one of the kinds, each as often as its weight says.
    pub fn kind(&mut self, weights: &[u64]) -> usize {
        let mut drawn = self.number(0..weights.iter().sum());
        let chosen = weights.iter().position(|weight| {
            let is_it = drawn < *weight;
            drawn = drawn.saturating_sub(*weight);
            is_it
        });
        chosen.unwrap_or(0)
    }

    /// Something that is there in `percent` of all cases.
    pub fn option<T>(&mut self, percent: u64, make: impl FnOnce(&mut Self) -> T) -> Option<T> {
        self.chance(percent).then(|| make(self))
    }

    /// As many of something as a number of the range says.
    pub fn list<T>(&mut self, count: Range<u64>, mut make: impl FnMut(&mut Self) -> T) -> Vec<T> {
        (0..self.number(count)).map(|_| make(self)).collect()
    }

    /// Some of the first `count` numbers, in any order: at least one and at most `most`.
    pub fn subset(&mut self, count: usize, most: usize) -> Vec<u32> {
        let mut numbers: Vec<u32> = (0..).take(count).collect();
        let size = 1 + self.index(most.min(count));
        for place in 0..size {
            let other = place + self.index(count - place);
            numbers.swap(place, other);
        }
        numbers.truncate(size);
        numbers
    }
}
