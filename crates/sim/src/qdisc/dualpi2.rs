//! `DualPI2`: two coupled queues. One is for scalable flows, which respond to every mark; the
//! coupling lets flows of both queues share the link.

use std::collections::VecDeque;

use ackclock_units::{Duration, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::periodic::{ONE_BY_ONE, Periodic};
use super::{
    Arrival, Backlog, Context, Dequeued, DisciplinePlan, DropReason, Held, LimitPlan, Qdisc,
    Traits, Verdict, Waiting,
};
use crate::packet::Ecn;
use crate::rng::{self, Rng};

/// Sum of the weights of both queues, percent.
const WEIGHTS: i64 = 100;

/// Parameters of `DualPI2`, with tc-dualpi2's names.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct Dualpi2Plan {
    /// Hard limit of both queues together.
    pub limit: LimitPlan,
    /// Target delay of the classic queue, ps.
    pub target_ps: u64,
    /// Time between updates of p', ps.
    pub tupdate_ps: u64,
    /// Gain of the deviation from the target, 1/s.
    pub alpha: f64,
    /// Gain of the delay's change, 1/s.
    pub beta: f64,
    /// Coupling factor k: scalable flows are marked with k p', classic flows with p'^2.
    pub coupling_factor: f64,
    /// Step above which every packet of the L queue is marked.
    pub step: Dualpi2Step,
    /// Packets that must wait in the L queue for the step to apply to the next.
    #[serde(default)]
    pub min_qlen_step: u64,
    /// Whether both queues drop when k p' exceeds 1. Otherwise they drop only when the limit is
    /// reached.
    pub drop_on_overload: bool,
    /// Whether packets are dropped on arrival, not on departure.
    pub drop_enqueue: bool,
    /// Share of the classic queue if both queues are busy, percent.
    pub classic_protection: u8,
    /// Whether ECT(0) belongs to the L queue, too.
    pub any_ect: bool,
    /// Size of a full packet, bytes: twice this may always wait.
    pub mtu_bytes: u32,
}

impl DisciplinePlan for Dualpi2Plan {
    const TRAITS: Traits =
        Traits { kind: "dualpi2", draws: true, marks: true, serves_l4s: true, ..Traits::SCHEDULER };

    fn hold(&self, _rate: Option<Rate>) -> Box<dyn Qdisc> {
        Box::new(Dualpi2::new(self))
    }
}

/// The step of the L queue's own marking.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Dualpi2Step {
    /// Packets that have waited longer are marked.
    Time {
        /// Waiting time, ps.
        ps: u64,
    },
    /// Packets that leave more packets behind in the L queue are marked.
    Packets {
        /// Number of packets.
        count: u64,
    },
}

/// The coupled dual queue of RFC 9332 with the AQMs of its appendix A, in the order of Linux's
/// `sch_dualpi2.c` (6.17).
///
/// - ECT(1) and CE wait in the L queue, the rest in the C queue (section 2.3).
/// - *Base probability* (appendix A.1): every `tupdate` p' += alpha (q - target) + beta (q - q of
///   the last update), with q the age of the oldest packet in both queues (A.2, as in Linux).
/// - *Classic*: dropped or, if ECT(0), marked with p'^2. *Scalable*: marked with k p', and after
///   more than the step's delay in any case.
/// - *Overload* (A.2; Linux): while k p' > 1, the C queue only drops, and the L queue drops with
///   p'^2 and marks the rest.
/// - Nothing is dropped or marked for p' while less than two full packets wait (Linux).
/// - *Scheduler* (section 4.2.2; Linux): weighted round robin by bytes; if both queues are busy the
///   C queue gets its protection, the L queue the rest.
///
/// p' is made up for when somebody arrives or leaves, for each update at its own instant: heads
/// change only then, and their ages are known in between.
pub struct Dualpi2 {
    plan: Dualpi2Plan,
    l_queue: Waiting,
    /// Whether the step applies, for each packet in the L queue.
    stepped: VecDeque<bool>,
    c_queue: Waiting,
    timer: Periodic,
    /// The base probability p'.
    base_prob: f64,
    /// Delay q at the last update, s.
    last_qdelay: f64,
    /// Credit of the scheduler, bytes times percent: it is the L queue's turn up to zero, and the C
    /// queue's above.
    credit: i64,
}

