//! PIE: a drop probability that a controller moves towards a target delay.

use ackclock_units::{Duration, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::periodic::{ONE_BY_ONE, Periodic};
use super::{
    Arrival, Backlog, Context, Dequeued, DisciplinePlan, DropReason, Held, LimitPlan, Qdisc,
    Traits, Verdict, Waiting,
};
use crate::rng::{self, Rng};

/// `PIE->accu_prob_` below which nothing is dropped (RFC 8033 section 5.4).
const ACCU_PROB_LOW: f64 = 0.85;
/// `PIE->accu_prob_` from which on everything is dropped (section 5.4).
const ACCU_PROB_HIGH: f64 = 8.5;
/// Drop probability below which nothing is dropped while the delay is below half of the target
/// (section 4.1).
const SAFEGUARD_PROB: f64 = 0.2;
/// Probability from which on an increase is at most [`STEP_MAX`] (section 5.5).
const CAP_PROB: f64 = 0.1;
/// Largest increase of a probability above [`CAP_PROB`].
const STEP_MAX: f64 = 0.02;
/// Delay beyond which the probability rises by [`STEP_MAX`] more, s (Linux,
/// `pie_calculate_probability`).
const HIGH_DELAY: f64 = 0.25;
/// Factor of the probability at an update without a queue. Section 4.2 has 0.98, "1 - 1/64 is
/// sufficient"; Linux has 1 - 1/64.
const DECAY: f64 = 1.0 - 1.0 / 64.0;
/// Bytes that must wait for a measurement of the departure rate to begin, and that a measurement
/// takes: `DQ_THRESHOLD` (section 5.2).
const DQ_THRESHOLD: u64 = 1 << 14;
/// Weight of a new measurement of the departure rate, `DQ_THRESHOLD` / 2^16 (section 5.2).
const DQ_WEIGHT: f64 = 0.25;
/// Pairs (probability, divisor) of section 4.2: below the probability the gains are divided by the
/// divisor, so that the probability moves in proportion to its size.
const AUTO_TUNE: [(f64, f64); 6] = [
    (0.000_001, 2048.0),
    (0.000_01, 512.0),
    (0.000_1, 128.0),
    (0.001, 32.0),
    (0.01, 8.0),
    (0.1, 2.0),
];

/// Parameters of a PIE queue, with tc-pie's names.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PiePlan {
    /// Hard limit.
    pub limit: LimitPlan,
    /// Parameters of the controller.
    pub control: PieControlPlan,
}

impl DisciplinePlan for PiePlan {
    const TRAITS: Traits = Traits { kind: "pie", draws: true, marks: true, ..Traits::GATE };

    fn hold(&self, _rate: Option<Rate>) -> Box<dyn Qdisc> {
        Box::new(Pie::new(self))
    }
}

/// The parameters of PIE's controller.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct PieControlPlan {
    /// Target delay `QDELAY_REF`, ps.
    pub target_ps: u64,
    /// Time between updates `T_UPDATE`, ps.
    pub tupdate_ps: u64,
    /// Gain of the deviation from the target, 1/s. tc's integers are sixteenths of it.
    pub alpha: f64,
    /// Gain of the delay's change, 1/s.
    pub beta: f64,
    /// Burst allowance `MAX_BURST`, ps.
    pub max_burst_ps: u64,
    /// Whether ECN-capable packets are marked rather than dropped,
    pub ecn: bool,
    /// if the probability is below this (`mark_ecnth`).
    pub ecn_prob: f64,
    /// Whether the probability is scaled by the packet's size.
    pub bytemode: bool,
    /// Whether the delay is estimated from the backlog and the departure rate, rather than measured
    /// with the packets.
    pub dq_rate_estimator: bool,
    /// Size of a full packet, bytes: twice this may always wait, and it is the scale of `bytemode`.
    pub mtu_bytes: u32,
}

