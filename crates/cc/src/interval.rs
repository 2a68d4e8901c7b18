//! Monitor intervals: bytes sent, delivered and lost in a short time (Dong et al.,
//! PCC, NSDI 2015).

use crate::{Duration, Rate, Time};

/// A monitor interval that begins.
#[derive(Clone, Copy, Debug)]
pub struct IntervalStart {
    /// Number of the interval, from 0.
    pub number: u64,
    /// The current instant.
    pub now: Time,
    /// Smoothed RTT; `None` before the first sample.
    pub srtt: Option<Duration>,
}

/// A monitor interval whose segments are all delivered or lost.
#[derive(Clone, Copy, Debug)]
pub struct Interval {
    /// Number of the interval, from 0.
    pub number: u64,
    /// Instant at which the first segment of the interval was sent.
    pub start: Time,
    /// Instant at which the first segment after the interval was sent.
    pub end: Time,
    /// Pacing rate in force when the interval began.
    pub pacing_rate: Option<Rate>,
    /// Payload sent, bytes, with retransmissions.
    pub sent: u64,
    /// Bytes of `sent` that were delivered.
    pub delivered: u64,
    /// Bytes of `sent` that were lost.
    pub lost: u64,
    /// Whether something other than pacing held the sender back.
    pub is_limited: bool,
    /// RTT samples of the interval's segments.
    pub rtt: RttTrend,
}

impl Interval {
    /// Length of the interval.
    #[must_use]
    pub fn duration(&self) -> Duration {
        self.end.since(self.start)
    }
}

/// RTT samples over the time at which their segments were sent, and the least-squares line through
/// them.
///
/// In a queue, the slope over the time of sending is (S - C) / C: the excess of the offered rate S
/// over the link's rate C, as a share of C.
#[derive(Clone, Copy, Debug, Default)]
pub struct RttTrend {
    samples: u32,
    origin: Option<(Time, Duration)>,
    last: Duration,
    sum_t: f64,
    sum_r: f64,
    sum_tt: f64,
    sum_tr: f64,
    sum_rr: f64,
}

impl RttTrend {
    /// Adds a sample. Samples come in the order in which their segments were sent, but for
    /// reordering.
    pub fn add(&mut self, sent_at: Time, rtt: Duration) {
        let (began, first) = *self.origin.get_or_insert((sent_at, rtt));
        // Sums of differences to the first sample keep their precision.
        let t = sent_at.as_secs_f64() - began.as_secs_f64();
        let r = rtt.as_secs_f64() - first.as_secs_f64();
        self.samples += 1;
        self.last = rtt;
        self.sum_t += t;
        self.sum_r += r;
        self.sum_tt += t * t;
        self.sum_tr += t * r;
        self.sum_rr += r * r;
    }

    /// Number of samples.
    #[must_use]
    pub fn samples(&self) -> u32 {
        self.samples
    }

    /// The first sample.
    #[must_use]
    pub fn first(&self) -> Option<Duration> {
        self.origin.map(|(_, rtt)| rtt)
    }

    /// The last sample.
    #[must_use]
    pub fn last(&self) -> Option<Duration> {
        self.origin.map(|_| self.last)
    }

    /// Mean RTT, seconds.
    #[must_use]
    pub fn mean(&self) -> Option<f64> {
        self.first().map(|first| first.as_secs_f64() + self.sum_r / f64::from(self.samples))
    }

    /// Slope of the line, seconds per second. `None` for fewer than two instants.
    #[must_use]
    pub fn gradient(&self) -> Option<f64> {
        let n = f64::from(self.samples);
        let spread = n * self.sum_tt - self.sum_t * self.sum_t;
        (spread > 0.0).then(|| (n * self.sum_tr - self.sum_t * self.sum_r) / spread)
    }

    /// Root mean square distance of the samples from the line, seconds.
    #[must_use]
    pub fn residual(&self) -> Option<f64> {
        let n = f64::from(self.samples);
        let gradient = self.gradient()?;
        let (mean_t, mean_r) = (self.sum_t / n, self.sum_r / n);
        let variance =
            self.sum_rr / n - mean_r * mean_r - gradient * (self.sum_tr / n - mean_t * mean_r);
        Some(libm::sqrt(variance.max(0.0)))
    }

    /// Standard error of the slope, seconds per second. `None` for fewer than three samples, where
    /// noise cannot be told from slope.
    #[must_use]
    pub fn gradient_error(&self) -> Option<f64> {
        let n = f64::from(self.samples);
        let residual = self.residual()?;
        let spread = self.sum_tt - self.sum_t * self.sum_t / n;
        (self.samples > 2 && spread > 0.0).then(|| residual * libm::sqrt(n / ((n - 2.0) * spread)))
    }

    /// Standard deviation of the samples, seconds.
    #[must_use]
    pub fn deviation(&self) -> Option<f64> {
        let n = f64::from(self.samples);
        self.origin.map(|_| {
            let mean = self.sum_r / n;
            libm::sqrt((self.sum_rr / n - mean * mean).max(0.0))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_straight_rise_has_its_slope_and_no_residual() {
        let mut trend = RttTrend::default();
        for step in 0..20 {
            let now = Time::ZERO + Duration::from_millis(100 + 10 * step);
            trend.add(now, Duration::from_millis(50) + Duration::from_micros(200 * step));
        }
        // 0.2 ms per 10 ms.
        assert!((trend.gradient().unwrap() - 0.02).abs() < 1e-9);
        assert!(trend.residual().unwrap() < 1e-9);
        assert!((trend.mean().unwrap() - 0.0519).abs() < 1e-9);
        // Of 20 evenly spaced values: step * sqrt((20^2 - 1) / 12).
        assert!((trend.deviation().unwrap() - 0.000_2 * (399.0_f64 / 12.0).sqrt()).abs() < 1e-9);
    }

    #[test]
    fn samples_of_one_instant_have_no_slope() {
        let mut trend = RttTrend::default();
        assert_eq!(trend.gradient(), None);
        trend.add(Time::ZERO, Duration::from_millis(5));
        trend.add(Time::ZERO, Duration::from_millis(7));
        assert_eq!(trend.gradient(), None);
        assert_eq!(trend.last(), Some(Duration::from_millis(7)));
    }
}
