//! Datagrams without feedback: real-time traffic over UDP, and what its receiver makes of it.

mod cbr;
mod frames;
mod receiver;
mod video;
mod voice;

use std::sync::Arc;

use ackclock_units::{Duration, Time};
use serde::{Deserialize, Serialize};

use crate::net::Wire;
use crate::packet::Packet;
use crate::plan::RecordPlan;
use crate::probe::{Room, bounded};
use crate::rng::{self, Rng};
pub use cbr::{Cbr, CbrPlan};
pub use frames::{FrameBook, FrameColumns, FrameState, FrameStats};
pub use receiver::{StreamReceiver, StreamStats};
pub use video::{FramePlan, PlayoutFrom, Video, VideoPlan};
pub use voice::{Voice, VoicePlan};

/// A UDP stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StreamPlan {
    /// Unique name among flows and streams; random streams are keyed by it.
    pub name: String,
    /// Its first datagram may be sent from here on, ps.
    pub start_ps: u64,
    /// None is sent from here on, ps.
    #[serde(default)]
    pub stop_ps: Option<u64>,
    /// Links from sender to receiver, in order.
    pub path: Vec<u32>,
    /// Headers of each datagram (IP, UDP and whatever the application adds), bytes.
    pub header_bytes: u32,
    /// Class of its packets (Linux's `SO_PRIORITY`, 0 to 15).
    #[serde(default)]
    pub priority: u8,
    /// The receiver plays each datagram so long after it was sent, and as long as the first took, ps; what comes later is late. Absent:
    /// nothing is played.
    #[serde(default)]
    pub playout_ps: Option<u64>,
    /// What it sends.
    pub app: StreamAppPlan,
}

/// What a stream sends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum StreamAppPlan {
    /// Datagrams of one size at a constant rate.
    Cbr(CbrPlan),
    /// Speech.
    Voice(VoicePlan),
    /// A film, frame by frame.
    Video(VideoPlan),
}

/// A datagram to send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Datagram {
    /// When.
    pub at: Time,
    /// Payload, bytes.
    pub payload: u32,
    /// The frame (of a film, a talk spurt) that it is a part of; [`NO_FRAME`]: of none.
    pub frame: u32,
}

/// Datagrams that an event sends. What is left of a larger frame follows at the same instant.
const MOST_AT_A_TIME: u32 = 4096;

/// Of no frame.
pub const NO_FRAME: u32 = u32::MAX;

/// A source of datagrams.
pub trait Source: Send {
    /// The next datagram, not before the last; nothing: it has ended. `rng` is this stream's own.
    fn next(&mut self, rng: &mut Rng) -> Option<Datagram>;
}

/// One row per datagram sent, if recorded. Times in s; NaN: not arrived.
#[derive(Clone, Debug, Default)]
pub struct DatagramColumns {
    /// Index of the stream.
    pub stream: Vec<u32>,
    /// From 0, per stream.
    pub number: Vec<u64>,
    /// s.
    pub sent: Vec<f64>,
    /// On the wire, bytes.
    pub size: Vec<u32>,
    /// [`NO_FRAME`]: none.
    pub frame: Vec<u32>,
    /// One way, s; NaN: not arrived.
    pub delay: Vec<f64>,
    /// RFC 3550's estimate after it, s; NaN: not arrived.
    pub jitter: Vec<f64>,
    /// How much of it may be kept, and whether it is full.
    pub room: Room,
}

bounded!(DatagramColumns: stream, number, sent, size, frame, delay, jitter);

/// Counters of a stream's sender, since the warm-up.
#[derive(Clone, Debug, Default)]
pub struct StreamSent {
    /// Datagrams.
    pub packets: u64,
    /// On the wire.
    pub bytes: u64,
    /// Their payload.
    pub payload_bytes: u64,
}

/// Both ends of a stream.
pub struct Stream {
    /// Its index among flows and streams, as packets carry it.
    flow: u32,
    index: u32,
    header_bytes: u32,
    priority: u8,
    source: Box<dyn Source>,
    rng: Rng,
    next: Option<Datagram>,
    number: u64,
    stop: Time,
    /// Rows of its datagrams in the record, by number; empty if it is not recorded.
    rows: Vec<u32>,
    is_recorded: bool,
    /// Whether frames are talk spurts.
    has_spurts: bool,
    /// What was sent.
    pub sent: StreamSent,
    /// What arrived.
    pub receiver: StreamReceiver,
    /// What became of a film's frames.
    pub frames: Option<Box<FrameBook>>,
}

