//! Episodes: how a sender reacts to losses, marks and timeouts, and how it takes a mistake back.

use ackclock_cc::{CongestionEvent, Signal};
use ackclock_units::Time;

use super::Sender;
use super::ack_summary::AckSummary;
use super::losses::Found;
use super::recovery_episode::Repair;
use crate::packet::Packet;
use crate::transport::accounting::{Phase, Reason};
use crate::transport::plan::DupackRecovery;
use crate::transport::recovery::{CaState, Prr};
use crate::transport::scoreboard::Segment;

// ACKs during an episode.
impl Sender {
    /// Takes an ACK into the current episode, looks for losses, and begins an episode for them.
    #[inline(always)]
    pub(super) fn react(
        &mut self,
        packet: &Packet,
        summary: &AckSummary,
        prior_inflight: u64,
        now: Time,
    ) -> Found {
        let is_dubious = self.is_dubious(summary);
        self.keep_reduction(summary);
        let repair =
            if is_dubious { self.settle_episode(packet, summary, now) } else { Repair::LostFirst };
        self.episode.answer_with(repair);
        let has_looked = repair != Repair::Nothing && self.detector.has_news();
        let losses = if has_looked && !self.detector.is_calm(&self.board) {
            self.detect_losses(now)
        } else {
            Found::NOTHING
        };
        // Most ACKs acknowledge in order, and there is no episode.
        if is_dubious || summary.is_marked || self.board.lost_bytes() > 0 {
            self.run_episode(summary, losses, is_dubious, prior_inflight, now);
        }
        losses
    }

    /// Whether the ACK is more than an acknowledgment in order (Linux's `tcp_ack_is_dubious`).
    fn is_dubious(&self, summary: &AckSummary) -> bool {
        self.episode.state() != CaState::Open
            || summary.newly_sacked > 0
            || summary.dsack
            || summary.is_duplicate
            || self.episode.dupacks() > 0
    }

    /// A mark proves congestion: the reduction stays.
    fn keep_reduction(&mut self, summary: &AckSummary) {
        if summary.is_marked {
            self.undo.keep_reduction();
        }
    }

    /// Takes the ACK into the episode that is under way. It happens before losses are looked for,
    /// so that segments of a reaction that is taken back are judged again.
    fn settle_episode(&mut self, packet: &Packet, summary: &AckSummary, now: Time) -> Repair {
        match self.episode.state() {
            CaState::Loss => return self.in_loss(packet, summary, now),
            CaState::Recovery => return self.in_recovery(packet, summary, now),
            CaState::Cwr => {
                // CWR is on a segment sent after the reaction, whose ACK ends the episode.
                if self.board.una() > self.episode.point() {
                    self.leave_episode(now);
                }
            }
            CaState::Open | CaState::Disorder => {
                if self.episode.state() == CaState::Open {
                    self.undo.forget_first_retransmission();
                }
                if summary.dsack && self.are_all_needless() {
                    self.detector.on_dsack_undo();
                    self.take_back(now);
                }
            }
        }
        Repair::LostFirst
    }

    /// Takes an ACK in after a timeout, with the SACK-enhanced F-RTO of RFC 5682 section 3.
    fn in_loss(&mut self, packet: &Packet, summary: &AckSummary, now: Time) -> Repair {
        let is_needless =
            summary.una_advanced && (self.was_spurious(packet) || self.are_all_needless());
        if is_needless || self.episode.asks_frto() && summary.delivered_original {
            // Tahoe's state is this one after duplicate ACKs, too.
            if self.episode.has_timed_out() || !self.options.is_tahoe() {
                self.ledger.on_spurious_timeout();
            }
            self.board.unmark_all_lost();
            self.take_back(now);
            self.episode.forget_timeout();
            return Repair::LostFirst;
        }
        let (una, next) = (self.board.una(), self.board.next());
        let recovered = una >= self.episode.point();
        if self.episode.asks_frto() {
            let is_partial = summary.una_advanced && !recovered;
            let goes_on = summary.newly_sacked == 0 && !summary.is_duplicate;
            let can_send = self.has_unsent() && self.peer.edge() > next;
            if self.episode.step_frto(next, is_partial, goes_on, can_send) {
                return Repair::NewFirst;
            }
        }
        if recovered {
            self.end_or_take_back(packet, now);
        }
        Repair::LostFirst
    }

