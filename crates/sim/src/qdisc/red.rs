//! Random early detection.

use super::{Admission, Arrival, DropReason, Verdict};
use crate::plan::RedPlan;
use crate::rng::{self, Rng};
use ackclock_units::{Duration, Rate, Time};

/// Adaptive RED: `max_p` is reconsidered when this long has passed since it last moved (Floyd, Gummadi & Shenker 2001, section 4; ns-2 `interval_`).
const INTERVAL: Duration = Duration::from_millis(500);
/// Adaptive RED: the step up, at most a quarter of `max_p` (section 4.1; ns-2 `alpha_`).
const ALPHA: f64 = 0.01;
/// Adaptive RED: the factor down (section 4.2; ns-2 `beta_`).
const BETA: f64 = 0.9;
/// Adaptive RED: `max_p` rises no further from here (ns-2 `top_`).
const TOP: f64 = 0.5;
/// Adaptive RED: `max_p` falls no further from here, unless the link is fast ([`bottom`]).
const BOTTOM: f64 = 0.01;

/// Random early detection, after Floyd & Jacobson 1993 ("Random Early Detection Gateways for Congestion Avoidance", section 4 and figure 2), with
/// what ns-2 (`queue/red.cc`, whose names these are) and ns-3 (`red-queue-disc.cc`) made of it since.
///
/// - *Average*: each arrival takes a sample of what waits, avg <- (1 - w) avg + w q. After an idle time, as many empty samples are taken first as mean
///   packets could have been sent in it (whole ones, as in ns-2).
/// - *Probability*: `p_b` rises from 0 at `min_threshold` to `max_p` at `max_threshold`; `gentle` (Floyd 2000) carries on to 1 at twice
///   that. From there on every packet is dropped, ECN-capable or not (RFC 3168 section 7); such drops are *forced*, as is the limit's.
/// - *Spacing*: `p_a` = `p_b` / (1 - count `p_b`), where the count of packets since the last drop includes the present one, as in figure 2. Gaps are
///   then uniform on 1 .. 1/`p_b` - 1 (the text of section 7 has 1 .. 1/`p_b`, from a count without the present one). With `wait`, no packet is
///   dropped before count `p_b` = 1, and then gaps are uniform on 1/`p_b` .. 2/`p_b` - 1. A forced drop restarts the count too.
/// - The packet with which the average first reaches the lower threshold is let through, and so are all that find no more than one packet (byte
///   mode: one byte) waiting, as in ns-2 and ns-3.
/// - *Byte mode*: sizes instead of numbers; `p_a` is scaled by size / mean size, and the count is that of whole mean packets.
/// - *Adaptive* (Floyd, Gummadi & Shenker 2001): every half second `max_p` goes up by min(0.01, `max_p` / 4) or down by a factor 0.9 if the average
///   is outside the middle fifth between the thresholds, while within its bounds. The gentle slope follows `max_p`; ns-2's stays where it began.
#[derive(Clone, Debug)]
pub struct Red {
    plan: RedPlan,
    /// Transmission time of a mean packet; nothing at an infinitely fast link, where the average is always zero.
    mean_packet_time: Option<Duration>,
    adaptive: Option<Adaptive>,
    max_p: f64,
    average: f64,
    /// Whether the last arrival found the average at or above the lower threshold, and a queue.
    above_min: bool,
    /// Since the last drop or mark, including the present one.
    count_packets: u64,
    count_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Adaptive {
    bottom: f64,
    last_change: Time,
}

impl Red {
    /// RED at a link of this `rate` (nothing: infinitely fast).
    #[must_use]
    pub fn new(plan: &RedPlan, rate: Option<Rate>) -> Self {
        Self {
            plan: RedPlan {
                mean_packet_bytes: plan.mean_packet_bytes.max(1),
                ..plan.clone()
            },
            mean_packet_time: rate.map(|rate| rate.time_for(u64::from(plan.mean_packet_bytes))),
            adaptive: plan.adaptive.then(|| Adaptive {
                bottom: bottom(rate),
                last_change: Time::ZERO,
            }),
            max_p: plan.max_p,
            average: 0.0,
            above_min: false,
            count_packets: 0,
            count_bytes: 0,
        }
    }

    /// What `max_p` is now; it moves only if adaptive.
    #[must_use]
    pub fn max_p(&self) -> f64 {
        self.max_p
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "packets and bytes in a queue, and packet times of an idle period, are far below 2^53"
    )]
    fn sample(&mut self, queue: u64, arrival: &Arrival) {
        if let (Some(since), Some(packet_time)) = (arrival.idle_since, self.mean_packet_time) {
            let missed = arrival.now.since(since).as_ps() / packet_time.as_ps().max(1);
            self.average *= libm::pow(1.0 - self.plan.weight, missed as f64);
        }
        self.average = (1.0 - self.plan.weight) * self.average + self.plan.weight * queue as f64;
    }

