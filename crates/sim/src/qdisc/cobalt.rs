//! COBALT: `CoDel` combined with BLUE.

use ackclock_units::{Duration, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Backlog, Context, Dequeued, DisciplinePlan, DropReason, Held, LimitPlan, Qdisc, Traits, Waiting,
};
use crate::rng;

/// Transmission times of the largest packet for which a packet must have waited to be late
/// (`cobalt_should_drop`).
const LEAST_PACKET_TIMES: u64 = 4;

/// Parameters of COBALT, with the names of ns-3 and of Linux's CAKE.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CobaltPlan {
    /// Hard limit.
    pub limit: LimitPlan,
    /// Target: standing delay that is tolerated, ps.
    pub target_ps: u64,
    /// Interval, ps: packets must have been late for this long before one is dropped.
    pub interval_ps: u64,
    /// Whether ECN-capable packets are marked rather than dropped. BLUE drops them all the same.
    pub ecn: bool,
    /// Increase of BLUE's probability at an overflow.
    pub p_inc: f64,
    /// Decrease of BLUE's probability at an empty queue.
    pub p_dec: f64,
}

impl DisciplinePlan for CobaltPlan {
    const TRAITS: Traits = Traits { kind: "cobalt", draws: true, ..Traits::HEAD };

    fn hold(&self, _rate: Option<Rate>) -> Box<dyn Qdisc> {
        Box::new(Cobalt::new(self))
    }
}

/// COBALT (Linux: the `cobalt_` functions of `net/sched/sch_cake.c`; CAKE is Hoeiland-Joergensen et
/// al., LANMAN 2018): a `CoDel` whose count falls again one by one instead of being forgotten, and
/// BLUE (Feng et al. 2002), whose probability rises when the queue overflows and falls when it is
/// empty, at most once per target each.
///
/// - The first signal comes an interval after the first late packet, the n-th interval / sqrt(n)
///   after the one before it. A packet that is not late ends this; from then on the count falls by
///   one whenever a signal would have been due.
/// - The last packet of the queue may be marked and is not dropped.
/// - What overflows is dropped from the head, as CAKE does it (ns-3 drops the arrival).
/// - The queue is found empty at the end of the transmission of its last packet, if nobody has come
///   by then.
///
/// Other than in CAKE the root is exact, and the packet whose transmission time counts is the
/// largest seen here (there: the MTU).
pub struct Cobalt {
    plan: CobaltPlan,
    target: Duration,
    interval: Duration,
    queue: Waiting,
    count: u32,
    is_dropping: bool,
    drop_next: Time,
    /// BLUE's probability, and the time of its last change; `None`: it has not changed yet.
    p_drop: f64,
    blue_timer: Option<Time>,
    largest_packet: u64,
}

impl Cobalt {
    /// Makes an empty queue.
    #[must_use]
    pub fn new(plan: &CobaltPlan) -> Self {
        Self {
            plan: *plan,
            target: Duration::from_ps(plan.target_ps),
            interval: Duration::from_ps(plan.interval_ps.max(1)),
            queue: Waiting::default(),
            count: 0,
            is_dropping: false,
            drop_next: Time::ZERO,
            p_drop: 0.0,
            blue_timer: None,
            largest_packet: 0,
        }
    }

    /// BLUE's probability.
    #[must_use]
    pub fn p_drop(&self) -> f64 {
        self.p_drop
    }

    fn move_p_drop(&mut self, now: Time, by: f64) {
        if self.blue_timer.is_none_or(|changed| now.since(changed) > self.target) {
            self.p_drop = (self.p_drop + by).clamp(0.0, 1.0);
            self.blue_timer = Some(now);
        }
    }

    /// Raises BLUE's probability at an overflow (`cobalt_queue_full`).
    fn overflowed(&mut self, now: Time) {
        self.move_p_drop(now, self.plan.p_inc);
        self.is_dropping = true;
        self.drop_next = now;
        self.count = self.count.max(1);
    }

    /// Lowers BLUE's probability at an empty queue (`cobalt_queue_empty`).
    fn emptied(&mut self, now: Time) {
        if self.p_drop > 0.0 {
            self.move_p_drop(now, -self.plan.p_dec);
        }
        self.is_dropping = false;
        if self.is_due(now) {
            self.count -= 1;
            self.drop_next = self.after(self.drop_next);
        }
    }

    fn is_due(&self, now: Time) -> bool {
        self.count > 0 && now >= self.drop_next
    }

    /// The time one interval / sqrt(count) after `time`.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "at most the interval, and exact to 2^-52 of it"
    )]
    fn after(&self, time: Time) -> Time {
        let gap = self.interval.as_ps() as f64 / libm::sqrt(f64::from(self.count.max(1)));
        time.saturating_add(Duration::from_ps((gap as u64).max(1)))
    }

    /// Judges a packet that leaves, and marks it if a mark is enough (`cobalt_should_drop`).
    /// Returns whether it must be dropped.
    fn must_drop(&mut self, held: &mut Held, context: &mut Context) -> bool {
        let now = context.now;
        self.largest_packet = self.largest_packet.max(u64::from(held.packet.wire_size));
        let packet_time =
            context.rate.map_or(Duration::ZERO, |rate| rate.time_for(self.largest_packet));
        let sojourn = held.sojourn(now);
        let is_late =
            sojourn > self.target && sojourn > packet_time.saturating_mul(LEAST_PACKET_TIMES);
        let is_due = self.is_due(now);
        let mut is_behind = now > self.drop_next;
        if is_late {
            if !self.is_dropping {
                self.drop_next = self.after(now);
            }
            self.count = self.count.max(1);
        }
        self.is_dropping = is_late;
        let mut drop = false;
        if is_due && self.is_dropping {
            drop = !(self.plan.ecn && context.mark(held));
            self.count = self.count.saturating_add(1);
            self.drop_next = self.after(self.drop_next);
            is_behind = now > self.drop_next;
        } else {
            while is_due && self.is_due(now) {
                self.count -= 1;
                self.drop_next = self.after(self.drop_next);
                is_behind = now > self.drop_next;
            }
        }
        if self.p_drop > 0.0 {
            drop |= rng::unit(context.rng) < self.p_drop;
        }
        if self.count == 0 {
            self.drop_next = now.saturating_add(self.interval);
        } else if is_behind && !drop {
            self.drop_next = now;
        }
        drop
    }
}

impl Qdisc for Cobalt {
    fn enqueue(&mut self, held: Held, context: &mut Context) -> Result<(), DropReason> {
        if self.queue.backlog().packets == 0
            && let Some(since) = context.idle_since
        {
            self.emptied(since);
        }
        self.queue.push(held);
        while context.idle_since.is_none() && self.plan.limit.is_exceeded(self.queue.backlog()) {
            let Some(oldest) = self.queue.pop() else {
                break;
            };
            self.overflowed(context.now);
            context.drop(&oldest, DropReason::Forced);
        }
        Ok(())
    }

    fn dequeue(&mut self, context: &mut Context) -> Dequeued {
        while let Some(mut held) = self.queue.pop() {
            if !self.must_drop(&mut held, context) || self.queue.backlog().packets == 0 {
                return Dequeued::Packet(held);
            }
            context.drop(&held, DropReason::Early);
        }
        self.emptied(context.now);
        Dequeued::Empty
    }

    fn backlog(&self) -> Backlog {
        self.queue.backlog()
    }
}