    /// Takes an ACK in during fast recovery. Originals of segments that were sent again may arrive.
    /// An undo waits for all retransmissions that are out, because otherwise originals still on the
    /// way would be declared lost again (Linux's `tcp_try_undo_partial`).
    fn in_recovery(&mut self, packet: &Packet, summary: &AckSummary, now: Time) -> Repair {
        if self.board.una() >= self.episode.point() {
            self.end_or_take_back(packet, now);
        } else if summary.una_advanced && self.was_spurious(packet) {
            self.detector.on_late_original(summary.prior_una);
            if self.board.retrans_bytes() == 0 {
                self.forget_retransmissions();
                self.board.unmark_all_lost();
                self.take_back(now);
                self.keep_open();
                return Repair::Undone;
            }
            return Repair::Nothing;
        } else if self.are_all_needless() {
            // Further losses begin another recovery.
            self.detector.on_dsack_undo();
            self.take_back(now);
            self.on_ecn(summary, now);
        } else if summary.una_advanced && !self.options.has_sack {
            self.on_partial_ack(now);
        }
        Repair::LostFirst
    }

    /// Takes in an ACK of a part of the data that was out when recovery began, without SACK.
    fn on_partial_ack(&mut self, now: Time) {
        if self.options.dupack_recovery == DupackRecovery::Reno {
            // RFC 2001: the first new ACK ends fast recovery, even if more is missing.
            self.leave_episode(now);
            self.board.emulate_sacked(0);
        } else if let Some(first) = self.board.first_number() {
            self.episode.demand_retransmission();
            // RFC 6582 section 3.2 step 3: "retransmit the first unacknowledged segment".
            self.lose(first, now);
        }
    }

    /// Begins the episode that losses or marks ask for.
    fn run_episode(
        &mut self,
        summary: &AckSummary,
        losses: Found,
        is_dubious: bool,
        prior_inflight: u64,
        now: Time,
    ) {
        let state = self.episode.state();
        // A retransmission that was lost after a timeout is a new loss.
        let may_enter =
            state < CaState::Recovery || state == CaState::Loss && losses.has_retransmission;
        if may_enter {
            if self.board.lost_bytes() > 0 {
                self.enter_recovery(summary, losses.lost, prior_inflight, now);
                self.keep_reduction(summary);
            } else if is_dubious {
                self.forget_retransmissions();
                if state != CaState::Cwr {
                    self.keep_open();
                }
            }
        }
        // An ACK that takes a reaction back reduces nothing (Linux's tcp_fastretrans_alert).
        if !matches!(self.episode.repair(), Repair::Nothing | Repair::Undone) {
            self.on_ecn(summary, now);
        }
    }

    /// Proportional rate reduction takes the ACK in.
    #[inline]
    pub(super) fn conserve(&mut self, summary: &AckSummary, losses: Found) {
        let is_safe = summary.una_advanced && losses.lost == 0;
        self.episode.conserve(summary.delivered, self.board.inflight(), is_safe);
    }

    /// Reduces the window for a mark as for a loss, once per window (RFC 3168 section 6.1.2).
    fn on_ecn(&mut self, summary: &AckSummary, now: Time) {
        if !summary.is_marked || self.episode.state() >= CaState::Cwr {
            return;
        }
        self.reduce(summary.delivered, now);
        self.ledger.on_ecn_reduction();
    }

    /// Reduces the window without a loss (Linux's `tcp_enter_cwr`). `delivered`: bytes that the
    /// ACK has taken out of flight.
    pub(super) fn reduce(&mut self, delivered: u64, now: Time) {
        let prior_cwnd = self.cwnd();
        self.undo.forget();
        self.probe.forget();
        self.congest(Signal::Ecn, self.board.inflight() + delivered, 0, now);
        self.episode.begin_cwr(self.board.next());
        self.begin_prr(prior_cwnd, self.board.outstanding() + delivered);
    }
}

