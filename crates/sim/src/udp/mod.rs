//! UDP streams: real-time traffic without feedback, and what the receiver makes of it.

mod cbr;
mod frames;
mod receiver;
mod video;
mod voice;

use std::sync::Arc;

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::columns::{counters, table};
use crate::limits::{LONGEST_PS, at_most, packet_sizes};
use crate::packet::Packet;
use crate::record::RecordPlan;
use crate::rng::{self, Rng};
use crate::wire::Wire;
pub use cbr::{Cbr, CbrPlan};
pub use frames::{FrameBook, FrameColumns, FrameState, FrameStats};
pub use receiver::{StreamReceiver, StreamStats};
pub use video::{FramePlan, PlayoutFrom, Video, VideoPlan};
pub use voice::{Voice, VoicePlan};

/// The plan of a UDP stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct StreamPlan {
    /// Unique name among flows and streams; random streams are keyed by it.
    pub name: String,
    /// The first datagram may be sent from this time on, ps.
    pub start_ps: u64,
    /// No datagram is sent from this time on, ps.
    #[serde(default)]
    pub stop_ps: Option<u64>,
    /// Links from sender to receiver, in order.
    pub path: Vec<u32>,
    /// Headers of each datagram (IP, UDP and those of the application), bytes.
    pub header_bytes: u32,
    /// Class of its packets (Linux's `SO_PRIORITY`, 0 to 15).
    #[serde(default)]
    pub priority: u8,
    /// Playout delay, ps, beyond the delay of the first datagram: a datagram that arrives after its
    /// playout time is late. Absent: nothing is played.
    #[serde(default)]
    pub playout_ps: Option<u64>,
    /// Application of the stream.
    pub app: StreamAppPlan,
}

impl StreamPlan {
    /// Checks the stream's own numbers; [`crate::plan::Plan::check`] checks what it refers to.
    ///
    /// # Errors
    /// Names the key, its value and the most that it may be.
    pub fn check(&self) -> Result<(), String> {
        at_most("playout_ps", self.playout_ps.unwrap_or(0), LONGEST_PS)?;
        let payload = match &self.app {
            StreamAppPlan::Cbr(cbr) => cbr.payload_bytes,
            StreamAppPlan::Voice(voice) => voice.payload_bytes,
            StreamAppPlan::Video(video) => video.packet_bytes,
        };
        packet_sizes(&[("header_bytes", self.header_bytes), ("the payload of a datagram", payload)])
    }
}

/// The application of a stream.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum StreamAppPlan {
    /// Datagrams of one size at a constant rate.
    Cbr(CbrPlan),
    /// Speech.
    Voice(VoicePlan),
    /// A video, frame by frame.
    Video(VideoPlan),
}

/// A datagram to send.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Datagram {
    /// Time of sending.
    pub at: Time,
    /// Payload, bytes.
    pub payload: u32,
    /// Number of the frame (of a video) or talk spurt that the datagram is a part of; [`NO_FRAME`]:
    /// none.
    pub frame: u32,
}

/// Most datagrams that one event sends. The rest of a larger frame follows at the same instant.
const MOST_AT_A_TIME: u32 = 4096;

/// Frame number of a datagram that belongs to no frame.
pub const NO_FRAME: u32 = u32::MAX;

/// A source of datagrams.
pub trait Source: Send {
    /// Returns the next datagram, no earlier than the last; `None`: the source has ended. `rng` is
    /// this stream's generator.
    fn next(&mut self, rng: &mut Rng) -> Option<Datagram>;
}

table! {
    /// Datagrams that were sent, if they are recorded: a row per datagram.
    pub struct DatagramColumns of DatagramSent {
        /// The UDP stream's name.
        stream as "flow": u32 = Stream, "";
        /// From 0, per stream.
        number: u64 = Integer, "";
        /// When it was sent.
        sent as "sent_time": f64 = Real, "s";
        /// Bytes that it occupied on a link.
        size: u32 = Integer, "bytes";
        /// The frame that it is a part of; null: of none.
        frame: u32 = Frame, "";
        /// One-way delay; null: it did not arrive.
        delay: f64 = Real, "s";
        /// Interarrival jitter after it (RFC 3550 section 6.4.1); null: it did not arrive.
        jitter: f64 = Real, "s";
    }
}

counters! {
    /// Counters of a stream's sender, since the warm-up.
    #[derive(Clone, Debug, Default)]
    pub struct StreamSent {
        SENT {
            /// Datagrams sent.
            sent_packets: u64 = sum, Integer, "packets";
            /// Wire bytes of the datagrams sent.
            sent_bytes: u64 = sum, Integer, "bytes";
        }
    }
    with {
        /// Payload of the datagrams sent, bytes.
        pub payload_bytes: u64 = sum;
    }
}

