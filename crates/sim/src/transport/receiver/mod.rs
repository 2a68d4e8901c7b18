//! The receiving side: reassembly, acknowledgments (RFC 5681 section 4.2, RFC 1122 section
//! 4.2.3.2), SACK (RFC 2018), D-SACK (RFC 2883), ECN echo (RFC 3168) and the advertised window.

mod misbehaviour;
mod schedule;
mod window;

use std::sync::Arc;

use ackclock_units::{Duration, Rate, Time};

use self::misbehaviour::{Optimist, pieces};
use self::schedule::{AckRules, AckSchedule, Due, InOrder};
use self::window::{Arrival, Reader, Tuner, Tuning};
use super::endpoint::Endpoint;
use super::range_set::RangeSet;
use super::rtt::TimestampClock;
use crate::columns::counters;
use crate::packet::{Ecn, MAX_SACK_BLOCKS, Packet, SackBlock, flags, sack_option_bytes};
use crate::transport::flow::FlowPlan;
use crate::transport::plan::{EcnMode, LossDetection};
use crate::wire::Wire;

/// Sequence number that stands for none. An `Option` would double the size, for many receivers.
const NO_BYTE: u64 = u64::MAX;
/// Blocks remembered: one more than fits beside timestamps, so that three are left when two become
/// one (Linux's `selective_acks`).
const REMEMBERED_BLOCKS: usize = MAX_SACK_BLOCKS + 1;

/// One byte of each block reported lately, the most recent first, and [`NO_BYTE`] as filler.
type Recent = [u64; REMEMBERED_BLOCKS];

/// The first [`REMEMBERED_BLOCKS`] of `bytes`, with [`NO_BYTE`] as filler.
fn blocks_of(bytes: impl Iterator<Item = u64>) -> Recent {
    let mut recent = [NO_BYTE; REMEMBERED_BLOCKS];
    for (slot, byte) in recent.iter_mut().zip(bytes) {
        *slot = byte;
    }
    recent
}

counters! {
    /// Counters of a receiver, since the warm-up.
    #[derive(Clone, Debug, Default)]
    pub struct ReceiverStats {
        DELIVERED {
            /// Payload in order at the receiver, read or not. Data that an optimistic receiver
            /// acknowledges and that never arrives is left out.
            goodput_bytes: u64 = sum, Integer, "bytes";
            /// Wire bytes of data packets at the receiver.
            received_bytes: u64 = sum, Integer, "bytes";
        }
    }
    with {
        /// ACKs sent.
        pub acks: u64 = sum;
    }
}

/// Options that the receiving side reads. Flows with equal options share one copy.
#[derive(PartialEq)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own")]
struct Options {
    header_bytes: u32,
    mss: u64,
    buffer: u64,
    read_rate: Option<Rate>,
    timestamps: bool,
    clock: TimestampClock,
    has_sack: bool,
    dsack: bool,
    ecn: EcnMode,
    hides_marks: bool,
    /// Number of ACKs that a divided ACK becomes.
    ack_division: u64,
    acks: AckRules,
    tuning: Tuning,
}

/// A receiver.
pub struct Receiver {
    flow: u32,
    connection: u32,
    /// In-order payload of the flow's connections before this one, bytes.
    delivered_before: u64,
    priority: u8,
    options: Arc<Options>,
    /// `RCV.NXT`, the FIN counted.
    next: u64,
    /// End of the data; [`NO_BYTE`] until the FIN is seen.
    fin_at: u64,
    out_of_order: RangeSet,
    /// None before the first block, because most connections never report one.
    recent: Option<Box<Recent>>,
    /// Range that the next ACK reports as received twice; empty: none.
    duplicate: (u64, u64),
    schedule: AckSchedule,
    /// None: the receiver acknowledges what has arrived.
    optimist: Option<Box<Optimist>>,
    /// None: the window is what the buffer has left.
    tuner: Option<Tuner>,
    /// Round trip of the handshake; zero until its end.
    rtt: Duration,
    /// Latest time for the next ACK.
    ack_at: Time,
    /// When the window has opened enough for a window update.
    update_at: Time,
    /// Cumulative acknowledgment of the latest ACK.
    last_ack: u64,
    /// End of the window that the latest ACK advertised.
    edge: u64,
    /// Timestamp to echo.
    echo: u32,
    /// When the timestamp to echo arrived; the SYN's arrival until the handshake is over.
    echo_at: Time,
    reader: Reader,
    congestion_seen: bool,
    /// Marked payload received, bytes modulo 2^32.
    marked_bytes: u32,
    connected: bool,
    /// Counters.
    pub stats: ReceiverStats,
}

