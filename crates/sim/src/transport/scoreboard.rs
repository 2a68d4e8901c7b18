//! What was sent and is not cumulatively acknowledged, segment by segment.
//!
//! Segments stand in a ring in sequence order, and those still expected are also linked in the order of their last
//! transmission, which is what RACK asks about. Nothing that happens
//! often scans the window: an undo does, and a segment that a shrunk window cuts.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use ackclock_units::Time;

use super::range_set::RangeSet;
use crate::plan::WindowCounting;

const NONE: u32 = u32::MAX;
/// Links keep this many low bits of a segment's number, so that none of them is [`NONE`].
const LOW: u32 = 0x7fff_ffff;

mod flag {
    pub const SACKED: u16 = 1;
    pub const LOST: u16 = 2;
    /// Retransmitted, and that copy is still out.
    pub const RETRANS: u16 = 4;
    pub const EVER_RETRANS: u16 = 8;
    pub const APP_LIMITED: u16 = 16;
    pub const FIN: u16 = 32;
    /// Linked in transmission order.
    pub const LINKED: u16 = 64;
    /// Begins one of the host's segments.
    pub const HOST_START: u16 = 128;
    /// Declared lost by RACK, and not sent again since.
    pub const JUDGED: u16 = 256;
}

/// A segment that is out; a cache line.
#[derive(Clone, Copy, Debug)]
pub struct Segment {
    /// First byte.
    pub seq: u64,
    /// Last transmission.
    pub sent_at: Time,
    /// Connection's `delivered` then.
    pub delivered: u64,
    /// When `delivered` had last grown.
    pub delivered_at: Time,
    /// Start of the send interval then.
    pub first_sent_at: Time,
    /// Connection's `lost` then, modulo 2^32: what is lost of one window is less.
    pub lost: u32,
    /// Sequence space covered, a FIN included.
    pub len: u32,
    /// inflight then, with it, bytes.
    pub tx_in_flight: u32,
    older: u32,
    newer: u32,
    flags: u16,
}

impl Segment {
    /// A segment not yet sent.
    #[must_use]
    pub fn new(seq: u64, len: u32, fin: bool) -> Self {
        Self {
            seq,
            sent_at: Time::ZERO,
            delivered: 0,
            delivered_at: Time::ZERO,
            first_sent_at: Time::ZERO,
            lost: 0,
            len,
            tx_in_flight: 0,
            older: NONE,
            newer: NONE,
            flags: if fin { flag::FIN } else { 0 },
        }
    }
    /// The byte after the last.
    #[must_use]
    pub fn end(&self) -> u64 {
        self.seq + u64::from(self.len)
    }
    /// Whether it carries the FIN.
    #[must_use]
    pub fn is_fin(&self) -> bool {
        self.has(flag::FIN)
    }
    /// Selectively acknowledged.
    #[must_use]
    pub fn is_sacked(&self) -> bool {
        self.has(flag::SACKED)
    }
    /// Declared lost.
    #[must_use]
    pub fn is_lost(&self) -> bool {
        self.has(flag::LOST)
    }
    /// Retransmitted, and that copy is neither acknowledged nor lost.
    #[must_use]
    pub fn is_retransmission_out(&self) -> bool {
        self.has(flag::RETRANS)
    }
    /// Declared lost by RACK, which looks at it again only once it is sent again.
    #[must_use]
    pub fn is_judged(&self) -> bool {
        self.has(flag::JUDGED)
    }
    /// Retransmitted at least once.
    #[must_use]
    pub fn was_retransmitted(&self) -> bool {
        self.has(flag::EVER_RETRANS)
    }
    /// Whether the application limited the sender when it was sent.
    #[must_use]
    pub fn is_app_limited(&self) -> bool {
        self.has(flag::APP_LIMITED)
    }
    /// Notes whether the application limits the sender.
    pub fn set_app_limited(&mut self, limited: bool) {
        self.put(flag::APP_LIMITED, limited);
    }
    /// Notes whether one of the host's segments begins with it: what the host handed over at once, it sends again at once.
    pub fn set_host_start(&mut self, begins: bool) {
        self.put(flag::HOST_START, begins);
    }
    fn has(&self, bit: u16) -> bool {
        self.flags & bit != 0
    }
    fn put(&mut self, bit: u16, on: bool) {
        if on {
            self.flags |= bit;
        } else {
            self.flags &= !bit;
        }
    }
}

