//! How scoreboard, RTT estimator, loss detector and delivery rate take in an ACK.

use ackclock_units::{Duration, Time};

use super::Sender;
use super::cc_driver::CcDriver;
use crate::packet::{MAX_SACK_BLOCKS, Packet};
use crate::transport::loss_detection::Detector;
use crate::transport::plan::DupackRecovery;
use crate::transport::rate_sample::DeliveryRate;
use crate::transport::recovery::CaState;
use crate::transport::rtt::TimestampClock;
use crate::transport::scoreboard::{Scoreboard, Segment};

/// Facts that one ACK has brought.
#[expect(clippy::struct_excessive_bools, reason = "independent facts")]
#[derive(Default)]
pub(super) struct AckSummary {
    /// Bytes delivered: acknowledged cumulatively or selectively for the first time.
    pub delivered: u64,
    /// Bytes acknowledged selectively for the first time.
    pub newly_sacked: u64,
    /// The segment sent last among those delivered.
    pub newest: Option<Segment>,
    /// Send times of the first and last cumulatively acknowledged segment that were sent once.
    acked: Option<(Time, Time)>,
    /// Send times of the first and last selectively acknowledged segment that were sent once.
    sacked: Option<(Time, Time)>,
    /// A retransmitted segment was acknowledged cumulatively: no RTT sample (Karn).
    acked_retransmission: bool,
    /// A segment from before the episode that was sent once was delivered (F-RTO's evidence).
    pub delivered_original: bool,
    /// SND.UNA advanced.
    pub una_advanced: bool,
    /// SND.UNA before the ACK.
    pub prior_una: u64,
    /// A D-SACK reports a needless retransmission.
    pub dsack: bool,
    /// The duplicate that the D-SACK reports is the tail loss probe.
    pub dsack_of_probe: bool,
    /// Bytes that the receiver newly reported as marked.
    pub newly_marked: u64,
    /// The ACK tells of congestion experienced.
    pub is_marked: bool,
    /// Time from the segment's sending to the ACK's, by their timestamps.
    pub one_way_delay: Option<Duration>,
    /// The ACK is a duplicate.
    pub is_duplicate: bool,
}

impl AckSummary {
    /// The summary of an ACK that acknowledges, in order, what was sent once. `last`: the last
    /// segment acknowledged.
    #[inline(always)]
    pub fn in_order(
        prior_una: u64,
        delivered: u64,
        first_sent_at: Time,
        last: Segment,
        one_way_delay: Option<Duration>,
    ) -> Self {
        Self {
            delivered,
            newest: Some(last),
            acked: Some((first_sent_at, last.sent_at)),
            una_advanced: true,
            prior_una,
            one_way_delay,
            ..Self::default()
        }
    }

    /// Send times of the first and the last segment delivered that were surely sent once (Karn). If
    /// the ACK acknowledges cumulatively and selectively, the last one is selectively acknowledged
    /// (Linux's `ca_rtt_us`).
    pub fn sent_once(&self) -> Option<(Time, Time)> {
        let acked = if self.acked_retransmission { None } else { self.acked };
        let first = acked.or(self.sacked)?.0;
        let last = self.sacked.or(acked)?.1;
        Some((first, last))
    }

    /// Send time of the first segment that was selectively acknowledged and never retransmitted.
    pub fn first_sacked(&self) -> Option<Time> {
        self.sacked.map(|(first, _)| first)
    }

    /// A segment was delivered for the first time.
    #[inline(always)]
    fn segment(
        &mut self,
        segment: &Segment,
        weight: u64,
        context: &Context,
        books: &mut Books<'_>,
    ) {
        self.delivered += weight;
        books.rate.on_delivered(segment, weight, context.now, &mut self.newest);
        books.control.on_delivered(segment);
        if !segment.was_retransmitted() && segment.end() <= context.episode_point {
            self.delivered_original = true;
        }
    }
}

/// Parts of the sender that book delivered segments.
struct Books<'a> {
    rate: &'a mut DeliveryRate,
    detector: &'a mut Detector,
    control: &'a mut CcDriver,
}

/// State of the sender that booking a delivered segment reads.
struct Context {
    now: Time,
    min_rtt: Duration,
    /// SND.NXT when the episode began.
    episode_point: u64,
    /// Echoed timestamp, if the connection has timestamps.
    echo: Option<u32>,
    clock: TimestampClock,
    /// Highest byte delivered before the ACK.
    fack: u64,
}

