//! What a sender makes of an ACK. The order is the kernel's (`tcp_ack`): scoreboard, RTT, losses, episode, round and rate
//! sample, algorithm, timers, and only then sending.

use ackclock_cc::{AckEvent, CongestionControl, LostSegment, RoundSummary, Signal};
use ackclock_units::{Duration, Time};

use super::{Sender, State};
use crate::net::Wire;
use crate::packet::{Packet, flags};
use crate::plan::{DupackRecovery, EcnMode};
use crate::transport::loss_detection::{Detector, Moment};
use crate::transport::monitor::Monitor;
use crate::transport::rate_sample::{DeliveryRate, Newest};
use crate::transport::recovery::{CaState, Prr};
use crate::transport::rtt::TimestampClock;
use crate::transport::scoreboard::{Scoreboard, Segment};

/// RFC 5681 section 3.1: after a lost SYN the initial window is one segment. With an RTO of 1 s a timeout of the SYN may
/// be spurious, so Linux waits for the second, which is when the 3 s of RFC 5681's days have passed.
const SYN_PATIENCE: Duration = Duration::from_secs(3);

/// What one ACK brought.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Default)]
struct News {
    /// Bytes delivered: acknowledged cumulatively or selectively for the first time.
    delivered: u64,
    /// Of these, selectively.
    newly_sacked: u64,
    newest: Option<Newest>,
    /// Send times of the first and last segment acknowledged cumulatively that were never retransmitted.
    acked: Option<(Time, Time)>,
    /// The same for segments selectively acknowledged.
    sacked: Option<(Time, Time)>,
    /// A retransmitted segment was acknowledged cumulatively: no RTT sample (Karn).
    acked_retransmission: bool,
    /// A segment from before the episode that was never retransmitted was delivered (F-RTO's evidence).
    delivered_original: bool,
    una_advanced: bool,
    dsack: bool,
    newly_marked: u64,
    one_way_delay: Option<Duration>,
    is_duplicate: bool,
}

impl News {
    /// Send times of the first and the last segment delivered that is known to have been sent once (Karn).
    fn sent_once(&self) -> Option<(Time, Time)> {
        if self.acked_retransmission { None } else { self.acked }.or(self.sacked)
    }

    /// A segment was delivered for the first time.
    #[expect(clippy::inline_always, reason = "once per packet, with five arguments in two structures")]
    #[inline(always)]
    fn segment(&mut self, segment: &Segment, context: &Context, books: &mut Books<'_>) {
        self.delivered += u64::from(segment.len);
        books.rate.on_delivered(segment, context.now, &mut self.newest);
        books
            .detector
            .on_delivered(segment, context.now, context.min_rtt, context.echo_is_older(segment));
        if let Some(monitor) = books.monitor {
            monitor.on_delivered(segment);
        }
        if !segment.was_retransmitted() && segment.end() <= context.recovery_point {
            self.delivered_original = true;
        }
    }
}

/// Who keeps books of what is delivered.
struct Books<'a> {
    rate: &'a mut DeliveryRate,
    detector: &'a mut Detector,
    monitor: &'a mut Option<Box<Monitor>>,
}

/// What delivering a segment needs to know.
struct Context {
    now: Time,
    min_rtt: Duration,
    recovery_point: u64,
    /// Echoed timestamp, if the connection has them.
    echo: Option<u32>,
    clock: TimestampClock,
}

impl Context {
    /// Whether the ACK answers something sent before the segment's retransmission.
    fn echo_is_older(&self, segment: &Segment) -> bool {
        segment.was_retransmitted()
            && self
                .echo
                .is_some_and(|echo| self.clock.at(segment.sent_at).wrapping_sub(echo).cast_signed() > 0)
    }
}

fn widen(span: &mut Option<(Time, Time)>, sent_at: Time) {
    *span = Some(span.map_or((sent_at, sent_at), |(first, last)| (first.min(sent_at), last.max(sent_at))));
}

/// What looking for losses found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Found {
    /// Bytes declared lost now.
    pub lost: u64,
    /// When to look again without an ACK.
    pub again_after: Option<Duration>,
}

impl Found {
    const NOTHING: Self = Self {
        lost: 0,
        again_after: None,
    };
}

fn book_loss(segment: &Segment, bytes: u64, now: Time, rate: &mut DeliveryRate, cc: &mut dyn CongestionControl) {
    rate.lost += bytes;
    cc.on_lost(&LostSegment {
        now,
        seq: segment.seq,
        bytes,
        delivered: rate.delivered,
        sent_at: segment.sent_at,
        tx_in_flight: u64::from(segment.tx_in_flight),
        lost: rate.lost_since(segment.lost),
        is_app_limited: segment.is_app_limited(),
    });
}

