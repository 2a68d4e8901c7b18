//! Queue disciplines: what happens to a packet that reaches a link.
//!
//! A discipline judges arrivals; it holds no packets. The link keeps them, in order, and as the disciplines here never reorder or drop
//! what they have let in, it can compute a packet's departure when it arrives. Disciplines that decide at dequeue need more than this trait.

mod fifo;
mod red;
mod step;

pub use fifo::Fifo;
pub use red::Red;
pub use step::Step;

use crate::plan::{LimitPlan, QdiscPlan};
use crate::rng::Rng;
use ackclock_units::{Rate, Time};

/// What waits at a link. The packet being transmitted has left the queue and is not in it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Packets waiting.
    pub packets: u64,
    /// Their sizes on the wire.
    pub bytes: u64,
}

/// A packet that reaches a link, and the state in which it finds it.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The present.
    pub now: Time,
    /// Size on the wire, bytes.
    pub size: u32,
    /// Whether it carries an ECT codepoint (RFC 3168 section 5), that is, may be marked.
    pub ecn_capable: bool,
    /// What waits, without this packet.
    pub backlog: Backlog,
    /// The end of the last transmission, or the beginning of the run, if the link is idle; nothing if it is transmitting.
    pub idle_since: Option<Time>,
}

/// Why a queue dropped a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// There was no choice: the limit is reached, or an average is so high that every packet is dropped.
    Forced,
    /// By chance, as a signal, before the queue is full.
    Early,
}

/// What becomes of an arriving packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// It is let in.
    Enqueue,
    /// It is let in, with its congestion-experienced mark set.
    Mark,
    /// It is dropped.
    Drop(DropReason),
}

/// A discipline that decides on arrival and serves in order of arrival.
pub trait Qdisc: Send {
    /// Judges a packet; called exactly once for each, in order of time. `rng` is this queue's own stream.
    fn arrive(&mut self, arrival: &Arrival, rng: &mut Rng) -> Verdict;

    /// The discipline's own average of the queue as of the last arrival, in its own unit (packets or bytes), if it keeps one.
    fn average(&self) -> Option<f64> {
        None
    }
}

/// The discipline of `plan` at a link of this `rate` (nothing: infinitely fast).
#[must_use]
pub fn build(plan: &QdiscPlan, rate: Option<Rate>) -> Box<dyn Qdisc> {
    match plan {
        QdiscPlan::Fifo(limit) => Box::new(Fifo::new(*limit)),
        QdiscPlan::Red(red) => Box::new(Red::new(red, rate)),
        QdiscPlan::Step(step) => Box::new(Step::new(*step)),
    }
}

impl LimitPlan {
    /// Whether there is room for the packet: it need not wait, or with it no more than the limit does.
    fn admits(&self, arrival: &Arrival) -> bool {
        arrival.idle_since.is_some()
            || self.limit_packets.is_none_or(|limit| arrival.backlog.packets < limit)
                && self
                    .limit_bytes
                    .is_none_or(|limit| arrival.backlog.bytes + u64::from(arrival.size) <= limit)
    }
}
