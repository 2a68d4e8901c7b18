//! Bytes of one direction that were sent and not yet acknowledged, as far as the capture shows.
//!
//! What was sent, what was `SACKed` and what is lost are kept apart, in stretches that merge when
//! they become alike. A segment costs a look-up and the stretches that it ends, so that no order of
//! segments makes reading slow.

use std::collections::BTreeMap;

use super::ranges::Ranges;

/// Segments that must be `SACKed` above one before it counts as lost (RFC 6675 section 4).
const DUP_THRESH: u64 = 3;
/// More transmissions than this are not told apart.
const REPEATED: u32 = 2;

/// A stretch of bytes that were sent alike.
#[derive(Clone, Copy, Debug)]
struct Stretch {
    end: i64,
    /// Time of the last transmission, ns.
    sent_ns: u64,
    /// Transmissions seen, at most `REPEATED`; 0: the capture jumped over it.
    sent: u32,
}

/// An earlier transmission that a segment repeats.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct Earlier {
    /// Transmissions of it that were seen, at most two.
    pub sent: u32,
    /// Time of the last of them, ns.
    pub sent_ns: u64,
    /// Whether all of it has been `SACKed`.
    pub is_sacked: bool,
}

/// News of an acknowledgment.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub struct News {
    /// Bytes acknowledged cumulatively for the first time.
    pub acked: i64,
    /// Bytes delivered: acknowledged or `SACKed` for the first time.
    pub delivered: i64,
    /// Time of transmission of the newest bytes that this covers first, if all that it acknowledges
    /// was sent once (Karn's rule), ns.
    pub sent_ns: Option<u64>,
}

/// Outstanding bytes of one direction.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    /// All bytes from `una` to `next`, by their transmissions.
    stretches: BTreeMap<i64, Stretch>,
    sacked: Ranges,
    /// Bytes judged lost; none of them is `SACKed`.
    lost: Ranges,
    /// Next byte to be acknowledged.
    una: i64,
    /// End of the highest byte sent.
    next: i64,
    has_started: bool,
    in_flight: i64,
    highest_sacked: i64,
    /// Loss has been judged up to here.
    judged: i64,
    /// The highest byte with enough `SACKed` bytes from it on, once there are enough.
    front: i64,
    /// `SACKed` bytes from `front` on.
    above: i64,
    /// Stretches that were looked at.
    steps: u64,
}

impl Scoreboard {
    /// Next byte to be acknowledged.
    pub fn una(&self) -> i64 {
        self.una
    }

    /// End of the highest byte sent.
    pub fn next(&self) -> i64 {
        self.next
    }

    /// Whether anything has been sent.
    pub fn has_started(&self) -> bool {
        self.has_started
    }

    /// Bytes in the network: sent, and neither acknowledged, `SACKed` nor judged lost.
    pub fn in_flight(&self) -> i64 {
        self.in_flight
    }

    /// Bytes that are sent and neither acknowledged nor `SACKed`.
    pub fn outstanding(&self) -> i64 {
        self.next - self.una - self.sacked.bytes()
    }

    /// Whether bytes above this one have been `SACKed`.
    pub fn has_sack_above(&self, byte: i64) -> bool {
        self.highest_sacked > byte.max(self.una)
    }

    /// First byte that is neither acknowledged nor `SACKed`.
    pub fn head(&self) -> i64 {
        self.sacked.end_of(self.una)
    }

    /// Stretches and ranges that were looked at so far.
    pub fn steps(&self) -> u64 {
        self.steps + self.sacked.steps() + self.lost.steps()
    }

    /// The earlier transmission of bytes from `start` to `end`, if the capture saw one.
    pub fn earlier(&mut self, start: i64, end: i64) -> Option<Earlier> {
        if end <= self.una {
            return None;
        }
        let mut found: Option<Earlier> = None;
        let mut steps = 0;
        for (from, to, stretch) in parts(&self.stretches, start, end) {
            steps += 1;
            if stretch.sent == 0 && !self.sacked.has_any(from, to) {
                continue;
            }
            let earlier = found.get_or_insert(Earlier { is_sacked: true, ..Earlier::default() });
            earlier.sent = earlier.sent.max(stretch.sent);
            earlier.sent_ns = earlier.sent_ns.max(stretch.sent_ns);
            // What the capture never saw counts where it was SACKed only.
            earlier.is_sacked &= stretch.sent == 0 || self.sacked.has_all(from, to);
        }
        self.steps += steps;
        found
    }

    /// Notes that bytes from `start` to `end` were sent.
    pub fn send(&mut self, start: i64, end: i64, now_ns: u64) {
        if !self.has_started {
            self.has_started = true;
            (self.una, self.next) = (start, start);
            (self.highest_sacked, self.judged, self.front) = (start, start, start);
        }
        if start > self.next {
            // The capture did not see these bytes: they were lost before it, or by it.
            self.insert(start, now_ns, 0);
        }
        let (from, to) = (start.max(self.una), end.min(self.next));
        if from < to {
            self.in_flight += self.lost.remove(from, to);
            self.repeat(from, to, now_ns);
        }
        if end > self.next {
            self.insert(end, now_ns, 1);
        }
    }

    /// Adds the bytes from the highest one to `end`.
    fn insert(&mut self, end: i64, sent_ns: u64, sent: u32) {
        self.stretches.insert(self.next, Stretch { end, sent_ns, sent });
        self.in_flight += end - self.next;
        self.next = end;
    }

