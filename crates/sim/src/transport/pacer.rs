//! When the next packet may leave.
//!
//! Bursts follow Linux's internal pacing: as much as 1/1024 s of the rate holds, at least two segments, leaves at once and
//! is paid for afterwards (`tcp_tso_autosize`, `tcp_update_skb_after_send`); the first ten packets are not paced.

use ackclock_units::{Duration, Rate, Time};

/// `sk_pacing_shift`: a 1024th of a second.
const BURST: Duration = Duration::from_ps(1_000_000_000_000 / 1024);
/// Linux's largest segment before the host cuts it (`GSO_LEGACY_MAX_SIZE` less the headers' room).
const MAX_BURST_BYTES: u64 = 65_215;
const MIN_BURST_SEGMENTS: u64 = 2;
/// Below this an algorithm that sets its own rate sends single segments (Linux's `bbr_min_tso_segs`).
const SINGLE_SEGMENT_RATE: Rate = Rate::from_bps(1_200_000);
const UNPACED_PACKETS: u64 = 10;

/// The gate.
#[derive(Clone, Debug, Default)]
pub struct Pacer {
    /// Whether the rates are an algorithm's own.
    is_own_rate: bool,
    opens_at: Time,
    burst_left: u64,
    /// What is left of the time by which the burst came late, which it need not wait for afterwards.
    credit: Duration,
    sent_packets: u64,
}

impl Pacer {
    /// Before the first packet; `is_own_rate`: the algorithm sets its rates itself.
    #[must_use]
    pub fn new(is_own_rate: bool) -> Self {
        Self {
            is_own_rate,
            ..Self::default()
        }
    }

    /// When it opens, if it is shut at `now`.
    #[must_use]
    pub fn shut_until(&self, now: Time) -> Option<Time> {
        (self.burst_left == 0 && self.opens_at > now).then_some(self.opens_at)
    }

    /// How long it stays shut from `now`.
    #[must_use]
    pub fn wait(&self, now: Time) -> Duration {
        self.opens_at.since(now)
    }

    /// A packet with `payload` bytes left.
    pub fn on_sent(&mut self, payload: u64, rate: Rate, mss: u64, now: Time) {
        self.sent_packets += 1;
        if self.sent_packets <= UNPACED_PACKETS {
            return;
        }
        if self.burst_left == 0 {
            let is_single = self.is_own_rate && rate < SINGLE_SEGMENT_RATE;
            let smallest = if is_single { 1 } else { MIN_BURST_SEGMENTS };
            self.burst_left = (rate.bytes_in(BURST).min(MAX_BURST_BYTES) / mss).max(smallest) * mss;
            self.credit = now.since(self.opens_at);
        }
        self.burst_left = self.burst_left.saturating_sub(payload.max(mss));
        let time = rate.time_for(payload);
        let paid = self.credit.min(time / 2);
        self.credit = self.credit - paid;
        self.opens_at = self.opens_at.max(now).saturating_add(time - paid);
    }

    /// The sender has nothing more to send now: the rest of a burst is not kept for later.
    pub fn end_burst(&mut self) {
        self.burst_left = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;
    /// A segment per 8 ms.
    const SLOW: Rate = Rate::from_bps(1_000_000);

    fn after_the_unpaced(is_own_rate: bool, rate: Rate, now: Time) -> Pacer {
        let mut pacer = Pacer::new(is_own_rate);
        for _ in 0..UNPACED_PACKETS {
            pacer.on_sent(MSS, rate, MSS, now);
        }
        assert_eq!(pacer.shut_until(now), None);
        pacer
    }

    fn burst(pacer: &mut Pacer, rate: Rate, now: Time) -> u64 {
        let mut sent = 0;
        while pacer.shut_until(now).is_none() {
            pacer.on_sent(MSS, rate, MSS, now);
            sent += 1;
        }
        pacer.end_burst();
        sent
    }

    #[test]
    fn bursts_are_a_1024th_of_a_second_of_the_rate_within_bounds() {
        for (bps, own, expected) in [
            (1_000_000, false, 2),
            (1_000_000, true, 1),
            (1_200_000, true, 2),
            (80_000_000, true, 9),
            (100_000_000, true, 12),
            (10_000_000_000, true, 65),
        ] {
            let rate = Rate::from_bps(bps);
            let mut pacer = after_the_unpaced(own, rate, Time::ZERO);
            assert_eq!(burst(&mut pacer, rate, Time::ZERO), expected, "{bps} bit/s");
        }
    }

    #[test]
    fn what_leaves_late_shortens_the_next_wait_by_half_at_most() {
        let mut pacer = after_the_unpaced(true, SLOW, Time::ZERO);
        assert_eq!(burst(&mut pacer, SLOW, Time::ZERO), 1);
        let due = Time::ZERO + Duration::from_millis(8);
        assert_eq!(pacer.shut_until(Time::ZERO), Some(due));
        // 1 ms late: the one after it is due when it would have been without that.
        let late = due + Duration::from_millis(1);
        burst(&mut pacer, SLOW, late);
        assert_eq!(pacer.shut_until(late), Some(due + Duration::from_millis(8)));
        let much_later = Time::ZERO + Duration::from_secs(1);
        burst(&mut pacer, SLOW, much_later);
        assert_eq!(pacer.wait(much_later), Duration::from_millis(4));
    }
}
