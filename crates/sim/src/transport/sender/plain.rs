//! The plain ACK: it acknowledges in order what was sent once, and nothing is being repaired,
//! probed or closed. Most ACKs are plain, and what `Sender::on_ack` does for one is done here in a
//! few steps that depend on the oldest and the newest acknowledged segment alone.

use ackclock_units::Time;

use super::Sender;
use super::losses::Found;
use super::news::News;
use crate::packet::{Packet, flags};

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
        let news = News::in_order(una, delivered, first_sent_at, last, one_way_delay);
        self.rate.on_delivered_in_order(&last, delivered, now);
        self.detector.on_acked_in_order(&last, now);
        self.detector.on_ack(last.delivered, self.rate.delivered());
        self.ledger.on_acked(self.board.una() - una);
        let rtt_sample = self.sample_rtt(packet, &news, now);
        if let Some(rtt) = rtt_sample.filter(|_| self.options.takes_rtts) {
            self.show_rtt(rtt, now);
        }
        self.episode.forget_timeout();
        self.tell_algorithm(&news, 0, rtt_sample, prior_inflight, now);
        self.note_window_rate();
        self.rearm(&news, Found::NOTHING, false, now);
        if self.board.segments() == 0 {
            self.settle_window_probe();
        }
        true
    }
}