impl Receiver {
    /// A listening receiver.
    #[must_use]
    pub fn new(index: u32, flow: &FlowPlan) -> Self {
        let plan = &flow.transport;
        let acks = AckRules::new(plan);
        Self {
            flow: index,
            connection: 0,
            delivered_before: 0,
            priority: flow.priority,
            schedule: AckSchedule::new(&acks),
            options: Arc::new(Options {
                header_bytes: plan.header_bytes,
                mss: u64::from(plan.mss),
                buffer: plan.receive_buffer_bytes,
                read_rate: plan.read_rate_bps.map(Rate::from_bps),
                timestamps: plan.timestamps,
                clock: plan.timestamp_clock(),
                has_sack: plan.loss_detection != LossDetection::Dupack,
                dsack: plan.dsack,
                ecn: plan.ecn,
                hides_marks: plan.hide_marks,
                ack_division: plan.ack_division.into(),
                acks,
                tuning: Tuning::new(plan),
            }),
            next: 0,
            fin_at: NO_BYTE,
            out_of_order: RangeSet::default(),
            recent: None,
            duplicate: (0, 0),
            optimist: Optimist::new(plan),
            tuner: Tuner::new(plan),
            rtt: Duration::ZERO,
            ack_at: Time::MAX,
            update_at: Time::MAX,
            last_ack: 0,
            edge: 0,
            echo: 0,
            echo_at: Time::ZERO,
            reader: Reader::default(),
            congestion_seen: false,
            marked_bytes: 0,
            connected: false,
            stats: ReceiverStats::default(),
        }
    }

    /// Shares the options of `other`, if they are equal.
    pub(crate) fn sharing(mut self, other: Option<&Self>) -> Self {
        if let Some(other) = other.filter(|other| other.options == self.options) {
            self.options = Arc::clone(&other.options);
        }
        self
    }

    /// Makes this the connection that follows `last` on the same flow: counters go on.
    pub(crate) fn follow(&mut self, last: Self) {
        self.connection = last.connection + 1;
        self.delivered_before = last.delivered_in_all();
        self.stats = last.stats;
    }

    /// In-order payload that has arrived so far, on all of the flow's connections, bytes.
    #[must_use]
    pub fn delivered_in_all(&self) -> u64 {
        let concealed = self.optimist.as_ref().map_or(0, |optimist| optimist.concealed());
        self.delivered_before + self.delivered() - concealed
    }

    /// In-order payload of this connection so far, bytes, with the losses that an optimistic
    /// receiver conceals.
    #[must_use]
    pub fn delivered(&self) -> u64 {
        self.next.min(self.fin_at)
    }

    /// When the receiver next wants [`Receiver::on_timer`].
    #[must_use]
    #[inline]
    pub fn deadline(&self) -> Time {
        self.ack_at.min(self.update_at)
    }

    /// Sends the delayed ACK or the window update, if one is due.
    pub fn on_timer(&mut self, now: Time, wire: &mut impl Wire) {
        if self.ack_at <= now || self.update_at <= now {
            if self.ack_at <= now && !self.schedule.is_holding_back() {
                self.schedule.on_delay_expired(&self.options.acks, self.rtt);
            }
            if self.ack_at <= now
                && let Some(optimist) = &mut self.optimist
            {
                optimist.start_over(self.next);
            }
            self.acknowledge(now, wire);
        }
    }

    /// Begins the measured part of the run.
    pub fn reset_stats(&mut self) {
        self.stats = ReceiverStats::default();
    }
}

impl Endpoint for Receiver {
    #[expect(clippy::inline_always, reason = "once per packet, whose fields are known")]
    #[inline(always)]
    fn on_plain_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> bool {
        if !self.is_plain(packet) {
            return false;
        }
        self.stats.received_bytes += u64::from(packet.wire_size);
        if packet.seq <= self.last_ack {
            (self.echo, self.echo_at) = (packet.ts_val, now);
        }
        self.next += u64::from(packet.payload);
        self.stats.goodput_bytes += u64::from(packet.payload);
        let arrival = Arrival {
            next: self.next,
            payload: u64::from(packet.payload),
            held: 0,
            held_to: self.next,
            echo: self.options.timestamps.then_some(packet.ts_ecr),
            now,
        };
        match self.schedule_ack(packet, &arrival) {
            Due::Now => self.acknowledge(now, wire),
            Due::At(at) => self.ack_at = at,
        }
        true
    }

