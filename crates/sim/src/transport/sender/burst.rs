//! What the host hands over at once, and when it waits until that is more.

use std::collections::VecDeque;

use ackclock_units::{Duration, Rate, Time};

use super::{Limit, Sender};
use crate::transport::offload;
use crate::transport::recovery::CaState;

/// Below this rate an algorithm that sets its own sends single segments (Linux's `bbr_min_tso_segs`).
const SINGLE_SEGMENT_RATE: Rate = Rate::from_bps(1_200_000);
/// `tcp_min_tso_segs`.
const LEAST_SEGMENTS: u64 = 2;
/// A host that has sent nothing for so long does not wait, and an ACK that is further away is not waited for
/// (`tcp_tso_should_defer`, since Linux 6.18).
const PATIENCE: Duration = Duration::from_millis(1);
/// `tcp_tso_win_divisor`: so much of the window is worth sending at once.
const WINDOW_DIVISOR: u64 = 3;

/// Whole segments of `bytes`, and of what the rate allows, which is asked for only where it can matter: it is `least` segments or more.
/// Bounds are compared in bytes, so that one division counts the segments of the smallest.
fn segments_of(bytes: u64, mss: u64, least: u64, allowed: impl FnOnce() -> u64) -> u64 {
    let bytes = if bytes < (least + 1) * mss { bytes } else { bytes.min(allowed()) };
    (bytes / mss).max(1)
}

/// `TCP_MSS_DEFAULT`, RFC 9293 section 3.7.1: a receiver whose largest window is no more is sent all of it at once.
const DEFAULT_MSS: u64 = 536;
/// The least that a segment has, with its TCP header, however small the window.
const SMALLEST_SEGMENT: u64 = 68;
const TCP_HEADER: u64 = 20;
/// RFC 7323's option, with padding.
const TIMESTAMPS: u64 = 12;

/// So far ahead the host's segments are kept: more than it hands over at a time.
const LOOK_AHEAD: u64 = 4 * offload::MOST_BYTES;

/// The host's segments of what is written and not sent yet: a write fills the last one up to a size, and goes on in new ones.
#[derive(Clone, Debug)]
#[expect(clippy::box_collection, reason = "most connections have none, and a deque is four times a pointer")]
pub(super) struct HostSegments {
    /// The byte after each but the last, ascending, as far ahead as matters. None before the first: an application that offers
    /// data without end has no such borders.
    ends: Option<Box<VecDeque<u64>>>,
    /// The largest window that the receiver has offered.
    largest_window: u32,
    /// Payload of a full segment, bytes: the mss, or less where the receiver's windows are small.
    full_segment: u32,
}

impl HostSegments {
    /// None yet, of a connection with this mss.
    pub(super) fn new(mss: u32) -> Self {
        Self {
            ends: None,
            largest_window: 0,
            full_segment: mss,
        }
    }

    /// Up to `next` all has been sent.
    fn forget_before(&mut self, next: u64) {
        let Some(ends) = &mut self.ends else { return };
        while ends.front().is_some_and(|end| *end <= next) {
            ends.pop_front();
        }
    }

    /// The byte after the segment that is sent next, unless it is the last.
    fn first_end(&self) -> Option<u64> {
        self.ends.as_ref()?.front().copied()
    }
}

impl Sender {
    /// The receiver offers this window.
    pub(super) fn note_window(&mut self, window: u64) {
        let window = u32::try_from(window).unwrap_or(u32::MAX);
        if window > self.host_segments.largest_window {
            self.host_segments.largest_window = window;
            let smallest = SMALLEST_SEGMENT - TCP_HEADER - if self.options.timestamps { TIMESTAMPS } else { 0 };
            let bound = self.half_of_largest_window().max(smallest);
            self.host_segments.full_segment = u32::try_from(self.options.mss.min(bound)).unwrap_or(u32::MAX);
        }
    }

    /// The most that is sent at once to a receiver with small windows (Linux's `tcp_bound_to_half_wnd`). RFC 9293 section
    /// 3.8.6.2.1 lets a segment smaller than the mss leave "if at least a fraction Fs of the maximum window can be sent",
    /// and recommends a half.
    fn half_of_largest_window(&self) -> u64 {
        let largest = u64::from(self.host_segments.largest_window);
        if largest > DEFAULT_MSS { largest / 2 } else { largest }
    }

    /// Payload of a full segment, bytes.
    #[inline]
    pub(super) fn full_segment(&self) -> u64 {
        self.host_segments.full_segment.into()
    }

