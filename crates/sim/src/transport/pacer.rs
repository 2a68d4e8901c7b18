//! When the next packet may leave.
//!
//! Bursts follow Linux's internal pacing: as much as 1 ms of the rate holds, at least two segments, leaves at once and
//! is paid for afterwards (`tcp_tso_autosize`, `tcp_update_skb_after_send`); the first ten packets are not paced.

use ackclock_units::{Duration, Rate, Time};

const BURST: Duration = Duration::from_millis(1);
const MIN_BURST_SEGMENTS: u64 = 2;
const UNPACED_PACKETS: u64 = 10;

/// The gate.
#[derive(Clone, Debug, Default)]
pub struct Pacer {
    opens_at: Time,
    burst_left: u64,
    sent_packets: u64,
}

impl Pacer {
    /// When it opens, if it is shut at `now`.
    #[must_use]
    pub fn shut_until(&self, now: Time) -> Option<Time> {
        (self.burst_left == 0 && self.opens_at > now).then_some(self.opens_at)
    }

    /// A packet with `payload` bytes left.
    pub fn on_sent(&mut self, payload: u64, rate: Rate, mss: u64, now: Time) {
        self.sent_packets += 1;
        if self.sent_packets <= UNPACED_PACKETS {
            return;
        }
        if self.burst_left == 0 {
            self.burst_left = (rate.bytes_in(BURST) / mss).max(MIN_BURST_SEGMENTS) * mss;
        }
        self.burst_left = self.burst_left.saturating_sub(payload.max(mss));
        self.opens_at = self.opens_at.max(now).saturating_add(rate.time_for(payload));
    }

    /// The sender has nothing more to send now: the rest of a burst is not kept for later.
    pub fn end_burst(&mut self) {
        self.burst_left = 0;
    }
}
