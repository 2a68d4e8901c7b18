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
    /// How many timeouts of a SYN do not double its RTO.
    pub linear_syns: u8,
    /// Linux's estimator (`tcp_rtt_estimator`): the variance term is the largest of a round trip, at least `min`, so that the
    /// RTO is at least srtt + min. Otherwise RFC 6298 (2.3), and by (2.4) `min` bounds the RTO itself.
    pub min_bounds_variance: bool,
    /// Step of the clock that times one segment per round trip; zero: exact.
    pub clock: Duration,
}

/// RFC 6298 (5.7): the RTO after a handshake that gave no sample, as a quarter, which is what RTTVAR holds.
const QUARTER_OF_FALLBACK: Duration = Duration::from_millis(750);

/// The low bits of a byte's place in the stream: two places of one window compare by them.
#[expect(clippy::cast_possible_truncation, reason = "the low bits are wanted")]
fn low(place: u64) -> u32 {
    place as u32
}

/// A time in the microseconds that Linux counts: half as large as a [`Duration`], and there are many connections.
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

/// What a connection has once it has sent something.
#[derive(Clone, Debug, Default)]
struct Record {
    /// Every sample since the warm-up.
    histogram: DurationHistogram,
    /// The end and the sending time of the segment that is timed, where one at a time is.
    timed: Option<(u64, Time)>,
}

