//! Round-trip time and retransmission timeout, RFC 6298.

use ackclock_units::{Duration, Time};

use crate::histogram::DurationHistogram;

/// Clock granularity G of RFC 6298. With an exact clock it only keeps the RTO above the RTT.
const GRANULARITY: Duration = Duration::from_millis(1);

/// Options by which the RTO follows from the estimate.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RtoBounds {
    /// Smallest RTO.
    pub min: Duration,
    /// Largest RTO.
    pub max: Duration,
    /// RTO before the first sample.
    pub initial: Duration,
    /// Number of timeouts of a SYN that do not double its RTO.
    pub linear_syns: u8,
    /// The variance term is the largest of a round trip and at least `min`, and so the RTO is at
    /// least srtt + min (Linux's `tcp_rtt_estimator`). Otherwise `min` bounds the RTO (RFC 6298).
    pub min_bounds_variance: bool,
    /// Step of the clock that times one segment per round trip; zero: exact.
    pub clock: Duration,
}

/// RTTVAR after a handshake that gave no sample: a quarter of the RTO of 3 s (RFC 6298 (5.7)).
const QUARTER_OF_FALLBACK: Duration = Duration::from_millis(750);

/// The low bits of a byte's place in the stream, by which two places of one window compare.
#[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
fn low(place: u64) -> u32 {
    place as u32
}

/// A time in microseconds, as in Linux: half as large as a [`Duration`], for many connections.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
struct Micros(u32);

impl From<Duration> for Micros {
    fn from(duration: Duration) -> Self {
        // Longer than an hour is longer than any RTO.
        Self(u32::try_from(duration.as_ps() / 1_000_000).unwrap_or(u32::MAX))
    }
}

impl From<Micros> for Duration {
    #[inline]
    fn from(micros: Micros) -> Self {
        Self::from_micros(micros.0.into())
    }
}

/// State that a connection has from its first RTT sample on, or from its first timed segment.
#[derive(Clone, Debug, Default)]
struct Record {
    latest: Duration,
    /// Every sample since the warm-up.
    histogram: DurationHistogram,
    /// End and sending time of the segment that is timed, where one segment at a time is timed.
    timed: Option<(u64, Time)>,
}

/// The estimator. Times are zero before the first sample.
#[derive(Clone, Debug, Default)]
pub struct RttEstimator {
    srtt: Duration,
    rttvar: Duration,
    min_rtt: Duration,
    /// Linux's `rttvar`, the RTO's variance term: a round trip's largest deviation.
    spread: Micros,
    /// Linux's `mdev_max`: the largest value of four mean deviations in the current round trip.
    spread_now: Micros,
    /// Linux's `rtt_seq`: the current round trip ends when more than this is acknowledged.
    round_ends: u32,
    has_sample: bool,
    /// The next sample sets the estimate as the first one does.
    forgets_estimate: bool,
    /// Timeouts since the last ACK of new data. Each doubles the RTO (RFC 6298 (5.5)).
    backoff: u8,
    /// None before the first RTT sample or timed segment.
    record: Option<Box<Record>>,
}

impl RttEstimator {
    /// Takes a sample in by RFC 6298 (2.2) and (2.3), with alpha 1/8 and beta 1/4. As in Linux,
    /// `smoothed` goes into srtt, and `newest`, the RTT of the segment that waited least for its
    /// ACK, into the minimum and the record. `una` and `next` are SND.UNA and SND.NXT.
    #[expect(clippy::inline_always, reason = "once per ACK")]
    #[inline(always)]
    pub fn sample(
        &mut self,
        smoothed: Duration,
        newest: Duration,
        bounds: &RtoBounds,
        una: u64,
        next: u64,
    ) {
        self.keep(newest);
        if !self.has_sample {
            self.has_sample = true;
            self.min_rtt = newest;
            self.rttvar = smoothed / 2;
            self.srtt = smoothed;
            self.spread = Micros::from(self.rttvar * 4).max(bounds.min.into());
            self.spread_now = self.spread;
            self.round_ends = low(next);
            return;
        }
        self.min_rtt = self.min_rtt.min(newest);
        let error = self.srtt.abs_diff(smoothed);
        let falls = smoothed < self.srtt;
        self.srtt = Duration::from_ps((7 * self.srtt.as_ps() + smoothed.as_ps()) / 8);
        self.rttvar = if bounds.min_bounds_variance && falls && error > self.rttvar {
            // A falling RTT is no reason to wait longer: it counts an eighth of a rising one.
            self.rttvar + (error - self.rttvar) / 32
        } else {
            Duration::from_ps((3 * self.rttvar.as_ps() + error.as_ps()) / 4)
        };
        if !bounds.min_bounds_variance {
            return;
        }
        // `spread` and `spread_now` never fall below the least variance of the bounds, so that most
        // deviations change neither.
        if self.rttvar * 4 > self.spread_now.into() {
            self.spread_now = (self.rttvar * 4).into();
            self.spread = self.spread.max(self.spread_now);
        }
        if low(una).wrapping_sub(self.round_ends).cast_signed() > 0 {
            if self.spread_now < self.spread {
                self.spread.0 -= (self.spread.0 - self.spread_now.0) / 4;
            }
            self.round_ends = low(next);
            self.spread_now = bounds.min.into();
        }
    }