impl Sender {
    /// A packet of the reverse direction reached this host.
    pub fn on_packet(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        if packet.connection != self.connection {
            return;
        }
        if self.options.timestamps {
            self.echo = packet.ts_val;
        }
        match self.state {
            State::SynSent if packet.has(flags::SYN | flags::ACK) => self.establish(packet, now, wire),
            State::Established if packet.has(flags::SYN) => self.send_control(self.board.next(), flags::ACK, now, wire),
            State::Established => self.on_ack(packet, now, wire),
            State::Done if packet.has(flags::FIN) => self.acknowledge_fin(now, wire),
            State::Closed | State::SynSent | State::Done => (),
        }
    }

    fn establish(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        self.state = State::Established;
        self.rto_at = Time::MAX;
        self.peer_edge = u64::from(packet.window);
        if self.rtt.backoff() == 0 {
            let rtt = now.since(self.start_at);
            self.rtt.sample(rtt, rtt);
        }
        self.rtt.reset_backoff();
        if self.last_sent_at.since(self.start_at) >= SYN_PATIENCE {
            self.cc.on_lost_syn(self.options.mss, now);
            self.decision = self.cc.decision();
        }
        self.rate.delivered_at = now;
        self.note_limit(super::Limit::Application, now);
        self.send_control(0, flags::ACK, now, wire);
        self.ask_app(now);
        if self.stop_at <= now {
            self.on_stop(now);
        }
        self.pump(now, wire);
    }

    fn acknowledge_fin(&mut self, now: Time, wire: &mut impl Wire) {
        self.peer_closed = true;
        self.send_control(self.board.next(), flags::ACK, now, wire);
    }

    fn on_ack(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        if packet.ack > self.board.next() {
            return;
        }
        let prior_inflight = self.board.inflight();
        let edge = packet.ack + u64::from(packet.window);
        let window_moved = edge > self.peer_edge;
        self.peer_edge = self.peer_edge.max(edge);
        let acked_before = self.acked_payload();
        let mut news = News::default();
        self.take_in(packet, now, &mut news);
        self.stats.acked_bytes += self.acked_payload() - acked_before;
        news.is_duplicate = !news.una_advanced && packet.ack == self.board.una() && !window_moved && self.board.segments() > 0;
        if !self.options.has_sack {
            self.count_duplicates(&mut news);
        }
        let rtt_sample = self.sample_rtt(packet, &news, now);
        if news.una_advanced {
            self.has_timed_out = false;
        }
        self.settle_probe(packet, &news, now);
        self.holds_back = self.settle_episode(packet, &news, now);
        let looks = !self.holds_back && !self.detector.is_calm(&self.board);
        let found = if looks { self.detect_losses(now) } else { Found::NOTHING };
        self.run_episode(packet, &news, found, prior_inflight, now);
        self.tell_algorithm(&news, found.lost, rtt_sample, prior_inflight, now);
        self.rearm(&news, found, now);
        if self.board.una() >= self.written.bytes && self.written.closed && self.finished_at == Time::MAX {
            self.finished_at = now;
        }
        if packet.has(flags::FIN) {
            self.acknowledge_fin(now, wire);
        }
        if self.written.closed && self.board.segments() == 0 && self.board.next() > self.written.bytes {
            self.finish(now);
            return;
        }
        self.pump(now, wire);
    }

    fn finish(&mut self, now: Time) {
        self.state = State::Done;
        self.note_limit(super::Limit::Idle, now);
    }

