//! The recorded tables of flows, links and packets.

use std::borrow::Cow;

use ackclock_units::Time;

use super::{PacketEvent, Point};
use crate::columns::table;
use crate::transport::recovery::CaState;

table! {
    /// Time series of flows: a row per flow and moment.
    pub struct FlowColumns of FlowSample {
        /// Simulated time.
        time: f64 = Real, "s";
        /// The flow's name.
        flow: u32 = Flow, "";
        /// Congestion window in force; in recovery, what PRR or inflation allows.
        cwnd: f64 = Real, "bytes";
        /// Slow-start threshold; null: none yet.
        ssthresh: f64 = Real, "bytes";
        /// Smoothed round-trip time (RFC 6298); null before the first sample.
        srtt: f64 = Real, "s";
        /// Latest round-trip sample; null before the first.
        rtt_sample: f64 = Real, "s";
        /// Sent, not acknowledged, not deemed lost.
        inflight: f64 = Real, "bytes";
        /// Pacing rate; null: not paced.
        pacing_rate: f64 = Real, "bit/s";
        /// Latest delivery-rate sample; null before the first.
        delivery_rate: f64 = Real, "bit/s";
        /// Payload in order at the receiver, read or not, since the start.
        delivered: u64 = Integer, "bytes";
        /// Payload acknowledged since the start.
        acked: u64 = Integer, "bytes";
        /// Data packets sent since the warm-up, retransmissions included.
        sent: u64 = Integer, "packets";
        /// Data packets sent again since the warm-up.
        retransmitted: u64 = Integer, "packets";
        /// Data packets that the network dropped since the warm-up.
        lost: u64 = Integer, "packets";
        /// Sender's state: {names} (as Linux's `ca_state`).
        state: u8 = Code(&CaState::NAMES), "";
    }
}

impl FlowColumns {
    /// Says that the latest row is that of a closed connection, which has no window any more.
    pub fn close(&mut self) {
        if self.room.full_at().is_some() {
            return;
        }
        let columns =
            [&mut self.cwnd, &mut self.ssthresh, &mut self.pacing_rate, &mut self.delivery_rate];
        for last in columns.into_iter().filter_map(|column| column.last_mut()) {
            *last = f64::NAN;
        }
    }
}

table! {
    /// Time series of links: a row per link and moment.
    pub struct LinkColumns of LinkSample {
        /// Simulated time.
        time: f64 = Real, "s";
        /// The link's name.
        link: u32 = Link, "";
        /// Packets waiting.
        queue_packets: u32 = Integer, "packets";
        /// Bytes waiting.
        queue_bytes: u64 = Integer, "bytes";
        /// Time that a packet arriving now would wait.
        queue_delay: f64 = Real, "s";
        /// Packets dropped since the warm-up, those lost on the wire included.
        dropped: u64 = Integer, "packets";
        /// Packets dropped at the queue's limit or RED's upper threshold since the warm-up.
        dropped_forced: u64 = Integer, "packets";
        /// Packets dropped by the queue's own decision (RED, `CoDel`, PIE, ...) since the warm-up.
        dropped_early: u64 = Integer, "packets";
        /// Packets marked CE since the warm-up.
        marked: u64 = Integer, "packets";
        /// Wire bytes that reached the far end since the warm-up.
        delivered_bytes: u64 = Integer, "bytes";
        /// RED's average queue (bytes in byte mode); null: the queue keeps none.
        red_average: f64 = Real, "packets";
    }
}

table! {
    /// Time series of the algorithms' own variables: a row per variable and moment.
    pub struct InternalColumns of Internal {
        /// Simulated time.
        time: f64 = Real, "s";
        /// The flow's name.
        flow: u32 = Flow, "";
        /// Variable of the congestion control, as its documentation names it.
        name: u16 = Internal, "";
        /// Value of the variable, in the unit that the algorithm's documentation gives.
        value: f64 = Real, "";
    }
    with {
        /// Names of the variables.
        pub names: Vec<Cow<'static, str>>;
    }
}

/// A variable of a congestion control at some moment.
#[derive(Clone, Copy, Debug)]
pub struct InternalValue {
    /// Index of the flow.
    pub flow: u32,
    /// Name of the variable.
    pub name: &'static str,
    /// Value of the variable.
    pub value: f64,
}