// How an episode begins.
impl Sender {
    /// Begins a fast recovery.
    pub(super) fn enter_recovery(
        &mut self,
        summary: &AckSummary,
        newly_lost: u64,
        prior_inflight: u64,
        now: Time,
    ) {
        self.ledger.on_recovery();
        if self.options.is_tahoe() {
            // Tahoe has no fast recovery: back to one segment, and everything after the hole again.
            self.enter_loss(Signal::Rto, now);
            return;
        }
        let outstanding = self.board.outstanding();
        let prior_cwnd = self.cwnd();
        let is_reduced = self.episode.state() == CaState::Cwr;
        self.forget_retransmissions();
        self.begin_undo(!is_reduced);
        if is_reduced {
            self.control.on_recovery_in_reduced_window(now);
        } else {
            self.congest(Signal::Loss, prior_inflight, newly_lost, now);
        }
        self.rtt.stop_timing();
        let next = (!is_reduced).then(|| self.board.next());
        self.episode.begin_recovery(next, &self.options);
        if !is_reduced {
            self.probe.forget();
            let earlier_sacked = self.board.sacked_bytes().saturating_sub(summary.newly_sacked);
            let newly_acked = summary.delivered.saturating_sub(summary.newly_sacked);
            let recover_fs = outstanding.saturating_sub(earlier_sacked) + newly_acked;
            self.begin_prr(prior_cwnd, recover_fs);
        }
        self.note_phase(now);
    }

    /// Approaches the new window by PRR, if the connection does. `prior_cwnd`: the window before
    /// the reduction; `recover_fs`: RFC 9937's `RecoverFS`.
    fn begin_prr(&mut self, prior_cwnd: u64, recover_fs: u64) {
        if !self.options.prr {
            return;
        }
        let mss = self.options.mss;
        // Linux's window stays until an ACK delivers something. The RFC's allows one segment now.
        let (base, unit, window) = if self.options.prr_of_cwnd {
            (prior_cwnd, mss, prior_cwnd)
        } else {
            (recover_fs, 1, self.board.inflight() + mss)
        };
        self.episode.begin_prr(Prr::new(base, self.control.cwnd(), mss, unit, window));
    }

    /// Declares the segments in flight lost, and starts the window again from one segment more than
    /// remains in flight. ssthresh is reduced once per window (Linux's `tcp_enter_loss`; RFC 5681
    /// section 3.1, equation 4).
    pub(super) fn enter_loss(&mut self, signal: Signal, now: Time) {
        let inflight = self.board.inflight();
        let state = self.episode.state();
        let is_new_window = state <= CaState::Disorder
            || self.episode.point() <= self.board.una()
            || state == CaState::Loss && !self.episode.has_timed_out();
        // ns-2 reduces ssthresh at each timeout.
        let is_new_window = is_new_window || self.options.ns2_rules;
        self.mark_all_lost(now);
        if is_new_window {
            self.begin_undo(true);
            self.congest(signal, inflight, 0, now);
        } else {
            let event = self.event(signal, inflight, 0, now);
            self.control.on_repeated_timeout(&event);
        }
        self.control.on_loss_window(self.board.inflight() + self.options.mss, now);
        self.window_use.confirm(now);
        self.episode.begin_loss(self.board.next());
        self.probe.forget();
        self.ecn.on_reduction(self.options.ecn);
        self.note_phase(now);
    }

    /// Prepares an undo of the episode that begins. `restores`: the undo restores the window too.
    fn begin_undo(&mut self, restores: bool) {
        let out = self.board.retrans_bytes().div_ceil(self.options.mss);
        let out = u32::try_from(out).unwrap_or(u32::MAX);
        let probes = u32::from(self.probe.repeats_segment());
        self.undo.begin(restores, self.board.una(), out.saturating_add(probes));
    }

