//! How a sender takes in an ACK, in the kernel's order (`tcp_ack`): receiver's window, scoreboard,
//! RTT, tail probe, losses and episode, PRR, algorithm, timers, and only then sending.

use ackclock_cc::{AckEvent, RoundSummary, RttSample, Signal, Timestamps};
use ackclock_units::{Duration, Time};

use super::Sender;
use super::ack_summary::AckSummary;
use super::connection::State;
use super::losses::Found;
use super::peer_window::Offer;
use super::recovery_episode::Repair;
use super::timers::{MIN_TIMEOUT, Timer};
use crate::packet::{Packet, flags};
use crate::transport::endpoint::Endpoint;
use crate::transport::loss_detection::DUP_THRESHOLD;
use crate::transport::recovery::CaState;
use crate::wire::Wire;

/// Least time that a sender waits before it believes that the receiver has dropped `SACKed`
/// segments (Linux's `tcp_check_sack_reneging`).
const RENEGING_PATIENCE: Duration = Duration::from_millis(10);

impl Endpoint for Sender {
    #[inline(always)]
    fn on_plain_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) -> bool {
        let is_plain = packet.connection == self.connection.number()
            && self.connection.is_established()
            && self.on_plain_ack(packet, now);
        if is_plain {
            if self.options.timestamps {
                self.connection.note_timestamp(packet.ts_val);
            }
            if !self.answer_plain_ack(now, wire) {
                self.pump(now, wire);
            }
        }
        is_plain
    }

    #[inline(never)]
    fn on_any_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        if packet.connection != self.connection.number() {
            return;
        }
        if self.options.timestamps {
            self.connection.note_timestamp(packet.ts_val);
        }
        match self.connection.state() {
            State::SynSent if packet.has(flags::SYN | flags::ACK) => {
                self.establish(packet, now, wire);
            }
            State::Established if packet.has(flags::SYN) => {
                self.send_control(self.board.next(), flags::ACK, now, wire);
            }
            State::Established => self.on_ack(packet, now, wire),
            State::Done if packet.has(flags::FIN) => self.acknowledge_fin(now, wire),
            State::Closed | State::SynSent | State::Done => (),
        }
    }
}

impl Sender {
    /// Takes in an ACK and sends what it allows.
    fn on_ack(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        if packet.ack > self.board.next() {
            return;
        }
        // RFC 5961 section 5.2, Linux's tcp_ack: an ACK below SND.UNA counts for its SACK blocks.
        let is_old = packet.ack < self.board.una();
        if is_old && (packet.sack_count == 0 || !self.options.has_sack) && !packet.has(flags::FIN) {
            return;
        }
        let (prior_inflight, had_nothing_out) = (self.board.inflight(), self.board.segments() == 0);
        let moves_window = self.take_in_window(packet, now);
        let mut summary = AckSummary::default();
        self.take_in(packet, is_old, now, &mut summary);
        self.judge_duplicate(packet, moves_window, &mut summary);
        let rtt_sample = if is_old { None } else { self.sample_rtt(packet, &summary, now) };
        if let Some(rtt) = rtt_sample.filter(|_| self.options.takes_rtts && !had_nothing_out) {
            self.show_rtt(rtt, packet, &summary, now);
        }
        if self.options.times_one {
            self.rtt.end_timing(self.board.una(), now, self.options.rto.clock);
        }
        if summary.una_advanced {
            self.episode.forget_timeout();
        }
        if self.probe.is_out() {
            self.settle_probe(packet, &summary, moves_window, now);
        }
        let reneges = summary.una_advanced && self.is_first_sacked();
        let losses = if reneges {
            // Retransmissions wait until reneging is certain (Linux's tcp_check_sack_reneging).
            self.episode.answer_with(Repair::Nothing);
            Found::NOTHING
        } else if had_nothing_out && !summary.dsack {
            // With nothing out only D-SACKs matter (`no_queue` of Linux's tcp_ack).
            Found::NOTHING
        } else {
            self.react(packet, &summary, prior_inflight, now)
        };
        if !is_old && !had_nothing_out {
            self.conserve(&summary, losses);
            self.tell_algorithm(&summary, losses.lost, rtt_sample, prior_inflight, now);
            self.note_window_rate();
        }
        self.rearm(&summary, losses, is_old, now);
        if reneges {
            self.wait_for_reneging(now);
        }
        if self.buffer.is_complete(self.board.una()) && self.connection.finished_at().is_none() {
            self.finish_data(now);
        }
        if packet.has(flags::FIN) {
            self.acknowledge_fin(now, wire);
        }
        if self.is_fin_acked() {
            self.finish(now);
            return;
        }
        if self.board.segments() == 0 {
            self.settle_window_probe();
        }
        self.pump(now, wire);
    }