/// The scoreboard.
#[derive(Clone, Debug)]
pub struct Scoreboard {
    /// Ring of segments; its length is a power of two.
    ring: Vec<Segment>,
    /// Number of the oldest segment; a segment's place is its number modulo the ring's length.
    head: u64,
    count: u64,
    /// Oldest and newest transmission among segments neither delivered nor lost.
    oldest_sent: u32,
    newest_sent: u32,
    /// Numbers of segments declared lost; those delivered or retransmitted since are passed over.
    lost_queue: BinaryHeap<Reverse<u64>>,
    /// Bytes selectively acknowledged, above the cumulative ACK.
    sacked: RangeSet,
    sacked_bytes: u64,
    lost_bytes: u64,
    retrans_bytes: u64,
    /// RFC 6675's pipe, which is asked for most often. Modulo 2^64: without SACK, what is taken for `SACKed` may
    /// leave before it is counted anew.
    inflight: u64,
    una: u64,
    next: u64,
    /// The latest ACK of a part of a segment; 0: there was none.
    acked_into: u64,
    mss: u32,
    /// What a segment counts for, whatever its length; 0: its length.
    unit: u32,
}

impl Scoreboard {
    /// Nothing sent.
    #[must_use]
    pub fn new(mss: u64, counting: WindowCounting) -> Self {
        let mss = u32::try_from(mss).unwrap_or(u32::MAX);
        Self {
            ring: Vec::new(),
            head: 0,
            count: 0,
            oldest_sent: NONE,
            newest_sent: NONE,
            lost_queue: BinaryHeap::new(),
            sacked: RangeSet::default(),
            sacked_bytes: 0,
            lost_bytes: 0,
            retrans_bytes: 0,
            inflight: 0,
            una: 0,
            next: 0,
            acked_into: 0,
            mss,
            unit: match counting {
                WindowCounting::Bytes => 0,
                WindowCounting::Packets => mss,
            },
        }
    }

    /// Bytes that a segment of `len` counts for in every sum of the window.
    #[must_use]
    #[inline]
    pub fn weight(&self, len: u64) -> u64 {
        if self.unit > 0 { self.unit.into() } else { len }
    }

    /// SND.UNA.
    #[must_use]
    pub fn una(&self) -> u64 {
        self.una
    }
    /// SND.NXT.
    #[must_use]
    pub fn next(&self) -> u64 {
        self.next
    }
    /// What the bytes from `start` to `end` count for.
    #[must_use]
    pub fn weight_of(&self, start: u64, end: u64) -> u64 {
        let bytes = end - start;
        if self.unit > 0 {
            bytes.next_multiple_of(self.unit.into())
        } else {
            bytes
        }
    }
    /// Sent and not cumulatively acknowledged, bytes.
    #[must_use]
    pub fn outstanding(&self) -> u64 {
        self.inflight
            .wrapping_add(self.sacked_bytes + self.lost_bytes)
            .wrapping_sub(self.retrans_bytes)
    }
    /// Sent, neither acknowledged nor lost, retransmissions counted again: RFC 6675's pipe, kept instead of computed.
    #[must_use]
    pub fn inflight(&self) -> u64 {
        self.inflight
    }
    /// Segments out.
    #[must_use]
    pub fn segments(&self) -> u64 {
        self.count
    }
    /// Selectively acknowledged, bytes.
    #[must_use]
    pub fn sacked_bytes(&self) -> u64 {
        self.sacked_bytes
    }
    /// Declared lost and not yet delivered, bytes.
    #[must_use]
    pub fn lost_bytes(&self) -> u64 {
        self.lost_bytes
    }
    /// Retransmissions out, bytes.
    #[must_use]
    pub fn retrans_bytes(&self) -> u64 {
        self.retrans_bytes
    }
    /// Ranges selectively acknowledged.
    #[must_use]
    pub fn sacked(&self) -> &RangeSet {
        &self.sacked
    }
    /// Number of the highest segment.
    #[must_use]
    pub fn last_number(&self) -> Option<u64> {
        (self.count > 0).then(|| self.head + self.count - 1)
    }
    /// Number of the oldest segment.
    #[must_use]
    pub fn first_number(&self) -> Option<u64> {
        (self.count > 0).then_some(self.head)
    }
    /// A segment by its number.
    #[must_use]
    pub fn get(&self, number: u64) -> &Segment {
        &self.ring[self.place(number)]
    }
    /// A segment by its number, to stamp it.
    pub fn get_mut(&mut self, number: u64) -> &mut Segment {
        let place = self.place(number);
        &mut self.ring[place]
    }

