//! The schedule of events. It has one entry per *source* (a link, a timer of an endpoint), not per
//! packet: a source knows its own future and shows its earliest event only. There are a few entries
//! per flow, however large the window is.

use core::ops::Range;

use ackclock_units::Time;

/// Number of an event source in the schedule. [`super::Sources`] numbers the sources of a run.
pub type Source = u32;

/// The next event of a source.
#[derive(Clone, Copy, Debug)]
struct Entry {
    time: Time,
    source: Source,
}

/// A tournament of the next events of some sources. Each source has a fixed place; the earlier of
/// two events moves up.
///
/// Of two events at one time the one of the lower number moves up. Lower numbers are always on the
/// left.
struct Tournament {
    /// Pairs of events as an implicit binary tree: the winners of pairs 2n and 2n + 1 meet in pair
    /// n, and the last pairs hold the sources.
    pairs: Vec<[Entry; 2]>,
    /// The earliest event of all sources.
    first: Entry,
}

impl Tournament {
    #[expect(clippy::cast_possible_truncation, reason = "sources are 32-bit numbers")]
    fn new(sources: Range<usize>) -> Self {
        let places = sources.len().next_power_of_two().max(2) / 2;
        let never =
            |place: usize| Entry { time: Time::MAX, source: (sources.start + place) as Source };
        let mut pairs = vec![[never(0); 2]; 2 * places];
        for (at, pair) in pairs[places..].iter_mut().enumerate() {
            *pair = [never(2 * at), never(2 * at + 1)];
        }
        Self { pairs, first: never(0) }
    }

    #[inline]
    fn due(&self, place: usize) -> Time {
        let at = self.pairs.len() + place;
        self.pairs[at / 2][at % 2].time
    }

    #[expect(clippy::inline_always, reason = "several times per packet")]
    #[inline(always)]
    fn set(&mut self, place: usize, entry: Entry) {
        let mut at = self.pairs.len() + place;
        let mut winner = entry;
        while at > 1 {
            let pair = &mut self.pairs[at / 2];
            let place = &mut pair[at % 2];
            if place.time == winner.time && place.source == winner.source {
                // Nothing changes from here on: another source wins, as before.
                return;
            }
            *place = winner;
            winner = if pair[1].time < pair[0].time { pair[1] } else { pair[0] };
            at /= 2;
        }
        self.first = winner;
    }
}

/// The next events of all sources, in the total order of (time, source). The order in which they
/// were set does not matter.
///
/// Links have a tournament of their own: they are few and have most of the events, so that their
/// way to the top is short.
pub struct Schedule {
    links: Tournament,
    others: Tournament,
    first_other: Source,
    now: Time,
}

impl Schedule {
    /// Makes an empty schedule for sources numbered below `sources`. The first `links` numbers are
    /// links.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "sources are 32-bit numbers")]
    pub fn new(links: usize, sources: usize) -> Self {
        Self {
            links: Tournament::new(0..links),
            others: Tournament::new(links..sources),
            first_other: links as Source,
            now: Time::ZERO,
        }
    }

    /// Returns the earliest event and moves the clock there. The event stays until its source sets
    /// or cancels it. Time never goes back.
    #[inline]
    pub fn head(&mut self) -> Option<(Time, Source)> {
        let head = self.peek()?;
        debug_assert!(head.0 >= self.now, "time went back from {:?} to {:?}", self.now, head.0);
        self.now = head.0;
        Some(head)
    }

    /// Returns the earliest event without moving the clock. In real time, an earlier event may
    /// still be set.
    #[must_use]
    #[inline]
    pub fn peek(&self) -> Option<(Time, Source)> {
        let (link, other) = (self.links.first, self.others.first);
        let first = if other.time < link.time { other } else { link };
        (first.time < Time::MAX).then_some((first.time, first.source))
    }

    /// Time of a source's event; [`Time::MAX`]: it has none.
    #[must_use]
    #[inline]
    pub fn due(&self, source: Source) -> Time {
        match source.checked_sub(self.first_other) {
            None => self.links.due(source as usize),
            Some(place) => self.others.due(place as usize),
        }
    }

    /// Sets the next event of a source, whether it had one or not.
    #[expect(
        clippy::inline_always,
        reason = "several times per packet, mostly of a source whose kind is known"
    )]
    #[inline(always)]
    pub fn set(&mut self, source: Source, time: Time) {
        debug_assert!(time >= self.now, "event of source {source} in the past");
        let entry = Entry { time, source };
        match source.checked_sub(self.first_other) {
            None => self.links.set(source as usize, entry),
            Some(place) => self.others.set(place as usize, entry),
        }
    }

    /// Removes the event of a source, if it has one.
    pub fn cancel(&mut self, source: Source) {
        if self.due(source) < Time::MAX {
            self.set(source, Time::MAX);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::collections::BTreeMap;

    proptest! {
        /// Every set, move and cancel leaves the same next event as in a sorted map.
        #[test]
        fn agrees_with_a_sorted_map(
            links in 0usize..12,
            steps in proptest::collection::vec((0u32..40, 0u64..1000, 0u8..4), 1..400),
        ) {
            let mut schedule = Schedule::new(links, 40);
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
                    _ => {
                        schedule.set(source, Time::from_ps(now + ahead));
                        model.insert(source, now + ahead);
                    }
                }
                let expected = model.iter().map(|(s, t)| (*t, *s)).min();
                let got = schedule.peek().map(|(time, source)| (time.as_ps(), source));
                prop_assert_eq!(got, expected);
                let due = model.get(&source).copied().unwrap_or(u64::MAX);
                prop_assert_eq!(schedule.due(source).as_ps(), due);
            }
        }
    }
}
