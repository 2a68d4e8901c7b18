//! Monitor intervals, for algorithms that ask for them: bytes sent, delivered and lost in each.
//!
//! A segment belongs to the interval in which it was last sent, which the segment's send time
//! tells. A decision that changes the pacing rate ends an interval.

use std::collections::VecDeque;

use ackclock_cc::interval::{Interval, IntervalStart, RttTrend};
use ackclock_units::{Duration, Rate, Time};

use super::scoreboard::Segment;

/// The intervals that are not settled yet.
#[derive(Debug, Default)]
pub struct Monitor {
    /// Intervals begun so far.
    count: u64,
    /// Unsettled intervals in order; the last one is open.
    intervals: VecDeque<Interval>,
    /// When the open interval may end.
    due: Time,
    /// When the latest segment was sent.
    last_sent: Time,
}

impl Monitor {
    /// The interval that the next segment begins, if any. Segments of one instant share an
    /// interval.
    #[inline]
    pub fn next(
        &self,
        now: Time,
        srtt: Option<Duration>,
        pacing_rate: Option<Rate>,
    ) -> Option<IntervalStart> {
        let is_over = || {
            now >= self.due
                || self.intervals.back().is_some_and(|open| open.pacing_rate != pacing_rate)
        };
        let begins = self.count == 0 || (now > self.last_sent && is_over());
        begins.then_some(IntervalStart { number: self.count, now, srtt })
    }

    /// Begins the interval that [`Monitor::next`] has announced.
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

    /// Something other than the pacer holds the sender back.
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

