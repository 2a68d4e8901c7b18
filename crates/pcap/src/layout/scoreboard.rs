//! Bytes of one direction that were sent and not yet acknowledged, as far as the capture shows.

use std::collections::BTreeMap;

/// Segments that must be `SACKed` above one before it counts as lost (RFC 6675 section 4).
const DUP_THRESH: u64 = 3;

/// A run of bytes that is outstanding.
#[derive(Clone, Copy, Debug)]
struct Run {
    end: i64,
    /// Time of the last transmission, ns.
    sent_ns: u64,
    /// Transmissions seen; 0: the capture jumped over it.
    sent: u32,
    is_sacked: bool,
    is_lost: bool,
}

impl Run {
    /// Bytes that the network still holds of it (RFC 6675 section 4, `SetPipe`).
    fn in_flight(&self, start: i64) -> i64 {
        if self.is_sacked || self.is_lost { 0 } else { self.end - start }
    }
}

/// An earlier transmission that a segment repeats.
#[derive(Clone, Copy, Debug, Default)]
pub struct Earlier {
    /// Transmissions of its first byte that were seen.
    pub sent: u32,
    /// Time of the last of them, ns.
    pub sent_ns: u64,
    /// Whether all of it has been `SACKed`.
    pub is_sacked: bool,
}

/// News of an acknowledgment.
#[derive(Clone, Copy, Debug, Default)]
pub struct News {
    /// Bytes acknowledged cumulatively for the first time.
    pub acked: i64,
    /// Bytes delivered: acknowledged or `SACKed` for the first time.
    pub delivered: i64,
    /// Time of transmission of the newest bytes that this covers first, if all that it acknowledges
    /// was sent once (Karn's rule), ns.
    pub sent_ns: Option<u64>,
}

