//! One connection, laid out: each segment's kind, inflight, round-trip times, rates.

mod figures;
mod ranges;
mod scoreboard;
mod side;
mod tables;
#[cfg(test)]
mod tests;
mod vantage;

use std::collections::VecDeque;
use std::io::Read;

use ackclock_units::Time;

use crate::connections::{Tracker, seconds};
use crate::error::ReadError;
use crate::file;
use crate::pace::Pace;
use crate::segment::{self, Segment, flags};

pub(crate) use figures::quantile;
pub use figures::{Agreed, Figures};
pub use tables::{
    KINDS, Kind, RateColumns, RateSeen, SPURIOUS, SackColumns, SackSeen, SegmentColumns,
    SegmentSeen,
};
pub use vantage::{Place, Vantage};

use side::{Pending, Side};

/// Segments of a connection that are laid out; about 0.5 GB.
const MOST_SEGMENTS: usize = 2_000_000;
/// Memory that one table may take, bytes.
const MOST_BYTES: u64 = 1 << 30;
/// Without a measured round trip a segment is out of order if it is late by less than this, ns.
const LATE_NS: u64 = 3_000_000;
/// Intervals of the table of rates.
const INTERVALS: u32 = 300;

/// A segment, and which end sent it.
#[derive(Clone, Copy, Debug)]
pub struct Record {
    /// The segment.
    pub segment: Segment,
    /// Whether the client sent it.
    pub from_client: bool,
}

/// A loss episode: from its first retransmission until all that was outstanding is acknowledged.
#[derive(Clone, Copy, Debug)]
pub struct Episode {
    /// Time of the first retransmission, s.
    pub time: f64,
    /// Retransmitted packets of MSS bytes that are not known to be spurious.
    pub lost: u64,
    /// The largest RTT of the round trip before, s.
    pub rtt: Option<f64>,
}

/// Samples from which the path is estimated.
#[derive(Clone, Debug, Default)]
pub struct Evidence {
    /// Times of ACKs and the bytes delivered by then, s and bytes.
    pub deliveries: Vec<(f64, u64)>,
    /// Times of segments with new bytes and their sum by then, s and bytes.
    pub arrivals: Vec<(f64, u64)>,
    /// Times and round-trip times of the whole path, s.
    pub rtts: Vec<(f64, f64)>,
    /// Loss episodes.
    pub episodes: Vec<Episode>,
}

/// A connection that was laid out.
#[derive(Debug)]
pub struct Layout {
    /// Figures of the whole connection.
    pub figures: Figures,
    /// A row per segment.
    pub segments: SegmentColumns,
    /// A row per SACK block.
    pub sacks: SackColumns,
    /// A row per interval.
    pub rates: RateColumns,
    /// Samples from which the path is estimated.
    pub evidence: Evidence,
}

/// Lays out a connection of the capture by its number.
///
/// # Errors
/// If the file cannot be read, or has no such connection, or that has no payload.
pub fn lay_out(source: impl Read, number: usize) -> Result<Layout, ReadError> {
    lay_out_while(source, number, &mut || true)
}

/// Lays out a connection of the capture by its number, as long as `goes_on` says so.
///
/// # Errors
/// As [`lay_out`], and if it was stopped.
pub fn lay_out_while(
    source: impl Read,
    number: usize,
    goes_on: &mut dyn FnMut() -> bool,
) -> Result<Layout, ReadError> {
    let mut pace = Pace::new(goes_on);
    let mut tracker = Tracker::default();
    let mut records = Vec::new();
    let mut count = 0;
    let mut left_out: u64 = 0;
    file::frames(source, &mut pace, &mut |frame| {
        let Ok(segment) = segment::read(&frame) else { return };
        let Some((found, from_client)) = tracker.place(&segment) else { return };
        count = count.max(found + 1);
        if found != number {
        } else if records.len() < MOST_SEGMENTS {
            records.push(Record { segment, from_client });
        } else {
            left_out += 1;
        }
    })?;
    if number >= count {
        return Err(if count == 0 {
            ReadError::NoTcp("it has none".into())
        } else {
            ReadError::NoConnection { number, count }
        });
    }
    let payload = |from_client: bool| -> u64 {
        let sent = records.iter().filter(|it| it.from_client == from_client);
        sent.map(|it| u64::from(it.segment.payload)).sum()
    };
    let (client, server) = (payload(true), payload(false));
    if client == 0 && server == 0 {
        return Err(ReadError::NoPayload { number });
    }
    pace.ask()?;
    Walk::new(&records, client >= server).finish(number, left_out, &mut pace)
}