    /// Scoreboard and rate estimator.
    #[inline]
    fn take_in(&mut self, packet: &Packet, now: Time, news: &mut News) {
        let una = self.board.una();
        let context = Context {
            now,
            min_rtt: self.rtt.min_rtt(),
            recovery_point: self.recovery_point,
            echo: self.options.timestamps.then_some(packet.ts_ecr),
            clock: self.options.clock,
        };
        let (board, mut books) = self.books();
        if packet.ack > una {
            news.una_advanced = true;
            board.acknowledge(packet.ack, |segment| {
                if segment.was_retransmitted() {
                    news.acked_retransmission = true;
                }
                if segment.is_sacked() {
                    return;
                }
                if !segment.was_retransmitted() {
                    widen(&mut news.acked, segment.sent_at);
                }
                news.segment(segment, &context, &mut books);
            });
            if let Some(echo) = context.echo {
                news.one_way_delay = Some(context.clock.between(echo, packet.ts_val));
            }
        }
        if !self.options.has_sack && news.acked_retransmission {
            // Without SACK nobody knows which of these had arrived before (Linux's tcp_clean_rtx_queue says the same).
            news.delivered_original = false;
        }
        if packet.sack_count > 0 && self.options.has_sack {
            for (at, (start, end)) in packet.sack_ranges().enumerate() {
                // RFC 2883 section 4: a first block below the cumulative ACK, or inside the second, reports a duplicate.
                let inside_next = || packet.sack_ranges().nth(1).is_some_and(|(s, e)| start >= s && end <= e);
                if at == 0 && (start < packet.ack || inside_next()) {
                    self.on_dsack(start, news);
                    continue;
                }
                let (board, mut books) = self.books();
                board.sack(start, end, |segment| {
                    if !segment.was_retransmitted() {
                        widen(&mut news.sacked, segment.sent_at);
                    }
                    news.newly_sacked += u64::from(segment.len);
                    news.segment(segment, &context, &mut books);
                });
            }
        }
        if self.options.ecn.is_accurate() {
            news.newly_marked = u64::from(packet.ce_bytes.wrapping_sub(self.marked_seen));
            self.marked_seen = packet.ce_bytes;
        }
    }

    fn books(&mut self) -> (&mut Scoreboard, Books<'_>) {
        let Self {
            board,
            rate,
            detector,
            monitor,
            ..
        } = self;
        (board, Books { rate, detector, monitor })
    }

    /// As Linux (`tcp_dsack_seen`): with more reports than retransmissions the network makes copies, and a report proves nothing.
    fn on_dsack(&mut self, start: u64, news: &mut News) {
        self.unreported -= 1;
        if self.unreported < 0 {
            return;
        }
        news.dsack = true;
        self.detector.on_dsack(self.rounds.count());
        if let Some(undo) = &mut self.undo
            && start >= undo.marker
        {
            undo.needed = undo.needed.saturating_sub(1);
        }
    }

    /// Without SACK: each duplicate ACK stands for a segment delivered (Linux's `tcp_add_reno_sack`), and an ACK that
    /// advances covers the hole and those.
    fn count_duplicates(&mut self, news: &mut News) {
        let mss = self.options.mss;
        if news.is_duplicate {
            self.dupacks += 1;
            let before = self.board.sacked_bytes();
            self.board.emulate_sacked(u64::from(self.dupacks) * mss);
            let counted = self.board.sacked_bytes() - before.min(self.board.sacked_bytes());
            news.delivered += counted;
            self.rate.delivered += counted;
        } else if news.una_advanced && self.dupacks > 0 {
            let counted = self.board.sacked_bytes();
            let overlap = news.delivered.saturating_sub(mss).min(counted);
            news.delivered -= overlap;
            self.rate.delivered -= overlap;
            let left = if self.ca == CaState::Recovery && self.options.dupack_recovery == DupackRecovery::Newreno {
                (counted - overlap) / mss
            } else {
                0
            };
            // Whole segments: a rest that no duplicate stands for would never be taken back.
            self.dupacks = u32::try_from(left).unwrap_or(u32::MAX);
            self.board.emulate_sacked(left * mss);
        }
    }

    /// RFC 6298 section 3 (Karn) and, as Linux, the first segment for srtt, the last for the minimum, and timestamps
    /// where only retransmissions were acknowledged.
    fn sample_rtt(&mut self, packet: &Packet, news: &News, now: Time) -> Option<Duration> {
        let (smoothed, newest) = if let Some((first, last)) = news.sent_once() {
            (now.since(first), now.since(last))
        } else if news.una_advanced && self.options.timestamps && news.delivered > 0 {
            let clock = self.options.clock;
            let rtt = clock.between(packet.ts_ecr, clock.at(now)).max(clock.tick);
            (rtt, rtt)
        } else {
            return None;
        };
        self.rtt.sample(smoothed, newest);
        // Karn: a backed-off RTO stays until a segment that was sent once is acknowledged.
        self.rtt.reset_backoff();
        Some(newest)
    }

