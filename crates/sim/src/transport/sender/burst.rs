//! Bursts: the number of segments that the host hands over at once, and when it waits for more.

use ackclock_units::{Duration, Rate, Time};

use super::Sender;
use crate::transport::accounting::Limit;
use crate::transport::offload;

/// An algorithm's pacing rate below which bursts are single segments (Linux's `bbr_min_tso_segs`).
const SINGLE_SEGMENT_RATE: Rate = Rate::from_bps(1_200_000);
/// Segments that may be sent at once at any rate (Linux's `tcp_min_tso_segs`).
const LEAST_SEGMENTS: u64 = 2;
/// Longest time since the last segment, and longest time to the next ACK, with which a host waits
/// (`tcp_tso_should_defer`, since Linux 6.18).
const PATIENCE: Duration = Duration::from_millis(1);
/// A third of the window is worth sending at once (`tcp_tso_win_divisor`).
const WINDOW_DIVISOR: u64 = 3;

/// Whole segments in `bytes` and in the bytes that the rate allows, at least one. `allowed`
/// computes the bytes that the rate allows, `least` segments or more; it is called only if it can
/// matter. Bounds compare in bytes, so that one division suffices.
fn segments_of(bytes: u64, mss: u64, least: u64, allowed: impl FnOnce() -> u64) -> u64 {
    let bytes = if bytes < (least + 1) * mss { bytes } else { bytes.min(allowed()) };
    (bytes / mss).max(1)
}

impl Sender {
    /// Cuts data written since the last answer into host segments.
    pub(super) fn cut_what_is_written(&mut self) {
        let next = self.board.next();
        self.buffer.forget_before(next);
        if self.options.tso_defer {
            self.buffer.cut(next, self.peer.host_segment());
        }
    }

    /// Grows the next host segment to the bytes that may be sent at once (`tcp_grow_skb`).
    fn grow_head(&mut self, room: u64, cwnd: u64) {
        let most = self.segments_of((cwnd / 2).min(room));
        let next = self.board.next();
        self.buffer.forget_before(next);
        self.buffer.grow_head(next + most * self.peer.full_segment());
    }

    /// Begins a burst of the host. `room`: bytes that the congestion window leaves. Returns the
    /// limit if the host waits for more instead.
    pub(super) fn begin_burst(
        &mut self,
        room: u64,
        cwnd: u64,
        is_new: bool,
        now: Time,
    ) -> Result<(), Limit> {
        if !is_new && self.options.tso_defer && self.pacing_rate().is_some() {
            self.size_repair(room, now);
            return Ok(());
        }
        let defers = is_new && self.options.tso_defer;
        if defers && self.buffer.is_cut() {
            self.grow_head(room, cwnd);
        }
        if !self.options.tso_defer && self.pacing_rate().is_none() {
            // Nothing limits the burst.
            self.pacer.begin_burst(u64::MAX, now);
            return Ok(());
        }
        if defers && !self.episode.is_repairing() && self.is_ack_near(now) {
            self.may_send_now(room, cwnd, now)?;
        }
        self.size_burst(room, cwnd, defers, now);
        Ok(())
    }

    /// Begins a burst of retransmissions: the lost segments of one host segment, as many as window
    /// and rate allow (Linux's `tcp_xmit_retransmit_queue`).
    fn size_repair(&mut self, room: u64, now: Time) {
        let Some(first) = self.board.next_lost() else { return };
        let most = self.segments_of(room);
        let count = self.board.lost_together(first, most, self.peer.edge());
        self.board.cut_before(first + count);
        self.pacer.begin_burst(count, now);
    }

    /// Begins a burst of as many segments as the host hands over at once.
    #[inline(always)]
    pub(super) fn size_burst(&mut self, room: u64, cwnd: u64, defers: bool, now: Time) {
        let mss = self.options.mss;
        if room < 2 * mss {
            // The usual case of a full window without pacing: there is room for one segment.
            self.pacer.begin_burst(1, now);
            return;
        }
        // `tcp_cwnd_test`: no more than half the window at once.
        let mut bytes = cwnd / 2;
        if defers {
            // The last segment need not be a full one.
            bytes = bytes.min(room).min(self.offered() + (mss - 1));
        }
        self.pacer.begin_burst(self.segments_of(bytes), now);
        if defers {
            self.pacer.push_burst();
        }
    }

    /// Whether a burst may leave before the next ACK, which is due soon. Returns the limit if the
    /// burst is not full and too small to be worth it (`tcp_tso_should_defer`).
    fn may_send_now(&self, room: u64, cwnd: u64, now: Time) -> Result<(), Limit> {
        let next = self.board.next();
        let offered = self.peer.room(next);
        let limit = room.min(offered);
        let window = cwnd.min(self.peer.room(self.board.una()));
        let (unsent, is_open) = self.buffer.head(next);
        // Neither a single segment nor the end of the data waits.
        let is_last = unsent <= self.peer.full_segment()
            || unsent <= limit && (self.buffer.is_closed() || !is_open);
        let is_worth_it = || limit >= window / WINDOW_DIVISOR || is_last;
        // Asked last, because a rate costs a division.
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

    /// Whether the host has sent nothing for so long that no burst waits.
    fn is_rested(&self, now: Time) -> bool {
        now.since(self.pacer.opens_at().max(self.connection.last_sent_at())) > PATIENCE
    }

    /// Bytes that the receiver's window and the application have left.
    fn offered(&self) -> u64 {
        let next = self.board.next();
        self.peer.room(next).min(self.buffer.head(next).0)
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

    /// Segments that may be sent at once at any rate.
    fn least_segments(&self) -> u64 {
        if self.control.pacing_rate().is_some() { 1 } else { LEAST_SEGMENTS }
    }

    /// Whether `bytes` hold all the whole segments that the rate allows at once.
    fn is_burst(&self, bytes: u64) -> bool {
        let mss = self.options.mss;
        if self.control.pacing_rate().is_none()
            && self.window_use.has_more_per_burst(bytes + mss, self.rtt.srtt())
        {
            return false;
        }
        bytes >= self.burst_bytes() / mss * mss
    }

    /// Whole segments in `bytes` and in the bytes that the rate allows, at least one.
    #[inline]
    fn segments_of(&self, bytes: u64) -> u64 {
        segments_of(bytes, self.options.mss, self.least_segments(), || self.burst_bytes())
    }

    /// Bytes that the rate allows at once.
    fn burst_bytes(&self) -> u64 {
        let rate = self.host_rate();
        let is_single = self.control.pacing_rate().is_some() && rate < SINGLE_SEGMENT_RATE;
        let least = if is_single { 1 } else { LEAST_SEGMENTS };
        offload::burst_bytes(rate, self.rtt.min_rtt()).max(least * self.options.mss)
    }

    /// Linux's `sk_pacing_rate`: the algorithm's, or the window's (`tcp_update_pacing_rate`).
    fn host_rate(&self) -> Rate {
        self.control.pacing_rate().unwrap_or_else(|| self.window_use.rate(self.rtt.srtt()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        /// The least bound in bytes has as many segments as the least bound in segments.
        #[test]
        fn segments_are_those_of_each_bound_by_itself(
            // Bounds are small multiples of the mss, which differ by a segment or by none.
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
            let counted = segments_of(bytes, mss, least, || rate.max(allowed_least * mss));
            prop_assert_eq!(counted, segments);
        }
    }
}
