//! The plain ACK and its answer.
//!
//! A plain ACK acknowledges in order what was sent once, and nothing is being repaired, probed or
//! closed. Most ACKs are plain, and what `Sender::on_ack` does for one is done here in a few steps
//! that depend on the oldest and the newest acknowledged segment alone. A plain answer sends full
//! segments of data that has no end near, without pacing, until the window is full. What
//! `Sender::answer` asks for each segment is asked here once for each burst.

use ackclock_units::Time;

use super::Sender;
use super::ack_summary::AckSummary;
use super::ecn;
use super::losses::Found;
use crate::packet::{Packet, flags};
use crate::transport::accounting::Limit;
use crate::transport::scoreboard::Segment;
use crate::wire::Wire;

impl Sender {
    /// Takes in the ACK, up to what it allows to send. Returns false if it is not plain: then
    /// nothing was done.
    #[inline(always)]
    pub(super) fn on_plain_ack(&mut self, packet: &Packet, now: Time) -> bool {
        let una = self.board.una();
        if packet.flags != flags::ACK
            || packet.sack_count > 0
            || packet.ack <= una
            || packet.ack > self.board.next()
            || !self.options.has_plain_acks
            || !self.episode.is_plain()
            || self.probe.is_out()
            || self.buffer.is_closed()
            || self.control.has_intervals()
        {
            return false;
        }
        let Some(first) = self.board.first_in_order() else { return false };
        if first.end() > packet.ack || !self.detector.is_in_order(first) {
            return false;
        }
        let first_sent_at = first.sent_at;
        let prior_inflight = self.board.inflight();
        let offered = u64::from(packet.window);
        self.peer.on_ack(packet.ack, offered, una, &self.options);
        let (last, delivered) = self.board.acknowledge_in_order(packet.ack);
        let clock = self.options.clock;
        let one_way_delay =
            self.options.timestamps.then(|| clock.between(packet.ts_ecr, packet.ts_val));
        let summary = AckSummary::in_order(una, delivered, first_sent_at, last, one_way_delay);
        self.rate.on_delivered_in_order(&last, delivered, now);
        self.detector.on_acked_in_order(&last, now);
        self.detector.on_ack(last.delivered, self.rate.delivered());
        self.ledger.on_acked(self.board.una() - una);
        let rtt_sample = self.sample_rtt(packet, &summary, now);
        if let Some(rtt) = rtt_sample.filter(|_| self.options.takes_rtts) {
            self.show_rtt(rtt, packet, &summary, now);
        }
        self.episode.forget_timeout();
        self.tell_algorithm(&summary, 0, rtt_sample, prior_inflight, now);
        self.note_window_rate();
        self.rearm(&summary, Found::NOTHING, false, now);
        if self.board.segments() == 0 {
            self.settle_window_probe();
        }
        true
    }

    /// Sends what a plain ACK allows. Returns false if the answer is not plain: then nothing was
    /// done.
    #[inline(never)]
    pub(super) fn answer_plain_ack(&mut self, now: Time, wire: &mut impl Wire) -> bool {
        let full = self.peer.full_segment();
        let next = self.board.next();
        let inflight = self.board.inflight();
        // Data up to here may leave in full segments that no write, no window and no FIN ends.
        let end = self.peer.edge().min(self.buffer.bytes().saturating_sub(1));
        let cwnd = self.control.cwnd();
        if inflight == 0
            || next.saturating_add(full).saturating_add(cwnd) > end
            || self.pacing_rate().is_some()
            || self.options.max_cwnd.is_some()
            || self.buffer.is_bounded()
            || self.buffer.is_cut()
        {
            return false;
        }
        let weight = self.board.weight(full);
        let mut room = cwnd.saturating_sub(inflight);
        let mut limit = Limit::Cwnd;
        while room >= weight {
            if let Err(holds_back) = self.begin_burst(room, cwnd, true, now) {
                limit = holds_back;
                break;
            }
            let count = self.pacer.burst_left().min(room / weight);
            self.send_full_segments(count, now, wire);
            room -= count * weight;
        }
        let has_sent = self.board.next() > next;
        self.start_timers(has_sent, false, now);
        self.episode.end_answer();
        self.pacer.end_burst();
        self.timers.pace(Time::MAX);
        self.note_usage(limit, has_sent, now);
        self.ledger.note_limit(limit, now);
        self.peer.stop_probing();
        true
    }

    /// Sends `count` full segments of new data, at least one, of the burst that is leaving.
    #[expect(clippy::cast_possible_truncation, reason = "a payload is at most one mss")]
    fn send_full_segments(&mut self, count: u64, now: Time, wire: &mut impl Wire) {
        let payload = self.peer.full_segment() as u32;
        let weight = self.board.weight(u64::from(payload));
        let mut segment = Segment::new(self.board.next(), payload, false);
        let inflight = self.board.inflight();
        self.rate.stamp(&mut segment, weight, now, inflight, false);
        segment.set_host_start(self.pacer.begins_burst());
        let bits = flags::ACK | self.ecn.take_cwr();
        let mut packet = Packet {
            payload,
            wire_size: self.options.header_bytes + payload,
            ecn: ecn::codepoint(self.options.ecn),
            ..self.connection.packet(segment.seq, bits, &self.options, now)
        };
        let last_bits = if self.pacer.pushes_after(count) { flags::PSH } else { 0 };
        for left in (0..count).rev() {
            if left == 0 {
                packet.flags |= last_bits;
            }
            self.board.push(segment);
            wire.send(&packet, now);
            segment = segment.next_of_burst(weight);
            packet.seq = segment.seq;
            packet.flags &= !flags::CWR;
        }
        self.pacer.on_all_sent(count);
        self.ledger.on_all_sent(count, packet.wire_size, payload);
        self.connection.on_sent(now);
    }
}
