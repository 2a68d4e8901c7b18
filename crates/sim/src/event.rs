//! What happens next. One entry per *source* (a link, an endpoint's timer), not per packet: a source knows its own
//! future and shows only its head, so the heap holds a few entries per flow whatever the window.

use ackclock_units::Time;

/// Something that has a next event: links, senders, receivers and the recorder are numbered by [`crate::sim`].
pub type Source = u32;

/// (time, source) in one comparable word: the total order of events. Each source has at most one entry, so no two
/// entries are equal and nothing depends on the order of insertion.
type Key = u128;

const ABSENT: u32 = u32::MAX;
/// Children per node: four share a cache line.
const ARITY: usize = 4;

fn key(time: Time, source: Source) -> Key {
    (u128::from(time.as_ps()) << 32) | u128::from(source)
}

#[expect(clippy::cast_possible_truncation, reason = "the low 32 bits are the source, the rest is the time")]
fn source_of(key: Key) -> Source {
    key as u32
}

#[expect(clippy::cast_possible_truncation, reason = "the time is 64 bits wide")]
fn time_of(key: Key) -> Time {
    Time::from_ps((key >> 32) as u64)
}

/// An indexed 4-ary heap of the sources' next events.
pub struct Schedule {
    heap: Vec<Key>,
    /// Where in `heap` a source's entry is.
    position: Vec<u32>,
    now: Time,
}

impl Schedule {
    /// For sources numbered below `sources`.
    #[must_use]
    pub fn new(sources: usize) -> Self {
        Self {
            heap: Vec::with_capacity(sources),
            position: vec![ABSENT; sources],
            now: Time::ZERO,
        }
    }

    /// The earliest event; it stays until its source sets or cancels it. Time never goes back.
    pub fn head(&mut self) -> Option<(Time, Source)> {
        let head = *self.heap.first()?;
        let time = time_of(head);
        debug_assert!(time >= self.now, "time went back from {:?} to {time:?}", self.now);
        self.now = time;
        Some((time, source_of(head)))
    }

    /// The earliest event, looked at without moving the clock there: who runs in real time cannot know yet that nothing will come before it.
    #[must_use]
    pub fn peek(&self) -> Option<(Time, Source)> {
        self.heap.first().map(|head| (time_of(*head), source_of(*head)))
    }

    /// When a source's event is due; [`Time::MAX`] if it has none.
    #[must_use]
    pub fn due(&self, source: Source) -> Time {
        match self.position[source as usize] {
            ABSENT => Time::MAX,
            at => time_of(self.heap[at as usize]),
        }
    }

    /// Makes `time` the source's next event, whether it had one or not.
    pub fn set(&mut self, source: Source, time: Time) {
        debug_assert!(time >= self.now, "event of source {source} in the past");
        let key = key(time, source);
        let at = self.position[source as usize];
        if at == ABSENT {
            self.heap.push(key);
            self.sift_up(self.heap.len() - 1, key);
            return;
        }
        let at = at as usize;
        if key < self.heap[at] {
            self.sift_up(at, key);
        } else {
            self.sift_down(at, key);
        }
    }

    /// Removes the source's event, if it has one.
    pub fn cancel(&mut self, source: Source) {
        let at = self.position[source as usize];
        if at == ABSENT {
            return;
        }
        self.position[source as usize] = ABSENT;
        let at = at as usize;
        let Some(last) = self.heap.pop() else { return };
        if at == self.heap.len() {
            return;
        }
        let removed = self.heap[at];
        if last < removed {
            self.sift_up(at, last);
        } else {
            self.sift_down(at, last);
        }
    }

    #[expect(clippy::cast_possible_truncation, reason = "sources, and so positions, fit 32 bits")]
    fn place(&mut self, at: usize, key: Key) {
        self.heap[at] = key;
        self.position[source_of(key) as usize] = at as u32;
    }

    fn sift_up(&mut self, mut at: usize, key: Key) {
        while at > 0 {
            let parent = (at - 1) / ARITY;
            let above = self.heap[parent];
            if above <= key {
                break;
            }
            self.place(at, above);
            at = parent;
        }
        self.place(at, key);
    }

    fn sift_down(&mut self, mut at: usize, key: Key) {
        loop {
            let first = at * ARITY + 1;
            let (nth, below) = match self.heap.get(first..).unwrap_or_default() {
                &[a, b, c, d, ..] => {
                    // Two and two: neither comparison of the first pair waits for the other.
                    let left = if b < a { (1, b) } else { (0, a) };
                    let right = if d < c { (3, d) } else { (2, c) };
                    if right.1 < left.1 { right } else { left }
                }
                few => match few.iter().copied().enumerate().min_by_key(|child| child.1) {
                    Some(least) => least,
                    None => break,
                },
            };
            if below >= key {
                break;
            }
            self.place(at, below);
            at = first + nth;
        }
        self.place(at, key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Against a sorted map: every set, move and cancel leaves the same next event.
        #[test]
        fn agrees_with_a_sorted_map(steps in proptest::collection::vec((0u32..40, 0u64..1000, 0u8..4), 1..400)) {
            let mut schedule = Schedule::new(40);
            let mut model: BTreeMap<u32, u64> = BTreeMap::new();
            let mut now = 0;
            for (source, ahead, what) in steps {
                match what {
                    0 => { schedule.cancel(source); model.remove(&source); }
                    1 => if let Some((time, source)) = schedule.head() {
                        now = time.as_ps();
                        schedule.cancel(source);
                        model.remove(&source);
                    },
                    _ => { schedule.set(source, Time::from_ps(now + ahead)); model.insert(source, now + ahead); }
                }
                let expected = model.iter().map(|(s, t)| (*t, *s)).min();
                let got = schedule.heap.first().map(|k| (time_of(*k).as_ps(), source_of(*k)));
                prop_assert_eq!(got, expected);
                prop_assert_eq!(schedule.due(source).as_ps(), model.get(&source).copied().unwrap_or(u64::MAX));
            }
        }
    }
}
