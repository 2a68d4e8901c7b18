//! How a receiver sends ACKs.

use ackclock_units::Time;

use super::Receiver;
use super::misbehaviour::pieces;
use crate::packet::{Packet, flags};
use crate::wire::Wire;

impl Receiver {
    /// Sends the delayed ACK or the window update, if one is due.
    pub fn on_timer(&mut self, now: Time, wire: &mut impl Wire) {
        if now < self.deadline() {
            return;
        }
        if self.schedule.due_at() <= now {
            if !self.schedule.is_holding_back() {
                self.schedule.on_delay_expired(&self.options.acks, self.connection.rtt());
            }
            if let Some(optimist) = &mut self.optimist {
                optimist.start_over(self.data.next());
            }
        }
        self.acknowledge(now, wire);
    }

    pub(super) fn acknowledge(&mut self, now: Time, wire: &mut impl Wire) {
        self.schedule.on_ack_sent(&self.options.acks);
        let bits = flags::ACK | if self.data.is_closed() { flags::FIN } else { 0 };
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
        let (mut from, mut to) = (self.window.latest_ack(), self.data.next());
        if let Some(optimist) = &mut self.optimist
            && from < to
        {
            let latest_ack = from;
            from = optimist.promised().max(from);
            to = optimist.promise(latest_ack, to, self.data.end());
            let patience = self.options.acks.patience(self.connection.rtt());
            self.schedule.wait_until(now.saturating_add(patience));
        }
        let mut packet = self.answer(bits, now);
        for ack in pieces(from, to, self.options.ack_division) {
            (packet.ack, packet.flags) = (ack, if ack < to { flags::ACK } else { bits });
            packet.window = self.window.seen_from(ack);
            if ack == to && self.options.has_sack {
                self.blocks.fill(&mut packet, &self.data);
            }
            self.stats.acks += 1;
            wire.send(&packet, now);
        }
        self.window.acknowledge(self.data.next());
    }

    pub(super) fn send(&mut self, bits: u16, now: Time, wire: &mut impl Wire) {
        let mut packet = self.answer(bits, now);
        if self.options.has_sack {
            self.blocks.fill(&mut packet, &self.data);
        }
        self.window.acknowledge(self.data.next());
        self.stats.acks += 1;
        wire.send(&packet, now);
    }

    /// An ACK of what has arrived, without SACK blocks.
    #[inline]
    fn answer(&mut self, bits: u16, now: Time) -> Packet {
        let (next, held) = (self.data.next(), self.data.held());
        if self.window.is_under_pressure(held) {
            self.schedule.on_pressure();
        }
        Packet {
            ack: next,
            window: self.window.offer(next, held, &self.options, now),
            ts_ecr: self.echo.value(),
            ce_bytes: self.marks.bytes(),
            flags: bits | self.marks.echo(self.options.ecn),
            ..self.connection.packet(&self.options, now)
        }
    }
}