/// A packet whose turn it is.
struct Turn {
    held: Held,
    /// Credit that the packet costs its queue.
    credit: i64,
    /// Whether the step applies to the packet.
    is_stepped: bool,
}

impl Dualpi2 {
    /// Makes empty queues.
    #[must_use]
    pub fn new(plan: &Dualpi2Plan) -> Self {
        let mut new = Self {
            plan: Dualpi2Plan { coupling_factor: plan.coupling_factor.max(1.0), ..*plan },
            l_queue: Waiting::default(),
            stepped: VecDeque::new(),
            c_queue: Waiting::default(),
            timer: Periodic::new(Duration::from_ps(plan.tupdate_ps)),
            base_prob: 0.0,
            last_qdelay: 0.0,
            credit: 0,
        };
        new.reset_credit();
        new
    }

    fn classic_weight(&self) -> i64 {
        i64::from(self.plan.classic_protection).min(WEIGHTS)
    }

    fn reset_credit(&mut self) {
        self.credit = i64::from(self.plan.mtu_bytes) * (2 * self.classic_weight() - WEIGHTS);
    }

    fn is_empty(&self) -> bool {
        self.l_queue.is_empty() && self.c_queue.is_empty()
    }

    fn catch_up(&mut self, now: Time) {
        for _ in 0..ONE_BY_ONE {
            let Some(at) = self.timer.due(now) else { return };
            let before = (self.base_prob, self.last_qdelay);
            self.update(at);
            if self.is_empty() && before == (self.base_prob, self.last_qdelay) {
                self.timer.skip(now);
                return;
            }
        }
        if let Some((first, count)) = self.timer.skip(now) {
            self.leap(first, count);
        }
    }

    /// Age of the oldest packet in both queues, s.
    fn queue_delay(&self, at: Time) -> f64 {
        let age = |queue: &Waiting| queue.head().map_or(Duration::ZERO, |head| head.sojourn(at));
        age(&self.l_queue).max(age(&self.c_queue)).as_secs_f64()
    }

    fn highest_prob(&self) -> f64 {
        if self.plan.drop_on_overload { 1.0 } else { self.plan.coupling_factor.recip() }
    }

    fn update(&mut self, at: Time) {
        let qdelay = self.queue_delay(at);
        let target = Duration::from_ps(self.plan.target_ps).as_secs_f64();
        let delta =
            self.plan.alpha * (qdelay - target) + self.plan.beta * (qdelay - self.last_qdelay);
        self.base_prob = (self.base_prob + delta).clamp(0.0, self.highest_prob());
        self.last_qdelay = qdelay;
    }

    /// Makes `count` updates at once, the first at `first`. The heads stay, so q grows by the
    /// period from update to update (or is 0 throughout), and so do the steps of p': they are
    /// negative at first, if at all. p' falls to its lowest value, not below 0, and rises from
    /// there, not above its highest.
    #[expect(clippy::cast_precision_loss, reason = "a closed form of floats")]
    fn leap(&mut self, first: Time, count: u64) {
        self.update(first);
        let later = count - 1;
        let (q, period) = (self.last_qdelay, self.timer.period());
        let step = if self.is_empty() { 0.0 } else { period.as_secs_f64() };
        let (alpha, beta) = (self.plan.alpha, self.plan.beta);
        let target = Duration::from_ps(self.plan.target_ps).as_secs_f64();
        // Update k adds alpha (q + k step - target) + beta step; this is the sum of the first n.
        let sum =
            |n: f64| alpha * (n * (q - target) + step * n * (n + 1.0) / 2.0) + beta * step * n;
        let n = later as f64;
        let rises_from = if alpha * step > 0.0 {
            ((target - q) / step - beta / alpha).clamp(0.0, n).floor()
        } else if alpha * (q - target) + beta * step < 0.0 {
            n
        } else {
            0.0
        };
        let lowest = (self.base_prob + sum(rises_from)).max(0.0);
        self.base_prob = (lowest + sum(n) - sum(rises_from)).clamp(0.0, self.highest_prob());
        self.last_qdelay = self.queue_delay(first + period.saturating_mul(later));
    }

