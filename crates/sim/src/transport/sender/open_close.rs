//! How a connection opens and closes: handshake, stop of the application, FIN.

use ackclock_units::{Duration, Time};

use super::Sender;
use super::connection::State;
use super::recovery_episode::Repair;
use super::timers::Timer;
use crate::packet::{Packet, flags};
use crate::transport::accounting::Limit;
use crate::wire::Wire;

/// Timeouts of the SYN that show it lost: the initial window is one segment then (RFC 5681 section
/// 3.1). With an RTO of 1 s the first timeout may be spurious, so Linux waits for the second one.
const SYN_TIMEOUTS: u32 = 2;

/// Time after which one timeout of the SYN is proof enough: the initial RTO that RFC 5681 assumes.
const SYN_PATIENCE: Duration = Duration::from_secs(3);

impl Sender {
    /// Opens the connection now, because a session asks for it.
    pub fn open(&mut self, now: Time, wire: &mut impl Wire) {
        self.connection.start_now(now);
        self.ledger.begin(now);
        self.on_timer(now, wire);
    }

    /// A session writes `bytes`, and closes the connection if `closes` is true.
    pub fn hand_in(&mut self, bytes: u64, closes: bool, now: Time, wire: &mut impl Wire) {
        self.buffer.hand_in(bytes, closes);
        if self.connection.is_established() {
            self.ask_app(now);
            // A write sends new data only: lost segments wait for an ACK (Linux's `tcp_sendmsg`).
            self.episode.answer_with(Repair::Nothing);
            self.pump(now, wire);
        }
    }

    /// Sends the SYN, for the first time or again.
    pub(super) fn send_syn(&mut self, now: Time, wire: &mut impl Wire) {
        self.connection.on_syn_sent(now);
        let due = now.saturating_add(self.rtt.syn_rto(&self.options.rto));
        self.timers.arm(Timer::Rto, due);
        self.send_control(0, flags::SYN, now, wire);
    }

    /// The SYN-ACK has arrived.
    pub(super) fn establish(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        self.connection.establish();
        self.timers.stop();
        self.peer.open(u64::from(packet.window), &self.options);
        if let Some(rtt) = self.handshake_rtt(packet, now) {
            self.rtt.sample(rtt, rtt, &self.options.rto, 0, 0);
            self.control.on_handshake(rtt);
        } else {
            self.rtt.fall_back();
        }
        if self.has_lost_syn(packet) {
            self.control.on_lost_syn(self.options.mss, now);
        }
        self.rtt.reset_backoff();
        self.rate.begin(now);
        self.note_window_rate();
        // A stop during the handshake takes effect when that is over.
        self.ledger.note_limit(Limit::Application, self.buffer.until(now));
        self.ledger.open_account();
        self.send_control(0, flags::ACK, now, wire);
        self.pacer.open(now);
        self.ask_app(now);
        if self.buffer.stops(now) {
            self.on_stop(now);
        }
        self.pump(now, wire);
    }

    /// Round trip of the handshake; after a timeout by its timestamp (RFC 7323 section 4.1).
    fn handshake_rtt(&self, packet: &Packet, now: Time) -> Option<Duration> {
        let clock = self.options.clock;
        match self.rtt.backoff() {
            0 => Some(now.since(self.connection.start_at())),
            _ if self.options.timestamps => Some(clock.since(packet.ts_ecr, now).max(clock.tick)),
            _ => None,
        }
    }

    /// Whether the handshake seems to have lost a SYN (Linux's `tcp_init_transfer`). An answer to
    /// the first SYN shows that the timeouts were spurious (`tcp_try_undo_spurious_syn`).
    fn has_lost_syn(&self, packet: &Packet) -> bool {
        let start = self.connection.start_at();
        let is_late = self.rtt.backoff() >= SYN_TIMEOUTS
            || self.connection.last_sent_at().since(start) >= SYN_PATIENCE;
        let answers_first =
            self.options.timestamps && packet.ts_ecr == self.options.clock.at(start);
        is_late && !answers_first
    }

    /// The application stops: no data follows that is not sent yet.
    pub(super) fn on_stop(&mut self, now: Time) {
        self.buffer.close(self.board.next());
        // The flow's time ends at its stop, as in `FlowOutput::active`. Draining is not counted.
        self.ledger.stop(self.buffer.until(now));
        self.buffer.forget_stop();
        if self.board.segments() == 0 && self.board.next() == 0 {
            self.connection.finish_data(now);
        }
    }

    /// The last byte is acknowledged, which ends the flow even if the FIN takes longer.
    pub(super) fn finish_data(&mut self, now: Time) {
        self.connection.finish_data(now);
        self.ledger.stop(self.buffer.until(now));
        self.buffer.forget_stop();
    }

    /// Acknowledges the receiver's FIN.
    pub(super) fn acknowledge_fin(&mut self, now: Time, wire: &mut impl Wire) {
        self.connection.close_peer();
        self.send_control(self.board.next(), flags::ACK, now, wire);
    }

    /// Whether the FIN is acknowledged, and everything before it.
    pub(super) fn is_fin_acked(&self) -> bool {
        self.buffer.is_closed()
            && self.board.segments() == 0
            && self.board.next() > self.buffer.bytes()
    }

    /// Whether the FIN has been sent, and everything before it.
    pub(crate) fn has_sent_all(&self) -> bool {
        self.buffer.is_closed() && self.board.next() > self.buffer.bytes()
    }

    /// Everything is acknowledged.
    pub(super) fn finish(&mut self, now: Time) {
        self.connection.finish();
        self.ledger.note_limit(Limit::Idle, now);
    }

    /// When the sender next wants [`Sender::on_timer`].
    #[must_use]
    #[inline]
    pub fn deadline(&self) -> Time {
        if self.connection.is_established() {
            return self.timers.earliest().min(self.peer.probe_at()).min(self.buffer.due());
        }
        match self.connection.state() {
            State::Closed => self.connection.start_at(),
            State::SynSent => self.timers.due(),
            State::Established | State::Done => Time::MAX,
        }
    }
}