/// The walk over the segments of a connection.
struct Walk<'a> {
    records: &'a [Record],
    data_from_client: bool,
    vantage: Vantage,
    agreed: Agreed,
    /// Payload of a full segment, bytes.
    mss: u32,
    start_ns: u64,
    /// The data's direction, and the other.
    sides: [Side; 2],
    segments: SegmentColumns,
    sacks: SackColumns,
    rates: Vec<[u64; 3]>,
    interval: f64,
    evidence: Evidence,
    delivered: u64,
    arrived: u64,
    /// Inflight of the last round trip with its times, ns; descending.
    largest: VecDeque<(u64, i64)>,
    /// Round-trip times of the last one with the times at which they leave, ns and s; descending.
    recent: VecDeque<(u64, f64)>,
    /// Episodes that no later one precedes in time, with their times, s; ascending.
    last_by_time: Vec<(f64, usize)>,
    to_sender: f64,
}

impl<'a> Walk<'a> {
    fn new(records: &'a [Record], data_from_client: bool) -> Self {
        let times = records.iter().map(|it| it.segment.time_ns);
        let start_ns = times.clone().min().unwrap_or(0);
        let duration = seconds(times.max().unwrap_or(0) - start_ns);
        let agreed = Agreed::find(records, data_from_client);
        let vantage = vantage::find(records, data_from_client);
        let shortest = vantage.round_trip().unwrap_or(0.0);
        let interval = (duration / f64::from(INTERVALS)).max(shortest).max(1e-3);
        let mut sides = [Side::default(), Side::default()];
        for side in &mut sides {
            side.may_probe = agreed.sack != Some(false);
        }
        // Both must offer the option (RFC 7323 section 2.2).
        if let (Some(data), Some(other)) = (agreed.window_shifts[0], agreed.window_shifts[1]) {
            sides[0].window_shift = Some(data);
            sides[1].window_shift = Some(other);
        }
        Self {
            records,
            data_from_client,
            to_sender: vantage.to_sender.unwrap_or(0.0),
            vantage,
            mss: agreed.payload,
            agreed,
            start_ns,
            sides,
            segments: SegmentColumns::bounded(MOST_BYTES),
            sacks: SackColumns::bounded(MOST_BYTES),
            rates: Vec::new(),
            interval,
            evidence: Evidence::default(),
            delivered: 0,
            arrived: 0,
            largest: VecDeque::new(),
            recent: VecDeque::new(),
            last_by_time: Vec::new(),
        }
    }

    fn finish(
        mut self,
        number: usize,
        left_out: u64,
        pace: &mut Pace,
    ) -> Result<Layout, ReadError> {
        let mut before = 0;
        for record in self.records {
            self.step(record);
            let steps = self.sides.iter().map(Side::steps).sum();
            pace.work(1 + steps - before)?;
            before = steps;
        }
        let mut rates = RateColumns::bounded(MOST_BYTES);
        let rate = |bytes: u64| bits(bytes) / self.interval;
        for (index, &[goodput, throughput, retransmitted]) in (0_u32..).zip(&self.rates) {
            if rates.has_room(Time::ZERO) {
                rates.push(RateSeen {
                    time: (f64::from(index) + 0.5) * self.interval,
                    goodput: rate(goodput),
                    throughput: rate(throughput),
                    retransmitted: rate(retransmitted),
                });
            }
        }
        pace.ask()?;
        let figures = Figures::new(number, left_out, &self);
        pace.ask()?;
        Ok(Layout {
            figures,
            segments: self.segments,
            sacks: self.sacks,
            rates,
            evidence: self.evidence,
        })
    }

