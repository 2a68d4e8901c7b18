//! Random early detection.

use ackclock_units::{Duration, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Admission, Arrival, DisciplinePlan, DropReason, Gate, LimitPlan, Traits, Verdict};
use crate::rng::{self, Rng};

/// Parameters of RED, with the names of Floyd & Jacobson and ns-2. Thresholds are in bytes if
/// `byte_mode`, otherwise in packets.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[expect(clippy::struct_excessive_bools, reason = "each is an option of its own, as users name it")]
pub struct RedPlan {
    /// Hard limit.
    pub limit: LimitPlan,
    /// Lower threshold of the average queue.
    pub min_threshold: f64,
    /// Upper threshold of the average queue.
    pub max_threshold: f64,
    /// Drop probability at the upper threshold.
    pub max_p: f64,
    /// Weight of a new sample in the average.
    pub weight: f64,
    /// Whether the probability rises from `max_p` to 1 between `max_threshold` and twice that.
    /// Otherwise all packets above `max_threshold` are dropped.
    pub gentle: bool,
    /// Whether drops are spaced out, as with ns-2's `wait_`: no two drops are closer than 1/p
    /// packets.
    pub wait: bool,
    /// Whether `max_p` follows the average: adaptive RED (Floyd, Gummadi & Shenker 2001).
    pub adaptive: bool,
    /// Whether bytes are counted rather than packets, and the probability is scaled by packet size.
    pub byte_mode: bool,
    /// Mean packet size, bytes, for the decay in idle times and for byte mode.
    pub mean_packet_bytes: u32,
    /// Whether ECN-capable packets are marked rather than dropped, below the upper threshold
    /// (gentle: below twice the upper threshold).
    pub ecn: bool,
}

impl DisciplinePlan for RedPlan {
    const TRAITS: Traits =
        Traits { kind: "red", draws: true, judges_arrivals: true, marks: true, ..Traits::GATE };

    fn gate(&self, rate: Option<Rate>) -> Option<Gate> {
        Some(Gate::Other(Box::new(Red::new(self, rate))))
    }
}

/// Adaptive RED: time from a change of `max_p` to the next (Floyd, Gummadi & Shenker 2001, section
/// 4; ns-2 `interval_`).
const INTERVAL: Duration = Duration::from_millis(500);
/// Adaptive RED: increase of `max_p`, at most a quarter of it (section 4.1; ns-2 `alpha_`).
const ALPHA: f64 = 0.01;
/// Adaptive RED: factor of a decrease of `max_p` (section 4.2; ns-2 `beta_`).
const BETA: f64 = 0.9;
/// Adaptive RED: upper bound of `max_p` (ns-2 `top_`).
const TOP: f64 = 0.5;
/// Adaptive RED: lower bound of `max_p`, unless the link is fast ([`bottom`]).
const BOTTOM: f64 = 0.01;

/// Random early detection, after Floyd & Jacobson 1993 ("Random Early Detection Gateways for
/// Congestion Avoidance", section 4 and figure 2), with what ns-2 (`queue/red.cc`, whose names
/// these are) and ns-3 (`red-queue-disc.cc`) made of it since.
///
/// - *Average*: each arrival takes a sample of what waits, avg <- (1 - w) avg + w q. After an idle
///   time, as many empty samples are taken first as mean packets could have been sent in it (whole
///   ones, as in ns-2).
/// - *Probability*: `p_b` rises from 0 at `min_threshold` to `max_p` at `max_threshold`; `gentle`
///   (Floyd 2000) carries on to 1 at twice that. From there on every packet is dropped, ECN-capable
///   or not (RFC 3168 section 7); such drops are *forced*, as is the limit's.
/// - *Spacing*: `p_a` = `p_b` / (1 - count `p_b`), where the count of packets since the last drop
///   includes the present one, as in figure 2. Gaps are then uniform on 1 .. 1/`p_b` - 1 (the text
///   of section 7 has 1 .. 1/`p_b`, from a count without the present one). With `wait`, no packet
///   is dropped before count `p_b` = 1, and then gaps are uniform on 1/`p_b` .. 2/`p_b` - 1. A
///   forced drop restarts the count too.
/// - The packet with which the average first reaches the lower threshold is let through, and so are
///   all that find no more than one packet (byte mode: one byte) waiting, as in ns-2 and ns-3.
/// - *Byte mode*: sizes instead of numbers; `p_a` is scaled by size / mean size, and the count is
///   that of whole mean packets.
/// - *Adaptive* (Floyd, Gummadi & Shenker 2001): every half second `max_p` goes up by min(0.01,
///   `max_p` / 4) or down by a factor 0.9 if the average is outside the middle fifth between the
///   thresholds, while within its bounds. The gentle slope follows `max_p`; ns-2's stays where it
///   began.
#[derive(Clone, Debug)]
pub struct Red {
    plan: RedPlan,
    /// Transmission time of a mean packet; `None`: the link is infinitely fast, and the average is
    /// always zero.
    mean_packet_time: Option<Duration>,
    adaptive: Option<Adaptive>,
    max_p: f64,
    average: f64,
    /// Whether the last arrival found a queue, and the average at or above the lower threshold.
    above_min: bool,
    /// Packets and bytes since the last drop or mark, including the present packet.
    count_packets: u64,
    count_bytes: u64,
}

#[derive(Clone, Copy, Debug)]
struct Adaptive {
    bottom: f64,
    last_change: Time,
}

impl Red {
    /// Makes RED at a link of this `rate`; `None`: infinitely fast.
    #[must_use]
    pub fn new(plan: &RedPlan, rate: Option<Rate>) -> Self {
        Self {
            plan: RedPlan { mean_packet_bytes: plan.mean_packet_bytes.max(1), ..plan.clone() },
            mean_packet_time: rate.map(|rate| rate.time_for(u64::from(plan.mean_packet_bytes))),
            adaptive: plan
                .adaptive
                .then(|| Adaptive { bottom: bottom(rate), last_change: Time::ZERO }),
            max_p: plan.max_p,
            average: 0.0,
            above_min: false,
            count_packets: 0,
            count_bytes: 0,
        }
    }

    /// Present value of `max_p`, which moves only in adaptive RED.
    #[must_use]
    pub fn max_p(&self) -> f64 {
        self.max_p
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "packets and bytes in a queue, and packet times of an idle period, are far below \
                  2^53"
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

    /// Average from which on every packet is dropped.
    fn ceiling(&self) -> f64 {
        if self.plan.gentle { 2.0 * self.plan.max_threshold } else { self.plan.max_threshold }
    }

    /// `p_b` for an average between the lower threshold and the ceiling.
    fn base_probability(&self) -> f64 {
        let (min, max) = (self.plan.min_threshold, self.plan.max_threshold);
        if self.average < max {
            self.max_p * (self.average - min) / (max - min)
        } else {
            self.max_p + (1.0 - self.max_p) * (self.average - max) / max
        }
    }

    /// `p_a`: `p_b` corrected for the count and, in byte mode, for the packet's size.
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

    /// Decides by the average and the counts, without the hard limit.
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
        let queue =
            if self.plan.byte_mode { arrival.backlog.bytes } else { arrival.backlog.packets };
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

/// Lower bound of `max_p`: 0.01, or 1 / W if that is less, where W packets of 1000 bytes fill a
/// round trip of 100 ms at this rate (ns-2 and ns-3).
#[expect(clippy::cast_precision_loss, reason = "a bound known to two digits")]
fn bottom(rate: Option<Rate>) -> f64 {
    rate.map_or(BOTTOM, |rate| BOTTOM.min(80_000.0 / rate.as_bps() as f64))
}