    /// Sends new data.
    #[inline]
    pub fn push(&mut self, segment: Segment) {
        if self.count == self.ring.len() as u64 {
            self.grow();
        }
        debug_assert_eq!(segment.seq, self.next, "new data is sent in order");
        let number = self.head + self.count;
        let place = self.place(number);
        self.next = segment.end();
        self.inflight = self.inflight.wrapping_add(self.weight(u64::from(segment.len)));
        self.ring[place] = segment;
        self.count += 1;
        self.link(number);
    }

    /// Sends a segment again. One of which a copy is out already counts once more, until nothing is out (as Linux's `retrans_out`
    /// does): a timeout repeats it, after an undo had found it not to be lost.
    pub fn retransmit(&mut self, number: u64) {
        let place = self.place(number);
        let len = self.weight(u64::from(self.ring[place].len));
        self.retrans_bytes += len;
        self.inflight = self.inflight.wrapping_add(len);
        self.ring[place].put(flag::RETRANS, true);
        self.repeat(number);
    }

    /// Sends a segment again as a tail loss probe. The probe does not count as in flight (Linux's
    /// `tcp_send_loss_probe` leaves `retrans_out` as it is).
    pub fn repeat(&mut self, number: u64) {
        let place = self.place(number);
        self.ring[place].put(flag::EVER_RETRANS, true);
        self.ring[place].put(flag::JUDGED, false);
        if self.ring[place].has(flag::LINKED) {
            self.unlink(place);
        }
        // A probe's copy of what is lost, or delivered, is not looked for.
        let segment = &self.ring[place];
        if segment.has(flag::RETRANS) || !segment.has(flag::LOST | flag::SACKED) {
            self.link(number);
        }
    }

    /// Cuts a segment after `len` bytes of payload, because a shrunk window has room for no more of it when it is sent again:
    /// what is known of it holds for both parts, and each counts for itself. Rare, and the only thing that renumbers segments.
    #[cold]
    pub fn split(&mut self, number: u64, len: u32) {
        let (end, from) = (self.host_end(number), self.get(number).seq + u64::from(len));
        let rest = self.get(end - 1).end() - from;
        if rest.div_ceil(self.mss.into()) == end - number - 1 {
            // The segments behind it in the host's one have room for what is left.
            self.get_mut(number).len = len;
            self.get_mut(number + 1).put(flag::HOST_START, true);
            self.cut_from(from, number + 1..end);
            return;
        }
        self.insert_behind(number, len);
        self.cut_from(from, number + 1..end + 1);
    }

    /// Makes two segments of one, of which the first has `len` bytes.
    fn insert_behind(&mut self, number: u64, len: u32) {
        let mut order = Vec::new();
        let mut at = self.oldest();
        while let Some(linked) = at {
            order.push(linked);
            at = self.newer(linked);
        }
        if self.count == self.ring.len() as u64 {
            self.grow();
        }
        for moved in (number + 1..self.head + self.count).rev() {
            let (from, to) = (self.place(moved), self.place(moved + 1));
            self.ring[to] = self.ring[from];
        }
        let first = *self.get(number);
        let mut second = Segment {
            seq: first.seq + u64::from(len),
            len: first.len - len,
            ..first
        };
        self.count_again(&first, -1);
        let first = self.get_mut(number);
        first.len = len;
        first.put(flag::FIN, false);
        let first = *first;
        self.count_again(&first, 1);
        self.count_again(&second, 1);
        second.put(flag::LINKED, false);
        second.put(flag::HOST_START, true);
        *self.get_mut(number + 1) = second;
        self.count += 1;
        let later = |place: u64| if place > number { place + 1 } else { place };
        (self.oldest_sent, self.newest_sent) = (NONE, NONE);
        for linked in order {
            self.link(later(linked));
            if linked == number {
                self.link(number + 1);
            }
        }
        let mut lost: Vec<_> = core::mem::take(&mut self.lost_queue)
            .into_iter()
            .map(|Reverse(at)| Reverse(later(at)))
            .collect();
        if second.is_lost() {
            lost.push(Reverse(number + 1));
        }
        self.lost_queue = lost.into();
    }