/// The controller of RFC 8033 for one queue. Two rules are those of Linux (`sch_pie.c`, 6.x): the
/// delay is that of the packet dequeued last, and the probability rises faster above 250 ms. The
/// burst allowance, the safeguard and the rate estimate are the RFC's.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PieControl {
    plan: PieControlPlan,
    drop_prob: f64,
    accu_prob: f64,
    /// Delay now and at the last update, s.
    qdelay: f64,
    qdelay_old: f64,
    burst_allowance: Duration,
    departures: Departures,
}

/// Measurement of the departure rate (section 5.2).
#[derive(Clone, Copy, Debug, PartialEq, Default)]
struct Departures {
    /// Beginning of the present measurement, and the bytes that have left since; `None`: there is
    /// none.
    since: Option<(Time, u64)>,
    /// Average time in which `DQ_THRESHOLD` bytes leave, s; zero: unknown.
    avg_dq_time: f64,
}

impl PieControl {
    /// Makes a controller at rest, with its full burst allowance.
    #[must_use]
    pub fn new(plan: PieControlPlan) -> Self {
        Self {
            plan,
            drop_prob: 0.0,
            accu_prob: 0.0,
            qdelay: 0.0,
            qdelay_old: 0.0,
            burst_allowance: Duration::from_ps(plan.max_burst_ps),
            departures: Departures::default(),
        }
    }

    /// Period at which [`PieControl::update`] must be called.
    #[must_use]
    pub fn period(&self) -> Duration {
        Duration::from_ps(self.plan.tupdate_ps)
    }

    /// The drop probability.
    #[must_use]
    pub fn drop_prob(&self) -> f64 {
        self.drop_prob
    }

    fn target(&self) -> f64 {
        Duration::from_ps(self.plan.target_ps).as_secs_f64()
    }

    /// Judges an arrival that is within the limit and finds `backlog_bytes` waiting.
    pub fn judge(
        &mut self,
        backlog_bytes: u64,
        size: u32,
        ecn_capable: bool,
        rng: &mut Rng,
    ) -> Verdict {
        if !self.is_early_drop(backlog_bytes, size, rng) {
            return Verdict::Enqueue;
        }
        self.dropped();
        if self.plan.ecn && ecn_capable && self.drop_prob < self.plan.ecn_prob {
            Verdict::Mark
        } else {
            Verdict::Drop(DropReason::Early)
        }
    }

    /// Notes a drop, by this controller or because of the limit: the count for the next drop begins
    /// again (section 5.4).
    pub fn dropped(&mut self) {
        self.accu_prob = 0.0;
    }

    /// Decides about an early drop: `drop_early()` of sections 4.1, 4.4 and 5.4. As in Linux,
    /// packets that the burst allowance or the safeguard lets in do not count for the next drop.
    fn is_early_drop(&mut self, backlog_bytes: u64, size: u32, rng: &mut Rng) -> bool {
        let mtu = u64::from(self.plan.mtu_bytes);
        if !self.burst_allowance.is_zero()
            || self.qdelay < self.target() / 2.0 && self.drop_prob < SAFEGUARD_PROB
            || backlog_bytes <= 2 * mtu
        {
            return false;
        }
        let p = if self.plan.bytemode && size <= self.plan.mtu_bytes {
            self.drop_prob * f64::from(size) / f64::from(self.plan.mtu_bytes.max(1))
        } else {
            self.drop_prob
        };
        self.accu_prob = if p > 0.0 { self.accu_prob + p } else { 0.0 };
        self.accu_prob >= ACCU_PROB_HIGH || self.accu_prob >= ACCU_PROB_LOW && rng::unit(rng) < p
    }

    /// Notes that a packet leaves after `sojourn`, and that `backlog_bytes` remain.
    pub fn departed(&mut self, now: Time, size: u32, sojourn: Duration, backlog_bytes: u64) {
        if self.plan.dq_rate_estimator {
            self.departures.departed(now, size, backlog_bytes);
        } else {
            self.qdelay = if backlog_bytes == 0 { 0.0 } else { sojourn.as_secs_f64() };
        }
    }

