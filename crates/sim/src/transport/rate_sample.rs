//! Delivery-rate samples (draft-ietf-ccwg-bbr section "Delivery Rate Samples"): the rate at which
//! the network delivers, from a stamp that each segment gets when it is sent.

use ackclock_cc::RateSample;
use ackclock_units::{Duration, Rate, Time};

use super::scoreboard::Segment;

/// Rate that stands for no sample. An `Option` would double the size, for many connections.
const NO_SAMPLE: Rate = Rate::from_bps(u64::MAX);

/// The connection's side of the estimator.
#[derive(Clone, Debug)]
pub struct DeliveryRate {
    /// Bytes delivered.
    delivered: u64,
    /// When `delivered` last grew.
    delivered_at: Time,
    /// When the segment that began the current send interval was sent.
    first_sent_at: Time,
    /// Samples are application-limited until more than this is delivered; 0: they are not.
    app_limited_until: u64,
    /// Bytes lost.
    lost: u64,
    /// The latest sample, or [`NO_SAMPLE`].
    latest: Rate,
}

impl Default for DeliveryRate {
    fn default() -> Self {
        Self {
            delivered: 0,
            delivered_at: Time::ZERO,
            first_sent_at: Time::ZERO,
            app_limited_until: 0,
            lost: 0,
            latest: NO_SAMPLE,
        }
    }
}

impl DeliveryRate {
    /// Bytes delivered.
    #[inline]
    pub fn delivered(&self) -> u64 {
        self.delivered
    }

    /// When [`DeliveryRate::delivered`] last grew.
    #[inline]
    pub fn delivered_at(&self) -> Time {
        self.delivered_at
    }

    /// Bytes lost.
    pub fn lost(&self) -> u64 {
        self.lost
    }

    /// The handshake is over: delivery begins now.
    pub fn begin(&mut self, now: Time) {
        self.delivered_at = now;
    }

    /// Sets the clock back to `delivered_at`: data delivered since then does not count for a rate.
    #[inline]
    pub fn restore_clock(&mut self, delivered_at: Time) {
        self.delivered_at = delivered_at;
    }

    /// A copy of delivered data was delivered, too.
    pub fn on_duplicate(&mut self, bytes: u64, now: Time) {
        self.delivered += bytes;
        self.delivered_at = now;
    }

    /// Counts bytes whose delivery duplicate ACKs show.
    pub fn count(&mut self, bytes: u64) {
        self.delivered += bytes;
    }

    /// Takes back bytes of [`DeliveryRate::count`], because the cumulative ACK counts them too.
    pub fn uncount(&mut self, bytes: u64) {
        self.delivered -= bytes;
    }

    /// Bytes are declared lost.
    pub fn on_lost(&mut self, bytes: u64) {
        self.lost += bytes;
    }

