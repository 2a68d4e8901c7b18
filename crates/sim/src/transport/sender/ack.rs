//! What a sender makes of an ACK. The order is the kernel's (`tcp_ack`): scoreboard, RTT, losses, episode, round and rate
//! sample, algorithm, timers, and only then sending.

use ackclock_cc::{AckEvent, CongestionControl, LostSegment, RoundSummary, RttSample, Signal};
use ackclock_units::{Duration, Time};

use super::timer::{MIN_TIMEOUT, Timer};
use super::{Repair, Sender, State};
use crate::net::Wire;
use crate::packet::{MAX_SACK_BLOCKS, Packet, flags};
use crate::plan::{DupackRecovery, EcnMode};
use crate::transport::loss_detection::{DUP_THRESHOLD, Detector, Moment};
use crate::transport::monitor::Monitor;
use crate::transport::rate_sample::DeliveryRate;
use crate::transport::recovery::{CaState, Prr};
use crate::transport::rtt::TimestampClock;
use crate::transport::scoreboard::{Scoreboard, Segment};

/// RFC 5681 section 3.1: after a lost SYN the initial window is one segment. With an RTO of 1 s a timeout of the SYN may
/// be spurious, so Linux waits for the second.
const SYN_TIMEOUTS: u32 = 2;

/// With the initial RTO of RFC 5681's days, 3 s, the first timeout is proof enough.
const SYN_PATIENCE: Duration = Duration::from_secs(3);

/// Linux's `tcp_check_sack_reneging`: the least that a sender waits before it believes that `SACKed` segments were dropped.
const RENEGING_PATIENCE: Duration = Duration::from_millis(10);

/// The largest window that a SYN-ACK can offer: it has no scale yet.
const SYN_WINDOW: u64 = 65_535;

/// What one ACK brought.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Default)]
struct News {
    /// Bytes delivered: acknowledged cumulatively or selectively for the first time.
    delivered: u64,
    /// Of these, selectively.
    newly_sacked: u64,
    /// The segment sent last of those delivered, as it was then.
    newest: Option<Segment>,
    /// Send times of the first and last segment acknowledged cumulatively that were never retransmitted.
    acked: Option<(Time, Time)>,
    /// The same for segments selectively acknowledged.
    sacked: Option<(Time, Time)>,
    /// A retransmitted segment was acknowledged cumulatively: no RTT sample (Karn).
    acked_retransmission: bool,
    /// A segment from before the episode that was never retransmitted was delivered (F-RTO's evidence).
    delivered_original: bool,
    una_advanced: bool,
    /// SND.UNA before the ACK.
    prior_una: u64,
    dsack: bool,
    /// The duplicate that it reports is the tail loss probe.
    dsack_of_probe: bool,
    newly_marked: u64,
    /// The ACK tells of congestion experienced.
    is_marked: bool,
    one_way_delay: Option<Duration>,
    is_duplicate: bool,
}

impl News {
    /// Send times of the first and the last segment delivered that is known to have been sent once (Karn). Where an ACK
    /// brings both, the last is the one that was selectively acknowledged (Linux's `ca_rtt_us`).
    fn sent_once(&self) -> Option<(Time, Time)> {
        let acked = if self.acked_retransmission { None } else { self.acked };
        let first = acked.or(self.sacked)?.0;
        let last = self.sacked.or(acked)?.1;
        Some((first, last))
    }

    /// A segment was delivered for the first time.
    #[expect(clippy::inline_always, reason = "once per packet, with six arguments in two structures")]
    #[inline(always)]
    fn segment(&mut self, segment: &Segment, weight: u64, context: &Context, books: &mut Books<'_>) {
        self.delivered += weight;
        books.rate.on_delivered(segment, weight, context.now, &mut self.newest);
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
    /// Highest byte delivered before the ACK: what it acknowledges cumulatively came before what it SACKs.
    fack: u64,
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
    /// A retransmission is among it.
    pub has_retransmission: bool,
    /// When to look again without an ACK.
    pub again_after: Option<Duration>,
}

impl Found {
    const NOTHING: Self = Self {
        lost: 0,
        has_retransmission: false,
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
    #[expect(clippy::inline_always, reason = "once per ACK")]
    #[inline(always)]
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
        self.timer_at = Time::MAX;
        self.peer_edge = u64::from(packet.window);
        self.note_window(self.peer_edge.min(SYN_WINDOW));
        if let Some(rtt) = self.handshake_rtt(packet, now) {
            self.rtt.sample(rtt, rtt, &self.options.rto, 0, 0);
            self.cc.on_handshake(rtt);
            self.decision = self.cc.decision();
        } else {
            self.rtt.fall_back();
        }
        if self.has_lost_syn(packet) {
            self.cc.on_lost_syn(self.options.mss, now);
            self.decision = self.cc.decision();
        }
        self.rtt.reset_backoff();
        self.rate.delivered_at = now;
        self.note_window_rate();
        // A stop in the middle of the handshake is served when it is over.
        self.note_limit(super::Limit::Application, now.min(self.stop_at));
        self.open_account();
        self.send_control(0, flags::ACK, now, wire);
        self.ask_app(now);
        if self.stop_at <= now {
            self.on_stop(now);
        }
        self.pump(now, wire);
    }