/// Outstanding bytes of one direction, in runs.
#[derive(Clone, Debug, Default)]
pub struct Scoreboard {
    runs: BTreeMap<i64, Run>,
    /// Next byte to be acknowledged.
    una: i64,
    /// End of the highest byte sent.
    next: i64,
    has_started: bool,
    in_flight: i64,
    sacked: i64,
    highest_sacked: i64,
    /// Loss has been judged up to here.
    judged: i64,
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
        self.next - self.una - self.sacked
    }

    /// Whether bytes above this one have been `SACKed`.
    pub fn has_sack_above(&self, byte: i64) -> bool {
        self.highest_sacked > byte.max(self.una)
    }

    /// First byte that is neither acknowledged nor `SACKed`.
    pub fn head(&self) -> i64 {
        self.runs.iter().find(|(_, run)| !run.is_sacked).map_or(self.next, |(&start, _)| start)
    }

    /// The earlier transmission of bytes from `start` to `end`, if the capture saw one.
    pub fn earlier(&self, start: i64, end: i64) -> Option<Earlier> {
        if end <= self.una {
            return None;
        }
        let mut found: Option<Earlier> = None;
        let first = self.runs.range(..=start).next_back().map_or(start, |(&first, _)| first);
        for (_, run) in self.runs.range(first..end).filter(|(_, run)| run.end > start) {
            if run.sent == 0 && !run.is_sacked {
                continue;
            }
            let earlier = found.get_or_insert(Earlier { is_sacked: true, ..Earlier::default() });
            earlier.sent = earlier.sent.max(run.sent);
            earlier.sent_ns = earlier.sent_ns.max(run.sent_ns);
            earlier.is_sacked &= run.is_sacked;
        }
        found
    }

    /// Notes that bytes from `start` to `end` were sent.
    pub fn send(&mut self, start: i64, end: i64, now_ns: u64) {
        if !self.has_started {
            self.has_started = true;
            (self.una, self.next) = (start, start);
            (self.highest_sacked, self.judged) = (start, start);
        }
        if start > self.next {
            // The capture did not see these bytes: they were lost before it, or by it.
            self.insert(self.next, start, now_ns, 0);
            self.next = start;
        }
        let again = start.max(self.una);
        if again < end.min(self.next) {
            let upto = end.min(self.next);
            self.split(again);
            self.split(upto);
            let mut more = 0;
            for (&first, run) in self.runs.range_mut(again..upto) {
                more -= run.in_flight(first);
                run.sent += 1;
                run.sent_ns = now_ns;
                run.is_lost = false;
                more += run.in_flight(first);
            }
            self.in_flight += more;
        }
        if end > self.next {
            self.insert(self.next, end, now_ns, 1);
            self.next = end;
        }
    }

    fn insert(&mut self, start: i64, end: i64, now_ns: u64, sent: u32) {
        let run = Run { end, sent_ns: now_ns, sent, is_sacked: false, is_lost: false };
        self.runs.insert(start, run);
        self.in_flight += end - start;
    }

    fn split(&mut self, at: i64) {
        if let Some((_, run)) = self.runs.range_mut(..at).next_back()
            && run.end > at
        {
            let upper = *run;
            run.end = at;
            self.runs.insert(at, upper);
        }
    }

    /// Notes an acknowledgment with its SACK blocks, of which `sacks` has none below `ack`.
    pub fn acknowledge(&mut self, ack: i64, sacks: &[(i64, i64)], mss: u32) -> News {
        let mut news = News::default();
        let mut newest: Option<Run> = None;
        let mut fills_hole = false;
        if !self.has_started {
            return news;
        }
        if ack > self.next {
            // Bytes that the capture did not see.
            let from = self.next;
            self.insert(from, ack, 0, 0);
            self.next = ack;
        }
        if ack > self.una {
            news.acked = ack - self.una;
            self.split(ack);
            let rest = self.runs.split_off(&ack);
            for (&start, run) in &self.runs {
                let bytes = run.end - start;
                self.in_flight -= run.in_flight(start);
                fills_hole |= run.sent > 1;
                if run.is_sacked {
                    self.sacked -= bytes;
                } else {
                    news.delivered += bytes;
                    newest = Some(later(newest, *run));
                }
            }
            self.runs = rest;
            self.una = ack;
        }
        for &(start, end) in sacks {
            let (start, end) = (start.max(self.una), end.min(self.next));
            if start >= end {
                continue;
            }
            self.split(start);
            self.split(end);
            for (&first, run) in self.runs.range_mut(start..end) {
                if !run.is_sacked {
                    self.in_flight -= run.in_flight(first);
                    run.is_sacked = true;
                    self.sacked += run.end - first;
                    news.delivered += run.end - first;
                    newest = Some(later(newest, *run));
                }
            }
            self.highest_sacked = self.highest_sacked.max(end);
        }
        self.judge(mss);
        // What lies above a hole arrived before the repetition that filled it.
        let is_sample = |run: &Run| run.sent == 1 && !fills_hole;
        news.sent_ns = newest.filter(is_sample).map(|run| run.sent_ns);
        news
    }

    /// Judges as lost what has more than two segments `SACKed` above it (RFC 6675 section 4,
    /// `IsLost`: "more than (`DupThresh` - 1) * SMSS bytes").
    fn judge(&mut self, mss: u32) {
        let enough = i64::try_from((DUP_THRESH - 1) * u64::from(mss)).unwrap_or(i64::MAX);
        let mut above = 0;
        let mut upto = self.judged;
        for (&start, run) in self.runs.range(..self.highest_sacked).rev() {
            if start < self.judged {
                return;
            }
            if run.is_sacked {
                above += run.end - start;
            }
            if above > enough {
                upto = start;
                break;
            }
        }
        if upto <= self.judged {
            return;
        }
        let mut less = 0;
        for (&start, run) in self.runs.range_mut(self.judged..upto) {
            if run.sent <= 1 && !run.is_sacked {
                less += run.in_flight(start);
                run.is_lost = true;
            }
        }
        self.in_flight -= less;
        self.judged = upto;
    }

    /// Judges all outstanding bytes lost, as after a timeout (RFC 6675 section 5.1).
    pub fn time_out(&mut self) {
        for (&start, run) in &mut self.runs {
            self.in_flight -= run.in_flight(start);
            run.is_lost = !run.is_sacked;
        }
        self.judged = self.next;
    }
}

fn later(one: Option<Run>, other: Run) -> Run {
    // Runs come in order of their bytes: of two sent at once the later one is newer.
    one.filter(|run| run.sent_ns > other.sent_ns).unwrap_or(other)
}
