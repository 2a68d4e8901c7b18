//! What a sender does when nothing arrives: start, timeouts, probes, paced packets.

use ackclock_cc::{CongestionEvent, Signal};
use ackclock_units::{Duration, Time};

use super::{Limit, Repair, Sender, State};
use crate::net::Wire;
use crate::packet::flags;
use crate::plan::EcnMode;
use crate::transport::account::Reason;
use crate::transport::recovery::{CaState, Undo};

/// What Linux counts the time of timers in, where its kernel ticks 250 times a second.
pub(super) const JIFFY: Duration = Duration::from_millis(4);
/// The largest segment that a Linux host hands over at once, bytes.
const HOST_SEGMENT: u64 = 65_215;
/// RFC 8985 section 7.2, `TLP.max_ack_delay`: what a receiver may add when a single segment is out (Linux: 200 ms).
const MAX_ACK_DELAY: Duration = Duration::from_millis(200);
/// What Linux adds to the probe's timeout for more than one segment, and to the reordering timer (`TCP_TIMEOUT_MIN_US`).
pub(super) const MIN_TIMEOUT: Duration = Duration::from_millis(2);
/// RFC 8985 section 7.2: the probe's timeout before the first RTT sample.
const INITIAL_PROBE_TIMEOUT: Duration = Duration::from_secs(1);

/// Which timer runs for what is out. There is one, as in Linux and RFC 8985 section 8: each takes the place of the one before.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Timer {
    /// Retransmission timeout.
    Rto,
    /// Tail loss probe.
    Probe,
    /// RACK's, of segments that may be lost.
    Reorder,
}

/// ns-2 backs off 16 times the RTO before it forgets its estimate (`rtt_backoff`).
const NS2_PATIENCE: u32 = 4;

impl Sender {
    /// When it next wants [`Sender::on_timer`].
    #[must_use]
    #[inline]
    pub fn deadline(&self) -> Time {
        if self.state == State::Established {
            let app = self.written.next_write.min(self.stop_at);
            return self.timer_at.min(self.pace_at).min(self.persist_at).min(app);
        }
        match self.state {
            State::Closed => self.start_at,
            State::SynSent => self.timer_at,
            State::Established | State::Done => Time::MAX,
        }
    }

    /// Does what is due.
    pub fn on_timer(&mut self, now: Time, wire: &mut impl Wire) {
        match self.state {
            State::Closed => self.send_syn(now, wire),
            State::SynSent if self.timer_at <= now => {
                self.stats.timeouts = self.stats.timeouts.saturating_add(1);
                self.rtt.back_off();
                self.send_syn(now, wire);
            }
            State::Established => self.on_established_timer(now, wire),
            State::SynSent | State::Done => (),
        }
    }

    /// Lets the pacer's timer alone run out, whatever else is due: a host whose other timers are late.
    pub fn on_pacing_timer(&mut self, now: Time, wire: &mut impl Wire) {
        if self.state == State::Established {
            self.pump(now, wire);
        }
    }

    /// The pacer opens while an ACK is being answered: a Linux host has looked at it for what is to be sent again and found it shut,
    /// and finds it open for new data.
    pub fn on_pacer_open_for_new_data(&mut self, now: Time, wire: &mut impl Wire) {
        self.repair = Repair::Nothing;
        self.on_pacing_timer(now, wire);
        // Lost segments still wait for the pacer's own timer.
        self.pace_at = self.pace_at.min(self.pacer.opens_at().max(now));
    }

    fn on_established_timer(&mut self, now: Time, wire: &mut impl Wire) {
        if self.stop_at <= now {
            self.on_stop(now);
        }
        if self.timer_at <= now {
            self.timer_at = Time::MAX;
            if self.pace_at > now {
                self.repair = if self.timer == Timer::Reorder {
                    Repair::LostOnly
                } else {
                    Repair::Silent
                };
            }
            match self.timer {
                Timer::Rto => self.on_rto(now, wire),
                Timer::Probe => self.send_probe(now, wire),
                Timer::Reorder => self.on_reorder_timeout(now),
            }
        }
        if self.persist_at <= now {
            self.persist_at = Time::MAX;
            self.probe_window(now, wire);
        }
        if self.written.next_write <= now {
            self.repair = match self.repair {
                Repair::LostOnly | Repair::Silent => Repair::LostFirst,
                _ if self.pace_at > now => Repair::Nothing,
                repair => repair,
            };
            self.ask_app(now);
        }
        self.pump(now, wire);
    }

