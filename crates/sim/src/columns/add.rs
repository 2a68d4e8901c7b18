//! How the counters of a transfer's subflows become the transfer's.

use ackclock_units::Duration;

use crate::histogram::DurationHistogram;

/// Types whose values add up.
pub trait Sum {
    /// Adds another subflow's value.
    fn add(&mut self, other: &Self);
}

macro_rules! sum_of_numbers {
    ($($number:ty),*) => {$(
        impl Sum for $number {
            fn add(&mut self, other: &Self) {
                *self += *other;
            }
        }
    )*};
}
sum_of_numbers!(u32, u64, u128, Duration);

impl<T: Sum, const N: usize> Sum for [T; N] {
    fn add(&mut self, other: &Self) {
        for (mine, theirs) in self.iter_mut().zip(other) {
            mine.add(theirs);
        }
    }
}

impl<T: Sum + Default> Sum for Option<T> {
    fn add(&mut self, other: &Self) {
        if let Some(more) = other {
            self.get_or_insert_default().add(more);
        }
    }
}

impl<T: Sum> Sum for Box<T> {
    fn add(&mut self, other: &Self) {
        (**self).add(other);
    }
}

impl Sum for DurationHistogram {
    fn add(&mut self, other: &Self) {
        Self::add(self, other);
    }
}

/// Types of which a mean over subflows can be taken.
pub trait Divide {
    /// Turns the sum over so many subflows into their mean.
    fn divide(&mut self, count: u64);
}

impl<const N: usize> Divide for [Duration; N] {
    fn divide(&mut self, count: u64) {
        *self = self.map(|sum| sum / count);
    }
}

impl Divide for Duration {
    fn divide(&mut self, count: u64) {
        *self = *self / count;
    }
}

impl<T: Divide> Divide for Option<T> {
    fn divide(&mut self, count: u64) {
        if let Some(sum) = self {
            sum.divide(count);
        }
    }
}

impl<T: Divide> Divide for Box<T> {
    fn divide(&mut self, count: u64) {
        (**self).divide(count);
    }
}
