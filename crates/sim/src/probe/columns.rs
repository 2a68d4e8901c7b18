//! The columns of each table. Units: seconds, bytes, bit/s, packets. What is not known yet is NaN.

use super::{Room, bounded};

/// One row per flow and moment.
#[derive(Clone, Debug, Default)]
pub struct FlowColumns {
    /// s.
    pub time: Vec<f64>,
    /// Index of the flow.
    pub flow: Vec<u32>,
    /// The window in force (in recovery: what PRR or inflation allows), bytes.
    pub cwnd: Vec<f64>,
    /// Bytes; NaN: not found yet.
    pub ssthresh: Vec<f64>,
    /// s; NaN: no sample yet.
    pub srtt: Vec<f64>,
    /// The latest raw sample, s; NaN: none yet.
    pub rtt_sample: Vec<f64>,
    /// Bytes.
    pub inflight: Vec<f64>,
    /// bit/s; NaN: not paced.
    pub pacing_rate: Vec<f64>,
    /// The latest delivery-rate sample, bit/s; NaN: none yet.
    pub delivery_rate: Vec<f64>,
    /// In-order payload given to the receiving application since the start, bytes.
    pub delivered: Vec<u64>,
    /// Payload acknowledged cumulatively since the start, bytes.
    pub acked: Vec<u64>,
    /// Packets retransmitted since the warm-up.
    pub retransmitted: Vec<u64>,
    /// Data packets dropped by the network since the warm-up.
    pub lost: Vec<u64>,
    /// 0 open, 1 disorder, 2 CWR, 3 recovery, 4 loss (the kernel's `ca_state`).
    pub state: Vec<u8>,
    /// How much of it may be kept, and whether it is full.
    pub room: Room,
}

bounded!(
    FlowColumns: time, flow, cwnd, ssthresh, srtt, rtt_sample, inflight, pacing_rate, delivery_rate, delivered, acked, retransmitted, lost, state
);

/// One row per link and moment.
#[derive(Clone, Debug, Default)]
pub struct LinkColumns {
    /// s.
    pub time: Vec<f64>,
    /// Index of the link.
    pub link: Vec<u32>,
    /// Packets waiting.
    pub queue_packets: Vec<u32>,
    /// Bytes waiting.
    pub queue_bytes: Vec<u64>,
    /// What a packet arriving now would wait, s.
    pub queue_delay: Vec<f64>,
    /// Packets dropped since the warm-up, wire losses included.
    pub dropped: Vec<u64>,
    /// Of these, at a limit or at RED's upper threshold.
    pub dropped_forced: Vec<u64>,
    /// Of these, by RED at random.
    pub dropped_early: Vec<u64>,
    /// Packets marked since the warm-up.
    pub marked: Vec<u64>,
    /// Bytes that reached the far end since the warm-up.
    pub delivered_bytes: Vec<u64>,
    /// RED's average queue; NaN: the discipline keeps none.
    pub red_average: Vec<f64>,
    /// How much of it may be kept, and whether it is full.
    pub room: Room,
}

bounded!(
    LinkColumns: time, link, queue_packets, queue_bytes, queue_delay, dropped, dropped_forced, dropped_early, marked, delivered_bytes, red_average
);

/// Internals of algorithms, one row per value.
#[derive(Clone, Debug, Default)]
pub struct InternalColumns {
    /// s.
    pub time: Vec<f64>,
    /// Index of the flow.
    pub flow: Vec<u32>,
    /// Index into `names`.
    pub name: Vec<u16>,
    /// The value, in the algorithm's own unit.
    pub value: Vec<f64>,
    /// Names of the internals.
    pub names: Vec<&'static str>,
    /// How much of it may be kept, and whether it is full.
    pub room: Room,
}

bounded!(InternalColumns: time, flow, name, value);

/// One row per packet event.
#[derive(Clone, Debug, Default)]
pub struct PacketColumns {
    /// ns, rounded down.
    pub time_ns: Vec<u64>,
    /// 0 sender's host, 1 receiver's host, 2 link.
    pub point: Vec<u8>,
    /// Index of the flow, or of the link at point 2.
    pub place: Vec<u32>,
    /// As [`super::PacketEvent`].
    pub event: Vec<u8>,
    /// Index of the flow.
    pub flow: Vec<u32>,
    /// Which of the flow's connections, one after another, from 0.
    pub connection: Vec<u32>,
    /// Whether it travels from receiver to sender.
    pub is_ack: Vec<u8>,
    /// Offset of the first payload byte.
    pub seq: Vec<u64>,
    /// Payload, bytes.
    pub length: Vec<u32>,
    /// Offset of the next byte expected.
    pub ack: Vec<u64>,
    /// Bytes on the wire.
    pub wire_size: Vec<u32>,
    /// TCP flag bits.
    pub flags: Vec<u16>,
    /// ECN field.
    pub ecn: Vec<u8>,
    /// Advertised window, bytes.
    pub window: Vec<u32>,
    /// Timestamp value, ms.
    pub ts_val: Vec<u32>,
    /// Timestamp echo, ms.
    pub ts_ecr: Vec<u32>,
    /// SACK blocks in use.
    pub sack_count: Vec<u8>,
    /// SACK blocks as offsets: start and end of each, unused ones zero.
    pub sacks: [Vec<u64>; 6],
    /// How much of it may be kept, and whether it is full.
    pub room: Room,
}

bounded!(
    PacketColumns: time_ns, point, place, event, flow, connection, is_ack, seq, length, ack, wire_size, flags, ecn, window, ts_val, ts_ecr, sack_count; sacks
);

#[expect(clippy::cast_precision_loss, reason = "columns are f64; windows and rates are far below 2^53")]
pub(crate) fn float(value: u64) -> f64 {
    value as f64
}