    /// Round trip of the handshake; of a SYN that was sent again only a timestamp tells it (RFC 7323 section 4.1).
    fn handshake_rtt(&self, packet: &Packet, now: Time) -> Option<Duration> {
        let clock = self.options.clock;
        match self.rtt.backoff() {
            0 => Some(now.since(self.start_at)),
            _ if self.options.timestamps => Some(clock.since(packet.ts_ecr, now).max(clock.tick)),
            _ => None,
        }
    }

    /// Whether the handshake lost a SYN for all that is known (Linux's `tcp_init_transfer`); an answer to the first one
    /// shows that its timeouts were spurious (`tcp_try_undo_spurious_syn`).
    fn has_lost_syn(&self, packet: &Packet) -> bool {
        let is_late = self.rtt.backoff() >= SYN_TIMEOUTS || self.last_sent_at.since(self.start_at) >= SYN_PATIENCE;
        let answers_first = self.options.timestamps && packet.ts_ecr == self.options.clock.at(self.start_at);
        is_late && !answers_first
    }

    fn acknowledge_fin(&mut self, now: Time, wire: &mut impl Wire) {
        self.peer_closed = true;
        self.send_control(self.board.next(), flags::ACK, now, wire);
    }

    fn on_ack(&mut self, packet: &Packet, now: Time, wire: &mut impl Wire) {
        if packet.ack > self.board.next() {
            return;
        }
        // RFC 5961 section 5.2, and the end of Linux's tcp_ack: of an ACK that is older than one before only the blocks count.
        let is_old = packet.ack < self.board.una();
        if is_old && (packet.sack_count == 0 || !self.options.has_sack) && !packet.has(flags::FIN) {
            return;
        }
        let (prior_inflight, had_nothing_out) = (self.board.inflight(), self.board.segments() == 0);
        let moves_window = self.take_in_window(packet, now);
        let acked_before = self.acked_payload();
        let mut news = News::default();
        let delivered_at = self.rate.delivered_at;
        self.take_in(packet, now, &mut news);
        if is_old {
            // What it brings is counted, but the clock of the rate stands still (Linux's tcp_ack: no tcp_rate_gen).
            self.rate.delivered_at = delivered_at;
        }
        self.stats.acked_bytes += self.acked_payload() - acked_before;
        news.is_duplicate = !news.una_advanced && packet.ack == self.board.una() && !moves_window && self.board.segments() > 0;
        if !self.options.has_sack {
            self.count_duplicates(&mut news);
        }
        let rtt_sample = if is_old { None } else { self.sample_rtt(packet, &news, now) };
        if let Some(rtt) = rtt_sample.filter(|_| self.options.takes_rtts && !had_nothing_out) {
            self.show_rtt(rtt, now);
        }
        if self.options.times_one {
            self.rtt.end_timing(self.board.una(), now, self.options.rto.clock);
        }
        if news.una_advanced {
            self.has_timed_out = false;
        }
        if self.probe_end > 0 {
            self.settle_probe(packet, &news, moves_window, now);
        }
        let reneges = news.una_advanced && self.board.first_number().is_some_and(|first| self.board.get(first).is_sacked());
        // With nothing out there is nothing to judge (`no_queue` of Linux's tcp_ack), but for what D-SACKs say of the last episode.
        let found = if reneges {
            // Nothing is sent again before it is known whether the rest must be (Linux's tcp_check_sack_reneging).
            self.repair = Repair::Nothing;
            Found::NOTHING
        } else if had_nothing_out && !news.dsack {
            Found::NOTHING
        } else {
            self.react(packet, &news, prior_inflight, now)
        };
        if !is_old && !had_nothing_out {
            self.conserve(&news, found);
            self.tell_algorithm(&news, found.lost, rtt_sample, prior_inflight, now);
            self.note_window_rate();
        }
        self.rearm(&news, found, is_old, now);
        if reneges {
            self.restart_probe(now);
            // The receiver may still say that it has these segments (Linux's tcp_check_sack_reneging).
            self.arm(Timer::Rto, now.saturating_add((self.rtt.srtt() / 2).max(RENEGING_PATIENCE)));
        }
        if self.board.una() >= self.written.bytes && self.written.closed && self.finished_at == Time::MAX {
            self.finished_at = now;
            // The flow ends with its last byte, however long the FIN takes.
            self.stop_limits(now);
            self.stop_at = Time::MAX;
        }
        if packet.has(flags::FIN) {
            self.acknowledge_fin(now, wire);
        }
        if self.written.closed && self.board.segments() == 0 && self.board.next() > self.written.bytes {
            self.finish(now);
            return;
        }
        if self.board.segments() == 0 {
            // The answer to a window probe starts its timer anew; a window for all that waits ends the probing (Linux's
            // tcp_ack_probe).
            self.persist_at = Time::MAX;
            if self.has_room_for_next() {
                self.persist_backoff = 0;
            }
        }
        self.answer(now, wire);
    }

