//! `FQ-CoDel`: flow queueing with controlled delay.

use ackclock_units::Rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::codel::{ControlLaw, Memory};
use super::fair::FlowQueues;
use super::{
    Backlog, CodelControl, Context, Dequeued, DisciplinePlan, DropReason, Held, LimitPlan, Qdisc,
    Traits,
};

/// Parameters of `FQ-CoDel`, with tc's names.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FqCodelPlan {
    /// Most packets or bytes that wait in all queues together.
    pub limit: LimitPlan,
    /// Parameters of each queue's control law.
    pub control: CodelControl,
    /// Number of queues.
    pub flows: u32,
    /// Quantum of a queue per turn, bytes.
    pub quantum_bytes: u32,
    /// Memory limit: most bytes on the wire that wait.
    pub memory_limit_bytes: u64,
    /// Most packets that are dropped at once when too many wait.
    pub drop_batch: u32,
}

impl DisciplinePlan for FqCodelPlan {
    const TRAITS: Traits =
        Traits { kind: "fq_codel", is_fair: true, marks: true, ..Traits::SCHEDULER };

    fn hold(&self, _rate: Option<Rate>) -> Box<dyn Qdisc> {
        Box::new(FqCodel::new(self))
    }
}

/// `FQ-CoDel` (RFC 8290): [`FlowQueues`], each under [`ControlLaw`]. When too much waits, the queue
/// with the most bytes loses half of them from its head, at most `drop_batch` packets (section 4.1;
/// Linux: `net/sched/sch_fq_codel.c`, where such drops count for the control law, too).
///
/// Differences from Linux: "no more than an MTU waits" refers to the flow's own queue (Linux: to
/// all queues), and memory is counted in bytes on the wire.
pub struct FqCodel {
    plan: FqCodelPlan,
    law: ControlLaw,
    queues: FlowQueues<Memory>,
}

impl FqCodel {
    /// Makes empty queues.
    #[must_use]
    pub fn new(plan: &FqCodelPlan) -> Self {
        Self {
            plan: *plan,
            law: ControlLaw::new(plan.control),
            queues: FlowQueues::new(plan.flows, plan.quantum_bytes, &Memory::default()),
        }
    }

    fn is_overfull(&self) -> bool {
        let backlog = self.queues.backlog();
        self.plan.limit.is_exceeded(backlog) || backlog.bytes > self.plan.memory_limit_bytes
    }

    #[cold]
    fn drop_from_the_fattest(&mut self, context: &mut Context) {
        let fattest = self.queues.fattest();
        let (_, Backlog { bytes, .. }) = self.queues.manager(fattest);
        let (mut drops, mut dropped_bytes) = (0, 0);
        while drops < self.plan.drop_batch.max(1) && (drops == 0 || dropped_bytes < bytes / 2) {
            let Some(held) = self.queues.pop(fattest) else {
                break;
            };
            drops += 1;
            dropped_bytes += u64::from(held.packet.wire_size);
            context.drop(&held, DropReason::Forced);
        }
        self.queues.manager(fattest).0.add_drops(drops);
    }
}

impl Qdisc for FqCodel {
    #[inline]
    fn enqueue(&mut self, held: Held, context: &mut Context) -> Result<(), DropReason> {
        let queue = self.queues.queue_of(&held, context.rng);
        self.queues.push(queue, held);
        while context.idle_since.is_none() && self.is_overfull() {
            self.drop_from_the_fattest(context);
        }
        Ok(())
    }

    #[inline]
    fn dequeue(&mut self, context: &mut Context) -> Dequeued {
        self.queues.dequeue(|memory, waiting| self.law.dequeue(memory, waiting, context)).into()
    }

    #[inline]
    fn backlog(&self) -> Backlog {
        self.queues.backlog()
    }
}