    /// RFC 8985 section 7.4: was the probe's segment lost, so that the probe hid a loss?
    fn settle_probe(&mut self, packet: &Packet, news: &News, now: Time) {
        if self.probe_end == 0 || packet.ack < self.probe_end {
            return;
        }
        if !self.probe_repeats || news.dsack {
            self.probe_end = 0;
        } else if packet.ack > self.probe_end {
            self.probe_end = 0;
            if self.ca <= CaState::Disorder {
                let inflight = self.board.inflight();
                self.undo = Some(Box::new(self.begin_undo()));
                self.congest(Signal::Loss, inflight, 0, now);
                // Nothing is left to repair.
                self.cc.on_recovery_exit(now);
                self.decision = self.cc.decision();
            }
        } else if !news.una_advanced && news.newly_sacked == 0 {
            // A duplicate without news: original and probe both arrived.
            self.probe_end = 0;
        }
    }

    /// Marks what is lost, and says when to look again.
    pub(super) fn detect_losses(&mut self, now: Time) -> Found {
        let may_retransmit = self.options.has_sack || self.may_fast_retransmit();
        let moment = Moment {
            now,
            srtt: self.rtt.srtt(),
            min_rtt: self.rtt.min_rtt(),
            in_recovery: self.ca >= CaState::Recovery,
            dupacks: if may_retransmit { self.dupacks } else { 0 },
            mss: self.options.mss,
        };
        let Self {
            board, detector, rate, cc, ..
        } = self;
        let before = rate.lost;
        let again_after = detector.detect(board, &moment, |segment, bytes| book_loss(segment, bytes, now, rate, cc.as_mut()));
        Found {
            lost: rate.lost - before,
            again_after,
        }
    }

    /// Declares one segment lost.
    pub(super) fn lose(&mut self, number: u64, now: Time) {
        let segment = *self.board.get(number);
        let bytes = self.board.mark_lost(number);
        if bytes > 0 {
            book_loss(&segment, bytes, now, &mut self.rate, self.cc.as_mut());
        }
    }

    /// RFC 6582 section 3.2 step 1: duplicates of data sent before the last episode ended are that episode's echo.
    fn may_fast_retransmit(&self) -> bool {
        self.options.dupack_recovery == DupackRecovery::Reno || self.recovery_point == 0 || self.board.una() > self.recovery_point
    }

    /// The reordering timer ran out: what RACK was waiting for is lost.
    pub(super) fn on_reorder_timeout(&mut self, now: Time) {
        let prior_inflight = self.board.inflight();
        let found = self.detect_losses(now);
        if found.lost > 0 && self.ca < CaState::Recovery {
            self.enter_recovery(&News::default(), found.lost, prior_inflight, now);
        }
        if let Some(after) = found.again_after {
            self.reorder_at = now.saturating_add(after);
        }
    }

    /// What the ACK says of the episode that is under way, before losses are looked for, so that what was taken back is judged anew.
    /// True: for this ACK nothing more is declared lost or sent again.
    #[inline]
    fn settle_episode(&mut self, packet: &Packet, news: &News, now: Time) -> bool {
        match self.ca {
            CaState::Loss => self.in_loss(packet, news, now),
            CaState::Recovery => return self.in_recovery(packet, news, now),
            CaState::Cwr if self.board.una() >= self.recovery_point => self.leave_episode(now),
            CaState::Open | CaState::Disorder | CaState::Cwr => (),
        }
        false
    }

    fn run_episode(&mut self, packet: &Packet, news: &News, found: Found, prior_inflight: u64, now: Time) {
        if self.ca < CaState::Recovery {
            if self.board.lost_bytes() > 0 {
                self.enter_recovery(news, found.lost, prior_inflight, now);
            } else if self.ca != CaState::Cwr {
                let is_disordered = self.board.sacked_bytes() > 0 || self.dupacks > 0;
                self.ca = if is_disordered { CaState::Disorder } else { CaState::Open };
                self.undo_by_dsack(news, now);
            }
        }
        self.on_ecn(packet, news, now);
        let inflight = self.board.inflight();
        if let Some(prr) = &mut self.prr {
            prr.on_ack(news.delivered, inflight, news.una_advanced && found.lost == 0);
        }
    }