    fn is_scalable(&self, ecn: Ecn) -> bool {
        match ecn {
            Ecn::Ect1 | Ecn::Ce => true,
            Ecn::Ect0 => self.plan.any_ect,
            Ecn::NotEct => false,
        }
    }

    /// Decides about a packet by p'. `Enqueue` means that nothing happens to it.
    fn judge(&self, ecn: Ecn, rng: &mut Rng) -> Verdict {
        if self.backlog().bytes < 2 * u64::from(self.plan.mtu_bytes) {
            return Verdict::Enqueue;
        }
        let mut roll = |p: f64| rng::unit(rng) < p;
        let coupled = self.base_prob * self.plan.coupling_factor;
        let overload = coupled > 1.0;
        let drop = Verdict::Drop(DropReason::Early);
        if self.is_scalable(ecn) {
            match overload {
                true if self.plan.drop_on_overload
                    && roll(self.base_prob)
                    && roll(self.base_prob) =>
                {
                    drop
                }
                true => Verdict::Mark,
                false if roll(coupled) => Verdict::Mark,
                false => Verdict::Enqueue,
            }
        } else if roll(self.base_prob) && roll(self.base_prob) {
            if overload || ecn == Ecn::NotEct { drop } else { Verdict::Mark }
        } else {
            Verdict::Enqueue
        }
    }

    /// Chooses the packet whose turn it is.
    fn next(&mut self) -> Option<Turn> {
        let classic = self.classic_weight();
        let is_l = !self.l_queue.is_empty() && (self.c_queue.is_empty() || self.credit <= 0);
        let (held, weight, other) = if is_l {
            (self.l_queue.pop()?, classic, &self.c_queue)
        } else {
            (self.c_queue.pop()?, classic - WEIGHTS, &self.l_queue)
        };
        Some(Turn {
            held,
            credit: if other.is_empty() { 0 } else { weight * i64::from(held.packet.wire_size) },
            is_stepped: is_l && self.stepped.pop_front().unwrap_or(false),
        })
    }

    fn is_above_step(&self, held: &Held, now: Time) -> bool {
        match self.plan.step {
            Dualpi2Step::Time { ps } => held.sojourn(now) > Duration::from_ps(ps),
            Dualpi2Step::Packets { count } => self.l_queue.backlog().packets > count,
        }
    }
}

impl Qdisc for Dualpi2 {
    fn enqueue(&mut self, mut held: Held, context: &mut Context) -> Result<(), DropReason> {
        self.catch_up(context.now);
        if !self.plan.limit.admits(&Arrival::of(&held, context, self.backlog())) {
            return Err(DropReason::Forced);
        }
        // A mark does not move a packet to the other queue.
        let is_scalable = self.is_scalable(held.packet.ecn());
        if self.plan.drop_enqueue {
            match self.judge(held.packet.ecn(), context.rng) {
                Verdict::Enqueue => {}
                Verdict::Mark => {
                    context.mark(&mut held);
                }
                Verdict::Drop(reason) => return Err(reason),
            }
        }
        if is_scalable {
            self.stepped.push_back(self.l_queue.backlog().packets >= self.plan.min_qlen_step);
            self.l_queue.push(held);
        } else {
            self.c_queue.push(held);
        }
        Ok(())
    }