    pub(super) fn on_stop(&mut self, now: Time) {
        self.close_app();
        // What drains after the stop is no time of the flow: `FlowOutput::active` ends there, too.
        self.stop_limits(now.min(self.stop_at));
        self.stop_at = Time::MAX;
        if self.board.segments() == 0 && self.board.next() == 0 {
            self.finished_at = now;
        }
    }

    fn send_syn(&mut self, now: Time, wire: &mut impl Wire) {
        if self.state == State::Closed {
            self.state = State::SynSent;
            self.start_at = now;
        }
        self.last_sent_at = now;
        self.arm(Timer::Rto, now.saturating_add(self.rtt.syn_rto(&self.options.rto)));
        self.send_control(0, flags::SYN, now, wire);
    }

    /// RFC 6298 (5.4) to (5.6), RFC 5681 section 3.1.
    fn on_rto(&mut self, now: Time, wire: &mut impl Wire) {
        if self.board.segments() == 0 {
            return;
        }
        self.stats.timeouts = self.stats.timeouts.saturating_add(1);
        // After the flow's stop its times stand still, `Self::stop_limits`.
        let counts = self.ca != CaState::Loss && self.limit_since < Time::MAX;
        if let Some(account) = self.stats.account.as_mut().filter(|_| counts) {
            account.end_silence(self.last_sent_at, now);
        }
        // RFC 5682 section 3.1 step 1, and Linux's tcp_enter_loss: an original that arrives while losses are being
        // repaired would prove nothing, unless the same segment has timed out before.
        let may_be_spurious = self.ca < CaState::Recovery || self.has_timed_out;
        self.enter_loss(Signal::Rto, now);
        self.frto = self.options.frto && may_be_spurious;
        // Linux does not count a timeout behind a window that was shut: its retransmission is a window probe.
        self.has_timed_out |= self.peer_edge > self.board.una();
        self.rtt.stop_timing();
        self.rtt.back_off();
        if self.options.ns2_rules && self.rtt.backoff() >= NS2_PATIENCE {
            self.rtt.forget_estimate();
        }
        self.arm(Timer::Rto, now.saturating_add(self.rto()));
        if let Some(first) = self.board.first_number() {
            self.retransmit(first, now, wire);
        }
    }

    /// Starts one timer in the place of whichever ran.
    pub(super) fn arm(&mut self, timer: Timer, at: Time) {
        (self.timer, self.timer_at) = (timer, at);
    }

    /// Starts the RTO, or stops the timer where nothing is out (Linux's `tcp_rearm_rto`). In the place of a probe's or RACK's
    /// timer it counts from the first segment's last transmission.
    pub(super) fn rearm_rto(&mut self, now: Time) {
        let Some(first) = self.board.first_number() else {
            self.arm(Timer::Rto, Time::MAX);
            return;
        };
        let is_late = matches!(self.timer, Timer::Probe | Timer::Reorder);
        let due = if is_late {
            self.board.get(first).sent_at.saturating_add(self.rto()).max(now)
        } else {
            now.saturating_add(self.rto())
        };
        self.arm(Timer::Rto, due.saturating_add(self.pacing_delay(now)));
    }

    /// What is out counts as lost, and the window starts again from one segment more than is still in flight.
    /// The threshold is reduced once per window (Linux's `tcp_enter_loss`; RFC 5681 section 3.1, equation 4).
    pub(super) fn enter_loss(&mut self, signal: Signal, now: Time) {
        let inflight = self.board.inflight();
        let is_new_window =
            self.ca <= CaState::Disorder || self.recovery_point <= self.board.una() || self.ca == CaState::Loss && !self.has_timed_out;
        // ns-2 halves at each timeout: a second one finds a window of one segment, and leaves ssthresh at two.
        let is_new_window = is_new_window || self.options.ns2_rules;
        self.mark_all_lost(now);
        if is_new_window {
            self.begin_undo(true);
            self.congest(signal, inflight, 0, now);
        } else {
            let event = self.event(signal, inflight, 0, now);
            self.cc.on_repeated_timeout(&event, &mut self.rng);
        }
        self.cc.on_loss_window(self.board.inflight() + self.options.mss, now);
        self.usage.noted_at = now;
        self.decision = self.cc.decision();
        self.ca = CaState::Loss;
        self.prr = None;
        self.probe_end = 0;
        self.recovery_point = self.board.next();
        self.queue_cwr();
        self.note_phase(now);
    }