    /// Takes a sample into the minimum and the record, but not into the RTO.
    pub fn record(&mut self, rtt: Duration) {
        self.keep(rtt);
        self.min_rtt = if self.min_rtt == Duration::ZERO { rtt } else { self.min_rtt.min(rtt) };
    }

    #[inline]
    fn keep(&mut self, rtt: Duration) {
        let record = self.record.get_or_insert_default();
        record.latest = rtt;
        record.histogram.record(rtt);
    }

    /// Times the segment up to `end`, sent now, unless another one is being timed.
    pub fn begin_timing(&mut self, end: u64, now: Time) {
        self.record.get_or_insert_default().timed.get_or_insert((end, now));
    }

    /// Stops timing a segment, because after a retransmission its ACK would be ambiguous (Karn).
    pub fn stop_timing(&mut self) {
        if let Some(record) = &mut self.record {
            record.timed = None;
        }
    }

    /// An ACK up to `una`: if it answers the timed segment, takes its time and ends the backoff.
    pub fn end_timing(&mut self, una: u64, now: Time, clock: Duration) {
        let timed =
            self.record.as_mut().and_then(|record| record.timed.take_if(|(end, _)| una >= *end));
        if let Some((_, sent_at)) = timed {
            self.time_one(sent_at, now, clock);
            self.reset_backoff();
        }
    }

    /// Takes the time of one segment into the RTO: RFC 6298 (2.2) and (2.3) in whole steps of a
    /// clock, as in 4.3BSD and ns-2. `srtt` holds eighths of a step and `rttvar` quarters; both are
    /// rounded down to steps before they are compared with a sample. A clock of zero is exact.
    fn time_one(&mut self, sent_at: Time, now: Time, clock: Duration) {
        let is_first = core::mem::take(&mut self.forgets_estimate) || !self.has_sample;
        let step = clock.as_ps().max(1);
        let ticks = |time: Time| time.since(Time::ZERO).as_ps() / step;
        let rtt = (ticks(now) - ticks(sent_at)).max(1);
        if is_first {
            self.has_sample = true;
            self.srtt = Duration::from_ps(rtt * step);
            self.rttvar = self.srtt / 2;
            return;
        }
        let srtt = self.srtt.as_ps() / step;
        let error = rtt.abs_diff(srtt);
        let change = Duration::from_ps(error * step / 8);
        self.srtt = if rtt >= srtt { self.srtt + change } else { self.srtt.saturating_sub(change) };
        let forgotten = Duration::from_ps(self.rttvar.as_ps() / step * step / 4);
        self.rttvar = (self.rttvar + Duration::from_ps(error * step / 4)).saturating_sub(forgotten);
    }

    /// Forgets the estimate, as RFC 6298 (5.7) allows after several timeouts in a row. The RTO
    /// stays until the next sample sets the estimate again.
    pub fn forget_estimate(&mut self) {
        self.forgets_estimate = true;
    }

    /// Clears the record of all samples; the estimate stays.
    pub fn clear_record(&mut self) {
        if let Some(record) = &mut self.record {
            record.histogram.clear();
        }
    }

    /// Goes on with the record of the flow's last connection.
    pub fn follow(&mut self, last: Self) {
        self.record = last.record;
        if let Some(record) = &mut self.record {
            record.latest = Duration::ZERO;
        }
        self.stop_timing();
    }

    /// Every sample since the warm-up.
    pub fn into_record(self) -> DurationHistogram {
        self.record.map_or_else(DurationHistogram::new, |record| record.histogram)
    }

    /// Smoothed RTT; zero before any sample.
    pub fn srtt(&self) -> Duration {
        self.srtt
    }
    /// Whether there was a sample.
    pub fn has_sample(&self) -> bool {
        self.has_sample
    }
    /// RTT variation.
    pub fn rttvar(&self) -> Duration {
        self.rttvar
    }
    /// Smallest sample; zero before any.
    pub fn min_rtt(&self) -> Duration {
        self.min_rtt
    }
    /// The latest sample.
    pub fn latest(&self) -> Option<Duration> {
        self.record.as_ref().filter(|_| self.has_sample).map(|record| record.latest)
    }