impl InternalColumns {
    /// Adds the rows of variables at `now`, as many as there is place for.
    pub fn add_all(&mut self, values: &[InternalValue], now: Time) {
        let (time, mut values) = (now.as_secs_f64(), values);
        while !values.is_empty() && self.has_room(now) {
            let fit = values.len().min(self.room.ready() - self.height());
            let (first, others) = values.split_at(fit);
            self.time.resize(self.time.len() + fit, time);
            self.flow.extend(first.iter().map(|it| it.flow));
            self.value.extend(first.iter().map(|it| it.value));
            let mut last = self.names.len();
            for it in first {
                // Variables follow each other in the same order in each row, nearly always.
                last = self.number_of(it.name, last + 1);
                self.name.push(u16::try_from(last).unwrap_or(u16::MAX));
            }
            values = others;
        }
    }

    /// Index of a variable's name, which is perhaps the one at `guess`.
    #[inline]
    fn number_of(&mut self, name: &'static str, guess: usize) -> usize {
        let guess = if guess < self.names.len() { guess } else { 0 };
        if self.names.get(guess).is_some_and(|known| std::ptr::eq(known.as_ref(), name)) {
            return guess;
        }
        self.names.iter().position(|known| known == name).unwrap_or_else(|| {
            self.names.push(Cow::Borrowed(name));
            self.names.len() - 1
        })
    }

    /// Adds the row of the variable `name`, unless the table is full.
    pub fn add(&mut self, now: Time, flow: u32, name: &'static str, value: f64) {
        if !self.has_room(now) {
            return;
        }
        let at = self.number_of(name, 0);
        let name = u16::try_from(at).unwrap_or(u16::MAX);
        self.push(Internal { time: now.as_secs_f64(), flow, name, value });
    }
}

table! {
    /// Packet events: a row per event.
    pub struct PacketColumns of PacketSeen {
        /// Simulated time, rounded down.
        time_ns: u64 = Integer, "ns";
        /// Where the packet was seen: {names}.
        point: u8 = Code(&Point::NAMES), "";
        /// The flow's name (sender, receiver) or the link's.
        place as "where": u32 = Place, "";
        /// Event: {names}; on a link send is enqueue, receive is delivery; corrupt: the host
        /// discarded it.
        event: u8 = Code(&PacketEvent::NAMES), "";
        /// The flow that the packet belongs to.
        flow: u32 = Flow, "";
        /// Number of the connection within the flow, from 0; a session opens one after another.
        connection: u32 = Integer, "";
        /// 1 for a packet from the receiver to the sender, else 0.
        is_ack: u8 = Integer, "";
        /// Sequence number, relative to the initial one.
        seq: u64 = Integer, "bytes";
        /// Payload.
        length: u32 = Integer, "bytes";
        /// Acknowledgment number, relative to the initial one.
        ack: u64 = Integer, "bytes";
        /// Bytes that the packet occupied on a link.
        wire_size: u32 = Integer, "bytes";
        /// TCP flag bits, as in the header.
        flags: u16 = Integer, "";
        /// IP ECN field, 0 to 3.
        ecn: u8 = Integer, "";
        /// Advertised window, scaled.
        window: u32 = Integer, "bytes";
        /// Timestamp value (RFC 7323).
        ts_val: u32 = Integer, "";
        /// Timestamp echo reply.
        ts_ecr: u32 = Integer, "";
        /// SACK blocks in use.
        sack_count: u8 = Hidden, "";
        /// Start of SACK block 1; 0: no such block.
        sack0_start: u64 = Integer, "bytes";
        /// End of SACK block 1; 0: no such block.
        sack0_end: u64 = Integer, "bytes";
        /// Start of SACK block 2; 0: no such block.
        sack1_start: u64 = Integer, "bytes";
        /// End of SACK block 2; 0: no such block.
        sack1_end: u64 = Integer, "bytes";
        /// Start of SACK block 3; 0: no such block.
        sack2_start: u64 = Integer, "bytes";
        /// End of SACK block 3; 0: no such block.
        sack2_end: u64 = Integer, "bytes";
    }
}

impl PacketColumns {
    /// Rows that belong to moments before `time`. They come in the order of time.
    #[must_use]
    pub fn rows_before(&self, time: Time) -> usize {
        let whole = time.as_ps().div_ceil(1000);
        self.time_ns.partition_point(|row| *row < whole)
    }

    /// Start and end of the three SACK blocks of a row.
    #[must_use]
    pub fn sacks(&self, row: usize) -> [(u64, u64); 3] {
        [
            (self.sack0_start[row], self.sack0_end[row]),
            (self.sack1_start[row], self.sack1_end[row]),
            (self.sack2_start[row], self.sack2_end[row]),
        ]
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "columns are f64; windows and rates are far below 2^53"
)]
pub(crate) fn float(value: u64) -> f64 {
    value as f64
}
