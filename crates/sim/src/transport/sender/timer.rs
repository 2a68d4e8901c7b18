//! Actions of a sender when a timer runs out: timeouts, tail loss probes, window probes, paced
//! packets, and the application's next write.

use ackclock_cc::Signal;
use ackclock_units::{Duration, Time};

use super::Sender;
use super::connection::State;
use super::recovery_episode::Repair;
use super::timers::{self, JIFFY, MIN_TIMEOUT, Timer};
use crate::packet::flags;
use crate::transport::accounting::Limit;
use crate::transport::offload;
use crate::transport::recovery::CaState;
use crate::wire::Wire;

/// `TLP.max_ack_delay` of RFC 8985 section 7.2: a receiver's delay of the ACK of one segment.
const MAX_ACK_DELAY: Duration = Duration::from_millis(200);
/// RFC 8985 section 7.2: the probe's timeout before the first RTT sample.
const INITIAL_PROBE_TIMEOUT: Duration = Duration::from_secs(1);
/// Timeouts in a row after which ns-2 forgets the RTT estimate (`rtt_backoff`).
const NS2_PATIENCE: u32 = 4;

impl Sender {
    /// Acts on the timers that have run out.
    #[inline(never)]
    pub fn on_timer(&mut self, now: Time, wire: &mut impl Wire) {
        match self.connection.state() {
            State::Closed => self.send_syn(now, wire),
            State::SynSent if self.timers.due() <= now => {
                self.ledger.on_syn_timeout();
                self.rtt.back_off();
                self.send_syn(now, wire);
            }
            State::Established => self.on_established_timer(now, wire),
            State::SynSent | State::Done => (),
        }
    }

    /// Lets only the pacer's timer run out, because the host's other timers are late.
    pub fn on_pacing_timer(&mut self, now: Time, wire: &mut impl Wire) {
        if self.connection.is_established() {
            self.pump(now, wire);
        }
    }

    /// The pacer opens while an ACK is being answered: a Linux host has found the pacer shut for
    /// retransmissions, and finds it open for new data.
    pub fn on_pacer_open_for_new_data(&mut self, now: Time, wire: &mut impl Wire) {
        self.episode.answer_with(Repair::Nothing);
        self.on_pacing_timer(now, wire);
        // Lost segments still wait for the pacer's own timer.
        self.timers.pace(self.timers.pace_at().min(self.pacer.opens_at().max(now)));
    }

    fn on_established_timer(&mut self, now: Time, wire: &mut impl Wire) {
        if self.buffer.stops(now) {
            self.on_stop(now);
        }
        if let Some(timer) = self.timers.take_due(now) {
            if self.timers.pace_at() > now {
                self.episode.answer_with(match timer {
                    Timer::Reorder => Repair::LostOnly,
                    Timer::Rto | Timer::Probe => Repair::Silent,
                });
            }
            match timer {
                Timer::Rto => self.on_rto(now, wire),
                Timer::Probe => self.send_probe(now, wire),
                Timer::Reorder => self.on_reorder_timeout(now),
            }
        }
        if self.peer.take_probe(now) {
            self.probe_window(now, wire);
        }
        if self.buffer.writes(now) {
            match self.episode.repair() {
                Repair::LostOnly | Repair::Silent => self.episode.answer_with(Repair::LostFirst),
                _ if self.timers.pace_at() > now => self.episode.answer_with(Repair::Nothing),
                _ => (),
            }
            self.ask_app(now);
        }
        self.pump(now, wire);
    }
}

// The retransmission timeout.
impl Sender {
    /// The retransmission timer has run out: RFC 6298 (5.4) to (5.6), RFC 5681 section 3.1.
    fn on_rto(&mut self, now: Time, wire: &mut impl Wire) {
        if self.board.segments() == 0 {
            return;
        }
        let state = self.episode.state();
        let last_sent_at = self.connection.last_sent_at();
        self.ledger.on_timeout(state != CaState::Loss, last_sent_at, now);
        // RFC 5682 section 3.1 step 1, and Linux's tcp_enter_loss: while losses are being repaired
        // an original proves nothing, unless the same segment has timed out before.
        let may_be_spurious = state < CaState::Recovery || self.episode.has_timed_out();
        self.enter_loss(Signal::Rto, now);
        // As in Linux, a retransmission into a shut window is a window probe, and does not count.
        let counts = self.peer.edge() > self.board.una();
        self.episode.on_timeout(self.options.frto && may_be_spurious, counts);
        self.rtt.stop_timing();
        self.rtt.back_off();
        if self.options.ns2_rules && self.rtt.backoff() >= NS2_PATIENCE {
            self.rtt.forget_estimate();
        }
        self.timers.arm(Timer::Rto, now.saturating_add(self.rto()));
        if let Some(first) = self.board.first_number() {
            self.retransmit(first, now, wire);
        }
    }

    /// Starts the retransmission timer, or stops it if nothing is out (Linux's `tcp_rearm_rto`).
    /// After the timer of a tail loss probe or RACK, the RTO counts from the first segment's last
    /// transmission.
    pub(super) fn rearm_rto(&mut self, now: Time) {
        let Some(first) = self.board.first_number() else {
            self.timers.stop();
            return;
        };
        let due = match self.timers.purpose() {
            Timer::Rto => now.saturating_add(self.rto()),
            Timer::Probe | Timer::Reorder => {
                self.board.get(first).sent_at.saturating_add(self.rto()).max(now)
            }
        };
        self.timers.arm(Timer::Rto, due.saturating_add(self.pacing_delay(now)));
    }