    fn step(&mut self, record: &Record) {
        let segment = &record.segment;
        let now_ns = segment.time_ns;
        let time = seconds(now_ns.saturating_sub(self.start_ns));
        let is_data = record.from_client == self.data_from_client;
        let d = usize::from(!is_data);
        let echo = segment.options.timestamps.map(|(_, echo)| echo);
        for side in &mut self.sides {
            side.catch_up(now_ns, None, self.mss);
        }
        if is_data {
            self.sides[0].catch_up(now_ns, echo, self.mss);
        }
        let was_recovering = self.sides[d].is_recovering();
        let first = i64::from(!segment.has(flags::SYN));
        let start = self.sides[d].position(segment.seq, first);
        let ack = segment.has(flags::ACK).then(|| self.sides[1 - d].position(segment.ack, 1));
        let window = match self.sides[d].window_shift {
            Some(shift) if !segment.has(flags::SYN) => u32::from(segment.window) << shift,
            _ => segment.window.into(),
        };
        let (kind, acknowledged_before) = self.kind(segment, d, start, ack, window);
        let row = self.segments.height();
        let mut sender_rtt = f64::NAN;
        let mut ack_rtt = f64::NAN;
        let mut echo_rtt = f64::NAN;
        if let Some((value, echo)) = segment.options.timestamps {
            self.sides[d].echoes.send(value, now_ns);
            if ack.is_some()
                && let Some(took) = self.sides[1 - d].echoes.echo(echo, now_ns)
            {
                if is_data {
                    sender_rtt = seconds(took);
                    if segment.payload > 0 {
                        self.sender_rtt(now_ns, time, sender_rtt);
                    }
                } else {
                    echo_rtt = seconds(took);
                }
            }
        }
        if segment.length() > 0 && !segment.has(flags::RST) {
            self.sent(segment, d, start, kind, row, was_recovering);
        }
        if let Some(ack) = ack
            && !segment.has(flags::RST)
        {
            let sacks = self.blocks(segment, d, ack, time);
            let is_duplicate = kind == Kind::DuplicateAck;
            let news = self.heard(segment, d, ack, &sacks, is_duplicate);
            if !is_data {
                if let Some(sent_ns) = news.sent_ns {
                    ack_rtt = seconds(now_ns.saturating_sub(sent_ns));
                }
                // A SYN takes less time than data on a link.
                let rtt = if segment.has(flags::SYN) { f64::NAN } else { ack_rtt };
                self.delivered(&news, rtt, now_ns, time);
            } else if let Some(sent_ns) = news.sent_ns {
                self.sides[1].sample(now_ns.saturating_sub(sent_ns));
            }
        }
        let side = &mut self.sides[d];
        side.window = Some(window);
        side.last_ack = side.last_ack.max(ack);
        side.idle_at = side.idle_at.max(Some(start));
        side.has_probed = matches!(kind, Kind::KeepAlive | Kind::WindowProbe);
        self.sides[1 - d].has_probed = false;
        for side in &mut self.sides {
            side.catch_up(now_ns, None, self.mss);
        }
        let data = &self.sides[0];
        let (inflight, outstanding) = (data.view.in_flight(), data.view.outstanding());
        let cwnd = self.envelope(now_ns, inflight);
        let right_edge = match (self.sides[1].last_ack, self.sides[1].window) {
            (Some(ack), Some(window)) => real(ack + i64::from(window)),
            _ => f64::NAN,
        };
        if self.segments.has_room(Time::ZERO) {
            self.segments.push(SegmentSeen {
                frame: segment.frame,
                time,
                is_data: is_data.into(),
                kind: kind as u8,
                spurious: acknowledged_before.into(),
                seq: shown(start),
                length: segment.payload,
                ack: ack.map_or(0, shown),
                window,
                flags: segment.flags,
                ecn: segment.ecn,
                sack_count: segment.options.sack_count,
                ack_rtt,
                echo_rtt,
                sender_rtt,
                outstanding: real(outstanding),
                inflight: real(inflight),
                cwnd,
                right_edge,
            });
        }
    }

