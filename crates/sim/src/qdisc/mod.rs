//! Queue disciplines: what happens to a packet that reaches a link.
//!
//! One that only judges arrivals and serves in their order ([`Admission`]: fifo, red, step) holds no packets; a link whose rate is constant then
//! computes each departure when the packet arrives. All others hold their packets and are asked at each departure ([`Qdisc`]).

mod cobalt;
mod codel;
mod drr;
mod dualpi2;
mod fair;
mod fifo;
mod fq_codel;
mod fq_pie;
mod judged;
mod periodic;
mod pie;
mod prio;
mod red;
mod step;
mod tbf;
#[cfg(test)]
mod testing;
mod token_bucket;
mod waiting;

pub use cobalt::{Cobalt, CobaltPlan};
pub use codel::{Codel, CodelControl, CodelPlan};
pub use drr::{Drr, DrrClasses, DrrPlan};
pub use dualpi2::{Dualpi2, Dualpi2Plan, Dualpi2Step};
pub use fifo::Fifo;
pub use fq_codel::{FqCodel, FqCodelPlan};
pub use fq_pie::{FqPie, FqPiePlan};
pub use judged::Judged;
pub use pie::{Pie, PieControl, PieControlPlan, PiePlan};
pub use prio::{Prio, PrioPlan};
pub use red::Red;
pub use step::Step;
pub use tbf::{PeakPlan, Tbf, TbfPlan};
pub use token_bucket::TokenBucket;
pub use waiting::Waiting;

use crate::packet::{Ecn, Packet};
use crate::plan::{LimitPlan, QdiscPlan};
use crate::rng::Rng;
use ackclock_units::{Duration, Rate, Time};

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

impl Arrival {
    /// A packet that finds `backlog`.
    #[must_use]
    pub fn of(held: &Held, context: &Context, backlog: Backlog) -> Self {
        Self {
            now: context.now,
            size: held.packet.wire_size,
            ecn_capable: held.packet.ecn != Ecn::NotEct,
            backlog,
            idle_since: context.idle_since,
        }
    }
}

/// Why a queue dropped a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// There was no choice: the limit is reached, or an average is so high that every packet is dropped.
    Forced,
    /// By chance, as a signal, before the queue is full.
    Early,
    /// A policer before the queue had no tokens for it.
    Policed,
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
pub trait Admission: Send {
    /// Judges a packet; called exactly once for each, in order of time. `rng` is this queue's own stream.
    fn arrive(&mut self, arrival: &Arrival, rng: &mut Rng) -> Verdict;

    /// The discipline's own average of the queue as of the last arrival, in its own unit (packets or bytes), if it keeps one.
    fn average(&self) -> Option<f64> {
        None
    }
}

/// A packet that waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// The packet.
    pub packet: Packet,
    /// When it reached the link.
    pub arrived: Time,
}

impl Held {
    /// How long it has waited.
    #[must_use]
    pub fn sojourn(&self, now: Time) -> Duration {
        now.since(self.arrived)
    }
}

/// What happened to a packet at a queue besides waiting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// Dropped after it had been let in.
    Dropped(DropReason),
    /// Marked CE.
    Marked,
}

/// What a discipline may know and use.
pub struct Context<'a> {
    /// The present.
    pub now: Time,
    /// This queue's own stream.
    pub rng: &'a mut Rng,
    /// The link's rate now; nothing: infinitely fast.
    pub rate: Option<Rate>,
    /// The end of the last transmission, or the beginning of the run, if the link is idle; nothing if it is transmitting.
    pub idle_since: Option<Time>,
    /// What was dropped and marked, for whoever counts; marked packets as they were before.
    pub troubles: &'a mut Vec<(Trouble, Packet)>,
}

impl Context<'_> {
    /// Drops a packet that had been let in.
    pub fn drop(&mut self, held: &Held, reason: DropReason) {
        self.troubles.push((Trouble::Dropped(reason), held.packet));
    }

    /// Marks a packet; whether it could be (it carries an ECT codepoint, RFC 3168 section 5, or CE already).
    pub fn mark(&mut self, packet: &mut Packet) -> bool {
        match packet.ecn {
            Ecn::NotEct => return false,
            Ecn::Ce => {}
            Ecn::Ect0 | Ecn::Ect1 => {
                self.troubles.push((Trouble::Marked, *packet));
                packet.ecn = Ecn::Ce;
            }
        }
        true
    }
}