    /// Makes `count` updates at once. The delay and the backlog must be the same at all of them.
    /// The probability moves in equal steps as long as its gains are those of one line of
    /// [`AUTO_TUNE`]. If it comes back to a line that it has left, it would move between the two
    /// lines for ever, and stays where it is.
    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "numbers of equal steps, bounded by `count`"
    )]
    fn leap(&mut self, backlog_bytes: u64, count: u64) {
        let mut left = count;
        for _ in 0..2 * (AUTO_TUNE.len() + 2) {
            let before = self.drop_prob;
            if left == 0 || !self.update(backlog_bytes) {
                break;
            }
            left -= 1;
            let step = self.drop_prob - before;
            let line = |prob: f64| {
                let at = AUTO_TUNE
                    .iter()
                    .position(|(below, _)| prob < *below)
                    .unwrap_or(AUTO_TUNE.len());
                (at, prob >= CAP_PROB)
            };
            let decays = self.qdelay <= 0.0 && backlog_bytes == 0;
            if step == 0.0 || decays || line(before) != line(self.drop_prob) {
                continue;
            }
            let bound = if step > 0.0 {
                AUTO_TUNE.get(line(before).0).map_or(1.0, |(below, _)| *below)
            } else {
                line(before).0.checked_sub(1).map_or(0.0, |at| AUTO_TUNE[at].0)
            };
            let equal = (((bound - self.drop_prob) / step).floor().max(0.0) as u64).min(left);
            self.drop_prob = (self.drop_prob + equal as f64 * step).clamp(0.0, 1.0);
            self.burst_allowance =
                self.burst_allowance.saturating_sub(self.period().saturating_mul(equal));
            left -= equal;
        }
        let decayed = self.qdelay <= 0.0 && self.qdelay_old <= 0.0 && backlog_bytes == 0;
        if decayed && left > 0 {
            // After [`ONE_BY_ONE`] updates, 1e-28 of the probability is left already.
            self.drop_prob *= libm::pow(DECAY, left as f64);
        }
        self.burst_allowance =
            self.burst_allowance.saturating_sub(self.period().saturating_mul(left));
    }

    /// Updates the probability, as at the end of each `T_UPDATE` (section 4.2), while
    /// `backlog_bytes` wait. Returns whether another update right now would change anything.
    pub fn update(&mut self, backlog_bytes: u64) -> bool {
        let before = *self;
        if self.plan.dq_rate_estimator {
            self.qdelay = self.departures.delay_of(backlog_bytes);
        }
        let (qdelay, qdelay_old, target) = (self.qdelay, self.qdelay_old, self.target());
        let tuned = AUTO_TUNE.iter().find(|(below, _)| self.drop_prob < *below);
        let mut p = (self.plan.alpha * (qdelay - target) + self.plan.beta * (qdelay - qdelay_old))
            / tuned.map_or(1.0, |(_, by)| *by);
        if self.drop_prob >= CAP_PROB {
            p = p.min(STEP_MAX);
        }
        if qdelay > HIGH_DELAY {
            p += STEP_MAX;
        }
        self.drop_prob = (self.drop_prob + p).clamp(0.0, 1.0);
        if qdelay <= 0.0 && qdelay_old <= 0.0 && backlog_bytes == 0 {
            self.drop_prob *= DECAY;
        }
        if self.drop_prob <= 0.0 && qdelay < target / 2.0 && qdelay_old < target / 2.0 {
            // Section 4.4. Linux restarts its measurements, too (`pie_vars_init`).
            self.burst_allowance = Duration::from_ps(self.plan.max_burst_ps);
            self.accu_prob = 0.0;
            self.departures = Departures::default();
        } else {
            self.burst_allowance = self.burst_allowance.saturating_sub(self.period());
        }
        self.qdelay_old = qdelay;
        *self != before
    }
}

impl Departures {
    fn departed(&mut self, now: Time, size: u32, backlog_bytes: u64) {
        if let Some((start, bytes)) = &mut self.since {
            *bytes += u64::from(size);
            if *bytes >= DQ_THRESHOLD {
                let dq_time = now.since(*start).as_secs_f64();
                self.avg_dq_time = if self.avg_dq_time > 0.0 {
                    dq_time * DQ_WEIGHT + self.avg_dq_time * (1.0 - DQ_WEIGHT)
                } else {
                    dq_time
                };
                self.since = None;
            }
        }
        if self.since.is_none() && backlog_bytes >= DQ_THRESHOLD {
            self.since = Some((now, 0));
        }
    }

