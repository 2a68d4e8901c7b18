//! How a receiver takes packets in. The plain packet, which most are, has a short way.

use ackclock_units::Time;

use super::Receiver;
use super::schedule::InOrder;
use super::tuner::Arrival;
use crate::packet::{Ecn, Packet, flags};
use crate::transport::endpoint::Endpoint;
use crate::transport::plan::EcnMode;
use crate::wire::Wire;

impl Endpoint for Receiver {
    #[expect(clippy::inline_always, reason = "once per packet, whose fields are known")]
    #[inline(always)]
    fn on_plain_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> bool {
        if !self.is_plain(packet) {
            return false;
        }
        self.stats.received_bytes += u64::from(packet.wire_size);
        if packet.seq <= self.window.latest_ack() {
            self.echo.note(packet, now);
        }
        let payload = u64::from(packet.payload);
        self.data.push(payload);
        self.stats.goodput_bytes += payload;
        let next = self.data.next();
        let echo = self.options.timestamps.then_some(packet.ts_ecr);
        let arrival = Arrival { next, payload, held: 0, held_to: next, echo, now };
        if self.is_ack_due(packet, &arrival) {
            self.acknowledge(now, wire);
        }
        true
    }

    #[inline(never)]
    fn on_any_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        if packet.connection != self.connection.number() {
            return;
        }
        if packet.has(flags::SYN) && self.connection.is_established() {
            // A late copy of the SYN gets a challenge ACK (RFC 5961 section 4.2).
            self.acknowledge(now, wire);
            return;
        }
        if packet.has(flags::SYN) {
            self.connection.open();
            self.echo.note(packet, now);
            self.send(flags::SYN | flags::ACK, now, wire);
            return;
        }
        if !self.connection.is_established() {
            self.establish(now);
        }
        if packet.span() == 0 {
            // Only a window probe has another sequence number than expected, and wants an answer.
            if packet.seq != self.data.next() && self.connection.is_open() {
                self.acknowledge(now, wire);
            }
            return;
        }
        if packet.payload > 0 {
            self.stats.received_bytes += u64::from(packet.wire_size);
            if self.marks.on_data(packet, &self.options) && self.options.ecn == EcnMode::Classic {
                self.schedule.on_mark(&self.options.acks, self.window.advertised());
            }
        }
        if self.options.timestamps && self.echo.outdates(packet, self.options.clock, now) {
            self.refuse(packet);
            self.acknowledge(now, wire);
            return;
        }
        if packet.seq > self.data.next() {
            self.conceal_hole(packet.seq);
        }
        // RFC 7323 section 4.3: echo the segment that the next ACK advances over.
        if packet.seq <= self.window.latest_ack()
            && self.echo.ticks_behind(packet, self.options.clock, now) <= 0
        {
            self.echo.note(packet, now);
        }
        if self.take_in(packet, now, wire) {
            self.acknowledge(now, wire);
        }
    }
}

impl Receiver {
    /// Whether a packet has the data that is expected next and nothing else to tell, while nothing
    /// is missing and the application reads all at once.
    #[inline]
    fn is_plain(&self, packet: &Packet) -> bool {
        packet.seq == self.data.next()
            && packet.payload > 0
            && packet.flags & !flags::PSH == flags::ACK
            && packet.ecn != Ecn::Ce
            && packet.connection == self.connection.number()
            && self.data.is_plain()
            && self.window.is_read_at_once()
            && self.connection.is_established()
            && self.echo.is_in_order(packet)
    }

    /// The handshake is over: the SYN-ACK is answered.
    fn establish(&mut self, now: Time) {
        self.connection.establish(self.echo.arrived_at(), now);
        if let Some(tuner) = self.window.tuner() {
            tuner.begin(now);
        }
    }

    /// Refuses a segment that is not acceptable: the ACK reports the part that had arrived before.
    fn refuse(&mut self, packet: &Packet) {
        let (start, end, next) = (packet.seq, packet.seq + packet.span(), self.data.next());
        if start < next {
            self.note_duplicate(start, end.min(next));
        }
        self.schedule.on_duplicate(&self.options.acks, self.window.advertised());
    }