    /// Takes in the receiver's window. Returns whether the ACK offers a new one.
    #[inline(always)]
    fn take_in_window(&mut self, packet: &Packet, now: Time) -> bool {
        let offered = u64::from(packet.window);
        let offer = self.peer.on_ack(packet.ack, offered, self.board.una(), &self.options);
        if offer == Offer::Other && self.has_unsent() {
            self.restart_after_idle(now);
        }
        offer != Offer::Stale
    }

    /// Notes whether the ACK is a duplicate, and counts it where there is no SACK.
    #[inline(always)]
    fn judge_duplicate(&mut self, packet: &Packet, moves_window: bool, summary: &mut AckSummary) {
        summary.is_duplicate = !summary.una_advanced
            && packet.ack == self.board.una()
            && !moves_window
            && self.board.segments() > 0;
        if !self.options.has_sack {
            self.count_duplicates(summary);
        }
    }

    /// Shows the algorithm an RTT sample, by which it may end slow start.
    pub(super) fn show_rtt(
        &mut self,
        rtt: Duration,
        packet: &Packet,
        summary: &AckSummary,
        now: Time,
    ) {
        let clock = self.options.clock;
        let sample = RttSample {
            now,
            rtt,
            srtt: self.rtt.srtt(),
            cwnd: self.cwnd(),
            una: self.board.una(),
            next: self.board.next(),
            recovery_point: self.episode.point(),
            acked: self.board.una() - summary.prior_una,
            delivered: self.rate.delivered(),
            newly_delivered: summary.delivered,
            newly_marked: summary.newly_marked,
            state: self.episode.state(),
            timestamps: self.options.timestamps.then(|| Timestamps {
                remote: packet.ts_val,
                echo: packet.ts_ecr,
                now: clock.at(now),
            }),
        };
        if let Some(cwnd) = self.control.on_rtt(&sample) {
            self.episode.aim_at(cwnd);
        }
    }

    /// Reduces the window if the tail loss probe repaired a loss (RFC 8985 section 7.4).
    fn settle_probe(
        &mut self,
        packet: &Packet,
        summary: &AckSummary,
        moves_window: bool,
        now: Time,
    ) {
        let has_news = summary.una_advanced || summary.newly_sacked > 0 || moves_window;
        if self.probe.settle(packet.ack, summary.dsack_of_probe, has_news) {
            let inflight = self.board.inflight();
            self.congest(Signal::Loss, inflight, 0, now);
            // Nothing is left to repair.
            self.episode.end_prr();
            self.control.on_recovery_exit(now);
            self.keep_open();
        }
    }

    /// Whether the receiver has dropped the first segment after `SACKing` it (RFC 2018 section 8).
    #[inline]
    fn is_first_sacked(&self) -> bool {
        self.board.first_number().is_some_and(|first| self.board.get(first).is_sacked())
    }

    /// Gives a receiver that seems to renege time to ACK (Linux's `tcp_check_sack_reneging`).
    fn wait_for_reneging(&mut self, now: Time) {
        self.restart_probe(now);
        let patience = (self.rtt.srtt() / 2).max(RENEGING_PATIENCE);
        self.timers.arm(Timer::Rto, now.saturating_add(patience));
    }

    /// Takes in the answer to a window probe: its timer starts again, or probing ends because the
    /// window has room for the next data (Linux's `tcp_ack_probe`).
    pub(super) fn settle_window_probe(&mut self) {
        self.peer.stop_probing();
        if self.has_room_for_next() {
            self.peer.forget_probes();
        }
    }