    /// Shows the algorithm an RTT sample, by which it may end slow start.
    fn show_rtt(&mut self, rtt: Duration, now: Time) {
        let sample = RttSample {
            now,
            rtt,
            srtt: self.rtt.srtt(),
            cwnd: self.cwnd(),
            una: self.board.una(),
            next: self.board.next(),
            recovery_point: self.recovery_point,
        };
        if self.cc.on_rtt(&sample) {
            self.decision = self.cc.decision();
            if let Some(prr) = &mut self.prr {
                prr.aim_at(self.decision.cwnd);
            }
        }
    }

    /// The episode that is under way, losses, and the episode that they begin.
    #[expect(clippy::inline_always, reason = "once per ACK, of which most ask for little of it")]
    #[inline(always)]
    fn react(&mut self, packet: &Packet, news: &News, prior_inflight: u64, now: Time) -> Found {
        let is_dubious = self.is_dubious(news);
        self.keep_reduction(news);
        self.repair = if is_dubious {
            self.settle_episode(packet, news, now)
        } else {
            Repair::LostFirst
        };
        let has_looked = self.repair != Repair::Nothing && self.detector.has_news();
        let found = if has_looked && !self.detector.is_calm(&self.board) {
            self.detect_losses(now)
        } else {
            Found::NOTHING
        };
        // Most ACKs acknowledge in order, and there is no episode.
        if is_dubious || news.is_marked || self.board.lost_bytes() > 0 {
            self.run_episode(news, found, is_dubious, prior_inflight, now);
        }
        found
    }

    /// Whether the ACK says something new of the receiver's window. RFC 9293 section 3.10.7.4: a window is taken from
    /// segments that are newer than the last one used, as the first is newer than the SYN-ACK; of equal ones Linux takes those
    /// that open or shut it.
    #[expect(clippy::inline_always, reason = "once per ACK")]
    #[inline(always)]
    fn take_in_window(&mut self, packet: &Packet, now: Time) -> bool {
        let una = self.board.una();
        let (before, offered) = (self.peer_edge.saturating_sub(una), u64::from(packet.window));
        let is_first = !core::mem::replace(&mut self.has_taken_window, true) && offered != before;
        let is_newer = packet.ack > una || packet.ack == una && (offered > before || offered == 0 || is_first);
        if is_newer {
            self.note_window(offered);
            self.peer_edge = packet.ack + offered;
            if offered != before && self.has_unsent() {
                self.restart_after_idle(now);
            }
        }
        is_newer
    }

    fn finish(&mut self, now: Time) {
        self.state = State::Done;
        self.note_limit(super::Limit::Idle, now);
    }