    /// Leaves out what of the first segment is acknowledged, if that is a part of it: when it is sent again, it begins behind
    /// that (Linux's `tcp_trim_head`).
    #[inline]
    pub fn trim_acked(&mut self, number: u64) {
        let segment = self.get(number);
        if segment.seq < self.acked_into && self.acked_into < segment.end() {
            self.trim(number);
        }
    }

    #[cold]
    fn trim(&mut self, number: u64) {
        let (before, seq) = (*self.get(number), self.acked_into);
        self.count_again(&before, -1);
        let segment = self.get_mut(number);
        segment.len -= u32::try_from(seq - segment.seq).unwrap_or(0);
        segment.seq = seq;
        let after = *segment;
        self.count_again(&after, 1);
        self.una = seq;
        let end = self.host_end(number);
        let bytes = self.get(end - 1).end() - seq;
        if bytes.div_ceil(self.mss.into()) == end - number {
            self.cut_from(seq, number..end);
        }
    }

    /// The number after the last segment that the host has in one with this one, and of which the same is known.
    fn host_end(&self, number: u64) -> u64 {
        const KNOWN: u16 = flag::SACKED | flag::LOST | flag::RETRANS | flag::EVER_RETRANS;
        let first = self.get(number).flags;
        let goes_along = |next: &u64| {
            let flags = self.get(*next).flags;
            flags & flag::HOST_START == 0 && (flags ^ first) & KNOWN == 0
        };
        number + 1 + (number + 1..self.head + self.count).take_while(goes_along).count() as u64
    }

    /// These segments, as many as that takes, share out what lies from `seq` to their end, full ones first.
    fn cut_from(&mut self, mut seq: u64, numbers: core::ops::Range<u64>) {
        let stop = self.get(numbers.end - 1).end();
        for number in numbers {
            let to = (seq + u64::from(self.mss)).min(stop);
            let segment = self.get_mut(number);
            (segment.seq, segment.len) = (seq, u32::try_from(to - seq).unwrap_or(u32::MAX));
            seq = to;
        }
    }

    /// Whether a segment was sent again, or is selectively acknowledged next to one that was and came after what lies before
    /// it: of such segments Linux makes one (`tcp_shifted_skb`), and what is known of a part holds for all of it.
    #[must_use]
    pub fn is_retransmitted_with_others(&self, number: u64) -> bool {
        let is_sacked = |at: u64| at >= self.head && at < self.head + self.count && self.get(at).is_sacked();
        let joins = |at: u64| self.get(at).was_retransmitted() && is_sacked(at - 1);
        let joins_after = || (number + 1..self.head + self.count).take_while(|at| is_sacked(*at)).any(joins);
        let joins_before = || (self.head + 1..=number).rev().take_while(|at| is_sacked(*at)).any(joins);
        self.get(number).was_retransmitted() || is_sacked(number) && (joins_after() || joins_before())
    }

    /// Takes a segment into the sums, or out of them.
    fn count_again(&mut self, segment: &Segment, times: i64) {
        let weight = self.weight(u64::from(segment.len)).cast_signed() * times;
        let add = |sum: &mut u64, counts: bool| {
            if counts {
                *sum = sum.saturating_add_signed(weight);
            }
        };
        add(&mut self.inflight, !segment.is_sacked() && !segment.is_lost());
        add(&mut self.inflight, segment.has(flag::RETRANS));
        add(&mut self.sacked_bytes, segment.is_sacked());
        add(&mut self.lost_bytes, segment.is_lost());
        add(&mut self.retrans_bytes, segment.has(flag::RETRANS));
    }

    /// The receiver reported a retransmission as a duplicate: no copy of the segment is out.
    pub fn end_retransmission(&mut self, number: u64) {
        let place = self.place(number);
        let segment = self.ring[place];
        if segment.has(flag::RETRANS) {
            let len = self.weight(u64::from(segment.len));
            self.retrans_bytes -= len;
            self.inflight = self.inflight.wrapping_sub(len);
            self.ring[place].put(flag::RETRANS, false);
            if segment.is_lost() {
                // Lost, and nothing of it is out.
                if segment.has(flag::LINKED) {
                    self.unlink(place);
                }
                self.lost_queue.push(Reverse(number));
            }
        }
    }

