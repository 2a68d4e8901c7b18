//! What a session of several users will do when.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ackclock_units::Time;

/// Things to do, by their time; those of one time in the order in which they were noted.
pub struct Agenda<T> {
    heap: BinaryHeap<Reverse<(Time, u64, T)>>,
    noted: u64,
}

impl<T: Ord> Agenda<T> {
    /// Nothing to do.
    #[must_use]
    pub fn new() -> Self {
        Self {
            heap: BinaryHeap::new(),
            noted: 0,
        }
    }

    /// Notes what is to be done at `time`.
    pub fn note(&mut self, time: Time, what: T) {
        self.heap.push(Reverse((time, self.noted, what)));
        self.noted += 1;
    }

    /// When the next thing is due; [`Time::MAX`]: nothing is.
    #[must_use]
    pub fn next(&self) -> Time {
        self.heap.peek().map_or(Time::MAX, |Reverse((time, _, _))| *time)
    }

    /// What is due, one thing at a time.
    pub fn due(&mut self, now: Time) -> Option<T> {
        if self.next() > now {
            return None;
        }
        self.heap.pop().map(|Reverse((_, _, what))| what)
    }
}
