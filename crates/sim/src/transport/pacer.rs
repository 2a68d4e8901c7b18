//! The pacer, which says when the next packet may leave.
//!
//! It works as Linux's internal pacing: a burst leaves at once and is paid for afterwards
//! (`tcp_update_skb_after_send`). Bursts of a connection's first packets are free.

use ackclock_units::{Duration, Rate, Time};

/// Number of the packet with whose burst paying begins.
const FIRST_PAID_PACKET: u8 = 10;

/// A gate that opens for a burst and stays shut until the burst is paid for.
#[derive(Clone, Debug, Default)]
pub struct Pacer {
    opens_at: Time,
    /// Packets of the burst that is leaving.
    burst_left: u32,
    /// The last packet of the burst carries PSH.
    is_pushed: bool,
    /// The burst has to be paid for.
    is_paid: bool,
    /// No packet of the burst has left yet.
    is_fresh: bool,
    /// Time by which the burst came late, as far as it has not shortened a wait yet.
    credit: Duration,
    /// Packets sent, counted as far as the first that is paid for.
    first_packets: u8,
}

impl Pacer {
    /// When the gate opens, if it is shut at `now`.
    pub fn shut_until(&self, now: Time) -> Option<Time> {
        self.is_shut(now).then_some(self.opens_at)
    }

    /// Whether the gate is shut at `now`.
    pub fn is_shut(&self, now: Time) -> bool {
        self.opens_at > now && self.burst_left == 0
    }

    /// Time from `now` until the gate opens.
    pub fn wait(&self, now: Time) -> Duration {
        self.opens_at.since(now)
    }

    /// When the last burst is paid for.
    pub fn opens_at(&self) -> Time {
        self.opens_at
    }

    /// Whether a burst is leaving.
    pub fn is_in_burst(&self) -> bool {
        self.burst_left > 0
    }

    /// Whether the next packet is the first of its burst.
    pub fn begins_burst(&self) -> bool {
        self.is_fresh || self.burst_left == 0
    }

    /// Whether the next packet ends a burst that [`Pacer::push_burst`] has marked.
    pub fn ends_burst(&self) -> bool {
        self.burst_left == 1 && self.is_pushed
    }

    /// Packets that the burst has left.
    pub fn burst_left(&self) -> u64 {
        self.burst_left.into()
    }

    /// Whether a packet is the last of a burst that [`Pacer::push_burst`] has marked, if it is the
    /// last of `count` packets that leave now.
    pub fn pushes_after(&self, count: u64) -> bool {
        self.is_pushed && self.burst_left() == count
    }

    /// The burst is a host segment: the last of several packets carries PSH (`__tcp_transmit_skb`).
    pub fn push_burst(&mut self) {
        self.is_pushed = self.burst_left > 1;
    }

    /// The connection is open. Its last segment has left now, without a wait: a burst that follows
    /// at once is not late (Linux's `tcp_wstamp_ns` after the handshake's ACK).
    pub fn open(&mut self, now: Time) {
        self.opens_at = self.opens_at.max(now);
    }

    /// Begins a burst of at most `packets`.
    pub fn begin_burst(&mut self, packets: u64, now: Time) {
        // No burst has 2^32 packets: they all leave at the same time.
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

    /// As many packets of the burst have left, at least one.
    pub fn on_all_sent(&mut self, count: u64) {
        self.first_packets = u64::from(self.first_packets)
            .saturating_add(count)
            .try_into()
            .map_or(FIRST_PAID_PACKET, |packets: u8| packets.min(FIRST_PAID_PACKET));
        self.burst_left = u32::try_from(self.burst_left().saturating_sub(count)).unwrap_or(0);
        self.is_fresh = false;
    }

    /// Pays for a packet's `payload` at `rate`.
    pub fn pay(&mut self, payload: u64, rate: Rate, now: Time) {
        if !self.is_paid {
            // Linux's clock of departures goes on: a burst that follows at once is not late.
            self.opens_at = self.opens_at.max(now);
            return;
        }
        let time = rate.time_for(payload);
        let credited = self.credit.min(time / 2);
        self.credit = self.credit - credited;
        self.opens_at = self.opens_at.max(now).saturating_add(time - credited);
    }

    /// The sender has nothing more to send now, so the rest of the burst is dropped.
    pub fn end_burst(&mut self) {
        self.burst_left = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u64 = 1000;
    /// One segment per 8 ms.
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
        // The burst is 1 ms late: the next one is due when it would have been without that.
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

    #[test]
    fn a_burst_that_begins_a_connection_is_not_late_at_any_time_of_the_run() {
        for begin in [Duration::ZERO, Duration::from_secs(120)] {
            let (mut pacer, now) = (Pacer::default(), Time::ZERO + begin);
            pacer.open(now);
            burst(&mut pacer, 10, now);
            assert_eq!(pacer.wait(now), Duration::from_millis(80));
        }
    }
}
