//! Round-trip time and retransmission timeout, RFC 6298.

use ackclock_units::{Duration, Time};

use crate::histogram::DurationHistogram;

/// Clock granularity G of RFC 6298; the simulator's clock is exact, so it only keeps the RTO above the RTT.
const GRANULARITY: Duration = Duration::from_millis(1);

/// How the RTO is made of the estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RtoBounds {
    /// Smallest RTO.
    pub min: Duration,
    /// Largest RTO.
    pub max: Duration,
    /// Before the first sample.
    pub initial: Duration,
    /// Linux: the minimum bounds the variance term, so that the RTO is at least srtt + min; RFC 6298 (2.4): the RTO itself.
    pub min_bounds_variance: bool,
}

/// The estimator.
#[derive(Clone, Debug)]
pub struct RttEstimator {
    /// Zero before any sample, as the three after it.
    srtt: Duration,
    rttvar: Duration,
    min_rtt: Duration,
    latest: Duration,
    has_sample: bool,
    /// RFC 6298 (5.5): doubles at each timeout.
    backoff: u32,
    /// Every sample since the warm-up; of none, nothing.
    histogram: Option<Box<DurationHistogram>>,
}

impl Default for RttEstimator {
    fn default() -> Self {
        Self::new()
    }
}

impl RttEstimator {
    /// Without a sample.
    #[must_use]
    pub fn new() -> Self {
        Self {
            srtt: Duration::ZERO,
            rttvar: Duration::ZERO,
            min_rtt: Duration::ZERO,
            latest: Duration::ZERO,
            has_sample: false,
            backoff: 0,
            histogram: None,
        }
    }

    /// RFC 6298 (2.2) and (2.3), with alpha 1/8 and beta 1/4. `smoothed` goes into srtt, `newest` (the segment that
    /// waited least for its ACK) into the minimum and the record; Linux makes the same difference.
    pub fn sample(&mut self, smoothed: Duration, newest: Duration) {
        self.latest = newest;
        self.histogram.get_or_insert_default().record(newest);
        if self.has_sample {
            self.min_rtt = self.min_rtt.min(newest);
            self.rttvar = Duration::from_ps((3 * self.rttvar.as_ps() + self.srtt.abs_diff(smoothed).as_ps()) / 4);
            self.srtt = Duration::from_ps((7 * self.srtt.as_ps() + smoothed.as_ps()) / 8);
        } else {
            self.has_sample = true;
            self.min_rtt = newest;
            self.rttvar = smoothed / 2;
            self.srtt = smoothed;
        }
    }

    /// Forgets the record of all samples, not what was learned from them.
    pub fn clear_record(&mut self) {
        if let Some(histogram) = &mut self.histogram {
            histogram.clear();
        }
    }

    /// Goes on with the record of another.
    pub fn follow(&mut self, last: Self) {
        self.histogram = last.histogram;
    }

    /// Every sample since the warm-up.
    #[must_use]
    pub fn into_record(self) -> DurationHistogram {
        self.histogram.map_or_else(DurationHistogram::new, |histogram| *histogram)
    }

    /// Smoothed RTT; the first estimate before any sample is zero.
    #[must_use]
    pub fn srtt(&self) -> Duration {
        self.srtt
    }
    /// Whether there was a sample.
    #[must_use]
    pub fn has_sample(&self) -> bool {
        self.has_sample
    }
    /// RTT variation.
    #[must_use]
    pub fn rttvar(&self) -> Duration {
        self.rttvar
    }
    /// Smallest sample; zero before any.
    #[must_use]
    pub fn min_rtt(&self) -> Duration {
        self.min_rtt
    }
    /// The latest sample.
    #[must_use]
    pub fn latest(&self) -> Option<Duration> {
        self.has_sample.then_some(self.latest)
    }