    /// The receiver has dropped a delivered segment again (RFC 2018 section 8).
    pub fn on_reneged(&mut self, segment: &Segment) {
        if let Some(interval) = self.interval_of(segment.sent_at) {
            interval.delivered -= u64::from(segment.len);
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

    /// Takes out the next interval that ended before `oldest`: no segment in flight is older.
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::transport::plan::WindowCounting;
    use crate::transport::scoreboard::Scoreboard;

    const MSS: u64 = 1000;
    const LENGTH: Duration = Duration::from_millis(10);
    const RATE: Rate = Rate::from_bps(1_000_000);

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    /// A sender reduced to its monitor and its scoreboard.
    struct Books {
        monitor: Monitor,
        board: Scoreboard,
        now: Time,
        rate: Rate,
        begun: u64,
        ended: Vec<Interval>,
    }

    impl Books {
        fn new() -> Self {
            Self {
                monitor: Monitor::default(),
                board: Scoreboard::new(MSS, WindowCounting::Bytes),
                now: Time::ZERO,
                rate: RATE,
                begun: 0,
                ended: Vec::new(),
            }
        }

        fn transmit(&mut self, bytes: u64) {
            if let Some(start) = self.monitor.next(self.now, None, Some(self.rate)) {
                assert_eq!(start.number, self.begun);
                self.begun += 1;
                self.monitor.begin(&start, LENGTH, Some(self.rate));
            }
            self.monitor.on_sent(bytes, self.now);
        }

        fn send(&mut self, bytes: u64) {
            self.transmit(bytes);
            let mut segment = Segment::new(self.board.next(), u32::try_from(bytes).unwrap(), false);
            segment.sent_at = self.now;
            self.board.push(segment);
        }

        /// Sends a full segment at each of these times, in milliseconds.
        fn send_at(&mut self, times: &[u64]) {
            for ms in times {
                self.now = at(*ms);
                self.send(MSS);
            }
        }

        fn retransmit(&mut self, number: u64) {
            self.transmit(u64::from(self.board.get(number).len));
            self.board.get_mut(number).sent_at = self.now;
            self.board.retransmit(number);
        }

        fn resolve(&mut self) {
            let oldest = self.board.oldest().map(|number| self.board.get(number).sent_at);
            self.ended.extend(std::iter::from_fn(|| self.monitor.resolved(oldest)));
        }

        fn sack(&mut self, start: u64, end: u64) {
            let Self { monitor, board, .. } = self;
            board.sack(start, end, |segment, _| monitor.on_delivered(segment));
            self.resolve();
        }

        fn acknowledge(&mut self, ack: u64) {
            let Self { monitor, board, .. } = self;
            board.acknowledge(ack, |segment, _| {
                if !segment.is_sacked() {
                    monitor.on_delivered(segment);
                }
            });
            self.resolve();
        }

        fn counts(&self) -> Vec<(u64, u64, u64)> {
            self.ended.iter().map(|i| (i.sent, i.delivered, i.lost)).collect()
        }
    }

    #[test]
    fn what_an_interval_sent_is_delivered_or_lost() {
        let mut books = Books::new();
        books.send_at(&[0, 5, 10, 15]);
        // The first interval is not settled while one of its segments is out.
        books.sack(2 * MSS, 4 * MSS);
        books.acknowledge(MSS);
        assert!(books.ended.is_empty());
        books.board.mark_lost(1);
        books.resolve();
        assert_eq!(books.counts(), [(2 * MSS, MSS, MSS)]);
        assert_eq!((books.ended[0].start, books.ended[0].end), (at(0), at(10)));
    }

    #[test]
    fn a_retransmission_counts_in_the_interval_that_it_is_sent_in() {
        let mut books = Books::new();
        books.send_at(&[0, 5]);
        books.sack(MSS, 2 * MSS);
        books.board.mark_lost(0);
        books.now = at(20);
        books.retransmit(0);
        books.resolve();
        assert_eq!(
            books.counts(),
            [(2 * MSS, MSS, MSS)],
            "delivered later, it stays lost to the interval of its first sending"
        );
        books.send_at(&[40]);
        books.acknowledge(2 * MSS);
        assert_eq!(books.counts()[1..], [(MSS, MSS, 0)]);
    }

    #[test]
    fn intervals_end_in_order_whatever_is_delivered_first() {
        let mut books = Books::new();
        books.send_at(&[0, 10, 20, 30]);
        books.sack(MSS, 4 * MSS);
        assert!(books.ended.is_empty());
        books.acknowledge(4 * MSS);
        assert_eq!(books.ended.iter().map(|i| i.number).collect::<Vec<_>>(), [0, 1, 2]);
    }

    #[test]
    fn a_changed_rate_begins_an_interval_and_segments_of_one_instant_share_one() {
        let mut books = Books::new();
        books.send(MSS);
        books.rate = Rate::from_bps(2_000_000);
        books.send(MSS);
        assert_eq!(books.begun, 1);
        books.send_at(&[1]);
        books.acknowledge(3 * MSS);
        assert_eq!(books.counts(), [(2 * MSS, 2 * MSS, 0)]);
        assert_eq!(books.ended[0].pacing_rate, Some(RATE));
    }

    #[test]
    fn an_rtt_counts_in_the_interval_of_its_segment() {
        let mut books = Books::new();
        books.send_at(&[0, 5, 10]);
        books.now = at(60);
        books.monitor.on_rtt(at(5), books.now);
        books.monitor.on_rtt(at(10), books.now);
        books.acknowledge(3 * MSS);
        let rtt = &books.ended[0].rtt;
        assert_eq!((rtt.samples(), rtt.last()), (1, Some(Duration::from_millis(55))));
    }

    #[test]
    fn data_that_the_receiver_drops_again_is_delivered_once() {
        let mut books = Books::new();
        books.send_at(&[0, 1, 2]);
        books.sack(MSS, 2 * MSS);
        let second = books.board.first_number().unwrap() + 1;
        books.monitor.on_reneged(books.board.get(second));
        books.board.forget_sacked();
        books.send_at(&[10]);
        books.acknowledge(4 * MSS);
        assert_eq!(books.counts(), [(3 * MSS, 3 * MSS, 0)]);
    }

    #[test]
    fn what_limits_the_sender_is_noted_for_the_open_interval() {
        let mut books = Books::new();
        books.send_at(&[0, 10]);
        books.monitor.note_limited();
        books.send_at(&[20]);
        books.acknowledge(3 * MSS);
        assert_eq!(books.ended.iter().map(|i| i.is_limited).collect::<Vec<_>>(), [false, true]);
    }

    #[derive(Clone, Debug)]
    enum Step {
        Wait(u64),
        Send(u64),
        Rate(u64),
        Retransmit(u64),
        Lose(u64),
        Sack(u64, u64),
        Acknowledge(u64),
    }

    fn step() -> impl Strategy<Value = Step> {
        prop_oneof![
            4 => (0..15_u64).prop_map(Step::Wait),
            6 => (1..=MSS).prop_map(Step::Send),
            1 => (1..4_u64).prop_map(Step::Rate),
            2 => (0..8_u64).prop_map(Step::Retransmit),
            2 => (0..8_u64).prop_map(Step::Lose),
            2 => (0..8_u64, 1..4_u64).prop_map(|(from, count)| Step::Sack(from, count)),
            2 => (1..8_u64).prop_map(Step::Acknowledge),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig {
            failure_persistence: None,
            ..ProptestConfig::default()
        })]

        #[test]
        fn no_byte_is_lost_or_counted_twice(steps in proptest::collection::vec(step(), 1..200)) {
            let mut books = Books::new();
            let mut sent = 0;
            for step in steps {
                let head = books.board.first_number().unwrap_or(0);
                let last = books.board.last_number();
                let number = |place: u64| last.map(|last| last.min(head + place));
                match step {
                    Step::Wait(ms) => books.now += Duration::from_millis(ms),
                    Step::Send(bytes) => {
                        sent += bytes;
                        books.send(bytes);
                    }
                    Step::Rate(mbit) => books.rate = Rate::from_bps(mbit * 1_000_000),
                    Step::Retransmit(place) => {
                        let lost = number(place).filter(|n| books.board.get(*n).is_lost());
                        if let Some(number) = lost {
                            sent += u64::from(books.board.get(number).len);
                            books.retransmit(number);
                        }
                    }
                    Step::Lose(place) => {
                        if let Some(number) = number(place) {
                            books.board.mark_lost(number);
                            books.resolve();
                        }
                    }
                    Step::Sack(from, count) => {
                        if let (Some(first), Some(last)) = (number(from), number(from + count)) {
                            let start = books.board.get(first).seq;
                            books.sack(start, books.board.get(last).end());
                        }
                    }
                    Step::Acknowledge(count) => {
                        if let Some(last) = number(count - 1) {
                            let end = books.board.get(last).end();
                            books.acknowledge(end);
                        }
                    }
                }
            }
            // All data is acknowledged, and one more segment closes the last interval.
            books.now += LENGTH + LENGTH;
            books.send(1);
            let next = books.board.next();
            books.acknowledge(next - 1);
            prop_assert_eq!(books.ended.len() as u64, books.begun - 1);
            prop_assert_eq!(books.ended.iter().map(|i| i.sent).sum::<u64>(), sent);
            for (number, interval) in books.ended.iter().enumerate() {
                prop_assert_eq!(interval.number, number as u64);
                prop_assert_eq!(interval.delivered + interval.lost, interval.sent);
                prop_assert!(interval.delivered <= interval.sent);
                prop_assert!(interval.start < interval.end);
            }
        }
    }
}