    /// What was written since is cut into the host's segments: what could be sent at once has left, and the rest begins where
    /// that ended (Linux's `tcp_sendmsg`).
    pub(super) fn cut_what_is_written(&mut self) {
        let (next, written) = (self.board.next(), self.written.bytes);
        self.host_segments.forget_before(next);
        if !self.options.tso_defer {
            return;
        }
        let size = self.host_segment();
        let segments = &mut self.host_segments;
        if segments.ends.is_none() && written.saturating_sub(next) <= size {
            return;
        }
        let ends = segments.ends.get_or_insert_default();
        let mut start = ends.back().map_or(next, |end| next.max(*end));
        while written.saturating_sub(start) > size && start < next + LOOK_AHEAD {
            start += size;
            ends.push_back(start);
        }
    }

    /// Bytes of a full host segment (`tcp_bound_to_half_wnd`).
    fn host_segment(&self) -> u64 {
        let full = self.full_segment();
        let most = self.half_of_largest_window().min(offload::MOST_BYTES);
        (most / full).max(1) * full
    }

    /// Whether what was written beyond byte `before` goes into a host segment of its own: not if the last one, which waits
    /// for something, has room for it.
    pub(super) fn begins_host_segment(&self, before: u64) -> bool {
        let next = self.board.next();
        let start = self
            .host_segments
            .ends
            .as_ref()
            .and_then(|ends| ends.back())
            .map_or(next, |end| next.max(*end));
        before <= next || self.written.bytes - start > self.host_segment()
    }

    /// Bytes of the host segment that is sent next, and whether it is the last, to which more may be written.
    #[inline]
    pub(super) fn head(&self) -> (u64, bool) {
        let next = self.board.next();
        match self.host_segments.first_end() {
            Some(end) => (end.saturating_sub(next), false),
            None => (self.unsent(), true),
        }
    }

    /// The host segment that is sent next takes from the one after it what it lacks of what may be sent at once (`tcp_grow_skb`).
    fn grow_head(&mut self, room: u64, cwnd: u64) {
        let mss = self.options.mss;
        let most = segments_of((cwnd / 2).min(room), mss, self.least_segments(), || self.burst_bytes());
        let wanted = self.board.next() + most * self.full_segment();
        self.host_segments.forget_before(self.board.next());
        let Some(ends) = &mut self.host_segments.ends else { return };
        let after = ends.get(1).copied();
        let Some(end) = ends.front_mut().filter(|end| **end < wanted) else {
            return;
        };
        if wanted < after.unwrap_or(self.written.bytes) {
            *end = wanted;
        } else {
            ends.pop_front();
        }
    }

    /// Begins a burst of the host; or what to wait for. `room`: what the congestion window leaves.
    pub(super) fn begin_burst(&mut self, room: u64, cwnd: u64, is_new: bool, now: Time) -> Result<(), Limit> {
        if !is_new && self.options.tso_defer && self.pacing_rate().is_some() {
            self.size_repair(room, now);
            return Ok(());
        }
        let defers = is_new && self.options.tso_defer;
        if defers && self.host_segments.first_end().is_some() {
            self.grow_head(room, cwnd);
        }
        if !self.options.tso_defer && self.pacing_rate().is_none() {
            // The rest of what may be sent: nothing tells where in it one burst ends.
            self.pacer.begin_burst(u64::MAX, now);
            return Ok(());
        }
        if defers && self.ca < CaState::Recovery && self.is_ack_near(now) {
            self.may_send_now(room, cwnd, now)?;
        }
        self.size_burst(room, cwnd, defers, now);
        Ok(())
    }

    /// How many segments the host sends again at once: those of one host segment, as far as window and rate allow, which cut it
    /// (Linux's `tcp_xmit_retransmit_queue`).
    fn size_repair(&mut self, room: u64, now: Time) {
        let Some(first) = self.board.next_lost() else { return };
        let most = segments_of(room, self.options.mss, self.least_segments(), || self.burst_bytes());
        let count = self.board.lost_together(first, most, self.peer_edge);
        self.board.cut_before(first + count);
        self.pacer.begin_burst(count, now);
    }

    /// How many segments the host hands over at once.
    #[expect(clippy::inline_always, reason = "once per burst, of which most are of few segments")]
    #[inline(always)]
    pub(super) fn size_burst(&mut self, room: u64, cwnd: u64, defers: bool, now: Time) {
        let mss = self.options.mss;
        if room < 2 * mss {
            // Most bursts of an unpaced flow whose window is full: a segment for each that has left.
            self.pacer.begin_burst(1, now);
            return;
        }
        // `tcp_cwnd_test`: no more than half the window at once.
        let mut bytes = cwnd / 2;
        if defers {
            // Of what is offered, the last segment need not be a full one.
            bytes = bytes.min(room).min(self.offered() + (mss - 1));
        }
        let segments = segments_of(bytes, mss, self.least_segments(), || self.burst_bytes());
        self.pacer.begin_burst(segments, now);
        if defers {
            self.pacer.push_burst();
        }
    }

