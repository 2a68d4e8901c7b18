//! How a segment is sent: stamped, booked, and put on the wire.

use ackclock_units::Time;

use super::Sender;
use super::ecn;
use super::ledger::Question;
use super::timers::Timer;
use crate::packet::{Ecn, Packet, flags};
use crate::transport::scoreboard::{Scoreboard, Segment};
use crate::wire::{Answer, Wire};

impl Sender {
    /// Tells the algorithm of a segment of `bytes` before it is stamped.
    #[inline(always)]
    fn before_transmit(&mut self, bytes: u64, now: Time) {
        if self.board.inflight() == 0 {
            let idle = self.connection.idle_time(now);
            self.control.on_transmit_start(idle, self.rate.is_app_limited(), now);
        }
        self.control.on_transmit(bytes, self.board.next() == 0, &self.rtt, now);
    }

    /// Sends a segment of new data, or a FIN, or both.
    #[expect(clippy::cast_possible_truncation, reason = "a payload is at most one mss")]
    #[inline(always)]
    pub(super) fn send_new(&mut self, payload: u64, fin: bool, now: Time, wire: &mut impl Wire) {
        self.before_transmit(payload + u64::from(fin), now);
        let mut segment = Segment::new(self.board.next(), payload as u32 + u32::from(fin), fin);
        segment.set_host_start(self.pacer.begins_burst());
        let weight = self.board.weight(u64::from(segment.len));
        self.rate.stamp(
            &mut segment,
            weight,
            now,
            self.board.inflight(),
            self.board.segments() == 0,
        );
        self.board.push(segment);
        if self.options.times_one {
            self.rtt.begin_timing(self.board.next(), now);
        }
        let mut bits = flags::ACK | if fin { flags::FIN } else { 0 };
        let mut codepoint = Ecn::NotEct;
        let mut is_pushed = self.pacer.ends_burst();
        if payload > 0 {
            // An application's write ends with PSH (RFC 9293 section 3.9.1), and so does a burst.
            is_pushed |= self.buffer.ends_write(segment.seq + payload);
            bits |= self.ecn.take_cwr();
            codepoint = ecn::codepoint(self.options.ecn);
        }
        if is_pushed {
            bits |= flags::PSH;
        }
        self.transmit(segment.seq, payload as u32, bits, codepoint, now, wire);
        self.episode.on_sent(weight);
    }

    /// Sends a lost segment again.
    pub(super) fn retransmit(&mut self, number: u64, now: Time, wire: &mut impl Wire) {
        self.undo.on_retransmission(self.options.clock, now);
        self.ask_for_cause(number, false, wire);
        let weight = self.send_again(number, Scoreboard::retransmit, now, wire);
        self.episode.on_retransmission(weight);
        // As in Linux and ns-2, a fast retransmission restarts the timer.
        let is_fast = self.episode.is_repairing()
            && self.board.first_number() == Some(number)
            && !self.episode.is_impatient(&self.options);
        if !self.timers.is_running() || is_fast && self.timers.purpose() != Timer::Reorder {
            self.timers.arm(Timer::Rto, now.saturating_add(self.rto()));
        }
    }

    /// Sends a segment again as a tail loss probe, which PRR does not count.
    pub(super) fn repeat(&mut self, number: u64, now: Time, wire: &mut impl Wire) {
        self.ask_for_cause(number, true, wire);
        self.send_again(number, Scoreboard::repeat, now, wire);
    }

    /// Books why the network lost a segment that is sent again. `is_probe`: as a tail loss probe.
    #[inline(never)]
    fn ask_for_cause(&mut self, number: u64, is_probe: bool, wire: &mut impl Wire) {
        if !self.ledger.wants_causes() {
            return;
        }
        let segment = self.board.get(number);
        let data = segment.seq..segment.seq + u64::from(segment.len).max(1);
        // The window is reduced for a probe only after SND.UNA has passed its segment. `u64::MAX`
        // keeps the cause until then.
        let seq = if is_probe { u64::MAX } else { segment.seq };
        let connection = self.connection.number();
        match wire.why_lost(self.connection.flow(), connection, data.clone()) {
            Answer::Known(None) => (),
            Answer::Known(Some(cause)) => self.ledger.blame(cause, seq),
            Answer::Later(asked) => self.ledger.ask(Question { asked, connection, data, seq }),
        }
    }

    /// Sends a segment again, and books it on the scoreboard by `book`. Returns its weight.
    fn send_again(
        &mut self,
        number: u64,
        book: impl FnOnce(&mut Scoreboard, u64),
        now: Time,
        wire: &mut impl Wire,
    ) -> u64 {
        if !self.pacer.is_in_burst() {
            // A timer's retransmission leaves alone, even if its host segment had several.
            self.board.cut_before(number);
            self.board.cut_before(number + 1);
        }
        let acked = self.acked_payload();
        self.board.trim_acked(number);
        self.ledger.on_acked(self.acked_payload() - acked);
        let segment = self.board.get(number);
        let payload = segment.len - u32::from(segment.is_fin());
        let room = self.peer.room(segment.seq);
        if room > 0 && room < u64::from(payload) {
            // The part that a shrunk window has room for (Linux's __tcp_retransmit_skb).
            self.board.split(number, u32::try_from(room).unwrap_or(payload));
        }
        self.before_transmit(u64::from(self.board.get(number).len), now);
        let inflight = self.board.inflight();
        let weight = self.board.weight(u64::from(self.board.get(number).len));
        let segment = self.board.get_mut(number);
        self.rate.stamp(segment, weight, now, inflight, false);
        let (seq, len, fin) = (segment.seq, segment.len, segment.is_fin());
        book(&mut self.board, number);
        self.ledger.on_sent_again();
        self.undo.on_sent_again();
        let bits = flags::ACK | if fin { flags::FIN } else { 0 };
        // RFC 3168 section 6.1.5: retransmissions are not ECN-capable.
        self.transmit(seq, len - u32::from(fin), bits, Ecn::NotEct, now, wire);
        weight
    }

    /// Puts a data segment on the wire.
    #[inline(always)]
    fn transmit(
        &mut self,
        seq: u64,
        payload: u32,
        bits: u16,
        ecn: Ecn,
        now: Time,
        wire: &mut impl Wire,
    ) {
        let packet = Packet {
            payload,
            wire_size: self.options.header_bytes + payload,
            ecn,
            ..self.connection.packet(seq, bits, &self.options, now)
        };
        self.ledger.on_sent(packet.wire_size, payload);
        self.connection.on_sent(now);
        if !self.pacer.is_in_burst() {
            // A timer or a fast retransmission sends without asking for a burst.
            self.pacer.begin_burst(1, now);
        }
        self.pacer.on_sent();
        if let Some(rate) = self.pacing_rate() {
            self.pacer.pay(u64::from(payload), rate, now);
        }
        wire.send(&packet, now);
    }

    /// Sends a packet without payload: SYN, handshake ACK, window probe, ACK of the receiver's FIN.
    pub(super) fn send_control(&self, seq: u64, bits: u16, now: Time, wire: &mut impl Wire) {
        wire.send(&self.connection.packet(seq, bits, &self.options, now), now);
    }
}
