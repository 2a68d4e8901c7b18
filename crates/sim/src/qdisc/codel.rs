//! `CoDel`: controlled delay.

use ackclock_units::{Duration, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{
    Arrival, Backlog, Context, Dequeued, DisciplinePlan, DropReason, Held, LimitPlan, Qdisc,
    Traits, Waiting,
};

/// Intervals since the last drop within which a new dropping state carries on with the count of the
/// last (RFC 8289 section 5.5).
const RECENT_INTERVALS: u64 = 16;

/// Parameters of `CoDel`'s control law, with tc's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodelControl {
    /// Target: standing delay that is tolerated, ps.
    pub target_ps: u64,
    /// Interval, ps: every packet must have waited longer than the target for this long before one
    /// is dropped.
    pub interval_ps: u64,
    /// Whether ECN-capable packets are marked rather than dropped.
    pub ecn: bool,
    /// Waiting time above which every ECN-capable packet is marked, ps; absent: none.
    #[serde(default)]
    pub ce_threshold_ps: Option<u64>,
}

/// Parameters of a `CoDel` queue.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CodelPlan {
    /// Hard limit.
    pub limit: LimitPlan,
    /// Parameters of the control law.
    pub control: CodelControl,
}

impl DisciplinePlan for CodelPlan {
    const TRAITS: Traits = Traits { kind: "codel", ..Traits::HEAD };

    fn hold(&self, _rate: Option<Rate>) -> Box<dyn Qdisc> {
        Box::new(Codel::new(self))
    }
}

/// The control law of RFC 8289's pseudocode (section 5), which drops or marks at the head of a
/// queue. ECN and `ce_threshold` are those of Linux (`include/net/codel_impl.h`): a mark stands for
/// a drop, and at most one mark is set per packet that leaves.
///
/// Differences from Linux: the root is exact (Linux: one Newton step in 16 bits). A first drop
/// comes when an interval has passed (Linux: is exceeded). The MTU is the largest packet seen here
/// (Linux: the device's).
#[derive(Clone, Copy, Debug)]
pub struct ControlLaw {
    control: CodelControl,
    target: Duration,
    interval: Duration,
    /// Size of the largest packet seen (the RFC's `maxpacket_`).
    largest_packet: u64,
}

/// State of the law for one queue (section 5.2).
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Time at which packets will have been late for an interval; `None`: the last packet was not
    /// late.
    first_above: Option<Time>,
    /// Time of the next drop, or of the last planned drop.
    drop_next: Time,
    /// Number of drops since the dropping state began.
    count: u32,
    /// Count at the beginning of the dropping state.
    last_count: u32,
    is_dropping: bool,
}

impl Memory {
    /// Counts drops from this queue by another hand, so that the next drops come sooner.
    pub fn add_drops(&mut self, drops: u32) {
        self.count = self.count.saturating_add(drops);
    }
}

/// The head of the queue, and whether it may be dropped (`dodequeue_result`).
struct Candidate {
    held: Option<Held>,
    may_drop: bool,
}

impl ControlLaw {
    /// Makes a law with these parameters.
    #[must_use]
    pub fn new(control: CodelControl) -> Self {
        Self {
            control,
            target: Duration::from_ps(control.target_ps),
            // An interval of zero would drop all packets at once.
            interval: Duration::from_ps(control.interval_ps.max(1)),
            largest_packet: 0,
        }
    }

    /// Takes the packet that leaves this queue now. Packets dropped and marked before it are told
    /// to `context`.
    #[expect(clippy::inline_always, reason = "once per packet and link")]
    #[inline(always)]
    pub fn dequeue(
        &mut self,
        memory: &mut Memory,
        queue: &mut Waiting,
        context: &mut Context,
    ) -> Option<Held> {
        let now = context.now;
        let next = self.take(memory, queue, now);
        let mut held = if next.may_drop {
            self.signal_all(next, memory, queue, context)?
        } else {
            memory.is_dropping = false;
            next.held?
        };
        if let Some(threshold) = self.control.ce_threshold_ps
            && held.sojourn(now) > Duration::from_ps(threshold)
        {
            context.mark(&mut held);
        }
        Some(held)
    }