    /// The RTO, backed off.
    pub fn rto(&self, bounds: &RtoBounds) -> Duration {
        let base = if !self.has_sample {
            // RTTVAR is zero here unless the handshake gave no sample.
            bounds.initial.max(self.rttvar * 4)
        } else if bounds.min_bounds_variance {
            self.srtt + self.spread.into()
        } else if bounds.clock > Duration::ZERO {
            let steps = (self.srtt + self.rttvar * 4).as_ps() / bounds.clock.as_ps();
            (bounds.clock * steps).max(bounds.min)
        } else {
            (self.srtt + (self.rttvar * 4).max(GRANULARITY)).max(bounds.min)
        };
        let backed_off =
            if self.backoff > 0 { base.saturating_mul(1 << self.backoff.min(30)) } else { base };
        backed_off.min(bounds.max)
    }

    /// The RTO of a SYN, which doubles at each timeout after the first [`RtoBounds::linear_syns`].
    pub fn syn_rto(&self, bounds: &RtoBounds) -> Duration {
        let doublings = self.backoff.saturating_sub(bounds.linear_syns);
        bounds.initial.saturating_mul(1 << doublings.min(30)).min(bounds.max)
    }

    /// Sets the RTO to 3 s after a handshake with a timeout and without a sample. RFC 6298 (5.7):
    /// "If the timer expires awaiting the ACK of a SYN segment and the TCP implementation is using
    /// an RTO less than 3 seconds, the RTO MUST be re-initialized to 3 seconds when data
    /// transmission begins".
    pub fn fall_back(&mut self) {
        self.rttvar = QUARTER_OF_FALLBACK;
    }

    /// A timeout happened: RFC 6298 (5.5).
    pub fn back_off(&mut self) {
        self.backoff = self.backoff.saturating_add(1);
    }

    /// New data was acknowledged: the next RTO is computed from the estimate again.
    pub fn reset_backoff(&mut self) {
        self.backoff = 0;
    }

    /// Timeouts since the last ACK of new data.
    pub fn backoff(&self) -> u32 {
        self.backoff.into()
    }
}

/// The usual step of the timestamp clock.
const MILLISECOND: Duration = Duration::from_millis(1);

/// The clock of the timestamps option (RFC 7323 section 5.4).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TimestampClock {
    /// One step.
    pub tick: Duration,
    /// Time since the last step when the run begins.
    pub phase: Duration,
}

impl TimestampClock {
    /// The timestamp at `now`, as the option carries it.
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

    /// Time from the timestamp `earlier` to `now`, if that is less than 2^32 ticks: 71 min for a
    /// clock of 1 us, 49 days for one of 1 ms.
    pub fn since(self, earlier: u32, now: Time) -> Duration {
        self.tick.saturating_mul(u64::from(self.at(now).wrapping_sub(earlier)))
    }

    /// The longest time after which two timestamps still compare: half of the clock's range.
    pub fn horizon(self) -> Duration {
        self.tick.saturating_mul(1 << 31)
    }