    #[inline(never)]
    fn on_any_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        if packet.connection != self.connection {
            return;
        }
        if packet.has(flags::SYN) && self.rtt > Duration::ZERO {
            // A late copy of the SYN gets a challenge ACK (RFC 5961 section 4.2).
            self.acknowledge(now, wire);
            return;
        }
        if packet.has(flags::SYN) {
            self.connected = true;
            (self.echo, self.echo_at) = (packet.ts_val, now);
            self.send(flags::SYN | flags::ACK, now, wire);
            return;
        }
        if self.rtt == Duration::ZERO {
            self.on_established(now);
        }
        if packet.span() == 0 {
            // Only a window probe has another sequence number than expected, and wants an answer.
            if packet.seq != self.next && self.connected {
                self.acknowledge(now, wire);
            }
            return;
        }
        if packet.payload > 0 {
            self.stats.received_bytes += u64::from(packet.wire_size);
            self.note_ecn(packet);
        }
        if self.is_old(packet, now) {
            self.refuse(packet);
            self.acknowledge(now, wire);
            return;
        }
        if packet.seq > self.next {
            self.conceal_hole(packet.seq);
        }
        // RFC 7323 section 4.3: echo the segment that the next ACK advances over.
        if packet.seq <= self.last_ack && self.ticks_behind(packet, now) <= 0 {
            (self.echo, self.echo_at) = (packet.ts_val, now);
        }
        match self.take_in(packet, now, wire) {
            Due::Now => self.acknowledge(now, wire),
            Due::At(at) => self.ack_at = at,
        }
    }
}

// How packets are taken in.
impl Receiver {
    /// Whether a packet has the data that is expected next and nothing else to tell, while nothing
    /// is missing and the application reads all at once.
    #[inline]
    fn is_plain(&self, packet: &Packet) -> bool {
        packet.seq == self.next
            && packet.payload > 0
            && packet.flags & !flags::PSH == flags::ACK
            && packet.ecn != Ecn::Ce
            && packet.connection == self.connection
            && self.out_of_order.is_empty()
            && self.options.read_rate.is_none()
            && self.fin_at == NO_BYTE
            && self.rtt > Duration::ZERO
            && self.echo.wrapping_sub(packet.ts_val).cast_signed() <= 0
    }

    /// Ticks of the timestamp clock by which the packet is older than the timestamp to echo. Beyond
    /// half the clock's range nobody can tell, and the packet counts as new (RFC 7323 section 5.5,
    /// Linux's `TCP_PAWS_WRAP`).
    fn ticks_behind(&self, packet: &Packet, now: Time) -> i32 {
        let behind = self.echo.wrapping_sub(packet.ts_val).cast_signed();
        if behind > 0 && now.since(self.echo_at) >= self.options.clock.horizon() {
            return 0;
        }
        behind
    }

    /// Protection against wrapped sequence numbers, RFC 7323 section 5.3: "If there is a Timestamps
    /// option in the arriving segment, SEG.TSval < TS.Recent, TS.Recent is valid [...], and if the
    /// RST bit is not set, then treat the arriving segment as not acceptable". Linux allows one
    /// tick.
    fn is_old(&self, packet: &Packet, now: Time) -> bool {
        self.options.timestamps && self.ticks_behind(packet, now) > 1
    }

    /// Refuses a segment that is not acceptable: the ACK reports the part that had arrived before.
    fn refuse(&mut self, packet: &Packet) {
        let (start, end) = (packet.seq, packet.seq + packet.span());
        if start < self.next {
            self.note_duplicate(start, end.min(self.next));
        }
        self.schedule.on_duplicate(&self.options.acks, self.advertised());
    }

    /// The handshake is over: the SYN-ACK is answered.
    fn on_established(&mut self, now: Time) {
        self.rtt = now.since(self.echo_at).max(Duration::from_ps(1));
        if let Some(tuner) = &mut self.tuner {
            tuner.begin(now);
        }
    }