    /// Tells the algorithm of the ACK, and reads the decision. Plain ACKs and others share this
    /// code, because more than the cache of instructions holds is in use while losses are repaired.
    #[inline(never)]
    pub(super) fn tell_algorithm(
        &mut self,
        summary: &AckSummary,
        newly_lost: u64,
        rtt_sample: Option<Duration>,
        prior_inflight: u64,
        now: Time,
    ) {
        if summary.delivered == 0 && newly_lost == 0 && summary.newly_marked == 0 {
            return;
        }
        let prior_delivered = summary.newest.map(|newest| newest.delivered);
        let inflight = self.board.inflight();
        let round = self.rounds.on_ack(
            prior_delivered,
            self.rate.delivered(),
            inflight,
            RoundSummary {
                min_rtt: rtt_sample,
                samples: 1,
                acked: summary.delivered,
                lost: newly_lost,
                marked: summary.newly_marked,
            },
        );
        let rate = self.rate.sample(summary.newest.as_ref(), self.rtt.min_rtt(), now);
        let ack = AckEvent {
            now,
            newly_acked: summary.delivered,
            credited: summary.delivered.min(self.options.credit_per_ack),
            newly_lost,
            newly_marked: summary.newly_marked,
            rtt_sample,
            srtt: self.rtt.srtt(),
            rttvar: self.rtt.rttvar(),
            min_rtt: self.rtt.min_rtt(),
            one_way_delay: summary.one_way_delay,
            inflight,
            prior_inflight,
            delivered: self.rate.delivered(),
            rate,
            round,
            pacing_wait: self.pacer.wait(now),
            is_cwnd_limited: self.is_cwnd_limited(),
            in_recovery: matches!(self.episode.state(), CaState::Cwr | CaState::Recovery)
                || !self.may_grow(summary),
            state: self.episode.state(),
        };
        if !ack.in_recovery {
            self.window_use.confirm(now);
        }
        self.control.on_ack(&ack);
        if self.options.owns_window && self.control.limits_itself() {
            self.rate.mark_app_limited(inflight);
        }
        if self.options.reduces_itself
            && self.control.takes_reduction()
            && self.episode.state() < CaState::Cwr
        {
            self.reduce(summary.delivered, now);
        }
        if self.control.has_intervals() {
            let sent_at = summary.sent_once().map(|(_, last)| last);
            let oldest = self.board.oldest().map(|number| self.board.get(number).sent_at);
            self.control.settle_intervals(sent_at, oldest, now);
            self.control.decide();
        }
        if round.start {
            // Slow start may end by the window alone, without an episode.
            self.note_phase(now);
        }
    }

    /// Whether the ACK may grow the window. A duplicate ACK may not (RFC 5681 section 3.2 step 1:
    /// "the TCP sender MUST NOT change cwnd to reflect these two segments"), unless the network
    /// reorders by more than three segments (Linux's `tcp_may_raise_cwnd`).
    fn may_grow(&self, summary: &AckSummary) -> bool {
        summary.una_advanced
            || summary.newly_sacked > 0 && self.detector.reordering() > DUP_THRESHOLD
    }

    /// Restarts the timer of the RTO (RFC 6298 (5.2) and (5.3)), tail loss probe or reordering.
    #[inline(always)]
    pub(super) fn rearm(&mut self, summary: &AckSummary, losses: Found, is_old: bool, now: Time) {
        if let Some(after) = losses.again_after {
            self.timers.arm(Timer::Reorder, now.saturating_add(after + MIN_TIMEOUT));
        } else if self.board.segments() == 0 {
            self.timers.stop();
        } else if !is_old
            && (summary.una_advanced || self.outlived_the_first(summary))
            && !self.episode.is_impatient(&self.options)
        {
            let may_probe = self.may_probe();
            self.probe.set_restart(may_probe);
            if !may_probe {
                self.rearm_rto(now);
            }
            self.episode.on_timer_restarted();
        }
    }

    /// Whether the ACK selectively acknowledges data that is older than the last transmission of
    /// the first segment: an answer to that one may still come (Linux's `tcp_clean_rtx_queue`).
    fn outlived_the_first(&self, summary: &AckSummary) -> bool {
        let first = self.board.first_number().map(|number| self.board.get(number).sent_at);
        summary.first_sacked().zip(first).is_some_and(|(sent_at, first)| sent_at < first)
    }
}