    fn adapt(&mut self, now: Time) {
        let Some(adaptive) = &mut self.adaptive else { return };
        if now.since(adaptive.last_change) <= INTERVAL {
            return;
        }
        let (min, max) = (self.plan.min_threshold, self.plan.max_threshold);
        let part = 0.4 * (max - min);
        if self.average < min + part && self.max_p > adaptive.bottom {
            self.max_p *= BETA;
        } else if self.average > max - part && self.max_p < TOP {
            self.max_p += ALPHA.min(0.25 * self.max_p);
        } else {
            return;
        }
        adaptive.last_change = now;
    }

    /// The average from which every packet is dropped.
    fn ceiling(&self) -> f64 {
        if self.plan.gentle {
            2.0 * self.plan.max_threshold
        } else {
            self.plan.max_threshold
        }
    }

    /// `p_b`, for an average between the lower threshold and the ceiling.
    fn base_probability(&self) -> f64 {
        let (min, max) = (self.plan.min_threshold, self.plan.max_threshold);
        if self.average < max {
            self.max_p * (self.average - min) / (max - min)
        } else {
            self.max_p + (1.0 - self.max_p) * (self.average - max) / max
        }
    }

    /// `p_a`: `p_b` corrected for the count and, in byte mode, the packet's size.
    #[expect(clippy::cast_precision_loss, reason = "counts since the last drop are far below 2^53")]
    fn spaced_probability(&self, p: f64, size: u32) -> f64 {
        let count = if self.plan.byte_mode {
            self.count_bytes / u64::from(self.plan.mean_packet_bytes)
        } else {
            self.count_packets
        };
        let progress = count as f64 * p;
        let spaced = match (self.plan.wait, progress) {
            (true, ..1.0) => 0.0,
            (true, ..2.0) => p / (2.0 - progress),
            (false, ..1.0) => p / (1.0 - progress),
            _ => return 1.0,
        };
        if self.plan.byte_mode && spaced < 1.0 {
            spaced * f64::from(size) / f64::from(self.plan.mean_packet_bytes)
        } else {
            spaced
        }
    }

    /// What the average alone would do, and the counts.
    fn judge(&mut self, queue: u64, arrival: &Arrival, rng: &mut Rng) -> Verdict {
        self.count_packets += 1;
        self.count_bytes += u64::from(arrival.size);
        if self.average < self.plan.min_threshold || queue <= 1 {
            self.above_min = false;
            return Verdict::Enqueue;
        }
        if self.average >= self.ceiling() {
            return Verdict::Drop(DropReason::Forced);
        }
        if !self.above_min {
            self.above_min = true;
            self.count_packets = 1;
            self.count_bytes = u64::from(arrival.size);
            return Verdict::Enqueue;
        }
        let p = self.spaced_probability(self.base_probability(), arrival.size);
        if rng::unit(rng) >= p {
            return Verdict::Enqueue;
        }
        self.restart_count();
        if self.plan.ecn && arrival.ecn_capable {
            Verdict::Mark
        } else {
            Verdict::Drop(DropReason::Early)
        }
    }

    fn restart_count(&mut self) {
        self.count_packets = 0;
        self.count_bytes = 0;
    }
}

impl Admission for Red {
    fn arrive(&mut self, arrival: &Arrival, rng: &mut Rng) -> Verdict {
        let queue = if self.plan.byte_mode {
            arrival.backlog.bytes
        } else {
            arrival.backlog.packets
        };
        self.sample(queue, arrival);
        self.adapt(arrival.now);
        let mut verdict = self.judge(queue, arrival, rng);
        if !self.plan.limit.admits(arrival) {
            verdict = Verdict::Drop(DropReason::Forced);
        }
        if verdict == Verdict::Drop(DropReason::Forced) {
            self.restart_count();
        }
        verdict
    }

    fn average(&self) -> Option<f64> {
        Some(self.average)
    }
}

/// The lower bound of `max_p`: 0.01, or 1 / W if that is less, where W packets of 1000 bytes fill a round trip of 100 ms at this rate (ns-2 and ns-3).
#[expect(clippy::cast_precision_loss, reason = "a bound known to two digits")]
fn bottom(rate: Option<Rate>) -> f64 {
    rate.map_or(BOTTOM, |rate| BOTTOM.min(80_000.0 / rate.as_bps() as f64))
}