    /// The segment's kind, and whether all its bytes had been acknowledged before.
    fn kind(
        &mut self,
        segment: &Segment,
        d: usize,
        start: i64,
        ack: Option<i64>,
        window: u32,
    ) -> (Kind, bool) {
        let now_ns = segment.time_ns;
        let end = start + i64::from(segment.length());
        let other_window = self.sides[1 - d].window;
        let other_has_probed = self.sides[1 - d].has_probed;
        let shortest_ns = self.vantage.round_trip().map_or(LATE_NS, |rtt| {
            #[expect(
                clippy::cast_possible_truncation,
                clippy::cast_sign_loss,
                reason = "a time of the capture"
            )]
            let ns = (rtt * 1e9) as u64;
            ns
        });
        let side = &mut self.sides[d];
        let (has_started, next) = (side.board.has_started(), side.board.next());
        if segment.has(flags::RST) {
            return (Kind::Reset, false);
        }
        if segment.has(flags::SYN) {
            return if has_started && end <= next {
                (Kind::Timeout, false)
            } else {
                (Kind::Handshake, false)
            };
        }
        let is_plain = !segment.has(flags::FIN);
        let usual = if has_started { Some(next) } else { side.idle_at };
        if is_plain && segment.payload <= 1 && usual.is_some_and(|usual| start == usual - 1) {
            return (Kind::KeepAlive, false);
        }
        if segment.length() == 0 {
            let same = ack.is_some() && ack == side.last_ack;
            let kind = if !same || other_has_probed {
                Kind::Ack
            } else if segment.options.sack_count > 0 || (side.window == Some(window) && window > 0)
            {
                Kind::DuplicateAck
            } else if side.window != Some(window) {
                Kind::WindowUpdate
            } else {
                Kind::Ack
            };
            return (kind, false);
        }
        if !has_started || start == next {
            return if segment.payload == 1 && other_window == Some(0) {
                (Kind::WindowProbe, false)
            } else {
                (Kind::New, false)
            };
        }
        if start > next {
            return (Kind::AfterGap, false);
        }
        let earlier = side.board.earlier(start, end);
        let is_acknowledged = end <= side.board.una();
        let stamp = segment.options.timestamps.map(|(value, _)| value);
        if earlier.is_none() && !is_acknowledged && side.is_late(end, now_ns, stamp, shortest_ns) {
            return (Kind::OutOfOrder, false);
        }
        let was_sacked = earlier.is_some_and(|it| it.is_sacked);
        (side.trigger(start, end, now_ns), is_acknowledged || was_sacked)
    }

    /// Notes data or a FIN that was sent.
    fn sent(
        &mut self,
        segment: &Segment,
        d: usize,
        start: i64,
        kind: Kind,
        row: usize,
        was_recovering: bool,
    ) {
        let time = seconds(segment.time_ns.saturating_sub(self.start_ns));
        let now_ns = segment.time_ns;
        let end = start + i64::from(segment.length());
        let side = &mut self.sides[d];
        // A keep-alive takes no place of its own.
        if kind == Kind::KeepAlive {
            return;
        }
        let before = side.board.next();
        let stamp = segment.options.timestamps.map(|(value, _)| value);
        side.send(start, end, now_ns, stamp);
        if kind.is_retransmission() {
            side.repeated.insert(start, row);
        }
        if d != 0 || segment.payload == 0 {
            return;
        }
        if kind == Kind::OutOfOrder {
            self.arrived += u64::from(segment.payload);
        } else {
            let new = end - before.max(start).min(end);
            self.arrived += u64::try_from(new).unwrap_or(0);
        }
        self.evidence.arrivals.push((time, self.arrived));
        let is_retransmission = kind.is_retransmission();
        let rates = self.rates_at(time);
        rates[1] += u64::from(segment.payload);
        if is_retransmission {
            rates[2] += u64::from(segment.payload);
            self.lost(segment, kind, was_recovering, time);
        }
    }

    /// Counts a retransmission in its episode.
    fn lost(&mut self, segment: &Segment, kind: Kind, was_recovering: bool, time: f64) {
        if kind == Kind::TailProbe {
            return;
        }
        let packets = u64::from(segment.payload.div_ceil(self.mss.max(1)));
        let is_recovering = self.sides[0].is_recovering();
        match self.evidence.episodes.last_mut() {
            Some(episode) if was_recovering || !is_recovering => episode.lost += packets,
            _ => {
                let rtt = self.recent.front().map(|&(_, rtt)| rtt);
                while self.last_by_time.last().is_some_and(|&(other, _)| other >= time) {
                    self.last_by_time.pop();
                }
                self.last_by_time.push((time, self.evidence.episodes.len()));
                self.evidence.episodes.push(Episode { time, lost: packets, rtt });
            }
        }
    }

    /// SACK blocks of an acknowledgment without a DSACK, which marks its retransmission.
    fn blocks(&mut self, segment: &Segment, d: usize, ack: i64, time: f64) -> Vec<(i64, i64)> {
        let count = usize::from(segment.options.sack_count);
        let mut blocks: Vec<(i64, i64)> = segment.options.sacks[..count]
            .iter()
            .map(|&(start, end)| {
                let first = self.sides[1 - d].position(start, 1);
                (first, first + i64::from(end.wrapping_sub(start)))
            })
            .collect();
        let is_dsack = |blocks: &[(i64, i64)]| match blocks {
            // "the first SACK block [...] lies below the cumulative acknowledgement", or within
            // the second block (RFC 2883 section 4).
            [first, ..] if first.1 <= ack => true,
            [first, second, ..] => second.0 <= first.0 && first.1 <= second.1,
            _ => false,
        };
        let has_dsack = is_dsack(&blocks);
        if d == 1 {
            for (index, &(start, end)) in blocks.iter().enumerate() {
                if self.sacks.has_room(Time::ZERO) {
                    self.sacks.push(SackSeen {
                        time,
                        start: shown(start),
                        end: shown(end),
                        is_dsack: (index == 0 && has_dsack).into(),
                    });
                }
            }
        }
        if has_dsack {
            let (start, end) = blocks.remove(0);
            let side = &mut self.sides[1 - d];
            if let Some((&at, &row)) = side.repeated.range(start..end).next() {
                side.repeated.remove(&at);
                if let Some(spurious) = self.segments.spurious.get_mut(row)
                    && *spurious == 0
                {
                    *spurious = 2;
                    let kind = self.segments.kind[row];
                    let length = self.segments.length[row];
                    let at = self.segments.time[row];
                    if d == 1 && kind != Kind::TailProbe as u8 {
                        self.take_back(at, length);
                    }
                }
            }
        }
        // A block of half the numbers or more is none.
        blocks.retain(|&(start, end)| end > ack && end - start < 1 << 31);
        blocks
    }

    /// A retransmission was not needed: its packets were not lost.
    fn take_back(&mut self, time: f64, length: u32) {
        let packets = u64::from(length.div_ceil(self.mss.max(1)));
        let count = self.last_by_time.partition_point(|&(other, _)| other <= time);
        if let Some(&(_, last)) = self.last_by_time[..count].last() {
            let episode = &mut self.evidence.episodes[last];
            episode.lost = episode.lost.saturating_sub(packets);
        }
    }

    /// Counts an acknowledgment that side `d` sent.
    fn heard(
        &mut self,
        segment: &Segment,
        d: usize,
        ack: i64,
        blocks: &[(i64, i64)],
        is_duplicate: bool,
    ) -> scoreboard::News {
        let stamp = segment.options.timestamps.map(|(value, _)| value);
        let delay = match (d, self.vantage.delay_ns(), stamp) {
            (0, ..) | (_, 0, _) => 0,
            (_, delay, None) => delay,
            // The echo comes earlier, if data follow.
            (_, delay, Some(_)) => {
                self.sides[0].srtt_ns().unwrap_or(delay).max(delay).saturating_mul(2)
            }
        };
        let side = &mut self.sides[1 - d];
        let mut sacks = [(0, 0); 4];
        let sack_count = blocks.len().min(sacks.len());
        sacks[..sack_count].copy_from_slice(&blocks[..sack_count]);
        let due_ns = segment.time_ns.saturating_add(delay);
        side.hear(Pending { due_ns, stamp, ack, sacks, sack_count, is_duplicate });
        side.board.acknowledge(ack, blocks, self.mss)
    }

    /// Counts data that an ACK reports, and takes its RTT.
    fn delivered(&mut self, news: &scoreboard::News, ack_rtt: f64, now_ns: u64, time: f64) {
        let bytes = u64::try_from(news.delivered).unwrap_or(0);
        if bytes > 0 {
            self.delivered += bytes;
            self.evidence.deliveries.push((time, self.delivered));
        }
        self.rates_at(time)[0] += bytes;
        if ack_rtt.is_nan() {
            return;
        }
        let rtt = match self.vantage.place {
            Place::Sender | Place::Unknown => ack_rtt,
            Place::Middle => ack_rtt + self.to_sender,
            // The data's own ACKs measure the receiver's delay alone.
            Place::Receiver => return,
        };
        self.rtt(now_ns, time, rtt);
    }

    /// Takes the time from an ACK to the data that echo it.
    fn sender_rtt(&mut self, now_ns: u64, time: f64, took: f64) {
        match self.vantage.place {
            Place::Receiver => {
                self.rtt(now_ns, time, took + self.vantage.to_receiver.unwrap_or(0.0));
            }
            Place::Middle => self.to_sender = took,
            Place::Sender | Place::Unknown => {}
        }
    }

    /// Takes a round-trip time of the whole path, s.
    fn rtt(&mut self, now_ns: u64, time: f64, rtt: f64) {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a time of the capture"
        )]
        let rtt_ns = (rtt * 1e9) as u64;
        self.sides[0].sample(rtt_ns);
        self.evidence.rtts.push((time, rtt));
        // It leaves after those before it, even if the capture's clock went back.
        let at = self.recent.back().map_or(now_ns, |&(other, _)| other.max(now_ns));
        while self.recent.back().is_some_and(|&(_, other)| other <= rtt) {
            self.recent.pop_back();
        }
        self.recent.push_back((at, rtt));
        let since = now_ns.saturating_sub(self.sides[0].srtt_ns().unwrap_or(0));
        while self.recent.front().is_some_and(|&(at, _)| at < since) {
            self.recent.pop_front();
        }
    }

    /// The largest inflight of the last round trip, bytes.
    fn envelope(&mut self, now_ns: u64, inflight: i64) -> f64 {
        while self.largest.back().is_some_and(|&(_, other)| other <= inflight) {
            self.largest.pop_back();
        }
        self.largest.push_back((now_ns, inflight));
        let span = self.sides[0].srtt_ns().unwrap_or(LATE_NS);
        while self.largest.front().is_some_and(|&(at, _)| at.saturating_add(span) < now_ns) {
            self.largest.pop_front();
        }
        self.largest.front().map_or(f64::NAN, |&(_, inflight)| real(inflight))
    }

    fn rates_at(&mut self, time: f64) -> &mut [u64; 3] {
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "an interval of the capture"
        )]
        let index = (time / self.interval) as usize;
        // A clock that jumps must not make a table of any length.
        let index = index.min(2 * INTERVALS as usize);
        if self.rates.len() <= index {
            self.rates.resize(index + 1, [0; 3]);
        }
        &mut self.rates[index]
    }
}

fn shown(position: i64) -> u64 {
    u64::try_from(position).unwrap_or(0)
}

#[expect(clippy::cast_precision_loss, reason = "bytes of a connection are far below 2^53")]
fn real(bytes: i64) -> f64 {
    bytes as f64
}

#[expect(clippy::cast_precision_loss, reason = "bytes of a connection are far below 2^53")]
fn bits(bytes: u64) -> f64 {
    8.0 * bytes as f64
}