    fn dequeue(&mut self, context: &mut Context) -> Dequeued {
        self.catch_up(context.now);
        let mut left = Dequeued::Empty;
        while let Some(Turn { mut held, credit, is_stepped }) = self.next() {
            if !self.plan.drop_enqueue {
                match self.judge(held.packet.ecn(), context.rng) {
                    Verdict::Enqueue => {}
                    Verdict::Mark => {
                        context.mark(&mut held);
                    }
                    Verdict::Drop(reason) => {
                        context.drop(&held, reason);
                        continue;
                    }
                }
            }
            if is_stepped && self.is_above_step(&held, context.now) {
                context.mark(&mut held);
            }
            self.credit += credit;
            left = Dequeued::Packet(held);
            break;
        }
        if self.is_empty() {
            self.reset_credit();
        }
        left
    }

    fn backlog(&self) -> Backlog {
        let (l, c) = (self.l_queue.backlog(), self.c_queue.backlog());
        Backlog { packets: l.packets + c.packets, bytes: l.bytes + c.bytes }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::qdisc::testing::{Bed, packet};

    const MS: u64 = 1_000_000_000;

    fn plan() -> Dualpi2Plan {
        Dualpi2Plan {
            limit: LimitPlan::default(),
            target_ps: 15 * MS,
            tupdate_ps: 16 * MS,
            alpha: 0.16,
            beta: 3.2,
            coupling_factor: 2.0,
            step: Dualpi2Step::Time { ps: MS },
            min_qlen_step: 0,
            drop_on_overload: true,
            drop_enqueue: false,
            classic_protection: 10,
            any_ect: false,
            mtu_bytes: 1500,
        }
    }

    fn put(bed: &mut Bed, qdisc: &mut Dualpi2, ecn: Ecn, count: u32) {
        for number in 0..count {
            bed.enqueue(qdisc, packet(number, 1500, ecn)).expect("no limit");
        }
    }

    #[track_caller]
    fn near(is: f64, should: f64) {
        assert!((is - should).abs() < 1e-12, "{is} is not {should}");
    }

    #[test]
    fn the_base_probability_follows_the_oldest_packet() {
        let (mut bed, mut dual) = (Bed::new(), Dualpi2::new(&plan()));
        put(&mut bed, &mut dual, Ecn::NotEct, 1);
        bed.wait(Duration::from_millis(16));
        dual.catch_up(bed.now);
        // 0.16 (16 - 15) ms + 3.2 x 16 ms.
        near(dual.base_prob, 0.000_16 + 0.051_2);
        bed.wait(Duration::from_millis(20));
        dual.catch_up(bed.now);
        // At 32 ms, not at the 36 ms at which it is asked: 0.16 (32 - 15) ms + 3.2 x 16 ms.
        near(dual.base_prob, 0.051_36 + 0.002_72 + 0.051_2);
        while bed.dequeue(&mut dual).is_some() {}
        bed.wait(Duration::from_millis(12));
        dual.catch_up(bed.now);
        // Empty at 48 ms: 0.16 x -15 ms - 3.2 x 32 ms, and 0.10528 were there.
        near(dual.base_prob, 0.105_28 - 0.002_4 - 0.102_4);
        bed.wait(Duration::from_secs(180 * 24 * 3600));
        dual.catch_up(bed.now);
        near(dual.base_prob, 0.0);
    }

    /// 10^12 updates in one event must not be made one by one.
    #[test]
    fn a_long_pause_takes_no_time_and_ends_where_its_updates_would() {
        for (alpha, beta, waits) in
            [(0.16, 3.2, true), (1e-6, 0.0, true), (1e-9, 1e-7, true), (1e-6, 0.0, false)]
        {
            let plan = Dualpi2Plan { tupdate_ps: 1_000_000, alpha, beta, ..plan() };
            let (mut bed, mut leaps) = (Bed::new(), Dualpi2::new(&plan));
            let mut steps = Dualpi2::new(&plan);
            for dual in [&mut leaps, &mut steps] {
                put(&mut bed, dual, Ecn::NotEct, u32::from(waits));
                dual.base_prob = 0.3;
            }
            bed.wait(Duration::from_millis(100));
            leaps.catch_up(bed.now);
            while let Some(at) = steps.timer.due(bed.now) {
                steps.update(at);
            }
            // 100000 additions of floats are off by some 1e-12.
            assert!((leaps.base_prob - steps.base_prob).abs() < 1e-9, "{alpha} {beta} {waits}");
            near(leaps.last_qdelay, steps.last_qdelay);
            assert_eq!(leaps.timer.due(Time::MAX), steps.timer.due(Time::MAX));
            bed.wait(Duration::from_secs(20 * 24 * 3600));
            leaps.catch_up(bed.now);
            near(leaps.base_prob, if waits { 1.0 } else { 0.0 });
        }
    }

    #[test]
    fn an_old_scalable_packet_counts_too() {
        let (mut bed, mut dual) = (Bed::new(), Dualpi2::new(&plan()));
        put(&mut bed, &mut dual, Ecn::Ect1, 1);
        bed.wait(Duration::from_millis(8));
        put(&mut bed, &mut dual, Ecn::NotEct, 1);
        bed.wait(Duration::from_millis(8));
        dual.catch_up(bed.now);
        near(dual.base_prob, 0.000_16 + 0.051_2);
    }

    /// Shares of (marked, dropped) of many packets at this p'.
    fn shares(plan: &Dualpi2Plan, base_prob: f64, ecn: Ecn) -> (f64, f64) {
        let (mut bed, mut dual) = (Bed::new(), Dualpi2::new(plan));
        put(&mut bed, &mut dual, Ecn::NotEct, 10);
        dual.base_prob = base_prob;
        let all: Vec<Verdict> = (0..100_000).map(|_| dual.judge(ecn, &mut bed.rng)).collect();
        let share = |of: Verdict| {
            f64::from(u32::try_from(all.iter().filter(|turn| **turn == of).count()).expect("few"))
                / 1e5
        };
        (share(Verdict::Mark), share(Verdict::Drop(DropReason::Early)))
    }

    #[track_caller]
    fn about(is: (f64, f64), marked: f64, dropped: f64) {
        // Four standard errors of a share near a half of 100000 are 0.0063.
        assert!((is.0 - marked).abs() < 0.0065 && (is.1 - dropped).abs() < 0.0065, "{is:?}");
    }

    #[test]
    fn classic_gets_the_square_and_scalable_the_double() {
        about(shares(&plan(), 0.2, Ecn::NotEct), 0.0, 0.04);
        about(shares(&plan(), 0.2, Ecn::Ect0), 0.04, 0.0);
        about(shares(&plan(), 0.2, Ecn::Ect1), 0.4, 0.0);
        about(shares(&plan(), 0.2, Ecn::Ce), 0.4, 0.0);
        let any = Dualpi2Plan { any_ect: true, ..plan() };
        about(shares(&any, 0.2, Ecn::Ect0), 0.4, 0.0);
    }

    #[test]
    fn overload_drops_from_both_queues() {
        about(shares(&plan(), 0.6, Ecn::NotEct), 0.0, 0.36);
        about(shares(&plan(), 0.6, Ecn::Ect0), 0.0, 0.36);
        about(shares(&plan(), 0.6, Ecn::Ect1), 0.64, 0.36);
    }

    #[test]
    fn overflow_marks_all_and_keeps_the_coupling() {
        let overflow = Dualpi2Plan { drop_on_overload: false, ..plan() };
        let (mut bed, mut dual) = (Bed::new(), Dualpi2::new(&overflow));
        put(&mut bed, &mut dual, Ecn::NotEct, 1);
        bed.wait(Duration::from_secs(10));
        dual.catch_up(bed.now);
        near(dual.base_prob, 0.5);
        about(shares(&overflow, 0.5, Ecn::Ect1), 1.0, 0.0);
        about(shares(&overflow, 0.5, Ecn::NotEct), 0.0, 0.25);
    }

    #[test]
    fn two_packets_may_wait() {
        let (mut bed, mut dual) = (Bed::new(), Dualpi2::new(&plan()));
        dual.base_prob = 1.0;
        put(&mut bed, &mut dual, Ecn::NotEct, 1);
        assert_eq!(dual.judge(Ecn::NotEct, &mut bed.rng), Verdict::Enqueue);
        put(&mut bed, &mut dual, Ecn::NotEct, 1);
        assert_eq!(dual.judge(Ecn::NotEct, &mut bed.rng), Verdict::Drop(DropReason::Early));
    }

    #[test]
    fn the_step_marks_who_waited_longer_than_a_millisecond() {
        let (mut bed, mut dual) = (Bed::new(), Dualpi2::new(&plan()));
        put(&mut bed, &mut dual, Ecn::Ect1, 2);
        bed.wait(Duration::from_millis(1));
        assert_eq!(bed.dequeue(&mut dual).map(|packet| packet.ecn), Some(Ecn::Ect1));
        bed.wait(Duration::from_ps(1));
        assert_eq!(bed.dequeue(&mut dual).map(|packet| packet.ecn), Some(Ecn::Ce));
        assert_eq!(bed.troubles.len(), 1);
    }

    #[test]
    fn the_step_may_count_packets() {
        let mut dual =
            Dualpi2::new(&Dualpi2Plan { step: Dualpi2Step::Packets { count: 1 }, ..plan() });
        let mut bed = Bed::new();
        put(&mut bed, &mut dual, Ecn::Ect1, 3);
        let left: Vec<Ecn> =
            core::iter::from_fn(|| bed.dequeue(&mut dual)).map(|packet| packet.ecn).collect();
        assert_eq!(left, [Ecn::Ce, Ecn::Ect1, Ecn::Ect1]);
    }

    #[test]
    fn a_short_queue_may_be_left_out_of_the_step() {
        let mut dual = Dualpi2::new(&Dualpi2Plan { min_qlen_step: 2, ..plan() });
        let mut bed = Bed::new();
        put(&mut bed, &mut dual, Ecn::Ect1, 4);
        bed.wait(Duration::from_millis(5));
        let left: Vec<Ecn> =
            core::iter::from_fn(|| bed.dequeue(&mut dual)).map(|packet| packet.ecn).collect();
        assert_eq!(left, [Ecn::Ect1, Ecn::Ect1, Ecn::Ce, Ecn::Ce]);
    }

    #[test]
    fn the_classic_queue_gets_its_tenth_and_no_more() {
        let (mut bed, mut dual) = (Bed::new(), Dualpi2::new(&plan()));
        put(&mut bed, &mut dual, Ecn::NotEct, 10);
        put(&mut bed, &mut dual, Ecn::Ect1, 30);
        // The credit begins at 1500 (10 - 90); each L packet adds 10 x 1500, so nine pass until it
        // is above zero; a C packet takes 90 x 1500.
        let turns: Vec<bool> = core::iter::from_fn(|| bed.dequeue(&mut dual))
            .map(|packet| packet.ecn == Ecn::NotEct)
            .collect();
        let classic: Vec<usize> = (0..40).filter(|turn| turns[*turn]).collect();
        assert_eq!(classic, [9, 19, 29, 33, 34, 35, 36, 37, 38, 39]);
        assert_eq!(dual.credit, -120_000);
    }

    #[test]
    fn it_drops_on_departure_or_on_arrival() {
        for drop_enqueue in [false, true] {
            let mut dual = Dualpi2::new(&Dualpi2Plan { drop_enqueue, ..plan() });
            let mut bed = Bed::new();
            put(&mut bed, &mut dual, Ecn::NotEct, 4);
            dual.base_prob = 1.0;
            let arrived = bed.enqueue(&mut dual, packet(9, 1500, Ecn::NotEct));
            assert_eq!(arrived.is_err(), drop_enqueue);
            // On departure, all packets go except the last two.
            let left = core::iter::from_fn(|| bed.dequeue(&mut dual)).count();
            assert_eq!(left, if drop_enqueue { 4 } else { 2 });
            assert_eq!(bed.troubles.len(), if drop_enqueue { 0 } else { 3 });
        }
    }
}
