//! The agenda of a session with several users.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ackclock_units::Time;

/// Things to do, by time, and at one time by the order in which they were noted.
pub struct Agenda<T> {
    heap: BinaryHeap<Reverse<(Time, u64, T)>>,
    noted: u64,
}

impl<T: Ord> Agenda<T> {
    /// Makes an empty agenda.
    #[must_use]
    pub fn new() -> Self {
        Self { heap: BinaryHeap::new(), noted: 0 }
    }

    /// Notes a thing to do at `time`.
    pub fn note(&mut self, time: Time, what: T) {
        self.heap.push(Reverse((time, self.noted, what)));
        self.noted += 1;
    }

    /// Time of the next thing; [`Time::MAX`]: there is none.
    #[must_use]
    pub fn next(&self) -> Time {
        self.heap.peek().map_or(Time::MAX, |Reverse((time, _, _))| *time)
    }

    /// Takes one thing that is due by `now`.
    pub fn due(&mut self, now: Time) -> Option<T> {
        if self.next() > now {
            return None;
        }
        self.heap.pop().map(|Reverse((_, _, what))| what)
    }
}