    /// `tcp_tso_should_defer`: a burst that is not full waits for the next ACK, where that is near and little may be sent yet.
    fn may_send_now(&self, room: u64, cwnd: u64, now: Time) -> Result<(), Limit> {
        let next = self.board.next();
        let offered = self.peer_edge.saturating_sub(next);
        let limit = room.min(offered);
        let window = cwnd.min(self.peer_edge.saturating_sub(self.board.una()));
        let (unsent, is_open) = self.head();
        // A single segment waits for nothing, nor does what ends the data; less than could be sent waits for more to be written.
        let is_last = unsent <= self.full_segment() || unsent <= limit && (self.written.closed || !is_open);
        let is_worth_it = || limit >= window / WINDOW_DIVISOR || is_last;
        // Last, because it is most work: a rate is a quotient.
        let is_full = || limit >= self.least_segments() * self.options.mss && self.is_burst(limit);
        if self.is_rested(now) || is_worth_it() || is_full() {
            return Ok(());
        }
        Err(match limit {
            limit if limit > unsent => Limit::Application,
            _ if room < offered => Limit::Cwnd,
            _ => Limit::ReceiveWindow,
        })
    }

    /// Whether so much time has passed since the last segment that none waits.
    fn is_rested(&self, now: Time) -> bool {
        now.since(self.pacer.opens_at().max(self.last_sent_at)) > PATIENCE
    }

    /// Bytes that the receiver's window and the application have left.
    fn offered(&self) -> u64 {
        self.peer_edge.saturating_sub(self.board.next()).min(self.head().0)
    }

    fn unsent(&self) -> u64 {
        if self.written.has_more {
            u64::MAX
        } else {
            self.written.bytes.saturating_sub(self.board.next())
        }
    }

    /// Whether the ACK of the oldest segment out is due soon, by the smoothed RTT.
    fn is_ack_near(&self, now: Time) -> bool {
        let Some(oldest) = self.board.first_number() else {
            return false;
        };
        let srtt = self.rtt.srtt();
        let expected = self.board.get(oldest).sent_at.saturating_add(srtt);
        expected.since(now) <= PATIENCE.min(srtt / 2)
    }

    /// Segments that any rate allows at once.
    fn least_segments(&self) -> u64 {
        if self.decision.pacing_rate.is_some() { 1 } else { LEAST_SEGMENTS }
    }

    /// Whether so many bytes hold all the segments that the rate allows at once.
    fn is_burst(&self, bytes: u64) -> bool {
        let burst = self.burst_bytes();
        // Its segments are whole ones: what is above them need not be there.
        bytes >= burst / self.options.mss * self.options.mss
    }

    /// Bytes that the rate allows at once, of which whole segments are sent.
    fn burst_bytes(&self) -> u64 {
        let rate = self.host_rate();
        let is_single = self.decision.pacing_rate.is_some() && rate < SINGLE_SEGMENT_RATE;
        let least = if is_single { 1 } else { LEAST_SEGMENTS };
        offload::burst_bytes(rate, self.rtt.min_rtt()).max(least * self.options.mss)
    }

    /// `sk_pacing_rate`: the algorithm's, or `tcp_update_pacing_rate`'s: 200 % of the window per RTT below half of ssthresh, 120 % above.
    fn host_rate(&self) -> Rate {
        self.decision.pacing_rate.unwrap_or_else(|| self.window_rate())
    }

    pub(super) fn window_rate(&self) -> Rate {
        let bps = Rate::of(self.rate_window.into(), self.rtt.srtt()).as_bps();
        Rate::from_bps(if self.rate_doubles {
            bps.saturating_mul(2)
        } else {
            bps.saturating_add(bps / 5)
        })
    }

    /// The rate of the window is that of the latest ACK: neither what is sent nor a timer changes it.
    #[inline]
    pub(super) fn note_window_rate(&mut self) {
        let cwnd = self.cwnd();
        self.rate_window = u32::try_from(cwnd.max(self.board.outstanding())).unwrap_or(u32::MAX);
        self.rate_doubles = self.decision.ssthresh.is_none_or(|ssthresh| cwnd < ssthresh / 2);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The least of the bounds in bytes has as many segments as the least of the bounds in segments.
        #[test]
        fn segments_are_those_of_each_bound_by_itself(
            // Small multiples of it, where the bounds differ by a segment or by none.
            mss in 10u64..30,
            [half, room, offered, rate] in proptest::array::uniform4(0u64..100),
            least in 1u64..=2,
            more in 0u64..=1,
        ) {
            let allowed_least = least + more;
            let mut segments = (half / mss).min(room / mss).min(offered.div_ceil(mss)).max(1);
            if segments > least {
                segments = segments.min((rate / mss).max(allowed_least));
            }
            let bytes = half.min(room).min(offered + (mss - 1));
            prop_assert_eq!(segments_of(bytes, mss, least, || rate.max(allowed_least * mss)), segments);
        }
    }
}