impl Context {
    /// Whether the ACK answers something sent before the segment's retransmission.
    fn echo_is_older(&self, segment: &Segment) -> bool {
        segment.was_retransmitted()
            && self.echo.is_some_and(|echo| {
                self.clock.at(segment.sent_at).wrapping_sub(echo).cast_signed() > 0
            })
    }
}

fn widen(span: &mut Option<(Time, Time)>, sent_at: Time) {
    *span = Some(
        span.map_or((sent_at, sent_at), |(first, last)| (first.min(sent_at), last.max(sent_at))),
    );
}

impl Sender {
    /// Takes an ACK into scoreboard, detector and delivery rate. An old ACK counts, but the clock
    /// of the delivery rate stands still (Linux's `tcp_ack` does not reach `tcp_rate_gen`).
    #[inline(always)]
    pub(super) fn take_in(
        &mut self,
        packet: &Packet,
        is_old: bool,
        now: Time,
        summary: &mut AckSummary,
    ) {
        let delivered_at = self.rate.delivered_at();
        let una = self.board.una();
        summary.prior_una = una;
        let has_blocks = packet.sack_count > 0 && self.options.has_sack;
        if has_blocks {
            self.take_in_dsack(packet, now, summary);
        }
        let context = Context {
            now,
            min_rtt: self.rtt.min_rtt(),
            episode_point: self.episode.point(),
            echo: self.options.timestamps.then_some(packet.ts_ecr),
            clock: self.options.clock,
            fack: self.detector.fack(),
        };
        if has_blocks {
            self.take_in_sacks(packet, summary, &context);
            if self.episode.state() == CaState::Loss && !self.undo.is_possible() {
                self.detector.forget_order();
            }
            self.detector.settle_order();
        }
        if packet.ack > una {
            self.acknowledge(packet, summary, &context);
        }
        if !self.options.has_sack && summary.acked_retransmission {
            // Without SACK nobody knows which segments are originals (Linux's tcp_clean_rtx_queue).
            summary.delivered_original = false;
        }
        if let Some(newest) = summary.newest.filter(|_| packet.ack >= una) {
            self.detector.on_ack(newest.delivered, self.rate.delivered());
        }
        (summary.newly_marked, summary.is_marked) =
            self.ecn.on_ack(packet, is_old, self.options.ecn);
        if is_old {
            self.rate.restore_clock(delivered_at);
        }
    }

    /// The cumulative acknowledgment advances.
    #[inline(always)]
    fn acknowledge(&mut self, packet: &Packet, summary: &mut AckSummary, context: &Context) {
        let before = self.acked_payload();
        let (board, mut books) = self.books();
        summary.una_advanced = true;
        board.acknowledge(packet.ack, |segment, weight| {
            if segment.was_retransmitted() {
                summary.acked_retransmission = true;
            }
            if segment.is_sacked() {
                return;
            }
            if !segment.was_retransmitted() {
                widen(&mut summary.acked, segment.sent_at);
            }
            summary.segment(segment, weight, context, &mut books);
            books.detector.on_acked(
                segment,
                context.now,
                context.min_rtt,
                context.echo_is_older(segment),
                context.fack,
            );
        });
        self.detector.settle_order();
        self.ledger.on_acked(self.acked_payload() - before);
        if let Some(echo) = context.echo {
            summary.one_way_delay = Some(context.clock.between(echo, packet.ts_val));
        }
    }