    /// Counts a transmission of bytes that were there.
    fn repeat(&mut self, from: i64, to: i64, now_ns: u64) {
        self.split(from);
        self.split(to);
        let mut alike: Vec<(i64, Stretch)> = Vec::new();
        while let Some((&first, &stretch)) = self.stretches.range(from..to).next() {
            self.steps += 1;
            self.stretches.remove(&first);
            let sent = REPEATED.min(stretch.sent + 1);
            match alike.last_mut() {
                Some((_, last)) if last.sent == sent => last.end = stretch.end,
                _ => alike.push((first, Stretch { end: stretch.end, sent_ns: now_ns, sent })),
            }
        }
        self.stretches.extend(alike);
    }

    fn split(&mut self, at: i64) {
        if let Some((_, stretch)) = self.stretches.range_mut(..at).next_back()
            && stretch.end > at
        {
            let upper = *stretch;
            stretch.end = at;
            self.stretches.insert(at, upper);
        }
    }

    /// Notes an acknowledgment with its SACK blocks, of which `sacks` has none below `ack`.
    pub fn acknowledge(&mut self, ack: i64, sacks: &[(i64, i64)], mss: u32) -> News {
        let mut news = News::default();
        let mut newest: Option<Stretch> = None;
        let mut fills_hole = false;
        if !self.has_started {
            return news;
        }
        if ack > self.next {
            // Bytes that the capture did not see.
            self.insert(ack, 0, 0);
        }
        if ack > self.una {
            news.acked = ack - self.una;
            for (from, to) in self.sacked.missing(self.una, ack) {
                news.delivered += to - from;
                newest = self.newest(newest, from, to);
            }
            self.in_flight -= news.delivered - self.lost.remove(self.una, ack);
            let front = self.front.clamp(self.una, ack);
            self.sacked.remove(self.una, front);
            self.above -= self.sacked.remove(front, ack);
            self.split(ack);
            while let Some(first) = self.stretches.first_entry()
                && *first.key() < ack
            {
                self.steps += 1;
                fills_hole |= first.remove().sent > 1;
            }
            self.una = ack;
        }
        for &(start, end) in sacks {
            let (start, end) = (start.max(self.una), end.min(self.next));
            if start >= end {
                continue;
            }
            for (from, to) in self.sacked.add(start, end) {
                news.delivered += to - from;
                self.in_flight -= to - from - self.lost.remove(from, to);
                self.above += (to - from.max(self.front)).max(0);
                newest = self.newest(newest, from, to);
            }
            self.highest_sacked = self.highest_sacked.max(end);
        }
        self.judge(mss);
        // What lies above a hole arrived before the repetition that filled it.
        let is_sample = |it: &Stretch| it.sent == 1 && !fills_hole;
        news.sent_ns = newest.filter(is_sample).map(|it| it.sent_ns);
        news
    }

    /// The newest of the bytes from `from` to `to` and of `one`.
    fn newest(&mut self, one: Option<Stretch>, from: i64, to: i64) -> Option<Stretch> {
        let mut newest = one;
        let mut steps = 0;
        for (_, _, other) in parts(&self.stretches, from, to) {
            steps += 1;
            // They come in order of their bytes: of two sent at once the later one is newer.
            newest = newest.filter(|it| it.sent_ns > other.sent_ns).or(Some(other));
        }
        self.steps += steps;
        newest
    }

    /// Judges as lost what has more than two segments `SACKed` above it (RFC 6675 section 4,
    /// `IsLost`: "more than (`DupThresh` - 1) * SMSS bytes").
    fn judge(&mut self, mss: u32) {
        let enough = i64::try_from((DUP_THRESH - 1) * u64::from(mss)).unwrap_or(i64::MAX);
        if self.above <= enough {
            return;
        }
        // The front only goes up: bytes that have enough above them keep it.
        while let Some((from, to)) = self.sacked.at_or_after(self.front) {
            self.steps += 1;
            let step = (self.above - enough - 1).min(to - from);
            self.front = from + step;
            self.above -= step;
            if step < to - from {
                break;
            }
        }
        let mut lost = Vec::new();
        for (from, to) in self.sacked.missing(self.judged.max(self.una), self.front) {
            for (from, to, stretch) in parts(&self.stretches, from, to) {
                if stretch.sent <= 1 {
                    lost.push((from, to));
                }
            }
        }
        self.steps += lost.len() as u64;
        for (from, to) in lost {
            self.lose(from, to);
        }
        self.judged = self.judged.max(self.front);
    }

    fn lose(&mut self, from: i64, to: i64) {
        for (from, to) in self.lost.add(from, to) {
            self.in_flight -= to - from;
        }
    }

    /// Judges all outstanding bytes lost, as after a timeout (RFC 6675 section 5.1).
    pub fn time_out(&mut self) {
        for (from, to) in self.sacked.missing(self.una, self.next) {
            self.lose(from, to);
        }
        self.judged = self.next;
        (self.front, self.above) = (self.next, 0);
    }
}

/// Parts of the stretches that lie from `start` to `end`, in order of their bytes.
fn parts(
    stretches: &BTreeMap<i64, Stretch>,
    start: i64,
    end: i64,
) -> impl Iterator<Item = (i64, i64, Stretch)> {
    let first = stretches.range(..=start).next_back().map_or(start, |(&first, _)| first);
    // Of nothing there are no parts.
    let range = (start < end).then(|| stretches.range(first..end));
    range
        .into_iter()
        .flatten()
        .filter(move |(_, it)| it.end > start)
        .map(move |(&first, it)| (first.max(start), it.end.min(end), *it))
}