    /// Time from the timestamp `earlier` to `later`; zero if `later` is the older one.
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
        linear_syns: 0,
        min_bounds_variance: false,
        clock: Duration::ZERO,
    };
    const LINUX: RtoBounds = RtoBounds { min_bounds_variance: true, ..RFC };

    fn sample(estimator: &mut RttEstimator, ms: u64) {
        let rtt = Duration::from_millis(ms);
        estimator.sample(rtt, rtt, &RFC, 0, 0);
    }

    #[test]
    fn an_echo_of_more_than_half_an_hour_ago_is_not_one_from_the_future() {
        let clock = TimestampClock { tick: Duration::from_micros(1), phase: Duration::ZERO };
        let sent = Time::ZERO + Duration::from_secs(4000);
        for seconds in [2147, 2148, 4290] {
            let rtt = Duration::from_secs(seconds);
            assert_eq!(clock.since(clock.at(sent), sent + rtt), rtt);
        }
        assert_eq!(clock.horizon(), Duration::from_micros(1 << 31));
    }

    #[test]
    fn first_sample_sets_srtt_and_half_of_it_as_variation() {
        let mut e = RttEstimator::default();
        assert_eq!(e.rto(&RFC), Duration::from_secs(1));
        sample(&mut e, 100);
        assert_eq!(e.srtt(), Duration::from_millis(100));
        assert_eq!(e.rttvar(), Duration::from_millis(50));
        assert_eq!(e.rto(&RFC), Duration::from_millis(300));
    }

    #[test]
    fn later_samples_move_by_an_eighth_and_a_quarter() {
        let mut e = RttEstimator::default();
        sample(&mut e, 100);
        sample(&mut e, 180);
        assert_eq!(e.rttvar(), Duration::from_micros(57_500));
        assert_eq!(e.srtt(), Duration::from_millis(110));
    }

    #[test]
    fn minimum_bounds_the_rto_or_the_variance() {
        let (mut rfc, mut linux) = (RttEstimator::default(), RttEstimator::default());
        for n in 0..100 {
            sample(&mut rfc, 50);
            let rtt = Duration::from_millis(50);
            linux.sample(rtt, rtt, &LINUX, n + 1, n + 1);
        }
        assert_eq!(rfc.rto(&RFC), Duration::from_millis(200));
        assert_eq!(linux.rto(&LINUX), Duration::from_millis(250));
        linux.back_off();
        assert_eq!(linux.rto(&LINUX), Duration::from_millis(500));
    }

    /// A run of Linux 6.18: each 100 ms a flight is acknowledged at once, and one of them 250 ms
    /// late. SND.UNA and SND.NXT are in segments; srtt, rttvar and RTO are `TCP_INFO`'s.
    #[test]
    fn a_late_flight_is_forgotten_as_linux_forgets_it() {
        let run = [
            // sample, una, next, srtt, rttvar, RTO in ms
            (100.136, 0, 0, 100.136, 50.068, 304.0),
            (95.4, 10, 10, 99.650, 38.521, 300.0),
            (100.0, 30, 30, 99.706, 29.003, 300.0),
            (349.8, 70, 71, 130.980, 84.300, 472.0),
            (239.8, 149, 149, 144.597, 90.460, 508.0),
            (99.7, 308, 308, 139.018, 79.004, 492.0),
            (99.7, 626, 626, 134.138, 69.013, 468.0),
        ];
        let mut linux = RttEstimator::default();
        for (sample, una, next, srtt, rttvar, rto) in run {
            let sample = Duration::from_secs_f64(sample / 1000.0);
            linux.sample(sample, sample, &LINUX, una, next);
            let ms = |duration: Duration| duration.as_secs_f64() * 1000.0;
            // Samples are known to 0.2 ms; the kernel's RTO is in ticks of 4 ms, rounded up.
            assert!((ms(linux.srtt()) - srtt).abs() < 0.3, "{} {srtt}", ms(linux.srtt()));
            assert!((ms(linux.rttvar()) - rttvar).abs() < 0.5, "{} {rttvar}", ms(linux.rttvar()));
            let error = rto - ms(linux.rto(&LINUX));
            assert!((-1.0..=5.0).contains(&error), "{error} {rto}");
        }
    }

    #[test]
    fn in_whole_steps_as_ns2_computes() {
        // By ns-2's rtt_update with tcpTick_ 0.01 and samples of 10, 14 and 9 steps: t_srtt_ 80,
        // 84, 83; t_rttvar_ 20, 19, 16.
        let clock = Duration::from_millis(10);
        let bounds = RtoBounds { clock, ..RFC };
        let mut e = RttEstimator::default();
        let mut now = Time::ZERO;
        let expected = [(10, 80, 20, 30), (14, 84, 19, 29), (9, 83, 16, 26)];
        for (steps, srtt, rttvar, rto) in expected {
            e.time_one(now, now + clock * steps, clock);
            now += clock * steps;
            assert_eq!((e.srtt(), e.rttvar()), (clock * srtt / 8, clock * rttvar / 4));
            assert_eq!(e.rto(&bounds), clock * rto);
        }
        // Less than a step is one, and a step begins with the clock's tick, not with the segment.
        e.forget_estimate();
        e.time_one(now, now + Duration::from_millis(1), clock);
        assert_eq!(e.srtt(), clock);
        e.forget_estimate();
        e.time_one(now + Duration::from_millis(9), now + Duration::from_millis(21), clock);
        assert_eq!(e.srtt(), clock * 2);
    }

    #[test]
    fn an_exact_clock_gives_rfc_6298_to_a_picosecond() {
        let (mut single, mut every) = (RttEstimator::default(), RttEstimator::default());
        for ms in [100, 180, 90, 250] {
            let rtt = Duration::from_millis(ms);
            single.time_one(Time::ZERO, Time::ZERO + rtt, Duration::ZERO);
            sample(&mut every, ms);
            assert!(single.srtt().abs_diff(every.srtt()) <= Duration::from_ps(2));
            assert!(single.rttvar().abs_diff(every.rttvar()) <= Duration::from_ps(2));
        }
    }
}