    fn enter_recovery(&mut self, news: &News, newly_lost: u64, prior_inflight: u64, now: Time) {
        if self.options.dupack_recovery == DupackRecovery::Tahoe && !self.options.has_sack {
            // Tahoe has no fast recovery: back to one segment, and everything after the hole again.
            self.stats.recoveries += 1;
            self.enter_loss(Signal::Rto, now);
            return;
        }
        let outstanding = self.board.outstanding();
        if self.ca != CaState::Cwr {
            self.undo = Some(Box::new(self.begin_undo()));
            self.congest(Signal::Loss, prior_inflight, newly_lost, now);
        }
        self.stats.recoveries += 1;
        self.ca = CaState::Recovery;
        self.must_retransmit = true;
        self.recovery_point = self.board.next();
        self.partial_acked = false;
        self.probe_end = 0;
        self.probe_at = Time::MAX;
        if self.options.prr {
            let earlier_sacked = self.board.sacked_bytes().saturating_sub(news.newly_sacked);
            let newly_acked = news.delivered - news.newly_sacked;
            let recover_fs = outstanding.saturating_sub(earlier_sacked) + newly_acked;
            self.prr = Some(Box::new(Prr::new(
                recover_fs,
                self.decision.cwnd,
                self.options.mss,
                self.board.inflight(),
            )));
        }
    }

    /// True: originals arrive of what was sent again, while other retransmissions are still out. Those of the originals that are on the way
    /// would be declared lost again after an undo, so it waits (Linux's `tcp_try_undo_partial`).
    fn in_recovery(&mut self, packet: &Packet, news: &News, now: Time) -> bool {
        let is_over = self.board.una() >= self.recovery_point;
        if news.una_advanced && self.was_spurious(packet) {
            if !is_over && self.board.retrans_bytes() > 0 {
                return true;
            }
            self.board.unmark_all_lost();
            self.take_back(now);
        } else if self.options.undo && self.undo.as_ref().is_some_and(|undo| undo.all_needless()) {
            self.take_back(now);
        } else if is_over {
            self.leave_episode(now);
        } else if news.una_advanced && !self.options.has_sack {
            self.on_partial_ack(now);
        }
        false
    }

    /// Without SACK, an ACK of less than all that was out when recovery began.
    fn on_partial_ack(&mut self, now: Time) {
        if self.options.dupack_recovery == DupackRecovery::Reno {
            // RFC 2001: the first new ACK ends fast recovery, whatever else is missing.
            self.leave_episode(now);
            self.board.emulate_sacked(0);
            self.dupacks = 0;
        } else if let Some(first) = self.board.first_number() {
            self.must_retransmit = true;
            // RFC 6582 section 3.2 step 3, partial ACK: the next hole is lost too.
            self.lose(first, now);
        }
    }

    /// After a timeout; F-RTO as RFC 5682 section 3 (SACK-enhanced).
    fn in_loss(&mut self, packet: &Packet, news: &News, now: Time) {
        if news.una_advanced && self.was_spurious(packet) || self.frto && news.delivered_original {
            self.stats.spurious_timeouts += 1;
            self.board.unmark_all_lost();
            self.take_back(now);
            return;
        }
        let recovered = self.board.una() >= self.recovery_point;
        if self.frto {
            if self.board.next() > self.recovery_point {
                // Step 3a: new data did not bring an answer to the originals: the loss is real.
                self.frto = news.newly_sacked == 0 && !news.is_duplicate;
            } else if news.una_advanced && !recovered {
                // Step 2b: new data rather than retransmissions, and wait for what it brings.
                self.recovery_point = self.board.next();
                self.frto = self.has_unsent() && self.peer_edge > self.board.next();
            }
        }
        if recovered {
            self.leave_episode(now);
        }
    }

    /// Whether an ACK that advances answers an original of what was declared lost: by its timestamp (Eifel detection, RFC 3522), or because
    /// nothing was sent again yet, as the pacer made it wait (Linux's `tcp_packet_delayed`).
    fn was_spurious(&self, packet: &Packet) -> bool {
        let Some(undo) = self.undo.as_ref().filter(|_| self.options.undo) else {
            return false;
        };
        if undo.first_retransmission.is_some() {
            self.options.timestamps && undo.is_of_original(packet.ts_ecr)
        } else {
            self.options.has_sack || self.board.una() < self.recovery_point
        }
    }

    /// D-SACKs may come after the episode.
    fn undo_by_dsack(&mut self, news: &News, now: Time) {
        if news.dsack && self.options.undo && self.undo.as_ref().is_some_and(|undo| undo.all_needless()) {
            self.take_back(now);
        }
    }

    /// The reaction was to no loss: everything is as before it.
    fn take_back(&mut self, now: Time) {
        if self.undo.take().is_some() {
            self.cc.on_spurious(now);
            self.decision = self.cc.decision();
            self.stats.undos += 1;
        }
        self.ca = CaState::Open;
        self.prr = None;
        self.frto = false;
        self.has_timed_out = false;
        self.rtt.reset_backoff();
    }