    /// An episode begins: what it puts back if it is spurious; `restores`: the window too.
    pub(super) fn begin_undo(&mut self, restores: bool) {
        let count = u32::try_from(self.board.retrans_bytes().div_ceil(self.options.mss)).unwrap_or(u32::MAX);
        let is_probing = self.probe_end > 0 && self.probe_repeats;
        let undo = Undo::new(restores, self.board.una(), count.saturating_add(u32::from(is_probing)));
        // Where losses are many, so are episodes.
        if let Some(last) = &mut self.undo {
            **last = undo;
        } else {
            self.undo = Some(Box::new(undo));
        }
    }

    /// Marks what a timeout makes of the segments that are out. The first is lost whatever RACK thinks of it.
    fn mark_all_lost(&mut self, now: Time) {
        self.dupacks = 0;
        if !self.options.has_sack {
            self.board.emulate_sacked(0);
        }
        let (Some(first), Some(last)) = (self.board.first_number(), self.board.last_number()) else {
            return;
        };
        // RFC 2018 section 8: what the receiver had and did not acknowledge, it has dropped.
        let reneges = self.board.get(first).is_sacked();
        if reneges {
            self.board.forget_sacked();
            self.detector.forget_sacked(self.board.una());
        }
        for number in first..=last {
            let is_young = || self.detector.spares(self.board.get(number).sent_at, now);
            if number == first || reneges || !is_young() {
                self.lose(number, now);
            }
        }
        self.detector
            .on_timeout(&self.board, self.options.mss, self.ca <= CaState::Disorder);
    }

    /// Tells the algorithm of congestion and reads its answer.
    pub(super) fn congest(&mut self, signal: Signal, inflight: u64, newly_lost: u64, now: Time) {
        if let Some(prr) = &self.prr {
            // A reduction that is under way goes on from where it has come to.
            self.cc.on_window_kept(prr.cwnd(), now);
        }
        let event = self.event(signal, inflight, newly_lost, now);
        self.cc.on_congestion(&event, &mut self.rng);
        self.decision = self.cc.decision();
        let reason = if signal == Signal::Ecn { Reason::Mark } else { Reason::Reordering };
        self.note_reduction(reason, now);
        self.queue_cwr();
    }

    fn event(&self, signal: Signal, inflight: u64, newly_lost: u64, now: Time) -> CongestionEvent {
        CongestionEvent {
            signal,
            now,
            inflight,
            newly_lost,
            srtt: self.rtt.srtt(),
            min_rtt: self.rtt.min_rtt(),
            delivered: self.rate.delivered,
        }
    }

    /// RFC 3168 section 6.1.2: a reduction for any reason answers the marks of its window.
    fn queue_cwr(&mut self) {
        self.send_cwr = self.options.ecn == EcnMode::Classic;
    }

    /// The timer that the current ACK restarts.
    pub(super) fn restart_probe(&mut self, now: Time) {
        if self.probe_restarts {
            self.schedule_probe(true, now);
        }
        self.probe_restarts = false;
    }

    /// Whether a probe may follow what is out.
    pub(super) fn may_probe(&self) -> bool {
        self.options.tail_loss_probe && matches!(self.ca, CaState::Open | CaState::Cwr)
    }

    /// RFC 8985 section 7.2, with Linux's conditions (`tcp_schedule_loss_probe`): SACK, nothing to repair, one probe at a
    /// time. `advances`: an ACK has just restarted the timer; otherwise new data was sent, and the RTO counts from the
    /// first segment's last transmission. Answers whether it has.
    pub(super) fn schedule_probe(&mut self, advances: bool, now: Time) -> bool {
        let Some(first) = self.board.first_number().filter(|_| self.may_probe()) else {
            return false;
        };
        let grace = if self.board.segments() == 1 { MAX_ACK_DELAY } else { MIN_TIMEOUT };
        let timeout = if self.rtt.has_sample() {
            self.rtt.srtt() * 2 + grace
        } else {
            INITIAL_PROBE_TIMEOUT
        };
        let first_due = self.board.get(first).sent_at.saturating_add(self.rto());
        let rto_due = if advances { now.saturating_add(self.rto()) } else { first_due };
        let mut due = now.saturating_add(timeout);
        if rto_due > now {
            // Where the RTO comes first, the probe takes its place.
            due = due.min(rto_due);
        } else if self.options.rto.min_bounds_variance && rto_due.saturating_add(JIFFY) > now {
            // Linux's RTO is in whole jiffies.
            let ticks = self.rto().as_ps().div_ceil(JIFFY.as_ps());
            if self.board.get(first).sent_at.saturating_add(JIFFY * ticks) > now {
                due = now;
            }
        }
        self.arm(Timer::Probe, due.saturating_add(self.pacing_delay(now)));
        true
    }