    /// Time by which the pacer delays timers, in whole jiffies (Linux's `tcp_pacing_delay`).
    fn pacing_delay(&self, now: Time) -> Duration {
        let wait = self.pacer.wait(now);
        if wait < JIFFY || self.pacing_rate().is_none() {
            return Duration::ZERO;
        }
        timers::jiffies(wait)
    }
}

// The tail loss probe.
impl Sender {
    /// Restarts the tail loss probe's timer, if the current ACK still has to.
    pub(super) fn restart_probe(&mut self, now: Time) {
        if self.probe.take_restart() {
            self.schedule_probe(true, now);
        }
    }

    /// Whether a tail loss probe may follow the data in flight.
    pub(super) fn may_probe(&self) -> bool {
        self.options.tail_loss_probe && matches!(self.episode.state(), CaState::Open | CaState::Cwr)
    }

    /// Starts the tail loss probe's timer, if a probe may follow: RFC 8985 section 7.2 with the
    /// conditions of Linux's `tcp_schedule_loss_probe`. `advances`: an ACK has just restarted the
    /// timer; otherwise new data was sent, and the RTO counts from the first segment's last
    /// transmission. Returns whether the timer was started.
    pub(super) fn schedule_probe(&mut self, advances: bool, now: Time) -> bool {
        let Some(first) = self.board.first_number().filter(|_| self.may_probe()) else {
            return false;
        };
        let grace = if self.board.segments() == 1 { MAX_ACK_DELAY } else { MIN_TIMEOUT };
        let timeout =
            if self.rtt.has_sample() { self.rtt.srtt() * 2 + grace } else { INITIAL_PROBE_TIMEOUT };
        let rto = self.rto();
        // If the RTO comes first, the probe takes its place.
        let mut due = now.saturating_add(if advances { timeout.min(rto) } else { timeout });
        if !advances {
            let first_sent_at = self.board.get(first).sent_at;
            let rto_due = first_sent_at.saturating_add(rto);
            if rto_due > now {
                due = due.min(rto_due);
            } else if self.options.rto.min_bounds_variance && rto_due.saturating_add(JIFFY) > now {
                // Linux's RTO is in whole jiffies.
                if first_sent_at.saturating_add(timers::jiffies_up(rto)) > now {
                    due = now;
                }
            }
        }
        self.timers.arm(Timer::Probe, due.saturating_add(self.pacing_delay(now)));
        true
    }

    /// Sends new data, or else the last segment, as a tail loss probe (RFC 8985 section 7.3).
    fn send_probe(&mut self, now: Time, wire: &mut impl Wire) {
        let Some(last) = self.board.last_number() else { return };
        let new = self.next_segment(now).ok();
        // Beyond a window that has shrunk, only the first segment is sent again.
        let is_beyond =
            || self.board.get(last).seq >= self.peer.edge() && self.board.segments() > 1;
        if self.probe.is_out() || new.is_none() && is_beyond() {
            self.rearm_rto(now);
            return;
        }
        self.ledger.on_tail_probe();
        if let Some(first) = new {
            self.probe_with(first, now, wire);
            self.note_usage(Limit::Application, true, now);
        } else {
            self.repeat(last, now, wire);
        }
        self.probe.begin(self.board.next(), new.is_none());
        self.timers.arm(Timer::Rto, now.saturating_add(self.rto() + self.pacing_delay(now)));
    }

    /// Sends a probe of new data: one host segment, which is several segments if the window has
    /// room (Linux's `tcp_write_xmit` with `push_one`).
    fn probe_with(&mut self, first: (u64, bool), now: Time, wire: &mut impl Wire) {
        let (inflight, cwnd) = (self.board.inflight(), self.cwnd());
        let room = cwnd.saturating_sub(inflight);
        if self.options.tso_defer && room >= self.options.mss {
            self.size_burst(room, cwnd, true, now);
        }
        let mut segment = Some(first);
        while let Some((payload, fin)) = segment {
            self.send_new(payload, fin, now, wire);
            segment = if self.pacer.is_in_burst() { self.next_segment(now).ok() } else { None };
        }
        self.pacer.end_burst();
    }
}

// The persist timer.
impl Sender {
    /// The persist timer has run out. Sends the data that fits a window smaller than a segment (the
    /// override of RFC 9293 section 3.8.6.2.1). If the window is shut, sends an old sequence
    /// number, which the receiver answers with its window (Linux's `tcp_write_wakeup`).
    fn probe_window(&mut self, now: Time, wire: &mut impl Wire) {
        let next = self.board.next();
        let left = self.buffer.left(next);
        let fits = left.min(self.peer.room(next)).min(self.peer.full_segment());
        if fits > 0 {
            self.peer.forget_probes();
            self.send_new(fits, self.buffer.is_closed() && fits == left, now, wire);
            self.rearm_rto(now);
        } else {
            self.peer.on_probe();
            self.send_control(next.wrapping_sub(1), flags::ACK, now, wire);
        }
    }

    /// Whether the receiver's window has room for the next host segment.
    pub(super) fn has_room_for_next(&self) -> bool {
        let next = self.board.next();
        let (bytes, is_last) = self.buffer.head(next);
        let bytes = bytes.saturating_add((is_last && self.buffer.owes_fin(next)).into());
        next + bytes.min(offload::MOST_BYTES) <= self.peer.edge()
    }

    /// Runs the persist timer while the window is shut and nothing is out.
    pub(super) fn arm_persist(&mut self, limit: Limit, now: Time) {
        if limit != Limit::ReceiveWindow || self.board.segments() > 0 {
            self.peer.stop_probing();
        } else {
            self.peer.keep_probing(self.rto(), self.options.rto.max, now);
        }
    }
}
