//! A discipline that only judges arrivals, where packets must be held: at a link whose rate varies, or inside another discipline.

use std::collections::VecDeque;

use super::{Admission, Arrival, Backlog, Context, Dequeued, DropReason, Held, Qdisc, Verdict};

/// Whoever the judge lets in leaves in order of arrival.
pub struct Judged {
    judge: Box<dyn Admission>,
    queue: VecDeque<Held>,
    bytes: u64,
}

impl Judged {
    /// An empty queue before which `judge` stands.
    #[must_use]
    pub fn new(judge: Box<dyn Admission>) -> Self {
        Self {
            judge,
            queue: VecDeque::new(),
            bytes: 0,
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
        self.bytes += u64::from(held.packet.wire_size);
        self.queue.push_back(held);
        Ok(())
    }

    fn dequeue(&mut self, _context: &mut Context) -> Dequeued {
        let Some(held) = self.queue.pop_front() else {
            return Dequeued::Empty;
        };
        self.bytes -= u64::from(held.packet.wire_size);
        Dequeued::Packet(held)
    }

    fn backlog(&self) -> Backlog {
        Backlog {
            packets: self.queue.len() as u64,
            bytes: self.bytes,
        }
    }

    fn average(&self) -> Option<f64> {
        self.judge.average()
    }
}