    /// Takes a segment in. Returns when its ACK is due.
    fn take_in(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> Due {
        let (start, end) = (packet.seq, packet.seq + packet.span());
        if packet.has(flags::FIN) {
            self.fin_at = end - 1;
        }
        let is_late = start < self.next && self.take_in_late(start, end);
        if end <= self.next {
            if !is_late {
                self.note_duplicate(start, end);
            }
            self.schedule.on_duplicate(&self.options.acks, self.advertised());
            return Due::Now;
        }
        if start > self.next {
            return self.take_in_above_a_hole(packet, now, wire);
        }
        let before = self.delivered();
        let had_hole = !self.out_of_order.is_empty();
        // RFC 2883 section 4.3: a segment that is a duplicate in part reports the first part.
        if is_late {
            // An optimistic receiver had concealed the first part.
        } else if start < self.next {
            self.note_duplicate(start, self.next);
        } else if had_hole && let Some((from, to)) = self.out_of_order.first_overlap(start, end) {
            self.note_duplicate(from, to);
        }
        self.next = end;
        if had_hole {
            if let Some((_, filled)) = self.out_of_order.containing(end) {
                self.next = filled;
            }
            self.out_of_order.remove_below(self.next);
            self.forget_delivered();
        }
        let delivered = self.delivered() - before;
        self.stats.goodput_bytes += delivered;
        if let Some(rate) = self.options.read_rate {
            self.reader.settle(rate, now);
            self.reader.unread += delivered;
        }
        let due = self.schedule_ack(packet, &self.arrival(packet, now));
        if had_hole || self.is_closed() { Due::Now } else { due }
    }

    /// When the ACK of a segment in order is due, if nothing is missing.
    #[expect(clippy::inline_always, reason = "once per packet, whose facts go through memory")]
    #[inline(always)]
    fn schedule_ack(&mut self, packet: &Packet, arrival: &Arrival) -> Due {
        let advertised = self.advertised();
        self.schedule.on_data(&self.options.acks, advertised, self.rtt, arrival.now);
        let mut opens = true;
        if let Some(tuner) = &mut self.tuner {
            if tuner.on_data(&self.options.tuning, arrival, advertised) {
                self.schedule.on_window_growth();
            }
            opens = tuner.window(0) >= advertised;
            tuner.on_read(&self.options.tuning, arrival);
        }
        self.schedule.in_order(
            &self.options.acks,
            &InOrder {
                unacked: self.next - self.last_ack,
                payload: u64::from(packet.payload),
                is_pushed: packet.has(flags::PSH),
                opens,
                rtt: self.rtt,
                pending: self.ack_at,
            },
            arrival.now,
        )
    }

    /// Takes in a segment above a hole. Returns when its ACK is due.
    fn take_in_above_a_hole(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> Due {
        let (start, end) = (packet.seq, packet.seq + packet.span());
        // More than two new blocks might be lost with a single ACK (Linux's tcp_sack_new_ofo_skb).
        let flushes = self.schedule.is_holding_back() && self.opens_third_block(start);
        if flushes {
            self.acknowledge(now, wire);
        }
        let duplicate = self.out_of_order.first_overlap(start, end);
        self.out_of_order.insert(start, end, |_, _| ());
        // RFC 2883 section 4: the block that contains a duplicate follows its D-SACK.
        self.remember(start);
        if let Some((from, to)) = duplicate {
            self.note_duplicate(from, to);
        }
        if !self.options.has_sack {
            return Due::Now;
        }
        let arrival = self.arrival(packet, now);
        let mut rtt = self.rtt;
        if let Some(tuner) = &mut self.tuner {
            if tuner.on_hole(&self.options.tuning, &arrival) {
                self.schedule.on_window_growth();
            }
            rtt = rtt.min(tuner.rtt());
        }
        if flushes {
            // That ACK ended the schedule: the next arrival's ACK reports this segment.
            return Due::At(Time::MAX);
        }
        self.schedule.out_of_order(&self.options.acks, self.next, rtt, self.ack_at, now)
    }

    fn arrival(&self, packet: &Packet, now: Time) -> Arrival {
        Arrival {
            next: self.next,
            payload: u64::from(packet.payload),
            held: self.out_of_order.bytes(),
            held_to: self.out_of_order.as_slice().last().map_or(self.next, |range| range.1),
            echo: self.options.timestamps.then_some(packet.ts_ecr),
            now,
        }
    }

    /// Whether a segment at `start` belongs to neither of the two blocks reported last.
    fn opens_third_block(&self, start: u64) -> bool {
        let mut blocks = self.recent_blocks();
        let joins =
            |block: Option<(u64, u64)>| block.is_none_or(|(from, to)| from <= start && start <= to);
        !joins(blocks.next()) && !joins(blocks.next())
    }

    /// The blocks reported lately, the most recent first.
    fn recent_blocks(&self) -> impl Iterator<Item = (u64, u64)> {
        // No block contains NO_BYTE.
        let bytes: &[u64] = self.recent.as_ref().map_or(&[], |recent| &recent[..]);
        let known = bytes.iter().take_while(|byte| **byte != NO_BYTE);
        known.filter_map(|byte| self.out_of_order.containing(*byte))
    }

    fn note_duplicate(&mut self, start: u64, end: u64) {
        if self.options.dsack {
            self.duplicate = (start, end);
        }
    }

    /// An optimistic receiver gives up the data up to `to`, which has not arrived when later data
    /// has.
    fn conceal_hole(&mut self, to: u64) {
        if let Some(optimist) = &mut self.optimist {
            optimist.conceal(self.next, to, self.options.buffer);
            (self.next, self.last_ack) = (to, to);
        }
    }

    /// Counts data that an optimistic receiver had given up. Returns whether there is any.
    fn take_in_late(&mut self, start: u64, end: u64) -> bool {
        let Some(optimist) = &mut self.optimist else { return false };
        let found = optimist.take_late(start, end.min(self.next));
        self.stats.goodput_bytes += found;
        found > 0
    }

    fn note_ecn(&mut self, packet: &Packet) {
        if self.options.hides_marks {
            return;
        }
        if packet.has(flags::CWR) {
            self.congestion_seen = false;
        }
        if packet.ecn == Ecn::Ce {
            if !self.congestion_seen && self.options.ecn == EcnMode::Classic {
                self.schedule.on_mark(&self.options.acks, self.advertised());
            }
            self.congestion_seen = true;
            self.marked_bytes = self.marked_bytes.wrapping_add(packet.payload);
        }
    }

    /// Puts the block of the newest segment first, which has `byte` (RFC 2018 section 4).
    fn remember(&mut self, byte: u64) {
        let set = &self.out_of_order;
        let (start, end) = set.containing(byte).unwrap_or((byte, byte));
        let recent = self.recent.get_or_insert_with(|| Box::new(blocks_of(std::iter::empty())));
        // No block contains NO_BYTE.
        let is_other = |known: &u64| *known < NO_BYTE && (*known < start || *known >= end);
        let others = recent.iter().copied().filter(is_other);
        **recent = blocks_of(std::iter::once(byte).chain(others));
    }

    /// Forgets the blocks below the cumulative ACK.
    fn forget_delivered(&mut self) {
        let Some(recent) = &mut self.recent else { return };
        **recent = blocks_of(recent.iter().copied().filter(|byte| *byte >= self.next));
        if recent[0] == NO_BYTE
            && let Some((start, _)) = self.out_of_order.as_slice().first()
        {
            recent[0] = *start;
        }
    }

    fn acknowledge(&mut self, now: Time, wire: &mut impl Wire) {
        self.ack_at = Time::MAX;
        self.schedule.on_ack_sent(&self.options.acks);
        let bits = flags::ACK | if self.is_closed() { flags::FIN } else { 0 };
        if self.options.ack_division > 1 || self.optimist.is_some() {
            self.mislead(bits, now, wire);
        } else {
            self.send(bits, now, wire);
        }
    }

    /// Sends the ACKs of a receiver that divides them or acknowledges what has not arrived. All but
    /// the last of a divided ACK carry no SACK blocks and no FIN.
    #[inline(never)]
    fn mislead(&mut self, bits: u16, now: Time, wire: &mut impl Wire) {
        let (mut from, mut to) = (self.last_ack, self.next);
        if let Some(optimist) = &mut self.optimist
            && from < to
        {
            from = optimist.promised().max(from);
            to = optimist.promise(self.last_ack, to, self.fin_at.saturating_add(1));
            self.ack_at = now.saturating_add(self.options.acks.patience(self.rtt));
        }
        let mut packet = self.answer(bits, now);
        let edge = self.edge;
        for ack in pieces(from, to, self.options.ack_division) {
            (packet.ack, packet.flags) = (ack, if ack < to { flags::ACK } else { bits });
            packet.window = u32::try_from(edge.saturating_sub(ack)).unwrap_or(u32::MAX);
            if ack == to && self.options.has_sack {
                self.fill_sacks(&mut packet);
                packet.wire_size += sack_option_bytes(packet.sack_count);
            }
            self.stats.acks += 1;
            wire.send(&packet, now);
        }
        self.last_ack = self.next;
    }

    /// Whether everything has arrived, the FIN included.
    fn is_closed(&self) -> bool {
        self.next > self.fin_at
    }

    /// The window of the latest ACK, bytes.
    fn advertised(&self) -> u64 {
        self.edge - self.last_ack
    }

    fn send(&mut self, bits: u16, now: Time, wire: &mut impl Wire) {
        let mut packet = self.answer(bits, now);
        if self.options.has_sack {
            self.fill_sacks(&mut packet);
            packet.wire_size += sack_option_bytes(packet.sack_count);
        }
        self.last_ack = self.next;
        self.stats.acks += 1;
        wire.send(&packet, now);
    }

    /// An ACK of what has arrived, without SACK blocks.
    #[inline]
    fn answer(&mut self, bits: u16, now: Time) -> Packet {
        let window = self.window(now);
        let echoes_mark = self.options.ecn == EcnMode::Classic && self.congestion_seen;
        Packet {
            ack: self.next,
            flow: self.flow,
            wire_size: self.options.header_bytes,
            window,
            ts_val: if self.options.timestamps { self.options.clock.at(now) } else { 0 },
            ts_ecr: self.echo,
            ce_bytes: self.marked_bytes,
            flags: bits | if echoes_mark { flags::ECE } else { 0 },
            is_reverse: true,
            priority: self.priority,
            connection: self.connection,
            ..Packet::default()
        }
    }

    fn fill_sacks(&mut self, packet: &mut Packet) {
        let duplicate = Some(self.duplicate).filter(|(start, end)| start < end);
        if duplicate.is_none() && self.out_of_order.is_empty() {
            return;
        }
        let ack = packet.ack;
        #[expect(clippy::cast_possible_truncation, reason = "windows are below 2^31 bytes")]
        let relative = |byte: u64| (byte.cast_signed() - ack.cast_signed()) as i32;
        let mut count = 0;
        for (slot, (start, end)) in
            packet.sacks.iter_mut().zip(duplicate.into_iter().chain(self.recent_blocks()))
        {
            *slot = SackBlock { start: relative(start), end: relative(end) };
            count += 1;
        }
        packet.sack_count = count;
        self.duplicate = (0, 0);
    }

    /// The window to advertise, bytes. It never takes an offer back (RFC 9293 section 3.8.6.2.1),
    /// and opens in steps worth sending into (RFC 9293 section 3.8.6.2.2).
    fn window(&mut self, now: Time) -> u32 {
        self.update_at = Time::MAX;
        let held = self.out_of_order.bytes();
        if let Some(tuner) = &self.tuner {
            if tuner.is_under_pressure(held) {
                self.schedule.on_pressure();
            }
            return self.advertise(tuner.window(held));
        }
        let mut free = self.options.buffer.saturating_sub(held);
        if let Some(rate) = self.options.read_rate {
            self.reader.settle(rate, now);
            free = free.saturating_sub(self.reader.unread);
            let room = self.options.buffer.saturating_sub(held);
            let half = self.options.buffer / 2;
            let offered = self.edge.saturating_sub(self.next);
            if free < (offered + self.options.mss.min(half)).min(room) {
                free = offered;
                // An update is due once two segments, half the buffer or all of it are free.
                let wanted = (2 * self.options.mss)
                    .min(half)
                    .max(offered + self.options.mss.min(half))
                    .min(room);
                let excess = (self.reader.unread + wanted).saturating_sub(room);
                if offered < self.options.mss {
                    self.update_at = now
                        .saturating_add(rate.time_for(excess))
                        .saturating_add(Duration::from_ps(1));
                }
            }
        }
        self.advertise(free)
    }

    fn advertise(&mut self, free: u64) -> u32 {
        let window = free.max(self.edge.saturating_sub(self.next));
        self.edge = self.next + window;
        u32::try_from(window).unwrap_or(u32::MAX)
    }
}