    /// Takes a segment in. Returns whether its ACK is due now.
    fn take_in(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> bool {
        let (start, end, next) = (packet.seq, packet.seq + packet.span(), self.data.next());
        if packet.has(flags::FIN) {
            self.data.finish(end - 1);
        }
        // The part that an optimistic receiver had concealed is no duplicate.
        let is_late = start < next && self.take_in_late(start, end);
        if end <= next {
            if !is_late {
                self.note_duplicate(start, end);
            }
            self.schedule.on_duplicate(&self.options.acks, self.window.advertised());
            return true;
        }
        if start > next {
            return self.take_in_above_a_hole(packet, now, wire);
        }
        // RFC 2883 section 4.3: a segment that is a duplicate in part reports the first part.
        if !is_late && let Some((from, to)) = self.data.repeated(start, end) {
            self.note_duplicate(from, to);
        }
        let (before, had_hole) = (self.data.delivered(), self.data.has_hole());
        self.data.fill(end);
        if had_hole {
            self.blocks.forget_delivered(&self.data);
        }
        let delivered = self.data.delivered() - before;
        self.stats.goodput_bytes += delivered;
        self.window.on_delivered(delivered, now);
        let is_due = self.is_ack_due(packet, &self.arrival(packet, now));
        is_due || had_hole || self.data.is_closed()
    }

    /// Whether the ACK of a segment in order is due now, if nothing is missing.
    #[expect(clippy::inline_always, reason = "once per packet, whose facts go through memory")]
    #[inline(always)]
    fn is_ack_due(&mut self, packet: &Packet, arrival: &Arrival) -> bool {
        let (advertised, rtt) = (self.window.advertised(), self.connection.rtt());
        self.schedule.on_data(&self.options.acks, advertised, rtt, arrival.now);
        let mut opens = true;
        if let Some(tuner) = self.window.tuner() {
            if tuner.on_data(&self.options, arrival, advertised) {
                self.schedule.on_window_growth();
            }
            opens = tuner.window(0) >= advertised;
            tuner.on_read(&self.options, arrival);
        }
        self.schedule.in_order(
            &self.options.acks,
            &InOrder {
                unacked: arrival.next - self.window.latest_ack(),
                payload: arrival.payload,
                is_pushed: packet.has(flags::PSH),
                opens,
                rtt,
            },
            arrival.now,
        )
    }

    /// Takes in a segment above a hole. Returns whether its ACK is due now.
    fn take_in_above_a_hole(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> bool {
        let (start, end) = (packet.seq, packet.seq + packet.span());
        // More than two new blocks might be lost with a single ACK (Linux's tcp_sack_new_ofo_skb).
        let flushes =
            self.schedule.is_holding_back() && self.blocks.has_no_place_for(start, &self.data);
        if flushes {
            self.acknowledge(now, wire);
        }
        let duplicate = self.data.repeated(start, end);
        self.data.hold(start, end);
        // RFC 2883 section 4: the block that contains a duplicate follows its D-SACK.
        self.blocks.remember(start, &self.data);
        if let Some((from, to)) = duplicate {
            self.note_duplicate(from, to);
        }
        if !self.options.has_sack {
            return true;
        }
        let arrival = self.arrival(packet, now);
        let mut rtt = self.connection.rtt();
        if let Some(tuner) = self.window.tuner() {
            if tuner.on_hole(&self.options, &arrival) {
                self.schedule.on_window_growth();
            }
            rtt = rtt.min(tuner.rtt());
        }
        // An ACK that was sent above ended the schedule: the next arrival's reports this segment.
        !flushes && self.schedule.out_of_order(&self.options.acks, arrival.next, rtt, now)
    }

    fn arrival(&self, packet: &Packet, now: Time) -> Arrival {
        Arrival {
            next: self.data.next(),
            payload: u64::from(packet.payload),
            held: self.data.held(),
            held_to: self.data.held_to(),
            echo: self.options.timestamps.then_some(packet.ts_ecr),
            now,
        }
    }

    fn note_duplicate(&mut self, start: u64, end: u64) {
        if self.options.dsack {
            self.blocks.note_duplicate(start, end);
        }
    }

    /// An optimistic receiver gives up the data up to `to`, which has not arrived when later data
    /// has.
    fn conceal_hole(&mut self, to: u64) {
        if let Some(optimist) = &mut self.optimist {
            optimist.conceal(self.data.next(), to, self.options.buffer);
            self.data.skip_to(to);
            self.window.acknowledge(to);
        }
    }

    /// Counts data that an optimistic receiver had given up. Returns whether there is any.
    fn take_in_late(&mut self, start: u64, end: u64) -> bool {
        let Some(optimist) = &mut self.optimist else { return false };
        let bytes = optimist.take_late(start, end.min(self.data.next()));
        self.stats.goodput_bytes += bytes;
        bytes > 0
    }
}