    /// Delay of a backlog by Little's law (section 4.3), s.
    #[expect(clippy::cast_precision_loss, reason = "bytes in a queue are far below 2^53")]
    fn delay_of(&self, backlog_bytes: u64) -> f64 {
        backlog_bytes as f64 * self.avg_dq_time / DQ_THRESHOLD as f64
    }
}

/// The controller of a queue with its timer. It judges the queue's arrivals and is told of its
/// departures.
///
/// The probability changes at every `T_UPDATE`, and is made up for at arrivals and departures. This
/// gives the result of a timer, because the input of an update (the delay of the packet that left
/// last, or the backlog) does not change in between. An update at the instant of a packet comes
/// before the packet.
#[derive(Clone, Copy, Debug)]
pub struct TimedPie {
    control: PieControl,
    timer: Periodic,
}

impl TimedPie {
    /// Makes a controller at rest.
    #[must_use]
    pub fn new(plan: PieControlPlan) -> Self {
        let control = PieControl::new(plan);
        Self { control, timer: Periodic::new(control.period()) }
    }

    /// Makes up for the updates until `now`, with `backlog_bytes` waiting since the last call.
    pub fn catch_up(&mut self, now: Time, backlog_bytes: u64) -> &mut PieControl {
        for _ in 0..ONE_BY_ONE {
            if self.timer.due(now).is_none() {
                return &mut self.control;
            }
            if !self.control.update(backlog_bytes) {
                self.timer.skip(now);
                return &mut self.control;
            }
        }
        if let Some((_, count)) = self.timer.skip(now) {
            self.control.leap(backlog_bytes, count);
        }
        &mut self.control
    }

    /// Judges a packet, and marks it if it must be marked. `backlog` waits in its queue, and
    /// `has_room` says whether there is room for it.
    ///
    /// # Errors
    /// The reason why the packet is refused.
    pub fn admit(
        &mut self,
        held: &mut Held,
        backlog: Backlog,
        has_room: bool,
        context: &mut Context,
    ) -> Result<(), DropReason> {
        let control = self.catch_up(context.now, backlog.bytes);
        if !has_room {
            control.dropped();
            return Err(DropReason::Forced);
        }
        let arrival = Arrival::of(held, context, backlog);
        match control.judge(backlog.bytes, arrival.size, arrival.ecn_capable, context.rng) {
            Verdict::Enqueue => {}
            Verdict::Mark => {
                context.mark(held);
            }
            Verdict::Drop(reason) => return Err(reason),
        }
        Ok(())
    }

    /// Takes the head of the queue.
    pub fn dequeue(&mut self, queue: &mut Waiting, now: Time) -> Option<Held> {
        let control = self.catch_up(now, queue.backlog().bytes);
        let held = queue.pop()?;
        control.departed(now, held.packet.wire_size, held.sojourn(now), queue.backlog().bytes);
        Some(held)
    }
}

/// One queue under PIE (tc-pie).
pub struct Pie {
    limit: LimitPlan,
    timed: TimedPie,
    queue: Waiting,
}

impl Pie {
    /// Makes an empty queue.
    #[must_use]
    pub fn new(plan: &PiePlan) -> Self {
        Self { limit: plan.limit, timed: TimedPie::new(plan.control), queue: Waiting::default() }
    }
}

impl Qdisc for Pie {
    fn enqueue(&mut self, mut held: Held, context: &mut Context) -> Result<(), DropReason> {
        let backlog = self.backlog();
        let has_room = self.limit.admits(&Arrival::of(&held, context, backlog));
        self.timed.admit(&mut held, backlog, has_room, context)?;
        self.queue.push(held);
        Ok(())
    }

    fn dequeue(&mut self, context: &mut Context) -> Dequeued {
        self.timed.dequeue(&mut self.queue, context.now).into()
    }