    /// Tells the algorithm of congestion, and reads the decision.
    pub(super) fn congest(&mut self, signal: Signal, inflight: u64, newly_lost: u64, now: Time) {
        let event = self.event(signal, inflight, newly_lost, now);
        self.control.on_congestion(&event, self.episode.reached());
        let reason = if signal == Signal::Ecn { Reason::Mark } else { Reason::Reordering };
        self.ledger.note_reduction(reason, self.board.una(), self.buffer.until(now));
        self.ecn.on_reduction(self.options.ecn);
    }

    fn event(&self, signal: Signal, inflight: u64, newly_lost: u64, now: Time) -> CongestionEvent {
        CongestionEvent {
            signal,
            now,
            inflight,
            newly_lost,
            srtt: self.rtt.srtt(),
            min_rtt: self.rtt.min_rtt(),
            delivered: self.rate.delivered(),
        }
    }
}

// How an episode ends.
impl Sender {
    /// All data that was out when the episode began is acknowledged.
    fn end_or_take_back(&mut self, packet: &Packet, now: Time) {
        if self.was_spurious(packet) || self.are_all_needless() {
            self.take_back(now);
        } else {
            self.leave_episode(now);
            self.detector.on_recovery_exit();
        }
    }

    /// Ends an episode whose reaction was right.
    fn leave_episode(&mut self, now: Time) {
        self.episode.end();
        self.episode.set_dupacks(0);
        if !self.options.has_sack {
            self.board.emulate_sacked(0);
        }
        self.control.on_recovery_exit(now);
        self.window_use.confirm(now);
        self.note_phase(now);
    }

    /// Takes back a reaction that was a mistake.
    fn take_back(&mut self, now: Time) {
        let taken = self.undo.take();
        if let Some(restores) = taken {
            let reached = self.episode.reached();
            self.control.take_back(restores, reached, self.options.owns_window, now);
            self.window_use.confirm(now);
            self.detector.look_again();
        }
        self.ledger.take_back(taken.is_some());
        self.episode.end();
        self.note_phase(now);
    }

    /// Whether an ACK that advances SND.UNA answers the original of a lost segment.
    fn was_spurious(&self, packet: &Packet) -> bool {
        let (una, point) = (self.board.una(), self.episode.point());
        self.undo.was_spurious(packet.ts_ecr, una, point, &self.options)
    }

    /// Whether D-SACKs have shown every retransmission of an episode to be needless.
    fn are_all_needless(&self) -> bool {
        self.undo.are_all_needless(&self.options)
    }

    /// Forgets the first retransmission if none is out (Linux's `tcp_retrans_stamp_cleanup`).
    fn forget_retransmissions(&mut self) {
        if !self.has_retransmitted() {
            self.undo.forget_first_retransmission();
        }
    }

    /// Whether the first segment or one in flight was sent again (Linux's `tcp_any_retrans_done`).
    fn has_retransmitted(&self) -> bool {
        let first = || self.board.first_number().map(|number| self.board.get(number));
        self.board.retrans_bytes() > 0 || first().is_some_and(Segment::was_retransmitted)
    }

    /// No loss is to be repaired: the state is open or disordered (Linux's `tcp_try_keep_open`).
    pub(super) fn keep_open(&mut self) {
        let is_disordered = self.board.sacked_bytes() > 0
            || self.board.lost_bytes() > 0
            || self.has_retransmitted();
        self.episode.keep_open(is_disordered);
    }

    /// Books the time so far, after the phase may have changed. ssthresh tells no slow start of an
    /// algorithm that owns its window.
    pub(super) fn note_phase(&mut self, now: Time) {
        let phase = match self.episode.state() {
            CaState::Recovery => Phase::Recovery,
            CaState::Loss => Phase::Loss,
            CaState::Open | CaState::Disorder | CaState::Cwr => {
                if self.control.is_below_ssthresh() && !self.options.owns_window {
                    Phase::SlowStart
                } else {
                    Phase::Avoidance
                }
            }
        };
        self.ledger.note_phase(phase, self.control.cwnd(), self.buffer.until(now), now);
    }
}