    fn leave_episode(&mut self, now: Time) {
        self.ca = CaState::Open;
        self.prr = None;
        self.frto = false;
        self.dupacks = 0;
        if !self.options.has_sack {
            self.board.emulate_sacked(0);
        }
        self.detector.on_recovery_exit();
        self.cc.on_recovery_exit(now);
        self.decision = self.cc.decision();
    }

    /// RFC 3168 section 6.1.2: once per window, as for a loss but with nothing to retransmit.
    fn on_ecn(&mut self, packet: &Packet, news: &News, now: Time) {
        let is_marked = match self.options.ecn {
            EcnMode::Off => false,
            EcnMode::Classic => packet.has(flags::ECE),
            EcnMode::Accurate | EcnMode::L4s => news.newly_marked > 0,
        };
        // The ACK of all that was sent before the reaction still echoes: CWR is on the segment after it.
        let has_reacted = self.board.una() < self.ecn_point;
        if !is_marked || self.ca >= CaState::Cwr || has_reacted {
            return;
        }
        let inflight = self.board.inflight();
        self.undo = None;
        self.congest(Signal::Ecn, inflight + news.delivered, 0, now);
        self.stats.ecn_reductions += 1;
        self.recovery_point = self.board.next();
        self.ca = CaState::Cwr;
        if self.options.prr {
            self.prr = Some(Box::new(Prr::new(
                self.board.outstanding() + news.delivered,
                self.decision.cwnd,
                self.options.mss,
                inflight,
            )));
        }
    }

    fn tell_algorithm(&mut self, news: &News, newly_lost: u64, rtt_sample: Option<Duration>, prior_inflight: u64, now: Time) {
        if news.delivered == 0 && newly_lost == 0 && news.newly_marked == 0 {
            return;
        }
        let prior_delivered = news.newest.map(|newest| newest.prior_delivered());
        let inflight = self.board.inflight();
        let round = self.rounds.on_ack(
            prior_delivered,
            self.rate.delivered,
            inflight,
            RoundSummary {
                min_rtt: rtt_sample,
                samples: 1,
                acked: news.delivered,
                lost: newly_lost,
                marked: news.newly_marked,
            },
        );
        let rate = self.rate.sample(news.newest, self.rtt.min_rtt(), now);
        let ack = AckEvent {
            now,
            newly_acked: news.delivered,
            credited: news.delivered.min(self.options.credit_per_ack),
            newly_lost,
            newly_marked: news.newly_marked,
            rtt_sample,
            srtt: self.rtt.srtt(),
            rttvar: self.rtt.rttvar(),
            min_rtt: self.rtt.min_rtt(),
            one_way_delay: news.one_way_delay,
            inflight,
            prior_inflight,
            delivered: self.rate.delivered,
            rate,
            round,
            pacing_wait: self.pacer.wait(now),
            is_cwnd_limited: self.is_cwnd_limited(),
            // RFC 5681 section 3.2 step 1: duplicate ACKs do not grow the window.
            in_recovery: matches!(self.ca, CaState::Cwr | CaState::Recovery) || !news.una_advanced,
        };
        self.cc.on_ack(&ack, &mut self.rng);
        if self.options.owns_window && self.cc.limits_itself() {
            self.rate.mark_app_limited(inflight);
        }
        if let Some(monitor) = &mut self.monitor {
            if let Some((_, last)) = news.sent_once() {
                monitor.on_rtt(last, now);
            }
            let oldest = self.board.oldest().map(|number| self.board.get(number).sent_at);
            while let Some(interval) = monitor.resolved(oldest) {
                self.cc.on_interval(&interval, &mut self.rng);
            }
        }
        self.decision = self.cc.decision();
    }

    /// Timers: RFC 6298 (5.2) and (5.3), the tail loss probe, RACK's reordering timer.
    fn rearm(&mut self, news: &News, found: Found, now: Time) {
        self.reorder_at = found.again_after.map_or(Time::MAX, |after| now.saturating_add(after));
        if self.board.segments() == 0 {
            self.rto_at = Time::MAX;
            self.probe_at = Time::MAX;
            return;
        }
        if news.una_advanced && !self.is_impatient() {
            self.rto_at = now.saturating_add(self.rto());
            self.partial_acked = self.ca == CaState::Recovery;
        }
        if news.una_advanced || self.ca > CaState::Open {
            self.schedule_probe(now);
        }
    }
}
