//! Flow queueing with PIE.

use serde::{Deserialize, Serialize};

use super::fair::FlowQueues;
use super::pie::TimedPie;
use super::{Arrival, Backlog, Context, Dequeued, DropReason, Held, PieControlPlan, Qdisc};
use crate::plan::LimitPlan;

/// tc-fq_pie's parameters.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct FqPiePlan {
    /// The most that may wait in all queues.
    pub limit: LimitPlan,
    /// Each queue's controller.
    pub control: PieControlPlan,
    /// Queues.
    pub flows: u32,
    /// What a queue sends a turn, bytes.
    pub quantum_bytes: u32,
    /// The most that may wait, bytes on the wire.
    pub memory_limit_bytes: u64,
}

/// `FQ-PIE` (tc-fq_pie(8); Linux: `net/sched/sch_fq_pie.c`): [`FlowQueues`], each with a PIE of its own, which judges arrivals by what waits in their
/// own queue. When too much waits in all of them, arrivals are dropped, whosever they are.
///
/// Other than in Linux, the memory limit drops (there it only counts, against tc-fq_pie(8)), and memory is bytes on the wire.
pub struct FqPie {
    limit: LimitPlan,
    memory_limit: LimitPlan,
    queues: FlowQueues<TimedPie>,
}

impl FqPie {
    /// Empty queues.
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
        let queue = self.queues.queue_of(&held.packet, context.rng);
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
