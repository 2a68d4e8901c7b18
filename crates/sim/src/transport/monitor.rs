//! Monitor intervals, for algorithms that ask for them: which segments were sent in which, and what became of them.
//!
//! A segment belongs to the interval in which it was last sent, which its send time tells; so nothing is kept per segment.
//! An interval is sent at one rate: a decision that changes the rate ends it.

use std::collections::VecDeque;

use ackclock_cc::interval::{Interval, IntervalStart, RttTrend};
use ackclock_units::{Duration, Rate, Time};

use super::scoreboard::Segment;

/// The intervals that are not settled.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Intervals so far.
    count: u64,
    /// In order; the last is open.
    intervals: VecDeque<Interval>,
    /// When the open one may end.
    due: Time,
    /// When the latest segment was sent.
    last_sent: Time,
}

impl Monitor {
    /// Whether an interval begins with the segment about to be sent, at `pacing_rate`. Segments of one instant share one.
    #[must_use]
    #[inline]
    pub fn next(&self, now: Time, srtt: Option<Duration>, pacing_rate: Option<Rate>) -> Option<IntervalStart> {
        let is_over = || now >= self.due || self.intervals.back().is_some_and(|open| open.pacing_rate != pacing_rate);
        let begins = self.count == 0 || (now > self.last_sent && is_over());
        begins.then_some(IntervalStart {
            number: self.count,
            now,
            srtt,
        })
    }

    /// Begins it.
    pub fn begin(&mut self, start: &IntervalStart, duration: Duration, pacing_rate: Option<Rate>) {
        if let Some(open) = self.intervals.back_mut() {
            open.end = start.now;
        }
        self.count += 1;
        self.due = start.now.saturating_add(duration);
        self.intervals.push_back(Interval {
            number: start.number,
            start: start.now,
            end: Time::MAX,
            pacing_rate,
            sent: 0,
            delivered: 0,
            lost: 0,
            is_limited: false,
            rtt: RttTrend::default(),
        });
    }

    /// A segment is sent.
    #[inline]
    pub fn on_sent(&mut self, bytes: u64, now: Time) {
        self.last_sent = now;
        if let Some(open) = self.intervals.back_mut() {
            open.sent += bytes;
        }
    }

    /// Something else than the pacer holds the sender back.
    pub fn note_limited(&mut self) {
        if let Some(open) = self.intervals.back_mut() {
            open.is_limited = true;
        }
    }

    /// A segment was delivered for the first time.
    #[inline]
    pub fn on_delivered(&mut self, segment: &Segment) {
        if let Some(interval) = self.interval_of(segment.sent_at) {
            interval.delivered += u64::from(segment.len);
        }
    }

    /// An ACK came for a segment that was sent once, at `sent_at`.
    #[inline]
    pub fn on_rtt(&mut self, sent_at: Time, now: Time) {
        if let Some(interval) = self.interval_of(sent_at) {
            interval.rtt.add(sent_at, now.since(sent_at));
        }
    }

    fn interval_of(&mut self, sent_at: Time) -> Option<&mut Interval> {
        self.intervals.iter_mut().rev().find(|interval| interval.start <= sent_at)
    }

    /// The next interval that is settled: all that is out, since `oldest`, was sent after it.
    pub fn resolved(&mut self, oldest: Option<Time>) -> Option<Interval> {
        let first = self.intervals.front()?;
        if first.end == Time::MAX || oldest.is_some_and(|oldest| oldest < first.end) {
            return None;
        }
        let mut interval = self.intervals.pop_front()?;
        interval.lost = interval.sent - interval.delivered;
        Some(interval)
    }
}