impl Stream {
    /// The plan's stream; `flow` is its index among flows and streams, `index` among streams.
    #[must_use]
    pub fn new(flow: u32, index: u32, plan: &StreamPlan, seed: u64, record: &RecordPlan) -> Self {
        let start = Time::from_ps(plan.start_ps);
        let mut rng = rng::stream(seed, &format!("flow/{}/app", plan.name));
        let mut frames = None;
        let mut source: Box<dyn Source> = match &plan.app {
            StreamAppPlan::Cbr(cbr) => Box::new(Cbr::new(cbr, plan.header_bytes, start)),
            StreamAppPlan::Voice(voice) => Box::new(Voice::new(voice, start)),
            StreamAppPlan::Video(film) => {
                let film = Arc::new(film.clone());
                frames = Some(Box::new(FrameBook::new(film.clone(), start, record.max_bytes)));
                Box::new(Video::new(film, start))
            }
        };
        Self {
            flow,
            index,
            header_bytes: plan.header_bytes,
            priority: plan.priority,
            next: source.next(&mut rng),
            source,
            rng,
            number: 0,
            stop: plan.stop_ps.map_or(Time::MAX, Time::from_ps),
            rows: Vec::new(),
            is_recorded: record.datagrams,
            has_spurts: matches!(plan.app, StreamAppPlan::Voice(_)),
            sent: StreamSent::default(),
            receiver: StreamReceiver::new(plan.playout_ps.map(Duration::from_ps)),
            frames,
        }
    }

    /// When it sends next; [`Time::MAX`]: never again.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.next.map(|next| next.at).filter(|at| *at < self.stop).unwrap_or(Time::MAX)
    }

    /// Whether it will send no more.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.deadline() == Time::MAX
    }

    /// Sends what is due.
    pub fn on_timer(&mut self, now: Time, record: &mut DatagramColumns, wire: &mut impl Wire) {
        for _ in 0..MOST_AT_A_TIME {
            let Some(datagram) = self.next.filter(|next| next.at <= now && next.at < self.stop) else {
                return;
            };
            self.send(&datagram, now, record, wire);
            self.next = self.source.next(&mut self.rng);
        }
    }

    fn send(&mut self, datagram: &Datagram, now: Time, record: &mut DatagramColumns, wire: &mut impl Wire) {
        let packet = Packet {
            seq: self.number,
            // A datagram has no acknowledgment; the field carries when it was sent, as an RTP timestamp does.
            ack: now.as_ps(),
            flow: self.flow,
            wire_size: datagram.payload + self.header_bytes,
            payload: datagram.payload,
            window: datagram.frame,
            priority: self.priority,
            ..Packet::default()
        };
        self.number += 1;
        self.sent.packets += 1;
        self.sent.bytes += u64::from(packet.wire_size);
        self.sent.payload_bytes += u64::from(packet.payload);
        if let Some(frames) = &mut self.frames {
            frames.on_sent(datagram.frame, now);
        }
        self.is_recorded = self.is_recorded && record.has_room(now);
        if self.is_recorded {
            self.rows.push(u32::try_from(record.sent.len()).unwrap_or(u32::MAX));
            record.stream.push(self.index);
            record.number.push(packet.seq);
            record.sent.push(now.as_secs_f64());
            record.size.push(packet.wire_size);
            record.frame.push(datagram.frame);
            record.delay.push(f64::NAN);
            record.jitter.push(f64::NAN);
        }
        wire.send(&packet, now);
    }

    fn spurt_of(&self, packet: &Packet) -> u32 {
        if self.has_spurts { packet.window } else { 0 }
    }

    /// A datagram has arrived.
    pub fn on_packet(&mut self, packet: &Packet, now: Time, record: &mut DatagramColumns) {
        let sent = Time::from_ps(packet.ack);
        let is_first = self
            .receiver
            .take_in(packet.seq, self.spurt_of(packet), sent, now, packet.wire_size, packet.payload);
        if let Some(frames) = self.frames.as_mut().filter(|_| is_first) {
            frames.on_arrived(packet.window, now);
        }
        let row = usize::try_from(packet.seq).ok().and_then(|number| self.rows.get(number));
        if let Some(&row) = row.filter(|_| is_first) {
            record.delay[row as usize] = now.since(sent).as_secs_f64();
            record.jitter[row as usize] = self.receiver.jitter().as_secs_f64();
        }
    }

    /// Judges its frames, at the end of the run; nothing: it has none.
    pub fn judge(&self, end: Time, columns: &mut FrameColumns) -> Option<FrameStats> {
        self.frames.as_ref().map(|frames| frames.finish(self.index, end, columns))
    }

    /// Begins the measured part of the run.
    pub fn reset_stats(&mut self) {
        self.sent = StreamSent::default();
        self.receiver.reset_stats(self.number);
        if let Some(frames) = &mut self.frames {
            frames.reset_stats();
        }
    }
}

/// The time that `bits` take at `bps`.
fn time_for_bits(bits: u64, bps: u64) -> Duration {
    let ps = u128::from(bits) * 1_000_000_000_000 / u128::from(bps.max(1));
    Duration::from_ps(u64::try_from(ps).unwrap_or(u64::MAX).max(1))
}