    /// Forgets what was selectively acknowledged: the receiver has dropped it (RFC 2018 section 8). The
    /// segments count as sent and not lost.
    pub fn forget_sacked(&mut self) {
        self.sacked = RangeSet::default();
        self.inflight = self.inflight.wrapping_add(core::mem::take(&mut self.sacked_bytes));
        for number in self.head..self.head + self.count {
            let place = self.place(number);
            self.ring[place].put(flag::SACKED, false);
        }
        self.relink();
    }

    /// The lowest segment that is lost and not retransmitted. None while as much is out that was sent again as is lost, which
    /// is where an undo has found what was sent again not to be lost (Linux's `tcp_xmit_retransmit_queue`).
    #[inline]
    pub fn next_lost(&mut self) -> Option<u64> {
        if self.retrans_bytes >= self.lost_bytes {
            return None;
        }
        self.first_of_lost()
    }

    fn first_of_lost(&mut self) -> Option<u64> {
        while let Some(&Reverse(number)) = self.lost_queue.peek() {
            if number >= self.head && number < self.head + self.count {
                let segment = self.get(number);
                if segment.is_lost() && !segment.has(flag::RETRANS) {
                    return Some(number);
                }
            }
            self.lost_queue.pop();
        }
        None
    }

    /// Cuts the host's segment before `number`, if that is out.
    pub fn cut_before(&mut self, number: u64) {
        if number >= self.head && number < self.head + self.count {
            self.get_mut(number).put(flag::HOST_START, true);
        }
    }

    /// How many segments the host sends again at once from `number` on, which is lost: `most` at most, those that lie in its host
    /// segment and end at `edge` at the latest, but always that one.
    #[must_use]
    pub fn lost_together(&self, number: u64, most: u64, edge: u64) -> u64 {
        let end = (self.head + self.count).min(number.saturating_add(most));
        let goes_along = |next: &u64| {
            let segment = self.get(*next);
            segment.is_lost() && !segment.has(flag::RETRANS | flag::HOST_START) && segment.end() <= edge
        };
        1 + (number + 1..end).take_while(goes_along).count() as u64
    }

    /// Declares a segment lost, or the copy of it that is out where it is lost already; returns the bytes it took out of flight.
    pub fn mark_lost(&mut self, number: u64) -> u64 {
        let place = self.place(number);
        let segment = &self.ring[place];
        if segment.is_sacked() {
            return 0;
        }
        let len = self.weight(u64::from(segment.len));
        let segment = &mut self.ring[place];
        let mut out = 0;
        if !segment.is_lost() {
            // Of a segment that an undo had found not to be lost the copy stays out.
            segment.put(flag::LOST, true);
            self.lost_bytes += len;
            out = len;
        } else if segment.has(flag::RETRANS) {
            segment.put(flag::RETRANS, false);
            self.retrans_bytes -= len;
            out = len;
        }
        self.inflight = self.inflight.wrapping_sub(out);
        if out > 0 {
            self.lost_queue.push(Reverse(number));
        }
        let segment = &self.ring[place];
        if segment.has(flag::LINKED) && !segment.has(flag::RETRANS) {
            self.unlink(place);
        }
        out
    }

    /// RACK has declared a segment lost. It looks at it again only once it is sent again, whatever becomes of the mark
    /// (Linux takes such segments off the list that RACK walks, and an undo does not put them back).
    pub fn judge(&mut self, number: u64) {
        let place = self.place(number);
        self.ring[place].put(flag::JUDGED, true);
        if self.ring[place].has(flag::LINKED) {
            self.unlink(place);
        }
    }

    /// The marks proved wrong: the segments are in flight again, and copies of them that are out remain so.
    pub fn unmark_all_lost(&mut self) {
        for number in self.head..self.head + self.count {
            let place = self.place(number);
            self.ring[place].put(flag::LOST, false);
        }
        self.inflight = self.inflight.wrapping_add(core::mem::take(&mut self.lost_bytes));
        self.relink();
        self.lost_queue.clear();
    }

