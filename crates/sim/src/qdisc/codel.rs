//! Controlled delay.

use ackclock_units::{Duration, Time};
use serde::{Deserialize, Serialize};

use super::{Arrival, Backlog, Context, Dequeued, DropReason, Held, Qdisc, Waiting};
use crate::plan::LimitPlan;

/// A dropping state that begins within so many intervals of the last drop carries on with its count (RFC 8289 section 5.5).
const RECENT_INTERVALS: u64 = 16;

/// What a `CoDel` is set to, in tc's names.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodelControl {
    /// The standing delay that is put up with, ps.
    pub target_ps: u64,
    /// For so long every packet must have waited longer before one is dropped, ps.
    pub interval_ps: u64,
    /// Mark ECN-capable packets rather than drop them.
    pub ecn: bool,
    /// ECN-capable packets that waited longer are marked besides, ps; absent: none.
    #[serde(default)]
    pub ce_threshold_ps: Option<u64>,
}

/// `CoDel`'s parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CodelPlan {
    /// Hard limit, as for fifo.
    pub limit: LimitPlan,
    /// The rest.
    pub control: CodelControl,
}

/// When a queue drops or marks its head: RFC 8289's pseudocode (section 5), with ECN and `ce_threshold` as Linux has them
/// (`include/net/codel_impl.h`): a mark stands for a drop, and at most one is set per packet that leaves.
///
/// Other than in Linux, the root is exact (there: one Newton step in 16 bits), a first drop comes when an interval has passed (there: is
/// exceeded), and the MTU is the largest packet seen here (there: the device's).
#[derive(Clone, Copy, Debug)]
pub struct ControlLaw {
    control: CodelControl,
    target: Duration,
    interval: Duration,
    /// The RFC's `maxpacket_`.
    largest_packet: u64,
}

/// What the law remembers of one queue (section 5.2).
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// When packets will have waited too long for an interval; nothing: the last had not.
    first_above: Option<Time>,
    /// When the next is dropped, or would have been.
    drop_next: Time,
    /// Drops since the dropping state began.
    count: u32,
    /// The count with which it began.
    last_count: u32,
    is_dropping: bool,
}

impl Memory {
    /// Counts drops that somebody else made from this queue, so that the next ones come sooner.
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
    /// The law with these parameters.
    #[must_use]
    pub fn new(control: CodelControl) -> Self {
        Self {
            control,
            target: Duration::from_ps(control.target_ps),
            // An interval of nothing would have as many drops at once as there are packets.
            interval: Duration::from_ps(control.interval_ps.max(1)),
            largest_packet: 0,
        }
    }

    /// The packet of this queue that leaves now; those dropped and marked before it are told to `context`.
    pub fn dequeue(&mut self, memory: &mut Memory, queue: &mut Waiting, context: &mut Context) -> Option<Held> {
        let now = context.now;
        let mut next = self.take(memory, queue, now);
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
        } else if next.may_drop {
            if !self.signal(&mut next, context) {
                next = self.take(memory, queue, now);
            }
            memory.is_dropping = true;
            let drops = memory.count.saturating_sub(memory.last_count);
            let is_recent = now.since(memory.drop_next) < self.interval.saturating_mul(RECENT_INTERVALS);
            memory.count = if drops > 1 && is_recent { drops } else { 1 };
            memory.last_count = memory.count;
            memory.drop_next = self.after(now, memory.count);
        }
        let held = next.held.as_mut()?;
        if self
            .control
            .ce_threshold_ps
            .is_some_and(|threshold| held.sojourn(now) > Duration::from_ps(threshold))
        {
            context.mark(&mut held.packet);
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
    fn take(&mut self, memory: &mut Memory, queue: &mut Waiting, now: Time) -> Candidate {
        let held = queue.pop();
        let is_late = held.as_ref().is_some_and(|held| {
            self.largest_packet = self.largest_packet.max(u64::from(held.packet.wire_size));
            held.sojourn(now) >= self.target && queue.backlog().bytes > self.largest_packet
        });
        let may_drop = is_late && memory.first_above.is_some_and(|time| now >= time);
        memory.first_above = is_late.then(|| memory.first_above.unwrap_or(now.saturating_add(self.interval)));
        Candidate { held, may_drop }
    }

    /// Marks a head that may be marked, and drops any other; whether it was marked.
    fn signal(&self, candidate: &mut Candidate, context: &mut Context) -> bool {
        let Some(held) = &mut candidate.held else {
            return false;
        };
        if self.control.ecn && context.mark(&mut held.packet) {
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
    /// An empty queue.
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