    /// Scoreboard and rate estimator.
    #[expect(clippy::inline_always, reason = "once per ACK, and what it notes would go through memory")]
    #[inline(always)]
    fn take_in(&mut self, packet: &Packet, now: Time, news: &mut News) {
        let una = self.board.una();
        news.prior_una = una;
        let has_blocks = packet.sack_count > 0 && self.options.has_sack;
        if has_blocks {
            self.take_in_dsack(packet, now, news);
        }
        let context = Context {
            now,
            min_rtt: self.rtt.min_rtt(),
            recovery_point: self.recovery_point,
            echo: self.options.timestamps.then_some(packet.ts_ecr),
            clock: self.options.clock,
            fack: self.detector.fack(),
        };
        if has_blocks {
            self.take_in_sacks(packet, news, &context);
            if self.ca == CaState::Loss && self.undo.is_none() {
                self.detector.forget_order();
            }
            self.detector.settle_order();
        }
        if packet.ack > una {
            let (board, mut books) = self.books();
            news.una_advanced = true;
            board.acknowledge(packet.ack, |segment, weight| {
                if segment.was_retransmitted() {
                    news.acked_retransmission = true;
                }
                if segment.is_sacked() {
                    return;
                }
                if !segment.was_retransmitted() {
                    widen(&mut news.acked, segment.sent_at);
                }
                news.segment(segment, weight, &context, &mut books);
                books
                    .detector
                    .on_acked(segment, context.now, context.min_rtt, context.echo_is_older(segment), context.fack);
            });
            self.detector.settle_order();
            if let Some(echo) = context.echo {
                news.one_way_delay = Some(context.clock.between(echo, packet.ts_val));
            }
        }
        if !self.options.has_sack && news.acked_retransmission {
            // Without SACK nobody knows which of these had arrived before (Linux's tcp_clean_rtx_queue says the same).
            news.delivered_original = false;
        }
        if let Some(newest) = news.newest.filter(|_| packet.ack >= una) {
            self.detector.on_ack(newest.delivered, self.rate.delivered);
        }
        if self.options.ecn.is_accurate() {
            news.newly_marked = u64::from(packet.ce_bytes.wrapping_sub(self.marked_seen));
            self.marked_seen = packet.ce_bytes;
        }
        news.is_marked = match self.options.ecn {
            EcnMode::Off => false,
            // An old ACK's echo is of marks that were answered.
            EcnMode::Classic => packet.has(flags::ECE) && packet.ack >= self.board.una(),
            EcnMode::Accurate | EcnMode::L4s => news.newly_marked > 0,
        };
    }

