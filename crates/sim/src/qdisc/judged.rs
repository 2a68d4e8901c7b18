//! A queue under a discipline that only judges arrivals, for places where packets must be held: at
//! a link whose rate varies, or inside another discipline.

use super::{
    Admission as _, Arrival, Backlog, Context, Dequeued, DropReason, Gate, Held, Qdisc, Verdict,
    Waiting,
};

/// A first-in, first-out queue of the packets that a judge lets in.
pub struct Judged {
    judge: Gate,
    queue: Waiting,
}

impl Judged {
    /// Makes an empty queue with this judge.
    #[must_use]
    pub fn new(judge: Gate) -> Self {
        Self { judge, queue: Waiting::default() }
    }
}

impl Qdisc for Judged {
    fn enqueue(&mut self, mut held: Held, context: &mut Context) -> Result<(), DropReason> {
        let arrival = Arrival::of(&held, context, self.backlog());
        match self.judge.arrive(&arrival, context.rng) {
            Verdict::Enqueue => {}
            Verdict::Mark => {
                context.mark(&mut held);
            }
            Verdict::Drop(reason) => return Err(reason),
        }
        self.queue.push(held);
        Ok(())
    }

    fn dequeue(&mut self, _context: &mut Context) -> Dequeued {
        self.queue.pop().into()
    }

    fn backlog(&self) -> Backlog {
        self.queue.backlog()
    }

    fn average(&self) -> Option<f64> {
        self.judge.average()
    }
}