    /// Takes in the SACK blocks, from the lowest to the highest: in another order, blocks of a lost
    /// ACK would look like reordering. A block that begins at or below SND.UNA is ignored, because
    /// it is old or contradicts its ACK; so is a block that ends beyond SND.NXT, which was never
    /// sent (Linux's `tcp_is_sackblock_valid`).
    #[inline(always)]
    fn take_in_sacks(&mut self, packet: &Packet, summary: &mut AckSummary, context: &Context) {
        let mut blocks = [(0, 0); MAX_SACK_BLOCKS];
        let mut count = 0;
        let una = self.board.una().max(packet.ack);
        for block in &packet.sacks[..usize::from(packet.sack_count)] {
            let block = packet.range_of(block);
            let is_valid = block.0 > una && block.1 <= self.board.next();
            // All blocks but the first are mostly known from earlier ACKs.
            if is_valid && !self.board.sacked().covers(block.0, block.1) {
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
                    widen(&mut summary.sacked, segment.sent_at);
                }
                summary.newly_sacked += weight;
                summary.segment(segment, weight, context, &mut books);
                books.detector.on_sacked(segment, context.now, context.min_rtt);
            });
        }
    }

    /// The scoreboard, and the parts that book the segments it shows.
    fn books(&mut self) -> (&mut Scoreboard, Books<'_>) {
        let Self { board, rate, detector, control, .. } = self;
        (board, Books { rate, detector, control })
    }

    /// Takes in a D-SACK, if the first block is one. RFC 2883 section 4: a first block below the
    /// cumulative ACK, or inside the second, reports a duplicate.
    #[inline(always)]
    fn take_in_dsack(&mut self, packet: &Packet, now: Time, summary: &mut AckSummary) {
        let [first, second, ..] = packet.sacks;
        let is_inside =
            packet.sack_count > 1 && first.start >= second.start && first.end <= second.end;
        if first.start < first.end && (first.start < 0 || is_inside) {
            self.on_dsack(packet, now, summary);
        }
    }

    /// Takes in the D-SACK of the first block.
    #[inline(never)]
    fn on_dsack(&mut self, packet: &Packet, now: Time, summary: &mut AckSummary) {
        let [first, ..] = packet.sacks;
        let (start, end) = packet.range_of(&first);
        let segments = (end - start).div_ceil(self.options.mss);
        summary.dsack_of_probe = segments == 1 && end == self.probe.end();
        if !self.undo.on_duplicates(segments) {
            // The report proves only that original and probe both arrived.
            return;
        }
        summary.dsack = true;
        // The duplicate was delivered too: it left the network.
        let delivered = self.board.weight_of(start, end);
        summary.delivered += delivered;
        self.rate.on_duplicate(delivered, now);
        if !summary.dsack_of_probe {
            self.detector.on_dsack();
        }
        self.settle_duplicate((start, end), segments, packet.ack);
    }

    /// Counts the retransmissions that a D-SACK proves needless, and takes the reported copies out
    /// of flight. A block below the ACK counts only within the episode.
    fn settle_duplicate(&mut self, (start, end): (u64, u64), segments: u64, ack: u64) {
        let marker = self.undo.marker();
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
        self.undo.on_needless(needless);
    }

    /// Counts duplicate ACKs without SACK. Each stands for a delivered segment (Linux's
    /// `tcp_add_reno_sack`); an ACK that advances SND.UNA covers the hole and these segments.
    pub(super) fn count_duplicates(&mut self, summary: &mut AckSummary) {
        let mss = self.options.mss;
        if summary.is_duplicate {
            self.episode.count_dupack();
            let before = self.board.sacked_bytes();
            self.board.emulate_sacked(u64::from(self.episode.dupacks()) * mss);
            let counted = self.board.sacked_bytes() - before.min(self.board.sacked_bytes());
            summary.delivered += counted;
            self.rate.count(counted);
        } else if summary.una_advanced && self.episode.dupacks() > 0 {
            let counted = self.board.sacked_bytes();
            let overlap = summary.delivered.saturating_sub(mss).min(counted);
            summary.delivered -= overlap;
            self.rate.uncount(overlap);
            let left = if self.episode.state() == CaState::Recovery
                && self.options.dupack_recovery == DupackRecovery::Newreno
            {
                (counted - overlap) / mss
            } else {
                0
            };
            // Whole segments only: a remainder would never be taken back.
            self.episode.set_dupacks(left);
            self.board.emulate_sacked(left * mss);
        }
    }

    /// Takes an RTT sample from segments that were sent once (Karn, RFC 6298 section 3): as in
    /// Linux, the first one for srtt, and the last one for the minimum. If only retransmissions
    /// were acknowledged, timestamps give the sample.
    #[inline(always)]
    pub(super) fn sample_rtt(
        &mut self,
        packet: &Packet,
        summary: &AckSummary,
        now: Time,
    ) -> Option<Duration> {
        let (smoothed, newest) = if let Some((first, last)) = summary.sent_once() {
            (now.since(first), now.since(last))
        } else if summary.una_advanced && self.options.timestamps && summary.delivered > 0 {
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
        self.rtt.sample(smoothed, newest, &self.options.rto, self.board.una(), self.board.next());
        self.peer.forget_probes();
        // Karn: without timestamps, a backed-off RTO stays until a segment that was sent once is
        // acknowledged.
        self.rtt.reset_backoff();
        Some(newest)
    }
}
