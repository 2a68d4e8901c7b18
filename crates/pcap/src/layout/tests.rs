//! Does the scoreboard reckon as one that looks at each byte?

use proptest::prelude::*;

use super::scoreboard::{Earlier, News, Scoreboard};

/// A byte that was sent and is not yet acknowledged.
#[derive(Clone, Copy, Debug, Default)]
struct Byte {
    sent: u32,
    sent_ns: u64,
    is_sacked: bool,
    is_lost: bool,
}

/// A scoreboard that keeps each byte by itself, from `una` on.
#[derive(Debug, Default)]
struct Plain {
    bytes: Vec<Byte>,
    una: i64,
    has_started: bool,
    highest_sacked: i64,
    judged: i64,
}

impl Plain {
    fn next(&self) -> i64 {
        self.una + i64::try_from(self.bytes.len()).unwrap()
    }

    fn index(&self, at: i64) -> usize {
        usize::try_from(at.clamp(self.una, self.next()) - self.una).unwrap()
    }

    fn of(&mut self, start: i64, end: i64) -> &mut [Byte] {
        let (from, to) = (self.index(start), self.index(end));
        &mut self.bytes[from..to.max(from)]
    }

    fn grow(&mut self, end: i64, sent_ns: u64, sent: u32) {
        let length = usize::try_from(end - self.una).unwrap_or(0);
        let new = Byte { sent, sent_ns, ..Byte::default() };
        if length > self.bytes.len() {
            self.bytes.resize(length, new);
        }
    }

    fn send(&mut self, start: i64, end: i64, now_ns: u64) {
        if !self.has_started {
            self.has_started = true;
            (self.una, self.highest_sacked, self.judged) = (start, start, start);
        }
        let next = self.next();
        self.grow(start, now_ns, 0);
        for byte in self.of(start, end.min(next)) {
            byte.sent += 1;
            byte.sent_ns = now_ns;
            byte.is_lost = false;
        }
        self.grow(end, now_ns, 1);
    }

    fn earlier(&mut self, start: i64, end: i64) -> Option<Earlier> {
        let seen: Vec<Byte> =
            self.of(start, end).iter().copied().filter(|it| it.sent > 0 || it.is_sacked).collect();
        Some(Earlier {
            sent: seen.iter().map(|it| it.sent).max()?.min(2),
            sent_ns: seen.iter().map(|it| it.sent_ns).max()?,
            is_sacked: seen.iter().all(|it| it.is_sacked),
        })
    }

    fn acknowledge(&mut self, ack: i64, sacks: &[(i64, i64)], mss: u32) -> News {
        let mut news = News::default();
        if !self.has_started {
            return news;
        }
        self.grow(ack, 0, 0);
        let mut delivered = Vec::new();
        let mut fills_hole = false;
        if ack > self.una {
            news.acked = ack - self.una;
            let gone: Vec<Byte> = self.bytes.drain(..self.index(ack)).collect();
            fills_hole = gone.iter().any(|it| it.sent > 1);
            delivered.extend(gone.into_iter().filter(|it| !it.is_sacked));
            self.una = ack;
        }
        for &(start, end) in sacks {
            if start.max(self.una) >= end.min(self.next()) {
                continue;
            }
            for byte in self.of(start, end) {
                if !byte.is_sacked {
                    byte.is_sacked = true;
                    delivered.push(*byte);
                }
            }
            self.highest_sacked = self.highest_sacked.max(end.min(self.next()));
        }
        // From the top down to the byte with enough SACKed bytes from it on.
        let mut above = 0;
        let lowest = self.index(self.judged);
        let found = (lowest..self.bytes.len()).rev().find(|&at| {
            above += u32::from(self.bytes[at].is_sacked);
            above > 2 * mss
        });
        if let Some(found) = found {
            for byte in &mut self.bytes[lowest..found] {
                byte.is_lost |= !byte.is_sacked && byte.sent <= 1;
            }
            self.judged = self.una + i64::try_from(found).unwrap();
        }
        news.delivered = i64::try_from(delivered.len()).unwrap();
        let newest = delivered.into_iter().max_by_key(|it| it.sent_ns);
        news.sent_ns = newest.filter(|it| it.sent == 1 && !fills_hole).map(|it| it.sent_ns);
        news
    }

    fn time_out(&mut self) {
        for byte in &mut self.bytes {
            byte.is_lost = !byte.is_sacked;
        }
        self.judged = self.next();
    }

    fn count(&self, is: impl Fn(&Byte) -> bool) -> i64 {
        i64::try_from(self.bytes.iter().filter(|it| is(it)).count()).unwrap()
    }
}

/// An event of a connection; numbers are relative to `una`, so that most of them meet.
#[derive(Clone, Debug)]
enum Event {
    New(i64),
    Send(i64, i64),
    Ack(i64, Vec<(i64, i64)>),
    TimeOut,
}

fn event() -> impl Strategy<Value = Event> {
    prop_oneof![
        6 => (1_i64..12).prop_map(Event::New),
        4 => (-3_i64..80, 1_i64..12).prop_map(|(start, length)| Event::Send(start, length)),
        1 => (-3_i64..80, 1_i64..90).prop_map(|(start, length)| Event::Send(start, length)),
        8 => (
            prop_oneof![3 => Just(0_i64), 1 => 0_i64..20],
            proptest::collection::vec((0_i64..80, 1_i64..9), 0..4),
        ).prop_map(|(ack, sacks)| Event::Ack(ack, sacks)),
        1 => Just(Event::TimeOut),
    ]
}

proptest! {
    #[test]
    fn it_reckons_as_byte_by_byte(
        events in proptest::collection::vec((event(), 0_u64..3), 1..120),
        first in -5_i64..5,
        mss in 1_u32..6,
    ) {
        let (mut board, mut plain) = (Scoreboard::default(), Plain::default());
        let mut now_ns = 1;
        board.send(first, first + 1, now_ns);
        plain.send(first, first + 1, now_ns);
        for (event, later) in events {
            now_ns += later;
            let una = plain.una;
            match event {
                Event::New(length) => {
                    let next = plain.next();
                    board.send(next, next + length, now_ns);
                    plain.send(next, next + length, now_ns);
                }
                Event::Send(start, length) => {
                    let (start, end) = (una + start, una + start + length);
                    prop_assert_eq!(board.earlier(start, end), plain.earlier(start, end));
                    board.send(start, end, now_ns);
                    plain.send(start, end, now_ns);
                }
                Event::Ack(ack, sacks) => {
                    let blocks: Vec<_> = sacks
                        .into_iter()
                        .map(|(start, length)| (una + start, una + start + length))
                        .filter(|&(_, end)| end > una + ack)
                        .collect();
                    prop_assert_eq!(
                        board.acknowledge(una + ack, &blocks, mss),
                        plain.acknowledge(una + ack, &blocks, mss)
                    );
                }
                Event::TimeOut => {
                    board.time_out();
                    plain.time_out();
                }
            }
            prop_assert_eq!((board.una(), board.next()), (plain.una, plain.next()));
            prop_assert_eq!(board.outstanding(), plain.count(|it| !it.is_sacked));
            prop_assert_eq!(board.in_flight(), plain.count(|it| !it.is_sacked && !it.is_lost));
            let head = plain.bytes.iter().position(|it| !it.is_sacked);
            let head = head.unwrap_or(plain.bytes.len());
            prop_assert_eq!(board.head(), plain.una + i64::try_from(head).unwrap());
            prop_assert_eq!(
                board.has_sack_above(plain.una + 3), plain.highest_sacked > plain.una + 3
            );
        }
    }
}