    /// The blocks that report what arrived above the cumulative ACK, from the lowest to the highest: in another order, what
    /// a lost ACK reported would look as if the network had reordered it. What begins at or below SND.UNA reports nothing
    /// that is known to be above it: it is of an old ACK, or says what the ACK itself denies. One that ends beyond SND.NXT reports
    /// what was not sent (Linux's `tcp_is_sackblock_valid`).
    #[expect(clippy::inline_always, reason = "its arguments would go through memory")]
    #[inline(always)]
    fn take_in_sacks(&mut self, packet: &Packet, news: &mut News, context: &Context) {
        let mut blocks = [(0, 0); MAX_SACK_BLOCKS];
        let mut count = 0;
        let una = self.board.una().max(packet.ack);
        for block in &packet.sacks[..usize::from(packet.sack_count)] {
            let block = packet.range_of(block);
            if block.0 > una && block.1 <= self.board.next() {
                blocks[count] = block;
                count += 1;
            }
        }
        let blocks = &mut blocks[..count];
        if blocks.len() > 1 {
            blocks.sort_unstable();
        }
        let (board, mut books) = self.books();
        for &(start, end) in &*blocks {
            board.sack(start, end, |segment, weight| {
                if !segment.was_retransmitted() {
                    widen(&mut news.sacked, segment.sent_at);
                }
                news.newly_sacked += weight;
                news.segment(segment, weight, context, &mut books);
                books.detector.on_sacked(segment, context.now, context.min_rtt);
            });
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

    /// RFC 2883 section 4: a first block below the cumulative ACK, or inside the second, reports a duplicate.
    fn take_in_dsack(&mut self, packet: &Packet, now: Time, news: &mut News) {
        let [first, second, ..] = packet.sacks;
        let is_inside = packet.sack_count > 1 && first.start >= second.start && first.end <= second.end;
        if first.start >= first.end || first.start >= 0 && !is_inside {
            return;
        }
        let (start, end) = packet.range_of(&first);
        let segments = (end - start).div_ceil(self.options.mss);
        news.dsack_of_probe = segments == 1 && end == self.probe_end;
        // As Linux (`tcp_dsack_seen`): with more reports than retransmissions the network makes copies, and a report
        // proves nothing, but that original and probe both arrived.
        self.unreported = self.unreported.saturating_sub(i32::try_from(segments).unwrap_or(i32::MAX));
        if self.unreported < 0 {
            return;
        }
        news.dsack = true;
        // The duplicate was delivered too: it left the network.
        let delivered = self.board.weight_of(start, end);
        news.delivered += delivered;
        self.rate.delivered += delivered;
        self.rate.delivered_at = now;
        if !news.dsack_of_probe {
            self.detector.on_dsack();
        }
        self.settle_duplicate((start, end), segments, packet.ack);
    }

    /// Counts what a D-SACK proves needless; copies that it reports are not out any more. Of what is out, a block counts that lies
    /// above the ACK, or below it and within the episode.
    fn settle_duplicate(&mut self, (start, end): (u64, u64), segments: u64, ack: u64) {
        let marker = self.undo.as_ref().map_or(u64::MAX, |undo| undo.marker);
        let una = self.board.una().max(ack);
        let mut needless = 0;
        if end <= self.board.una() {
            if end > marker {
                needless = u32::try_from(segments).unwrap_or(u32::MAX);
            }
        } else if start > una && end <= self.board.next() || end <= una && end > marker {
            for number in self.board.between(start, end) {
                let segment = self.board.get(number);
                if self.board.is_retransmitted_with_others(number) {
                    if segment.is_sacked() {
                        self.detector.on_copy_of_sacked(segment.seq);
                    }
                    needless += u32::from(segment.end() > marker);
                }
                if segment.end() > una {
                    self.board.end_retransmission(number);
                }
            }
        }
        if let Some(undo) = &mut self.undo {
            undo.on_needless(needless);
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
    #[expect(clippy::inline_always, reason = "once per ACK")]
    #[inline(always)]
    fn sample_rtt(&mut self, packet: &Packet, news: &News, now: Time) -> Option<Duration> {
        let (smoothed, newest) = if let Some((first, last)) = news.sent_once() {
            (now.since(first), now.since(last))
        } else if news.una_advanced && self.options.timestamps && news.delivered > 0 {
            let clock = self.options.clock;
            let rtt = clock.since(packet.ts_ecr, now).max(clock.tick);
            (rtt, rtt)
        } else {
            return None;
        };
        if self.options.times_one {
            self.rtt.record(newest);
            return Some(newest);
        }
        self.rtt
            .sample(smoothed, newest, &self.options.rto, self.board.una(), self.board.next());
        self.persist_backoff = 0;
        // Karn: a backed-off RTO stays until a segment that was sent once is acknowledged.
        self.rtt.reset_backoff();
        Some(newest)
    }

    /// RFC 8985 section 7.4: was the probe's segment lost, so that the probe hid a loss?
    fn settle_probe(&mut self, packet: &Packet, news: &News, moves_window: bool, now: Time) {
        if packet.ack < self.probe_end {
            return;
        }
        if !self.probe_repeats || news.dsack_of_probe {
            self.probe_end = 0;
        } else if packet.ack > self.probe_end {
            self.probe_end = 0;
            let inflight = self.board.inflight();
            self.congest(Signal::Loss, inflight, 0, now);
            // Nothing is left to repair.
            self.prr = None;
            self.cc.on_recovery_exit(now);
            self.decision = self.cc.decision();
            self.keep_open();
        } else if !news.una_advanced && news.newly_sacked == 0 && !moves_window {
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
        let mut has_retransmission = false;
        let again_after = detector.detect(board, &moment, |segment, bytes| {
            has_retransmission |= segment.is_retransmission_out();
            book_loss(segment, bytes, now, rate, cc.as_mut());
        });
        Found {
            lost: rate.lost - before,
            has_retransmission,
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

    /// RFC 6582 section 3.2 step 1: duplicates of data sent before the last episode ended are that episode's echo. ns-2's
    /// `bugFix_` asks the same of Reno.
    fn may_fast_retransmit(&self) -> bool {
        let is_careless = self.options.dupack_recovery == DupackRecovery::Reno && !self.options.ns2_rules;
        is_careless || self.recovery_point == 0 || self.board.una() > self.recovery_point
    }

    /// The reordering timer ran out: what RACK was waiting for is lost.
    pub(super) fn on_reorder_timeout(&mut self, now: Time) {
        let prior_inflight = self.board.inflight();
        let found = self.detect_losses(now);
        if found.lost > 0 && self.ca != CaState::Recovery {
            self.enter_recovery(&News::default(), found.lost, prior_inflight, now);
            let inflight = self.board.inflight();
            if let Some(prr) = &mut self.prr {
                // Linux's tcp_rack_reo_timeout: the timer counts as one segment delivered.
                prr.on_ack(self.options.mss, inflight, false);
            }
        }
        self.rearm_rto(now);
    }

    /// What the ACK says of the episode that is under way, before losses are looked for, so that what was taken back is judged anew.
    fn settle_episode(&mut self, packet: &Packet, news: &News, now: Time) -> Repair {
        if self.ca == CaState::Open {
            self.first_retransmission = None;
        }
        match self.ca {
            CaState::Loss => self.in_loss(packet, news, now),
            CaState::Recovery => self.in_recovery(packet, news, now),
            CaState::Cwr => {
                // CWR is on a segment sent after the reaction: the answer to that one ends the episode.
                if self.board.una() > self.recovery_point {
                    self.leave_episode(now);
                }
                Repair::LostFirst
            }
            CaState::Open | CaState::Disorder => {
                if news.dsack && self.are_all_needless() {
                    self.detector.on_dsack_undo();
                    self.take_back(now);
                }
                Repair::LostFirst
            }
        }
    }

    /// A mark proves congestion: the reduction stays, whatever becomes of the retransmissions (Linux's
    /// `tcp_fastretrans_alert`).
    fn keep_reduction(&mut self, news: &News) {
        if let Some(undo) = self.undo.as_mut().filter(|_| news.is_marked) {
            undo.restores = false;
        }
    }

    fn run_episode(&mut self, news: &News, found: Found, is_dubious: bool, prior_inflight: u64, now: Time) {
        // A retransmission that was lost after a timeout is a new loss.
        let may_enter = self.ca < CaState::Recovery || self.ca == CaState::Loss && found.has_retransmission;
        if may_enter {
            if self.board.lost_bytes() > 0 {
                self.enter_recovery(news, found.lost, prior_inflight, now);
                self.keep_reduction(news);
            } else if is_dubious {
                self.forget_retransmissions();
                if self.ca != CaState::Cwr {
                    self.keep_open();
                }
            }
        }
        // An ACK that takes a reaction back reduces nothing (Linux's tcp_fastretrans_alert).
        if !matches!(self.repair, Repair::Nothing | Repair::Undone) {
            self.on_ecn(news, now);
        }
    }

    /// Proportional rate reduction takes the ACK in.
    #[inline]
    fn conserve(&mut self, news: &News, found: Found) {
        if let Some(prr) = &mut self.prr {
            let inflight = self.board.inflight();
            prr.on_ack(news.delivered, inflight, news.una_advanced && found.lost == 0);
        }
    }

    /// Whether the ACK is more than an acknowledgment in order (Linux's `tcp_ack_is_dubious`).
    fn is_dubious(&self, news: &News) -> bool {
        self.ca != CaState::Open || news.newly_sacked > 0 || news.dsack || news.is_duplicate || self.dupacks > 0
    }

    /// Nothing that was sent again is out: the next episode's first retransmission is a new one (Linux's
    /// `tcp_retrans_stamp_cleanup`).
    fn forget_retransmissions(&mut self) {
        if !self.has_retransmitted() {
            self.first_retransmission = None;
        }
    }

    /// Whether something is out that was sent again, or the first segment was (Linux's `tcp_any_retrans_done`).
    fn has_retransmitted(&self) -> bool {
        let first = || self.board.first_number().map(|number| self.board.get(number));
        self.board.retrans_bytes() > 0 || first().is_some_and(Segment::was_retransmitted)
    }

    /// Nothing is to be repaired: is something out of order (Linux's `tcp_try_keep_open`)?
    fn keep_open(&mut self) {
        let is_disordered = self.board.sacked_bytes() > 0 || self.board.lost_bytes() > 0 || self.dupacks > 0 || self.has_retransmitted();
        self.ca = if is_disordered { CaState::Disorder } else { CaState::Open };
    }

    fn enter_recovery(&mut self, news: &News, newly_lost: u64, prior_inflight: u64, now: Time) {
        if self.options.dupack_recovery == DupackRecovery::Tahoe && !self.options.has_sack {
            // Tahoe has no fast recovery: back to one segment, and everything after the hole again.
            self.stats.recoveries = self.stats.recoveries.saturating_add(1);
            self.enter_loss(Signal::Rto, now);
            return;
        }
        let outstanding = self.board.outstanding();
        let prior_cwnd = self.cwnd();
        let is_reducing = self.ca == CaState::Cwr;
        self.forget_retransmissions();
        self.begin_undo(!is_reducing);
        if !is_reducing {
            self.congest(Signal::Loss, prior_inflight, newly_lost, now);
        }
        if is_reducing {
            self.cc.on_recovery_in_reduced_window(now);
        }
        self.stats.recoveries = self.stats.recoveries.saturating_add(1);
        self.rtt.stop_timing();
        self.ca = CaState::Recovery;
        self.frto = false;
        self.partial_acked = false;
        if !is_reducing {
            // PRR makes room for a segment by itself, until one has left.
            self.must_retransmit = !self.options.prr;
            self.recovery_point = self.board.next();
            self.probe_end = 0;
        }
        if self.options.prr && !is_reducing {
            let earlier_sacked = self.board.sacked_bytes().saturating_sub(news.newly_sacked);
            let newly_acked = news.delivered.saturating_sub(news.newly_sacked);
            let recover_fs = outstanding.saturating_sub(earlier_sacked) + newly_acked;
            self.begin_prr(if self.options.prr_of_cwnd { prior_cwnd } else { recover_fs });
        }
        self.note_phase(now);
    }

    fn begin_prr(&mut self, base: u64) {
        let inflight = self.board.inflight();
        let mss = self.options.mss;
        let unit = if self.options.prr_of_cwnd { mss } else { 1 };
        // Linux's window stays what it was until an ACK delivers something; the RFC's allows one segment at once.
        let window = if self.options.prr_of_cwnd { base } else { inflight + mss };
        self.prr = Some(Box::new(Prr::new(base, self.decision.cwnd, mss, unit, window)));
    }

    /// Originals may arrive of what was sent again. While other retransmissions are out, those originals that are on the way
    /// would be declared lost again after an undo, so it waits (Linux's `tcp_try_undo_partial`).
    fn in_recovery(&mut self, packet: &Packet, news: &News, now: Time) -> Repair {
        if self.board.una() >= self.recovery_point {
            if self.was_spurious(packet) || self.are_all_needless() {
                self.take_back(now);
            } else {
                self.leave_episode(now);
                self.detector.on_recovery_exit();
            }
        } else if news.una_advanced && self.was_spurious(packet) {
            self.detector.on_late_original(news.prior_una);
            if self.board.retrans_bytes() == 0 {
                self.forget_retransmissions();
                self.board.unmark_all_lost();
                self.take_back(now);
                self.keep_open();
                return Repair::Undone;
            }
            return Repair::Nothing;
        } else if self.are_all_needless() {
            // What else is lost begins a recovery of its own.
            self.detector.on_dsack_undo();
            self.take_back(now);
            self.on_ecn(news, now);
        } else if news.una_advanced && !self.options.has_sack {
            self.on_partial_ack(now);
        }
        Repair::LostFirst
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
    fn in_loss(&mut self, packet: &Packet, news: &News, now: Time) -> Repair {
        let is_needless = news.una_advanced && (self.was_spurious(packet) || self.are_all_needless());
        if is_needless || self.frto && news.delivered_original {
            // Tahoe repairs like this after duplicate ACKs, too.
            let is_tahoe = self.options.dupack_recovery == DupackRecovery::Tahoe && !self.options.has_sack;
            self.stats.spurious_timeouts += u32::from(self.has_timed_out || !is_tahoe);
            self.board.unmark_all_lost();
            self.take_back(now);
            self.has_timed_out = false;
            return Repair::LostFirst;
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
                if self.frto {
                    return Repair::NewFirst;
                }
            }
        }
        if recovered {
            if self.was_spurious(packet) || self.are_all_needless() {
                self.take_back(now);
            } else {
                self.leave_episode(now);
                self.detector.on_recovery_exit();
            }
        }
        Repair::LostFirst
    }

    /// Whether an ACK that advances answers an original of what was declared lost: by its timestamp (Eifel detection, RFC 3522), or because
    /// nothing was sent again yet, as the pacer made it wait (Linux's `tcp_packet_delayed`).
    fn was_spurious(&self, packet: &Packet) -> bool {
        if !self.options.undo || self.undo.is_none() {
            return false;
        }
        match self.first_retransmission {
            Some(first) => self.options.timestamps && first.wrapping_sub(packet.ts_ecr).cast_signed() > 0,
            None => self.options.has_sack || self.board.una() < self.recovery_point,
        }
    }

    /// Whether D-SACKs have answered for every retransmission of an episode (RFC 3708), which may be over.
    fn are_all_needless(&self) -> bool {
        self.options.undo && self.undo.as_ref().is_some_and(|undo| undo.all_needless())
    }

    /// The reaction was to no loss: everything is as before it.
    fn take_back(&mut self, now: Time) {
        if let Some(undo) = self.undo.take() {
            if undo.restores {
                self.cc.on_spurious(now);
            } else if let Some(prr) = &self.prr {
                // The window stays where the reduction has come to.
                self.cc.on_window_kept(prr.cwnd(), now);
            } else if self.options.owns_window {
                // What sets its own window takes this for the end of the recovery.
                self.cc.on_recovery_exit(now);
            }
            self.decision = self.cc.decision();
            self.usage.noted_at = now;
            self.stats.undos += 1;
            self.detector.look_again();
        }
        if let Some(account) = &mut self.stats.account {
            account.take_back();
        }
        self.ca = CaState::Open;
        self.prr = None;
        self.frto = false;
        self.note_phase(now);
    }

    fn leave_episode(&mut self, now: Time) {
        self.ca = CaState::Open;
        self.prr = None;
        self.frto = false;
        self.dupacks = 0;
        if !self.options.has_sack {
            self.board.emulate_sacked(0);
        }
        self.cc.on_recovery_exit(now);
        self.decision = self.cc.decision();
        self.usage.noted_at = now;
        self.note_phase(now);
    }

    /// RFC 3168 section 6.1.2: once per window, as for a loss but with nothing to retransmit.
    fn on_ecn(&mut self, news: &News, now: Time) {
        if !news.is_marked || self.ca >= CaState::Cwr {
            return;
        }
        let inflight = self.board.inflight();
        let prior_cwnd = self.cwnd();
        self.undo = None;
        self.probe_end = 0;
        self.congest(Signal::Ecn, inflight + news.delivered, 0, now);
        self.stats.ecn_reductions += 1;
        self.recovery_point = self.board.next();
        self.ca = CaState::Cwr;
        if self.options.prr {
            let recover_fs = self.board.outstanding() + news.delivered;
            self.begin_prr(if self.options.prr_of_cwnd { prior_cwnd } else { recover_fs });
        }
    }

    #[expect(clippy::inline_always, reason = "once per ACK, and its arguments would go through memory")]
    #[inline(always)]
    fn tell_algorithm(&mut self, news: &News, newly_lost: u64, rtt_sample: Option<Duration>, prior_inflight: u64, now: Time) {
        if news.delivered == 0 && newly_lost == 0 && news.newly_marked == 0 {
            return;
        }
        let prior_delivered = news.newest.map(|newest| newest.delivered);
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
            in_recovery: matches!(self.ca, CaState::Cwr | CaState::Recovery) || !self.may_grow(news),
        };
        if !ack.in_recovery {
            self.usage.noted_at = now;
        }
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
        if round.start {
            // By the window alone slow start ends without an episode: found out within a round trip.
            self.note_phase(now);
        }
    }

    /// RFC 5681 section 3.2 step 1: duplicate ACKs do not grow the window. Where the network reorders by more than three
    /// segments they do, in Linux (`tcp_may_raise_cwnd`).
    fn may_grow(&self, news: &News) -> bool {
        news.una_advanced || news.newly_sacked > 0 && self.detector.reordering() > DUP_THRESHOLD
    }

    /// Timers: RFC 6298 (5.2) and (5.3), the tail loss probe, RACK's reordering timer.
    #[expect(clippy::inline_always, reason = "once per ACK, and its arguments would go through memory")]
    #[inline(always)]
    fn rearm(&mut self, news: &News, found: Found, is_old: bool, now: Time) {
        if let Some(after) = found.again_after {
            self.arm(Timer::Reorder, now.saturating_add(after + MIN_TIMEOUT));
        } else if self.board.segments() == 0 {
            self.arm(Timer::Rto, Time::MAX);
        } else if !is_old && (news.una_advanced || self.outlived_the_first(news)) && !self.is_impatient() {
            self.probe_restarts = self.may_probe();
            if !self.probe_restarts {
                self.rearm_rto(now);
            }
            self.partial_acked = self.ca == CaState::Recovery;
        }
    }

    /// Whether a selective ACK came for data sent before the first segment was sent last: that one's answer may still
    /// come (Linux's `tcp_clean_rtx_queue`).
    fn outlived_the_first(&self, news: &News) -> bool {
        let first = self.board.first_number().map(|number| self.board.get(number).sent_at);
        news.sacked.zip(first).is_some_and(|((sent_at, _), first)| sent_at < first)
    }
}
