//! When the next packet may leave.
//!
//! As Linux's internal pacing: a burst leaves at once and is paid for afterwards (`tcp_update_skb_after_send`); those of the first
//! packets are free.

use ackclock_units::{Duration, Rate, Time};

/// The burst with this packet is the first that is paid for.
const FIRST_PAID_PACKET: u8 = 10;

/// The gate.
#[derive(Clone, Debug, Default)]
pub struct Pacer {
    opens_at: Time,
    /// Packets of the burst that is leaving.
    burst_left: u32,
    is_pushed: bool,
    is_paid: bool,
    /// No packet of the burst has left yet.
    is_fresh: bool,
    /// What is left of the time by which the burst came late, which it need not wait for afterwards.
    credit: Duration,
    /// Packets sent, counted as far as the first that is paid for.
    first_packets: u8,
}

impl Pacer {
    /// When it opens, if it is shut at `now`.
    #[must_use]
    pub fn shut_until(&self, now: Time) -> Option<Time> {
        self.is_shut(now).then_some(self.opens_at)
    }

    /// Whether it is shut at `now`.
    #[must_use]
    pub fn is_shut(&self, now: Time) -> bool {
        self.opens_at > now && self.burst_left == 0
    }

    /// How long it stays shut from `now`.
    #[must_use]
    pub fn wait(&self, now: Time) -> Duration {
        self.opens_at.since(now)
    }

    /// When the last burst was paid for.
    #[must_use]
    pub fn opens_at(&self) -> Time {
        self.opens_at
    }

    /// Whether a burst is leaving.
    #[must_use]
    pub fn is_in_burst(&self) -> bool {
        self.burst_left > 0
    }

    /// Whether the next packet is the first of its burst.
    #[must_use]
    pub fn begins_burst(&self) -> bool {
        self.is_fresh || self.burst_left == 0
    }

    /// Whether the next packet ends a burst of several whose size was known.
    #[must_use]
    pub fn ends_burst(&self) -> bool {
        self.burst_left == 1 && self.is_pushed
    }

    /// The burst that leaves is of one host segment, several packets long: its last packet carries PSH (Linux's `__tcp_transmit_skb`).
    pub fn push_burst(&mut self) {
        self.is_pushed = self.burst_left > 1;
    }

    /// A burst of at most `packets` leaves.
    pub fn begin_burst(&mut self, packets: u64, now: Time) {
        // No burst has more: they all leave at the same time.
        self.burst_left = u32::try_from(packets).unwrap_or(u32::MAX);
        self.is_pushed = false;
        self.is_fresh = true;
        self.is_paid = packets >= u64::from(FIRST_PAID_PACKET - self.first_packets);
        self.credit = now.since(self.opens_at);
    }

    /// A packet has left.
    pub fn on_sent(&mut self) {
        self.first_packets = FIRST_PAID_PACKET.min(self.first_packets + 1);
        self.burst_left = self.burst_left.saturating_sub(1);
        self.is_fresh = false;
    }

    /// And its `payload` is paid for.
    pub fn pay(&mut self, payload: u64, rate: Rate, now: Time) {
        if !self.is_paid {
            // Linux's clock of departures goes on: what follows at once is not late.
            self.opens_at = self.opens_at.max(now);
            return;
        }
        let time = rate.time_for(payload);
        let credited = self.credit.min(time / 2);
        self.credit = self.credit - credited;
        self.opens_at = self.opens_at.max(now).saturating_add(time - credited);
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

    fn burst(pacer: &mut Pacer, packets: u64, now: Time) {
        pacer.begin_burst(packets, now);
        while pacer.is_in_burst() {
            pacer.on_sent();
            pacer.pay(MSS, SLOW, now);
        }
    }

    #[test]
    fn what_leaves_late_shortens_the_next_wait_by_half_at_most() {
        let mut pacer = Pacer::default();
        burst(&mut pacer, 9, Time::ZERO);
        assert_eq!(pacer.shut_until(Time::ZERO), None, "the first are free");
        burst(&mut pacer, 1, Time::ZERO);
        let due = Time::ZERO + Duration::from_millis(8);
        assert_eq!(pacer.shut_until(Time::ZERO), Some(due));
        // 1 ms late: the one after it is due when it would have been without that.
        let late = due + Duration::from_millis(1);
        burst(&mut pacer, 1, late);
        assert_eq!(pacer.shut_until(late), Some(due + Duration::from_millis(8)));
        let much_later = Time::ZERO + Duration::from_secs(1);
        burst(&mut pacer, 2, much_later);
        assert_eq!(pacer.wait(much_later), Duration::from_millis(8));
    }

    #[test]
    fn the_burst_with_the_tenth_packet_is_paid_for_whole() {
        let mut pacer = Pacer::default();
        burst(&mut pacer, 7, Time::ZERO);
        burst(&mut pacer, 4, Time::ZERO);
        assert_eq!(pacer.wait(Time::ZERO), Duration::from_millis(32));
    }
}