    /// Stamps a segment that is about to be sent. `weight`: bytes that it adds to `inflight`;
    /// `is_first`: nothing is outstanding.
    #[inline]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a segment keeps the low bits, which Self::lost_since compares"
    )]
    pub fn stamp(
        &mut self,
        segment: &mut Segment,
        weight: u64,
        now: Time,
        inflight: u64,
        is_first: bool,
    ) {
        if is_first {
            // The sample's clock restarts after idleness, so that the pause does not count as
            // slowness. It goes on where all data out is declared lost: if that was a mistake, the
            // ACKs of the originals come too soon after a restart.
            self.first_sent_at = now;
            self.delivered_at = now;
        }
        segment.sent_at = now;
        segment.delivered = self.delivered;
        segment.delivered_at = self.delivered_at;
        segment.first_sent_at = self.first_sent_at;
        segment.lost = self.lost as u32;
        segment.tx_in_flight = u32::try_from(inflight + weight).unwrap_or(u32::MAX);
        segment.set_app_limited(self.is_app_limited());
    }

    /// The application has no more to send: samples of the data in flight are limited by it.
    pub fn mark_app_limited(&mut self, inflight: u64) {
        self.app_limited_until = (self.delivered + inflight).max(1);
    }

    /// Whether the application limits what is sent now.
    pub fn is_app_limited(&self) -> bool {
        self.app_limited_until > 0
    }

    /// The latest sample.
    pub fn latest(&self) -> Option<Rate> {
        (self.latest != NO_SAMPLE).then_some(self.latest)
    }

    /// Bytes lost since a segment was sent. `stamped`: the segment's [`Segment::lost`].
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the low bits suffice: less than 2^32 bytes are lost while a segment is out"
    )]
    pub fn lost_since(&self, stamped: u32) -> u64 {
        u64::from((self.lost as u32).wrapping_sub(stamped))
    }

    /// A segment of `weight` bytes was delivered. `newest` keeps the segment sent last.
    #[inline]
    pub fn on_delivered(
        &mut self,
        segment: &Segment,
        weight: u64,
        now: Time,
        newest: &mut Option<Segment>,
    ) {
        self.delivered += weight;
        self.delivered_at = now;
        let newer = newest.is_none_or(|n| {
            segment.sent_at > n.sent_at
                || (segment.sent_at == n.sent_at && segment.delivered >= n.delivered)
        });
        if newer {
            *newest = Some(*segment);
            self.first_sent_at = segment.sent_at;
        }
    }

    /// Segments of `weight` bytes that were sent once were delivered in order, `last` as the last.
    #[inline]
    pub fn on_delivered_in_order(&mut self, last: &Segment, weight: u64, now: Time) {
        self.delivered += weight;
        self.delivered_at = now;
        self.first_sent_at = last.sent_at;
    }

    /// The sample of an ACK. None if the interval is shorter than the smallest RTT: then the ACK
    /// answers the original of a segment that was sent again.
    #[expect(clippy::inline_always, reason = "once per ACK, whose facts go through memory")]
    #[inline(always)]
    pub fn sample(
        &mut self,
        newest: Option<&Segment>,
        min_rtt: Duration,
        now: Time,
    ) -> Option<RateSample> {
        if self.delivered > self.app_limited_until {
            self.app_limited_until = 0;
        }
        let newest = newest?;
        let send = newest.sent_at.since(newest.first_sent_at);
        let ack = now.since(newest.delivered_at);
        let interval = send.max(ack);
        let delivered = self.delivered - newest.delivered;
        if interval < min_rtt || interval.is_zero() {
            return None;
        }
        let delivery_rate = Rate::of(delivered, interval);
        self.latest = delivery_rate;
        Some(RateSample {
            delivery_rate,
            interval,
            delivered,
            prior_delivered: newest.delivered,
            lost: self.lost_since(newest.lost),
            tx_in_flight: newest.tx_in_flight.into(),
            is_app_limited: newest.is_app_limited(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MSS: u32 = 1000;

    fn at(ms: u64) -> Time {
        Time::ZERO + Duration::from_millis(ms)
    }

    fn sent(
        rate: &mut DeliveryRate,
        number: u64,
        now: Time,
        inflight: u64,
        is_first: bool,
    ) -> Segment {
        let mut segment = Segment::new(number * u64::from(MSS), MSS, false);
        rate.stamp(&mut segment, u64::from(MSS), now, inflight, is_first);
        segment
    }

    #[test]
    fn after_a_pause_the_interval_begins_with_the_first_segment() {
        let mut rate = DeliveryRate::default();
        let segment = sent(&mut rate, 0, at(5000), 0, true);
        let mut newest = None;
        rate.on_delivered(&segment, u64::from(MSS), at(5100), &mut newest);
        let sample = rate.sample(newest.as_ref(), Duration::from_millis(100), at(5100)).unwrap();
        assert_eq!(sample.interval, Duration::from_millis(100));
    }

    #[test]
    fn a_timeout_that_was_spurious_gives_no_short_interval() {
        let mut rate = DeliveryRate::default();
        let first = sent(&mut rate, 0, at(0), 0, true);
        let second = sent(&mut rate, 1, at(0), 1000, false);
        // Both are declared lost, and the first is sent again before the originals' ACKs come.
        let again = sent(&mut rate, 0, at(300), 0, false);
        assert_eq!(again.first_sent_at, first.first_sent_at);
        let mut newest = None;
        rate.on_delivered(&second, u64::from(MSS), at(310), &mut newest);
        rate.on_delivered(&again, u64::from(MSS), at(310), &mut newest);
        let sample = rate.sample(newest.as_ref(), Duration::from_millis(100), at(310)).unwrap();
        assert_eq!(sample.interval, Duration::from_millis(310));
    }

    #[test]
    fn what_was_lost_meanwhile_is_right_beyond_four_gigabytes() {
        let mut rate = DeliveryRate { lost: u64::from(u32::MAX) - 999, ..DeliveryRate::default() };
        let segment = sent(&mut rate, 0, at(0), 0, true);
        rate.lost += 3000;
        assert_eq!(rate.lost_since(segment.lost), 3000);
    }
}