    /// Drops or marks the head of the queue, and perhaps those behind it. Returns the packet that
    /// leaves.
    fn signal_all(
        &mut self,
        mut next: Candidate,
        memory: &mut Memory,
        queue: &mut Waiting,
        context: &mut Context,
    ) -> Option<Held> {
        let now = context.now;
        if memory.is_dropping {
            memory.is_dropping = next.may_drop;
            while memory.is_dropping && now >= memory.drop_next {
                memory.count = memory.count.saturating_add(1);
                let marked = self.signal(&mut next, context);
                if !marked {
                    next = self.take(memory, queue, now);
                    memory.is_dropping = next.may_drop;
                }
                if memory.is_dropping {
                    memory.drop_next = self.after(memory.drop_next, memory.count);
                }
                if marked {
                    break;
                }
            }
        } else {
            if !self.signal(&mut next, context) {
                next = self.take(memory, queue, now);
            }
            memory.is_dropping = true;
            let drops = memory.count.saturating_sub(memory.last_count);
            // Drops by another hand before the first of the law are recent at any time of the run:
            // they "tell codel to increase its signal strength" (Linux's `fq_codel_drop`). In
            // Linux the time of a drop that never was is 0, and a clock of 32 bits decides.
            let is_recent = memory.last_count == 0
                || now.since(memory.drop_next) < self.interval.saturating_mul(RECENT_INTERVALS);
            memory.count = if drops > 1 && is_recent { drops } else { 1 };
            memory.last_count = memory.count;
            memory.drop_next = self.after(now, memory.count);
        }
        next.held
    }

    /// The control law (section 5.6): t + interval / sqrt(count).
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        clippy::cast_precision_loss,
        reason = "at most the interval, and exact to 2^-52 of it"
    )]
    fn after(&self, time: Time, count: u32) -> Time {
        let gap = self.interval.as_ps() as f64 / libm::sqrt(f64::from(count.max(1)));
        time.saturating_add(Duration::from_ps(gap as u64))
    }

    /// Takes the head and judges it (section 5.6).
    #[inline]
    fn take(&mut self, memory: &mut Memory, queue: &mut Waiting, now: Time) -> Candidate {
        let held = queue.pop();
        let is_late = held.as_ref().is_some_and(|held| {
            self.largest_packet = self.largest_packet.max(u64::from(held.packet.wire_size));
            held.sojourn(now) >= self.target && queue.backlog().bytes > self.largest_packet
        });
        let may_drop = is_late && memory.first_above.is_some_and(|time| now >= time);
        memory.first_above =
            is_late.then(|| memory.first_above.unwrap_or(now.saturating_add(self.interval)));
        Candidate { held, may_drop }
    }

    /// Marks a head that may be marked, and drops any other. Returns whether it was marked.
    fn signal(&self, candidate: &mut Candidate, context: &mut Context) -> bool {
        let Some(held) = &mut candidate.held else {
            return false;
        };
        if self.control.ecn && context.mark(held) {
            return true;
        }
        context.drop(held, DropReason::Early);
        false
    }
}

/// One queue under the law, with a hard limit (Linux: `net/sched/sch_codel.c`).
pub struct Codel {
    limit: LimitPlan,
    law: ControlLaw,
    memory: Memory,
    queue: Waiting,
}

impl Codel {
    /// Makes an empty queue.
    #[must_use]
    pub fn new(plan: &CodelPlan) -> Self {
        Self {
            limit: plan.limit,
            law: ControlLaw::new(plan.control),
            memory: Memory::default(),
            queue: Waiting::default(),
        }
    }
}

impl Qdisc for Codel {
    fn enqueue(&mut self, held: Held, context: &mut Context) -> Result<(), DropReason> {
        if !self.limit.admits(&Arrival::of(&held, context, self.backlog())) {
            return Err(DropReason::Forced);
        }
        self.queue.push(held);
        Ok(())
    }

    fn dequeue(&mut self, context: &mut Context) -> Dequeued {
        self.law.dequeue(&mut self.memory, &mut self.queue, context).into()
    }

    fn backlog(&self) -> Backlog {
        self.queue.backlog()
    }
}