    /// By how much a timer that starts now starts later because the pacer holds the next segment back: Linux counts that in
    /// whole jiffies (`tcp_pacing_delay`).
    pub(super) fn pacing_delay(&self, now: Time) -> Duration {
        let wait = self.pacer.wait(now);
        if wait < JIFFY || self.pacing_rate().is_none() {
            return Duration::ZERO;
        }
        JIFFY * (wait.as_ps() / JIFFY.as_ps())
    }

    /// RFC 8985 section 7.3: new data if there is any, else the last segment again.
    fn send_probe(&mut self, now: Time, wire: &mut impl Wire) {
        let Some(last) = self.board.last_number() else { return };
        let new = self.next_segment(now).ok();
        // One probe at a time; and beyond a window that has shrunk only the first segment is sent again.
        let is_beyond = || self.board.get(last).seq >= self.peer_edge && self.board.segments() > 1;
        if self.probe_end > 0 || new.is_none() && is_beyond() {
            self.rearm_rto(now);
            return;
        }
        self.stats.tail_probes += 1;
        if let Some(first) = new {
            self.probe_with(first, now, wire);
            self.note_usage(Limit::Application, true, now);
        } else {
            self.repeat(last, now, wire);
        }
        self.probe_end = self.board.next();
        self.probe_repeats = new.is_none();
        self.arm(Timer::Rto, now.saturating_add(self.rto() + self.pacing_delay(now)));
    }

    /// The persist timer ran out: sends what fits into a window smaller than a segment (RFC 9293 section 3.8.6.2.1's override), or asks
    /// with a segment just below a shut one; the receiver answers with its window (Linux's `tcp_write_wakeup`).
    fn probe_window(&mut self, now: Time, wire: &mut impl Wire) {
        let next = self.board.next();
        let left = self.written.bytes.saturating_sub(next);
        let fits = left.min(self.peer_edge.saturating_sub(next)).min(self.full_segment());
        if fits > 0 {
            self.persist_backoff = 0;
            self.send_new(fits, self.written.closed && fits == left, now, wire);
            self.rearm_rto(now);
        } else {
            self.persist_backoff = self.persist_backoff.saturating_add(1);
            self.send_control(next.wrapping_sub(1), flags::ACK, now, wire);
        }
    }

    /// A probe of new data is one segment of the host's: where the window has room, several segments (Linux's
    /// `tcp_write_xmit` with `push_one`).
    fn probe_with(&mut self, first: (u64, bool), now: Time, wire: &mut impl Wire) {
        let (inflight, cwnd) = (self.board.inflight(), self.cwnd());
        let room = cwnd.saturating_sub(inflight);
        if self.options.tso_defer && room >= self.options.mss {
            self.size_burst(room, cwnd, true, now);
        }
        let mut segment = Some(first);
        while let Some((payload, fin)) = segment {
            self.send_new(payload, fin, now, wire);
            segment = if self.pacer.is_in_burst() {
                self.next_segment(now).ok()
            } else {
                None
            };
        }
        self.pacer.end_burst();
    }

    /// Whether the receiver's window has room for what the host would hand over next: what the application has written,
    /// as far as the first of the host's segments holds it.
    pub(super) fn has_room_for_next(&self) -> bool {
        let (bytes, is_last) = self.head();
        let bytes = bytes.saturating_add((is_last && self.owes_fin()).into());
        self.board.next() + bytes.min(HOST_SEGMENT) <= self.peer_edge
    }

    /// RFC 9293 section 3.8.6.1: asks for the window again while it is shut and nothing is out.
    pub(super) fn arm_persist(&mut self, limit: Limit, now: Time) {
        if limit != Limit::ReceiveWindow || self.board.segments() > 0 {
            self.persist_at = Time::MAX;
        } else if self.persist_at == Time::MAX {
            let interval = self.rto().saturating_mul(1 << self.persist_backoff.min(30));
            self.persist_at = now.saturating_add(interval.min(self.options.rto.max));
        }
    }
}