    fn backlog(&self) -> Backlog {
        self.queue.backlog()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::Ecn;
    use crate::qdisc::testing::{Bed, packet};

    const MS: u64 = 1_000_000_000;
    /// Backlog, bytes, that is large enough for the safeguard for short queues not to apply.
    const LONG: u64 = 100_000;

    fn plan() -> PieControlPlan {
        PieControlPlan {
            target_ps: 15 * MS,
            tupdate_ps: 15 * MS,
            alpha: 0.125,
            beta: 1.25,
            max_burst_ps: 150 * MS,
            ecn: false,
            ecn_prob: 0.1,
            bytemode: false,
            dq_rate_estimator: false,
            mtu_bytes: 1500,
        }
    }

    /// A controller with this drop probability, without burst allowance, and with this delay now
    /// and at the last update, ms.
    fn control(drop_prob: f64, qdelay: u32, qdelay_old: u32) -> PieControl {
        PieControl {
            drop_prob,
            burst_allowance: Duration::ZERO,
            qdelay: f64::from(qdelay) * 1e-3,
            qdelay_old: f64::from(qdelay_old) * 1e-3,
            ..PieControl::new(plan())
        }
    }

    fn updated(drop_prob: f64, qdelay: u32, qdelay_old: u32) -> f64 {
        let mut control = control(drop_prob, qdelay, qdelay_old);
        control.update(if qdelay == 0 { 0 } else { LONG });
        control.drop_prob()
    }

    #[track_caller]
    fn near(is: f64, should: f64) {
        assert!((is - should).abs() <= 1e-12 * should.abs(), "{is} is not {should}");
    }

    #[test]
    fn a_constant_delay_raises_the_probability_by_hand_computed_steps() {
        let mut control = control(0.0, 30, 0);
        // The delay has come up from nothing: 0.125 x 15 ms + 1.25 x 30 ms = 0.039375, at gains
        // divided by 2048.
        let mut p = 0.039_375 / 2048.0;
        control.update(LONG);
        near(control.drop_prob(), p);
        // From 1.9e-5 on 0.125 x 15 ms = 0.001875 at gains divided by 128, six times, until 1e-4 is
        // passed; then by 32.
        for _ in 0..6 {
            control.update(LONG);
            p += 0.001_875 / 128.0;
        }
        near(control.drop_prob(), p);
        assert!(p > 1e-4);
        control.update(LONG);
        near(control.drop_prob(), p + 0.001_875 / 32.0);
    }

    /// 10^12 updates in one event must not be made one by one.
    #[test]
    fn a_long_pause_takes_no_time_and_ends_where_its_updates_would() {
        for (alpha, prob, qdelay) in
            [(1e-6, 0.0, 30), (1e-5, 0.5, 5), (1e-4, 0.0, 14), (1e-6, 0.05, 0), (1e-9, 0.2, 200)]
        {
            let plan = PieControlPlan { alpha, tupdate_ps: 1_000_000, ..plan() };
            let mut leaps = TimedPie {
                control: PieControl { plan, ..control(prob, qdelay, qdelay) },
                timer: Periodic::new(Duration::from_ps(plan.tupdate_ps)),
            };
            let mut steps = leaps;
            let now = Time::ZERO + Duration::from_millis(300);
            let backlog = if qdelay == 0 { 0 } else { LONG };
            leaps.catch_up(now, backlog);
            while steps.timer.due(now).is_some() {
                steps.control.update(backlog);
            }
            let (fast, slow) = (leaps.control.drop_prob, steps.control.drop_prob);
            // 300000 additions of floats are off by some 1e-11.
            assert!((fast - slow).abs() < 1e-9, "{alpha} {prob} {qdelay}: {fast} is not {slow}");
            assert_eq!(leaps.control.burst_allowance, steps.control.burst_allowance);
            assert_eq!(leaps.timer.due(Time::MAX), steps.timer.due(Time::MAX));
            // A month of such updates takes no time either.
            leaps.catch_up(now + Duration::from_secs(30 * 24 * 3600), backlog);
        }
    }

    #[test]
    fn gains_follow_the_table() {
        for (prob, factor) in [
            (9e-7, 2048.0),
            (1e-6, 512.0),
            (9e-6, 512.0),
            (9e-5, 128.0),
            (9e-4, 32.0),
            (9e-3, 8.0),
            (0.09, 2.0),
            (0.1, 1.0),
            (0.5, 1.0),
        ] {
            near(updated(prob, 30, 30), prob + 0.001_875 / factor);
        }
    }

    #[test]
    fn a_high_probability_rises_by_two_percent_at_most_and_a_long_delay_adds_two() {
        // 0.125 x 185 ms + 1.25 x 200 ms = 0.273125.
        near(updated(0.1, 200, 0), 0.12);
        near(updated(0.099, 200, 0), 0.099 + 0.273_125 / 2.0);
        near(updated(0.2, 251, 0), 0.24);
        assert!((updated(0.99, 251, 0) - 1.0).abs() < f64::EPSILON, "never more than 1");
    }

    #[test]
    fn it_falls_with_the_delay_and_decays_without_a_queue() {
        near(updated(0.5, 10, 20), 0.5 - 0.125 * 0.005 - 1.25 * 0.010);
        near(updated(0.5, 0, 0), (0.5 - 0.001_875) * 63.0 / 64.0);
        assert!(updated(1e-7, 0, 30).abs() < f64::EPSILON, "never less than 0");
        // A packet that is short enough to leave at once says nothing about a queue that waits.
        let mut waiting = control(0.5, 0, 0);
        waiting.update(LONG);
        near(waiting.drop_prob(), 0.5 - 0.001_875);
    }

    fn verdict(control: &mut PieControl, backlog_bytes: u64) -> Verdict {
        control.judge(backlog_bytes, 1500, true, &mut rng::stream(1, "q"))
    }

    const EARLY: Verdict = Verdict::Drop(DropReason::Early);

    #[test]
    fn a_burst_of_150_ms_is_let_in_and_no_longer() {
        let mut control = PieControl::new(plan());
        control.qdelay = 0.1;
        control.drop_prob = 1.0;
        for _ in 0..10 {
            assert_eq!(verdict(&mut control, LONG), Verdict::Enqueue);
            control.update(LONG);
        }
        assert_eq!(verdict(&mut control, LONG), EARLY);
        // A quiet time gives the allowance back: no probability, and twice less than half of the
        // target.
        let mut quiet = self::control(0.0, 7, 8);
        quiet.update(LONG);
        assert_eq!(quiet.burst_allowance, Duration::ZERO);
        quiet.update(LONG);
        assert_eq!(quiet.burst_allowance, Duration::from_millis(150));
    }

    #[test]
    fn a_short_queue_and_a_low_delay_are_safe() {
        assert_eq!(verdict(&mut control(1.0, 30, 30), 3000), Verdict::Enqueue);
        assert_eq!(verdict(&mut control(1.0, 30, 30), 3001), EARLY);
        let safe = |prob, qdelay| {
            let mut control = control(prob, qdelay, 30);
            control.accu_prob = 9.0;
            verdict(&mut control, LONG) == Verdict::Enqueue
        };
        assert!(safe(0.19, 7));
        assert!(!safe(0.19, 8));
        assert!(!safe(0.20, 7));
    }

    #[test]
    fn marks_below_ten_percent_and_drops_from_there_on() {
        let judged = |prob: f64, ecn: bool, capable: bool| {
            let mut control = control(prob, 30, 30);
            control.plan.ecn = ecn;
            control.accu_prob = 9.0;
            control.judge(LONG, 1500, capable, &mut rng::stream(1, "q"))
        };
        assert_eq!(judged(0.099, true, true), Verdict::Mark);
        assert_eq!(judged(0.1, true, true), EARLY);
        assert_eq!(judged(0.099, true, false), EARLY);
        assert_eq!(judged(0.099, false, true), EARLY);
    }

    /// Numbers of arrivals from one drop to the next, many times.
    fn gaps(control: &mut PieControl, size: u32) -> Vec<u32> {
        let mut rng = rng::stream(1, "q");
        let (mut gaps, mut gap) = (Vec::new(), 0);
        while gaps.len() < 20_000 {
            gap += 1;
            if control.judge(LONG, size, false, &mut rng) == EARLY {
                gaps.push(gap);
                gap = 0;
            }
        }
        gaps
    }

    fn mean(gaps: &[u32]) -> f64 {
        f64::from(gaps.iter().sum::<u32>()) / 20_000.0
    }

    #[test]
    fn drops_are_kept_apart_and_not_left_out() {
        // At 0.1 the ninth packet is the first that may be dropped (0.9 >= 0.85), and then each is,
        // by chance: 8 + 10 in the mean, whose standard error is sqrt(90 / 20000) = 0.07.
        // The 85th is dropped for sure.
        let all = gaps(&mut control(0.1, 30, 30), 1500);
        assert_eq!(all.iter().min(), Some(&9));
        assert!(all.iter().all(|gap| *gap <= 86));
        assert!((mean(&all) - 18.0).abs() < 0.2, "{}", mean(&all));
    }

    #[test]
    fn small_packets_are_dropped_less_in_bytemode() {
        let mut bytes = control(0.2, 30, 30);
        bytes.plan.bytemode = true;
        // 750 bytes of 1500 halve the probability.
        assert!((mean(&gaps(&mut bytes, 750)) - 18.0).abs() < 0.2);
    }

    #[test]
    fn the_departure_rate_gives_the_delay() {
        let mut control = PieControl::new(PieControlPlan { dq_rate_estimator: true, ..plan() });
        // 1500 bytes every 1.2 ms; the eleventh after the start completes 16384 bytes, in 13.2 ms.
        for packet in 0..12 {
            control.departed(Time::from_ps(packet * 12 * MS / 10), 1500, Duration::ZERO, 30_000);
        }
        near(control.departures.avg_dq_time, 0.0132);
        control.update(30_000);
        near(control.qdelay, 30_000.0 * 0.0132 / 16_384.0);
        // The next measurement, at half the rate, counts for a quarter.
        for packet in 1..12 {
            control.departed(
                Time::from_ps((132 + packet * 24) * MS / 10),
                1500,
                Duration::ZERO,
                30_000,
            );
        }
        near(control.departures.avg_dq_time, 0.75 * 0.0132 + 0.25 * 0.0264);
    }

    #[test]
    fn updates_are_made_up_for_as_a_timer_would() {
        let mut bed = Bed::new();
        let mut pie = Pie::new(&PiePlan { limit: LimitPlan::default(), control: plan() });
        let mut by_hand = PieControl::new(plan());
        for _ in 0..10 {
            bed.enqueue(&mut pie, packet(0, 1500, Ecn::NotEct)).expect("no limit");
        }
        bed.wait(Duration::from_millis(40));
        bed.dequeue(&mut pie).expect("ten wait");
        // 15 and 30 ms passed without a departure; what leaves now has waited 40 ms.
        by_hand.update(15_000);
        by_hand.update(15_000);
        by_hand.departed(bed.now, 1500, Duration::from_millis(40), 13_500);
        assert_eq!(pie.timed.control, by_hand);
        bed.wait(Duration::from_millis(35));
        bed.dequeue(&mut pie).expect("nine wait");
        // 45, 60 and, at the instant of the departure and before it, 75 ms.
        for _ in 0..3 {
            by_hand.update(13_500);
        }
        by_hand.departed(bed.now, 1500, Duration::from_millis(75), 12_000);
        assert_eq!(pie.timed.control, by_hand);
        assert!(pie.timed.control.drop_prob() > 0.0);
        // Half a year of quiet, made up for at once.
        while bed.dequeue(&mut pie).is_some() {}
        bed.wait(Duration::from_secs(180 * 24 * 3600));
        bed.enqueue(&mut pie, packet(0, 1500, Ecn::NotEct)).expect("no limit");
        assert_eq!(pie.timed.control.burst_allowance, Duration::from_millis(150));
        assert!(pie.timed.control.drop_prob() <= 0.0);
        assert_eq!(pie.timed.timer.due(bed.now), None);
    }
}
