//! A discipline that only judges arrivals, where packets must be held: at a link whose rate varies, or inside another discipline.

use super::{Admission, Arrival, Backlog, Context, Dequeued, DropReason, Held, Qdisc, Verdict, Waiting};

/// Whoever the judge lets in leaves in order of arrival.
pub struct Judged {
    judge: Box<dyn Admission>,
    queue: Waiting,
}

impl Judged {
    /// An empty queue before which `judge` stands.
    #[must_use]
    pub fn new(judge: Box<dyn Admission>) -> Self {
        Self {
            judge,
            queue: Waiting::default(),
        }
    }
}

impl Qdisc for Judged {
    fn enqueue(&mut self, mut held: Held, context: &mut Context) -> Result<(), DropReason> {
        let arrival = Arrival::of(&held, context, self.backlog());
        match self.judge.arrive(&arrival, context.rng) {
            Verdict::Enqueue => {}
            Verdict::Mark => {
                context.mark(&mut held.packet);
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
