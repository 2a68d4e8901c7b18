//! FQ-PIE: flow queueing with PIE.

use ackclock_units::Rate;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::fair::FlowQueues;
use super::pie::TimedPie;
use super::{
    Arrival, Backlog, Context, Dequeued, DisciplinePlan, DropReason, Held, LimitPlan,
    PieControlPlan, Qdisc, Traits,
};

/// Parameters of FQ-PIE, with tc-fq_pie's names.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct FqPiePlan {
    /// Most packets or bytes that wait in all queues together.
    pub limit: LimitPlan,
    /// Parameters of each queue's controller.
    pub control: PieControlPlan,
    /// Number of queues.
    pub flows: u32,
    /// Quantum of a queue per turn, bytes.
    pub quantum_bytes: u32,
    /// Memory limit: most bytes on the wire that wait.
    pub memory_limit_bytes: u64,
}

impl DisciplinePlan for FqPiePlan {
    const TRAITS: Traits =
        Traits { kind: "fq_pie", draws: true, is_fair: true, marks: true, ..Traits::SCHEDULER };

    fn hold(&self, _rate: Option<Rate>) -> Box<dyn Qdisc> {
        Box::new(FqPie::new(self))
    }
}

/// `FQ-PIE` (tc-fq_pie(8); Linux: `net/sched/sch_fq_pie.c`): [`FlowQueues`], each with a PIE that
/// judges arrivals by the backlog of that queue. When too much waits in all queues, arrivals of
/// every flow are dropped.
///
/// Differences from Linux: the memory limit drops packets (Linux only counts, against
/// tc-fq_pie(8)), and memory is counted in bytes on the wire.
pub struct FqPie {
    limit: LimitPlan,
    memory_limit: LimitPlan,
    queues: FlowQueues<TimedPie>,
}

impl FqPie {
    /// Makes empty queues.
    #[must_use]
    pub fn new(plan: &FqPiePlan) -> Self {
        Self {
            limit: plan.limit,
            memory_limit: LimitPlan {
                limit_packets: None,
                limit_bytes: Some(plan.memory_limit_bytes),
            },
            queues: FlowQueues::new(plan.flows, plan.quantum_bytes, &TimedPie::new(plan.control)),
        }
    }
}

impl Qdisc for FqPie {
    fn enqueue(&mut self, mut held: Held, context: &mut Context) -> Result<(), DropReason> {
        let arrival = Arrival::of(&held, context, self.queues.backlog());
        let has_room = self.limit.admits(&arrival) && self.memory_limit.admits(&arrival);
        let queue = self.queues.queue_of(&held, context.rng);
        let (control, backlog) = self.queues.manager(queue);
        control.admit(&mut held, backlog, has_room, context)?;
        self.queues.push(queue, held);
        Ok(())
    }

    fn dequeue(&mut self, context: &mut Context) -> Dequeued {
        self.queues.dequeue(|control, queue| control.dequeue(queue, context.now)).into()
    }

    fn backlog(&self) -> Backlog {
        self.queues.backlog()
    }
}