/// What a discipline gives a link that asks for the next packet.
#[derive(Clone, Copy, Debug)]
pub enum Dequeued {
    /// This one leaves.
    Packet(Held),
    /// Nothing waits.
    Empty,
    /// Something waits and may not leave before then (a shaper).
    NotBefore(Time),
}

impl From<Option<Held>> for Dequeued {
    fn from(held: Option<Held>) -> Self {
        held.map_or(Self::Empty, Self::Packet)
    }
}

/// A discipline that holds its packets.
pub trait Qdisc: Send {
    /// Takes in a packet; others that go to make room are told to `context`.
    ///
    /// # Errors
    /// Why this packet is refused.
    fn enqueue(&mut self, held: Held, context: &mut Context) -> Result<(), DropReason>;

    /// The next packet to transmit, now. What is dropped or marked on the way is told to `context`.
    fn dequeue(&mut self, context: &mut Context) -> Dequeued;

    /// What waits, over all of its queues.
    fn backlog(&self) -> Backlog;

    /// The discipline's own average of the queue, in its own unit (packets or bytes), if it keeps one.
    fn average(&self) -> Option<f64> {
        None
    }

    /// The rate at which it lets packets leave at most, whatever the link could carry.
    fn shaped(&self) -> Option<Rate> {
        None
    }
}

/// The discipline of `plan` at a link of this `rate` (nothing: infinitely fast), if it only judges arrivals.
#[must_use]
pub fn admission(plan: &QdiscPlan, rate: Option<Rate>) -> Option<Box<dyn Admission>> {
    Some(match plan {
        QdiscPlan::Fifo(limit) => Box::new(Fifo::new(*limit)),
        QdiscPlan::Red(red) => Box::new(Red::new(red, rate)),
        QdiscPlan::Step(step) => Box::new(Step::new(*step)),
        QdiscPlan::Pie(_)
        | QdiscPlan::Codel(_)
        | QdiscPlan::FqCodel(_)
        | QdiscPlan::Cobalt(_)
        | QdiscPlan::FqPie(_)
        | QdiscPlan::Dualpi2(_)
        | QdiscPlan::Prio(_)
        | QdiscPlan::Tbf(_)
        | QdiscPlan::Drr(_) => return None,
    })
}

/// Any discipline, as one that holds its packets.
#[must_use]
pub fn build(plan: &QdiscPlan, rate: Option<Rate>) -> Box<dyn Qdisc> {
    match plan {
        QdiscPlan::Pie(pie) => Box::new(Pie::new(pie)),
        QdiscPlan::Dualpi2(dualpi2) => Box::new(Dualpi2::new(dualpi2)),
        QdiscPlan::Prio(prio) => Box::new(Prio::new(prio, rate)),
        QdiscPlan::Tbf(tbf) => Box::new(Tbf::new(tbf, rate)),
        QdiscPlan::Drr(drr) => Box::new(Drr::new(drr)),
        QdiscPlan::Fifo(_) | QdiscPlan::Red(_) | QdiscPlan::Step(_) => Box::new(Judged::new(
            admission(plan, rate).unwrap_or_else(|| Box::new(Fifo::new(LimitPlan::default()))),
        )),
        QdiscPlan::Codel(codel) => Box::new(Codel::new(codel)),
        QdiscPlan::FqCodel(fq_codel) => Box::new(FqCodel::new(fq_codel)),
        QdiscPlan::Cobalt(cobalt) => Box::new(Cobalt::new(cobalt)),
        QdiscPlan::FqPie(fq_pie) => Box::new(FqPie::new(fq_pie)),
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

    /// Whether more waits than the limit.
    fn is_exceeded(&self, backlog: Backlog) -> bool {
        self.limit_packets.is_some_and(|limit| backlog.packets > limit) || self.limit_bytes.is_some_and(|limit| backlog.bytes > limit)
    }
}
