//! What happens next. One entry per *source* (a link, an endpoint's timer), not per packet: a source knows its own
//! future and shows only its head, so there are a few entries per flow whatever the window.

use core::ops::Range;

use ackclock_units::Time;

/// Something that has a next event: links, senders, receivers and the recorder are numbered by [`crate::sim`].
pub type Source = u32;

/// A source's next event.
#[derive(Clone, Copy, Debug)]
struct Entry {
    time: Time,
    source: Source,
}

/// A tournament of some sources' next events: each has its place for ever, and the earlier of two goes up.
///
/// Of two at the same time the one of the lower number does, which is always the left one.
struct Tournament {
    /// The two that meet at each place; those below it meet at twice its number and the next, the sources at the bottom.
    pairs: Vec<[Entry; 2]>,
    /// The first of all.
    first: Entry,
}

impl Tournament {
    #[expect(clippy::cast_possible_truncation, reason = "sources are 32-bit numbers")]
    fn new(sources: Range<usize>) -> Self {
        let places = sources.len().next_power_of_two().max(2) / 2;
        let never = |place: usize| Entry {
            time: Time::MAX,
            source: (sources.start + place) as Source,
        };
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
                // Nothing changes from here on: who wins is another, as before.
                return;
            }
            *place = winner;
            winner = if pair[1].time < pair[0].time { pair[1] } else { pair[0] };
            at /= 2;
        }
        self.first = winner;
    }
}

/// What happens next, of all sources: events are in the total order of (time, source), and nothing depends on the order in which they were set.
///
/// Links have a tournament of their own. They are few and have most of the events, whose way to the top is short there.
pub struct Schedule {
    links: Tournament,
    others: Tournament,
    first_other: Source,
    now: Time,
}

impl Schedule {
    /// For sources numbered below `sources`, the first `links` of which are links.
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

    /// The earliest event; it stays until its source sets or cancels it. Time never goes back.
    #[inline]
    pub fn head(&mut self) -> Option<(Time, Source)> {
        let head = self.peek()?;
        debug_assert!(head.0 >= self.now, "time went back from {:?} to {:?}", self.now, head.0);
        self.now = head.0;
        Some(head)
    }

    /// The earliest event, looked at without moving the clock there: who runs in real time cannot know yet that nothing will come before it.
    #[must_use]
    #[inline]
    pub fn peek(&self) -> Option<(Time, Source)> {
        let (link, other) = (self.links.first, self.others.first);
        let first = if other.time < link.time { other } else { link };
        (first.time < Time::MAX).then_some((first.time, first.source))
    }

    /// When a source's event is due; [`Time::MAX`] if it has none.
    #[must_use]
    #[inline]
    pub fn due(&self, source: Source) -> Time {
        match source.checked_sub(self.first_other) {
            None => self.links.due(source as usize),
            Some(place) => self.others.due(place as usize),
        }
    }

    /// Makes `time` the source's next event, whether it had one or not.
    #[expect(clippy::inline_always, reason = "several times per packet, mostly of a source whose kind is known")]
    #[inline(always)]
    pub fn set(&mut self, source: Source, time: Time) {
        debug_assert!(time >= self.now, "event of source {source} in the past");
        let entry = Entry { time, source };
        match source.checked_sub(self.first_other) {
            None => self.links.set(source as usize, entry),
            Some(place) => self.others.set(place as usize, entry),
        }
    }

    /// Removes the source's event, if it has one.
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
        /// Against a sorted map: every set, move and cancel leaves the same next event.
        #[test]
        fn agrees_with_a_sorted_map(
            links in 0usize..12, steps in proptest::collection::vec((0u32..40, 0u64..1000, 0u8..4), 1..400)
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
                    _ => { schedule.set(source, Time::from_ps(now + ahead)); model.insert(source, now + ahead); }
                }
                let expected = model.iter().map(|(s, t)| (*t, *s)).min();
                let got = schedule.peek().map(|(time, source)| (time.as_ps(), source));
                prop_assert_eq!(got, expected);
                prop_assert_eq!(schedule.due(source).as_ps(), model.get(&source).copied().unwrap_or(u64::MAX));
            }
        }
    }
}