/// The estimator.
#[derive(Clone, Debug)]
pub struct RttEstimator {
    /// Zero before any sample, as the three after it.
    srtt: Duration,
    rttvar: Duration,
    min_rtt: Duration,
    latest: Duration,
    /// Linux's `rttvar`: the variance term of the RTO, which holds a round trip's largest deviation.
    spread: Micros,
    /// Linux's `mdev_max`: the largest of the round trip that is running, four mean deviations.
    spread_now: Micros,
    /// Linux's `rtt_seq`: that round trip ends when more than this is acknowledged.
    round_ends: u32,
    has_sample: bool,
    /// The next estimate is made as the first one.
    begins_anew: bool,
    /// RFC 6298 (5.5): doubles at each timeout.
    backoff: u8,
    /// In a box, since a connection that has sent nothing needs none of it.
    record: Option<Box<Record>>,
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
            spread: Micros::default(),
            spread_now: Micros::default(),
            round_ends: 0,
            has_sample: false,
            begins_anew: false,
            backoff: 0,
            record: None,
        }
    }

    /// RFC 6298 (2.2) and (2.3), with alpha 1/8 and beta 1/4. `smoothed` goes into srtt, `newest` (the segment that
    /// waited least for its ACK) into the minimum and the record; Linux makes the same difference. `una` and `next` are
    /// SND.UNA and SND.NXT.
    #[expect(clippy::inline_always, reason = "once per ACK")]
    #[inline(always)]
    pub fn sample(&mut self, smoothed: Duration, newest: Duration, bounds: &RtoBounds, una: u64, next: u64) {
        self.latest = newest;
        self.record.get_or_insert_default().histogram.record(newest);
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
        if !bounds.min_bounds_variance {
            self.rttvar = Duration::from_ps((3 * self.rttvar.as_ps() + error.as_ps()) / 4);
            return;
        }
        if falls && error > self.rttvar {
            // A falling RTT is no reason to wait longer: it counts an eighth of what another deviation would.
            self.rttvar = Duration::from_ps(self.rttvar.as_ps() + (error - self.rttvar).as_ps() / 32);
        } else {
            self.rttvar = Duration::from_ps((3 * self.rttvar.as_ps() + error.as_ps()) / 4);
        }
        // Neither is ever below the least variance of the bounds, which most deviations are.
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

    /// Takes a sample into the minimum and the record, and not into the RTO.
    pub fn record(&mut self, rtt: Duration) {
        self.latest = rtt;
        self.record.get_or_insert_default().histogram.record(rtt);
        self.min_rtt = if self.min_rtt == Duration::ZERO {
            rtt
        } else {
            self.min_rtt.min(rtt)
        };
    }

    /// Times the segment up to `end`, sent now, unless another one is being timed.
    pub fn begin_timing(&mut self, end: u64, now: Time) {
        self.record.get_or_insert_default().timed.get_or_insert((end, now));
    }

    /// A retransmission overtakes the segment that is timed: its ACK would be ambiguous (Karn).
    pub fn stop_timing(&mut self) {
        if let Some(record) = &mut self.record {
            record.timed = None;
        }
    }

    /// Everything below `una` is acknowledged: ends the timing of a segment, and the backing off with it.
    pub fn end_timing(&mut self, una: u64, now: Time, clock: Duration) {
        let timed = self.record.as_mut().and_then(|record| record.timed.take_if(|(end, _)| una >= *end));
        if let Some((_, sent_at)) = timed {
            self.time_one(sent_at, now, clock);
            self.reset_backoff();
        }
    }

    /// Takes the time of one segment into the RTO: RFC 6298 (2.2) and (2.3) in whole steps of a clock,
    /// as 4.3BSD and ns-2 have it. `srtt` holds eighths of a step and `rttvar` quarters; each is
    /// rounded down to steps where it is compared with a sample. A clock of zero is exact.
    fn time_one(&mut self, sent_at: Time, now: Time, clock: Duration) {
        let is_first = core::mem::take(&mut self.begins_anew) || !self.has_sample;
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
        self.srtt = if rtt >= srtt {
            self.srtt + change
        } else {
            self.srtt.saturating_sub(change)
        };
        let forgotten = Duration::from_ps(self.rttvar.as_ps() / step * step / 4);
        self.rttvar = (self.rttvar + Duration::from_ps(error * step / 4)).saturating_sub(forgotten);
    }

    /// RFC 6298 (5.7) lets a sender forget its estimate after several timeouts in a row: the next
    /// sample begins it anew, and until then the RTO is what it was.
    pub fn forget_estimate(&mut self) {
        self.begins_anew = true;
    }

    /// Forgets the record of all samples, not what was learned from them.
    pub fn clear_record(&mut self) {
        if let Some(record) = &mut self.record {
            record.histogram.clear();
        }
    }

    /// Goes on with the record of another.
    pub fn follow(&mut self, last: Self) {
        self.record = last.record;
        self.stop_timing();
    }

    /// Every sample since the warm-up.
    #[must_use]
    pub fn into_record(self) -> DurationHistogram {
        self.record.map_or_else(DurationHistogram::new, |record| record.histogram)
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
        let backed_off = if self.backoff > 0 {
            base.saturating_mul(1 << self.backoff.min(30))
        } else {
            base
        };
        backed_off.min(bounds.max)
    }

    /// The RTO of a SYN, backed off: (5.5), but for the first timeouts that [`RtoBounds::linear_syns`] excepts.
    #[must_use]
    pub fn syn_rto(&self, bounds: &RtoBounds) -> Duration {
        let doublings = self.backoff.saturating_sub(bounds.linear_syns);
        bounds.initial.saturating_mul(1 << doublings.min(30)).min(bounds.max)
    }

    /// RFC 6298 (5.7): "If the timer expires awaiting the ACK of a SYN segment and the TCP implementation is using an RTO
    /// less than 3 seconds, the RTO MUST be re-initialized to 3 seconds when data transmission begins". Not where the
    /// handshake gave a sample all the same.
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

    /// How many timeouts there were since an ACK of new data.
    #[must_use]
    pub fn backoff(&self) -> u32 {
        self.backoff.into()
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

    /// Time from the tick `earlier` of this clock to `now`. It is right up to 2^32 ticks: 71 min of a clock
    /// of 1 us, and longer than any run of one of 1 ms.
    #[must_use]
    pub fn since(self, earlier: u32, now: Time) -> Duration {
        self.tick.saturating_mul(u64::from(self.at(now).wrapping_sub(earlier)))
    }

    /// Time in which the order of two ticks can be told: half of the clock's range.
    #[must_use]
    pub fn horizon(self) -> Duration {
        self.tick.saturating_mul(1 << 31)
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
        linear_syns: 0,
        min_bounds_variance: false,
        clock: Duration::ZERO,
    };
    const LINUX: RtoBounds = RtoBounds {
        min_bounds_variance: true,
        ..RFC
    };

    /// An RTT of more than half the clock's range was taken for none at all.
    #[test]
    fn an_echo_of_more_than_half_an_hour_ago_is_not_one_from_the_future() {
        let clock = TimestampClock {
            tick: Duration::from_micros(1),
            phase: Duration::ZERO,
        };
        let sent = Time::ZERO + Duration::from_secs(4000);
        for seconds in [2147, 2148, 4290] {
            let rtt = Duration::from_secs(seconds);
            assert_eq!(clock.since(clock.at(sent), sent + rtt), rtt);
        }
        assert_eq!(clock.horizon(), Duration::from_micros(1 << 31));
    }

    #[test]
    fn first_sample_sets_srtt_and_half_of_it_as_variation() {
        let mut e = RttEstimator::new();
        assert_eq!(e.rto(&RFC), Duration::from_secs(1));
        e.sample(Duration::from_millis(100), Duration::from_millis(100), &RFC, 0, 0);
        assert_eq!(e.srtt(), Duration::from_millis(100));
        assert_eq!(e.rttvar(), Duration::from_millis(50));
        assert_eq!(e.rto(&RFC), Duration::from_millis(300));
    }

    #[test]
    fn later_samples_move_by_an_eighth_and_a_quarter() {
        let mut e = RttEstimator::new();
        e.sample(Duration::from_millis(100), Duration::from_millis(100), &RFC, 0, 0);
        e.sample(Duration::from_millis(180), Duration::from_millis(180), &RFC, 0, 0);
        assert_eq!(e.rttvar(), Duration::from_micros(57_500));
        assert_eq!(e.srtt(), Duration::from_millis(110));
    }

    #[test]
    fn minimum_bounds_the_rto_or_the_variance() {
        let (mut rfc, mut linux) = (RttEstimator::new(), RttEstimator::new());
        for n in 0..100 {
            rfc.sample(Duration::from_millis(50), Duration::from_millis(50), &RFC, 0, 0);
            linux.sample(Duration::from_millis(50), Duration::from_millis(50), &LINUX, n + 1, n + 1);
        }
        assert_eq!(rfc.rto(&RFC), Duration::from_millis(200));
        assert_eq!(linux.rto(&LINUX), Duration::from_millis(250));
        linux.back_off();
        assert_eq!(linux.rto(&LINUX), Duration::from_millis(500));
    }

    /// A run of the kernel (6.18): a flight per 100 ms acknowledged at once, one of them 250 ms late. RTT samples, SND.UNA and
    /// SND.NXT in segments, and what `TCP_INFO` said after each.
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
        let mut linux = RttEstimator::new();
        for (sample, una, next, srtt, rttvar, rto) in run {
            let sample = Duration::from_secs_f64(sample / 1000.0);
            linux.sample(sample, sample, &LINUX, una, next);
            let ms = |duration: Duration| duration.as_secs_f64() * 1000.0;
            // Samples are known to 0.2 ms; the kernel's RTO is in ticks of 4 ms, rounded up.
            assert!((ms(linux.srtt()) - srtt).abs() < 0.3, "{} {srtt}", ms(linux.srtt()));
            assert!((ms(linux.rttvar()) - rttvar).abs() < 0.5, "{} {rttvar}", ms(linux.rttvar()));
            assert!(
                (-1.0..=5.0).contains(&(rto - ms(linux.rto(&LINUX)))),
                "{} {rto}",
                ms(linux.rto(&LINUX))
            );
        }
    }

    #[test]
    fn in_whole_steps_as_ns2_computes() {
        // By ns-2's rtt_update with tcpTick_ 0.01 and samples of 10, 14 and 9 steps: t_srtt_ 80, 84, 83; t_rttvar_ 20, 19, 16.
        let clock = Duration::from_millis(10);
        let bounds = RtoBounds { clock, ..RFC };
        let mut e = RttEstimator::new();
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
        let (mut one, mut every) = (RttEstimator::new(), RttEstimator::new());
        for ms in [100, 180, 90, 250] {
            let rtt = Duration::from_millis(ms);
            one.time_one(Time::ZERO, Time::ZERO + rtt, Duration::ZERO);
            every.sample(rtt, rtt, &RFC, 0, 0);
            assert!(one.srtt().abs_diff(every.srtt()) <= Duration::from_ps(2));
            assert!(one.rttvar().abs_diff(every.rttvar()) <= Duration::from_ps(2));
        }
    }
}