    /// The RTO, backed off.
    #[must_use]
    pub fn rto(&self, bounds: &RtoBounds) -> Duration {
        let spread = (self.rttvar * 4).max(GRANULARITY);
        let base = if !self.has_sample {
            bounds.initial
        } else if bounds.min_bounds_variance {
            self.srtt + spread.max(bounds.min)
        } else {
            (self.srtt + spread).max(bounds.min)
        };
        base.saturating_mul(1 << self.backoff.min(30)).min(bounds.max)
    }

    /// A timeout happened: RFC 6298 (5.5).
    pub fn back_off(&mut self) {
        self.backoff += 1;
    }

    /// New data was acknowledged: the next RTO is computed from the estimate again.
    pub fn reset_backoff(&mut self) {
        self.backoff = 0;
    }

    /// How many timeouts there were since an ACK of new data.
    #[must_use]
    pub fn backoff(&self) -> u32 {
        self.backoff
    }
}

/// The usual step of that clock.
const MILLISECOND: Duration = Duration::from_millis(1);

/// The clock of the timestamps option (RFC 7323 section 5.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimestampClock {
    /// One step.
    pub tick: Duration,
    /// How far it is past one when the run begins.
    pub phase: Duration,
}

impl TimestampClock {
    /// As the option carries it.
    #[must_use]
    #[expect(clippy::cast_possible_truncation, reason = "timestamps wrap at 32 bits by design")]
    #[inline]
    pub fn at(self, now: Time) -> u32 {
        let clock = (now + self.phase).as_ps();
        // Division by a constant is a multiplication, and this is asked for every packet.
        let ticks = if self.tick.as_ps() == MILLISECOND.as_ps() {
            clock / MILLISECOND.as_ps()
        } else {
            clock / self.tick.as_ps()
        };
        ticks as u32
    }

    /// From `earlier` to `later`; zero if it is the other way round.
    #[must_use]
    pub fn between(self, earlier: u32, later: u32) -> Duration {
        let ticks = later.wrapping_sub(earlier).cast_signed().max(0);
        self.tick.saturating_mul(u64::from(ticks.unsigned_abs()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RFC: RtoBounds = RtoBounds {
        min: Duration::from_millis(200),
        max: Duration::from_secs(120),
        initial: Duration::from_secs(1),
        min_bounds_variance: false,
    };
    const LINUX: RtoBounds = RtoBounds {
        min_bounds_variance: true,
        ..RFC
    };

    #[test]
    fn first_sample_sets_srtt_and_half_of_it_as_variation() {
        let mut e = RttEstimator::new();
        assert_eq!(e.rto(&RFC), Duration::from_secs(1));
        e.sample(Duration::from_millis(100), Duration::from_millis(100));
        assert_eq!(e.srtt(), Duration::from_millis(100));
        assert_eq!(e.rttvar(), Duration::from_millis(50));
        assert_eq!(e.rto(&RFC), Duration::from_millis(300));
    }

    #[test]
    fn later_samples_move_by_an_eighth_and_a_quarter() {
        let mut e = RttEstimator::new();
        e.sample(Duration::from_millis(100), Duration::from_millis(100));
        e.sample(Duration::from_millis(180), Duration::from_millis(180));
        assert_eq!(e.rttvar(), Duration::from_micros(57_500));
        assert_eq!(e.srtt(), Duration::from_millis(110));
    }

    #[test]
    fn minimum_bounds_the_rto_or_the_variance() {
        let (mut rfc, mut linux) = (RttEstimator::new(), RttEstimator::new());
        for _ in 0..100 {
            rfc.sample(Duration::from_millis(50), Duration::from_millis(50));
            linux.sample(Duration::from_millis(50), Duration::from_millis(50));
        }
        assert_eq!(rfc.rto(&RFC), Duration::from_millis(200));
        assert_eq!(linux.rto(&LINUX), Duration::from_millis(250));
        linux.back_off();
        assert_eq!(linux.rto(&LINUX), Duration::from_millis(500));
    }
}