/// Both ends of a stream.
pub struct Stream {
    /// Index among flows and streams, as packets carry it.
    flow: u32,
    index: u32,
    header_bytes: u32,
    priority: u8,
    source: Box<dyn Source>,
    rng: Rng,
    next: Option<Datagram>,
    number: u64,
    stop: Time,
    /// By number of a datagram: its row in the record. Empty if datagrams are not recorded.
    rows: Vec<u32>,
    is_recorded: bool,
    /// Whether frames are talk spurts.
    has_spurts: bool,
    /// Counters of the sender.
    pub sent: StreamSent,
    /// The receiver.
    pub receiver: StreamReceiver,
    /// The frames of a video; absent: the stream is no video.
    pub frames: Option<Box<FrameBook>>,
}

impl Stream {
    /// Makes the stream of a plan; `flow` is its index among flows and streams, `index` among
    /// streams.
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

    /// Time of the next datagram; [`Time::MAX`]: there is none.
    #[must_use]
    pub fn deadline(&self) -> Time {
        self.next.map(|next| next.at).filter(|at| *at < self.stop).unwrap_or(Time::MAX)
    }

    /// Whether the stream will send no more.
    #[must_use]
    pub fn has_ended(&self) -> bool {
        self.deadline() == Time::MAX
    }

    /// Sends the datagrams that are due.
    pub fn on_timer(&mut self, now: Time, record: &mut DatagramColumns, wire: &mut impl Wire) {
        for _ in 0..MOST_AT_A_TIME {
            let Some(datagram) = self.next.filter(|next| next.at <= now && next.at < self.stop)
            else {
                return;
            };
            self.send(&datagram, now, record, wire);
            self.next = self.source.next(&mut self.rng);
        }
    }

    fn send(
        &mut self,
        datagram: &Datagram,
        now: Time,
        record: &mut DatagramColumns,
        wire: &mut impl Wire,
    ) {
        let packet = Packet {
            seq: self.number,
            // A datagram has no acknowledgment. The field carries the time of sending, as an RTP
            // timestamp does.
            ack: now.as_ps(),
            flow: self.flow,
            wire_size: datagram.payload + self.header_bytes,
            payload: datagram.payload,
            window: datagram.frame,
            priority: self.priority,
            ..Packet::default()
        };
        self.number += 1;
        self.sent.sent_packets += 1;
        self.sent.sent_bytes += u64::from(packet.wire_size);
        self.sent.payload_bytes += u64::from(packet.payload);
        if let Some(frames) = &mut self.frames {
            frames.on_sent(datagram.frame, now);
        }
        self.is_recorded = self.is_recorded && record.has_room(now);
        if self.is_recorded {
            self.rows.push(u32::try_from(record.height()).unwrap_or(u32::MAX));
            record.push(DatagramSent {
                stream: self.index,
                number: packet.seq,
                sent: now.as_secs_f64(),
                size: packet.wire_size,
                frame: datagram.frame,
                delay: f64::NAN,
                jitter: f64::NAN,
            });
        }
        wire.send(&packet, now);
    }

    fn spurt_of(&self, packet: &Packet) -> u32 {
        if self.has_spurts { packet.window } else { 0 }
    }

    /// Handles the arrival of a datagram.
    pub fn on_packet(&mut self, packet: &Packet, now: Time, record: &mut DatagramColumns) {
        let sent = Time::from_ps(packet.ack);
        let is_first = self.receiver.take_in(
            packet.seq,
            self.spurt_of(packet),
            sent,
            now,
            packet.wire_size,
            packet.payload,
        );
        if let Some(frames) = self.frames.as_mut().filter(|_| is_first) {
            frames.on_arrived(packet.window, now);
        }
        let row = usize::try_from(packet.seq).ok().and_then(|number| self.rows.get(number));
        if let Some(&row) = row.filter(|_| is_first) {
            record.delay[row as usize] = now.since(sent).as_secs_f64();
            record.jitter[row as usize] = self.receiver.jitter().as_secs_f64();
        }
    }

    /// Judges the frames at the end of the run; `None`: the stream is no video.
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

/// Time that `bits` take at `bps`.
fn time_for_bits(bits: u64, bps: u64) -> Duration {
    let ps = u128::from(bits) * 1_000_000_000_000 / u128::from(bps.max(1));
    Duration::from_ps(u64::try_from(ps).unwrap_or(u64::MAX).max(1))
}