    /// Links all segments that are not delivered, and that RACK has not judged, in the order of their last transmission.
    fn relink(&mut self) {
        let mut order: Vec<(Time, u64)> = Vec::new();
        for number in self.head..self.head + self.count {
            let place = self.place(number);
            let segment = &mut self.ring[place];
            segment.put(flag::LINKED, false);
            if !segment.is_sacked() && !segment.has(flag::JUDGED) {
                order.push((segment.sent_at, number));
            }
        }
        order.sort_unstable();
        (self.oldest_sent, self.newest_sent) = (NONE, NONE);
        for (_, number) in order {
            self.link(number);
        }
    }

    /// Acknowledges cumulatively up to `ack`; shows each segment that leaves and what it counts for, before it does. A segment may be
    /// acknowledged in part (after a receiver's reassembly); it stays whole until all of it is, or until it is sent again.
    #[expect(
        clippy::inline_always,
        reason = "once per ACK, and what is noted of each segment would go through memory"
    )]
    #[inline(always)]
    pub fn acknowledge(&mut self, ack: u64, mut leaves: impl FnMut(&Segment, u64)) {
        debug_assert!(ack <= self.next, "acknowledges what was never sent");
        while self.count > 0 {
            let place = self.place(self.head);
            let segment = &self.ring[place];
            let (end, flags) = (segment.end(), segment.flags);
            if end > ack {
                if segment.seq < ack {
                    self.acked_into = ack;
                }
                break;
            }
            let len = self.weight(u64::from(segment.len));
            leaves(segment, len);
            if flags & (flag::SACKED | flag::LOST | flag::RETRANS) == 0 {
                self.inflight = self.inflight.wrapping_sub(len);
            } else if flags & flag::SACKED != 0 {
                self.sacked_bytes -= len;
            } else {
                self.take_out(flags, len);
            }
            if flags & flag::LINKED != 0 {
                self.unlink(place);
            }
            self.head += 1;
            self.count -= 1;
            self.una = end;
        }
        if !self.sacked.is_empty() {
            self.sacked.remove_below(self.una);
        }
        if self.count == 0 {
            self.lost_queue.clear();
            self.inflight = self.inflight.wrapping_sub(core::mem::take(&mut self.retrans_bytes));
        }
    }

    /// Takes a segment of such flags that was delivered, and not `SACKed` before, out of the sums.
    #[inline]
    fn take_out(&mut self, flags: u16, len: u64) {
        if flags & flag::LOST == 0 {
            self.inflight = self.inflight.wrapping_sub(len);
        } else {
            self.lost_bytes -= len;
        }
        if flags & flag::RETRANS != 0 {
            self.retrans_bytes -= len;
            self.inflight = self.inflight.wrapping_sub(len);
        }
    }

    /// Takes in a SACK block; shows each segment that it is news for and what it counts for, before it is marked.
    #[inline]
    pub fn sack(&mut self, start: u64, end: u64, mut news: impl FnMut(&Segment, u64)) {
        let (start, end) = (start.max(self.una), end.min(self.next));
        if start >= end {
            return;
        }
        // A block that reports several parts at once comes after lost ACKs only.
        let mut first = None;
        let mut more: Vec<(u64, u64)> = Vec::new();
        self.sacked.insert(start, end, |s, e| {
            if first.is_none() {
                first = Some((s, e));
            } else {
                more.push((s, e));
            }
        });
        for part in first.into_iter().chain(more) {
            self.sack_part(part, (start, end), &mut news);
        }
    }

    /// A part of a SACK block that no block covered before. A segment counts that the block covers as a whole.
    #[inline]
    fn sack_part(&mut self, part: (u64, u64), block: (u64, u64), news: &mut impl FnMut(&Segment, u64)) {
        let mut number = self.find(part.0);
        while number < self.head + self.count {
            let place = self.place(number);
            let segment = &self.ring[place];
            let flags = segment.flags;
            if segment.seq >= part.1 || segment.end() > block.1 {
                break;
            }
            if segment.seq >= block.0 && flags & flag::SACKED == 0 {
                let len = self.weight(u64::from(segment.len));
                news(segment, len);
                self.take_out(flags, len);
                self.sacked_bytes += len;
                if flags & flag::LINKED != 0 {
                    self.unlink(place);
                }
                let segment = &mut self.ring[place];
                segment.put(flag::LOST, false);
                segment.put(flag::RETRANS, false);
                segment.put(flag::SACKED, true);
            }
            number += 1;
        }
    }

    /// Without SACK, each duplicate ACK stands for a segment that left the network (as Linux counts them).
    pub fn emulate_sacked(&mut self, bytes: u64) {
        // At least one segment is missing: a lost one, or the first.
        let outstanding = self.outstanding();
        self.inflight = self.inflight.wrapping_add(self.sacked_bytes);
        self.sacked_bytes = bytes.min(outstanding - self.lost_bytes.max(outstanding.min(self.mss.into())));
        self.inflight = self.inflight.wrapping_sub(self.sacked_bytes);
    }

    /// The segment transmitted longest ago, of those neither delivered nor lost.
    #[must_use]
    pub fn oldest(&self) -> Option<u64> {
        (self.oldest_sent != NONE).then(|| self.widen(self.oldest_sent))
    }

    /// The one transmitted after it.
    #[must_use]
    pub fn newer(&self, number: u64) -> Option<u64> {
        let newer = self.get(number).newer;
        (newer != NONE).then(|| self.widen(newer))
    }

    /// Numbers of the segments that lie between `start` and `end` and are out.
    #[must_use]
    pub fn between(&self, start: u64, end: u64) -> std::ops::Range<u64> {
        let (start, end) = (start.max(self.una), end.min(self.next));
        if start >= end {
            return 0..0;
        }
        let mut first = self.find(start);
        if self.get(first).seq < start {
            first += 1;
        }
        let mut last = first;
        while last < self.head + self.count && self.get(last).end() <= end {
            last += 1;
        }
        first..last
    }

    /// Number of the segment that contains `seq`, by a guess that is right when all segments before it are full.
    #[must_use]
    pub fn find(&self, seq: u64) -> u64 {
        let (mut low, mut high) = (self.head, self.head + self.count);
        let guess = self.head + (seq - self.una) / u64::from(self.mss);
        if guess < high {
            let segment = self.get(guess);
            if segment.seq <= seq && seq < segment.end() {
                return guess;
            }
        }
        while low < high {
            let middle = low + (high - low) / 2;
            if self.get(middle).end() <= seq {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    #[expect(clippy::cast_possible_truncation, reason = "masked to the ring's length")]
    fn place(&self, number: u64) -> usize {
        number as usize & (self.ring.len() - 1)
    }

    /// The number whose low 32 bits are `low`, among those in the ring.
    #[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
    fn widen(&self, low: u32) -> u64 {
        self.head + u64::from(low.wrapping_sub(self.head as u32) & LOW)
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "links keep the low 32 bits; Self::widen restores the rest"
    )]
    fn link(&mut self, number: u64) {
        let low = number as u32 & LOW;
        let before = self.newest_sent;
        if before == NONE {
            self.oldest_sent = low;
        } else {
            let place = self.place(self.widen(before));
            self.ring[place].newer = low;
        }
        let place = self.place(number);
        let segment = &mut self.ring[place];
        segment.older = before;
        segment.newer = NONE;
        segment.put(flag::LINKED, true);
        self.newest_sent = low;
    }

    fn unlink(&mut self, place: usize) {
        let Segment { older, newer, .. } = self.ring[place];
        if older == NONE {
            self.oldest_sent = newer;
        } else {
            let at = self.place(self.widen(older));
            self.ring[at].newer = newer;
        }
        if newer == NONE {
            self.newest_sent = older;
        } else {
            let at = self.place(self.widen(newer));
            self.ring[at].older = older;
        }
        self.ring[place].put(flag::LINKED, false);
    }

    #[cold]
    fn grow(&mut self) {
        let length = (self.ring.len() * 2).max(16);
        let mut ring = vec![Segment::new(0, 0, false); length];
        for number in self.head..self.head + self.count {
            let at = usize::try_from(number % length as u64).unwrap_or_default();
            ring[at] = *self.get(number);
        }
        self.ring = ring;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Windows are as long as a path is, and each ACK comes back to their oldest end.
    #[test]
    fn a_segment_is_a_cache_line() {
        assert_eq!(size_of::<Segment>(), 64);
    }
}
