//! Queue disciplines: they decide about packets that reach a link.
//!
//! A discipline that only judges arrivals and serves them in order ([`Admission`]: fifo, red, step)
//! holds no packets. A link with a constant rate then computes each departure when the packet
//! arrives. All other disciplines hold their packets and are asked at each departure ([`Qdisc`]).

mod cobalt;
mod codel;
mod drr;
mod dualpi2;
mod fair;
mod fifo;
mod fq_codel;
mod fq_pie;
mod judged;
mod limit;
mod periodic;
mod pie;
mod prio;
mod red;
mod step;
mod tbf;
#[cfg(test)]
mod testing;
mod token_bucket;
pub mod traits;
mod waiting;

pub use cobalt::{Cobalt, CobaltPlan};
pub use codel::{Codel, CodelControl, CodelPlan};
pub use drr::{Drr, DrrClasses, DrrPlan};
pub use dualpi2::{Dualpi2, Dualpi2Plan, Dualpi2Step};
pub use fifo::{Fifo, FifoPlan, LaterLimitPlan, ScheduledFifo};
pub use fq_codel::{FqCodel, FqCodelPlan};
pub use fq_pie::{FqPie, FqPiePlan};
pub use judged::Judged;
pub use limit::LimitPlan;
pub use pie::{Pie, PieControl, PieControlPlan, PiePlan};
pub use prio::{Prio, PrioPlan};
pub use red::{Red, RedPlan};
pub use step::{Step, StepPlan};
pub use tbf::{PeakPlan, Tbf, TbfPlan};
pub use token_bucket::TokenBucket;
pub use traits::Traits;
pub use waiting::Waiting;

use ackclock_units::{Duration, Rate, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::packet::{Ecn, Extra, Packet, Thin};
use crate::rng::Rng;

/// Parameters of a discipline. A new discipline implements it, and is a line of [`QdiscPlan`].
pub trait DisciplinePlan {
    /// Traits of the discipline.
    const TRAITS: Traits;

    /// Makes the discipline, if it only judges arrivals. `rate` is the rate of the link; `None`:
    /// infinitely fast.
    fn gate(&self, _rate: Option<Rate>) -> Option<Gate> {
        None
    }

    /// Makes the discipline, as one that holds its packets.
    fn hold(&self, rate: Option<Rate>) -> Box<dyn Qdisc> {
        let limitless = || Gate::Fifo(Fifo::new(LimitPlan::default()));
        Box::new(Judged::new(self.gate(rate).unwrap_or_else(limitless)))
    }
}

macro_rules! disciplines {
    ($($(#[$attribute:meta])* $kind:ident($plan:ty),)*) => {
        /// A queue discipline with its parameters.
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
        #[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
        pub enum QdiscPlan {
            $($(#[$attribute])* $kind($plan),)*
        }

        /// Traits of every discipline.
        pub const CATALOGUE: &[Traits] = &[$(<$plan as DisciplinePlan>::TRAITS,)*];

        /// Makes the discipline of `plan`, if it only judges arrivals. `rate` is the rate of the
        /// link; `None`: infinitely fast.
        #[must_use]
        pub fn admission(plan: &QdiscPlan, rate: Option<Rate>) -> Option<Gate> {
            match plan {
                $(QdiscPlan::$kind(it) => it.gate(rate),)*
            }
        }

        /// Makes any discipline, as one that holds its packets.
        #[must_use]
        pub fn build(plan: &QdiscPlan, rate: Option<Rate>) -> Box<dyn Qdisc> {
            match plan {
                $(QdiscPlan::$kind(it) => it.hold(rate),)*
            }
        }
    };
}

disciplines! {
    /// First in, first out, tail drop.
    Fifo(FifoPlan),
    /// Random early detection.
    Red(RedPlan),
    /// Step marking.
    Step(StepPlan),
    /// Token bucket filter.
    Tbf(TbfPlan),
    /// Deficit round robin.
    Drr(DrrPlan),
    /// Proportional integral controller enhanced.
    Pie(PiePlan),
    /// Controlled delay.
    Codel(CodelPlan),
    /// Flow queueing with controlled delay.
    #[serde(rename = "fq_codel")]
    FqCodel(FqCodelPlan),
    /// Coupled dual queue.
    Dualpi2(Dualpi2Plan),
    /// Strict priority.
    Prio(PrioPlan),
    /// Controlled delay with BLUE.
    Cobalt(CobaltPlan),
    /// Flow queueing with PIE.
    #[serde(rename = "fq_pie")]
    FqPie(FqPiePlan),
}

impl Default for QdiscPlan {
    fn default() -> Self {
        Self::Fifo(FifoPlan::default())
    }
}

/// The packets that wait at a link. A packet that is being transmitted has left the queue and does
/// not count.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Backlog {
    /// Number of packets.
    pub packets: u64,
    /// Sum of their sizes on the wire, bytes.
    pub bytes: u64,
}

/// A packet that reaches a link, and the state of the link at that time.
#[derive(Clone, Copy, Debug)]
pub struct Arrival {
    /// The present time.
    pub now: Time,
    /// Size on the wire, bytes.
    pub size: u32,
    /// Whether the packet carries an ECT codepoint (RFC 3168 section 5), so that it may be marked.
    pub ecn_capable: bool,
    /// Backlog without this packet.
    pub backlog: Backlog,
    /// If the link is idle: the end of the last transmission, or the beginning of the run. `None`:
    /// it is transmitting.
    pub idle_since: Option<Time>,
}

impl Arrival {
    /// Makes the arrival of a packet that finds `backlog`.
    #[must_use]
    pub fn of(held: &Held, context: &Context, backlog: Backlog) -> Self {
        Self {
            now: context.now,
            size: held.packet.wire_size,
            ecn_capable: held.packet.ecn() != Ecn::NotEct,
            backlog,
            idle_since: context.idle_since,
        }
    }
}

/// Why a queue dropped a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DropReason {
    /// The limit is reached, or an average is so high that every packet is dropped.
    Forced,
    /// The discipline dropped the packet early, as a signal.
    Early,
    /// A policer before the queue had no tokens.
    Policed,
}

/// The decision about an arriving packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// The packet is let in.
    Enqueue,
    /// The packet is let in and marked CE.
    Mark,
    /// The packet is dropped.
    Drop(DropReason),
}

/// A discipline that decides on arrival and serves packets in order of arrival.
pub trait Admission: Send {
    /// Judges a packet. Called exactly once for each packet, in order of time. `rng` is this
    /// queue's generator.
    fn arrive(&mut self, arrival: &Arrival, rng: &mut Rng) -> Verdict;

    /// The discipline's average of the queue as of the last arrival, in packets or bytes, if it
    /// keeps one.
    fn average(&self) -> Option<f64> {
        None
    }
}

/// The discipline of an analytic link. Most are fifos, and are asked without a call.
pub enum Gate {
    /// A fifo.
    Fifo(Fifo),
    /// Any other discipline.
    Other(Box<dyn Admission>),
}

impl Admission for Gate {
    #[inline]
    fn arrive(&mut self, arrival: &Arrival, rng: &mut Rng) -> Verdict {
        match self {
            Self::Fifo(fifo) => fifo.arrive(arrival, rng),
            Self::Other(other) => other.arrive(arrival, rng),
        }
    }

    fn average(&self) -> Option<f64> {
        match self {
            Self::Fifo(fifo) => fifo.average(),
            Self::Other(other) => other.average(),
        }
    }
}

/// A packet that waits.
#[derive(Clone, Copy, Debug, Default)]
pub struct Held {
    /// The packet, as far as disciplines read it.
    pub packet: Thin,
    /// Time at which the packet reached the link.
    pub arrived: Time,
    /// Number of the packet's connection.
    pub connection: u32,
    /// Where the link keeps what `packet` leaves out; 0: nothing.
    pub rest: u32,
}

impl Held {
    /// A packet that reached the link at `arrived`, without what [`Thin`] leaves out.
    #[must_use]
    pub fn of(packet: &Packet, arrived: Time) -> Self {
        Self { packet: Thin::of(packet), arrived, connection: packet.connection, rest: 0 }
    }

    /// The packet, if the link keeps nothing of it apart.
    #[must_use]
    pub fn packet(&self) -> Packet {
        self.packet.packet(&Extra::default())
    }

    /// Time that the packet has waited.
    #[must_use]
    pub fn sojourn(&self, now: Time) -> Duration {
        now.since(self.arrived)
    }
}

/// A drop or a mark at a queue.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Trouble {
    /// The packet was dropped after it had been let in.
    Dropped(DropReason),
    /// The packet was marked CE.
    Marked,
}

/// The state of the link that a discipline may use.
pub struct Context<'a> {
    /// The present time.
    pub now: Time,
    /// This queue's generator of random numbers.
    pub rng: &'a mut Rng,
    /// Present rate of the link; `None`: infinitely fast.
    pub rate: Option<Rate>,
    /// If the link is idle: the end of the last transmission, or the beginning of the run. `None`:
    /// it is transmitting.
    pub idle_since: Option<Time>,
    /// Drops and marks, told to the link; a marked packet is as it was before the mark.
    pub troubles: &'a mut Vec<(Trouble, Held)>,
}

impl Context<'_> {
    /// Drops a packet that had been let in.
    pub fn drop(&mut self, held: &Held, reason: DropReason) {
        self.troubles.push((Trouble::Dropped(reason), *held));
    }

    /// Marks a packet. Returns whether it carries CE now: it had an ECT codepoint (RFC 3168 section
    /// 5), or CE already.
    pub fn mark(&mut self, held: &mut Held) -> bool {
        match held.packet.ecn() {
            Ecn::NotEct => return false,
            Ecn::Ce => {}
            Ecn::Ect0 | Ecn::Ect1 => {
                self.troubles.push((Trouble::Marked, *held));
                held.packet.mark();
            }
        }
        true
    }
}

/// The answer of a discipline to a link that asks for the next packet.
#[derive(Clone, Copy, Debug)]
pub enum Dequeued {
    /// This packet leaves.
    Packet(Held),
    /// Nothing waits.
    Empty,
    /// Packets wait and none may leave before this time (a shaper).
    NotBefore(Time),
}

impl From<Option<Held>> for Dequeued {
    fn from(held: Option<Held>) -> Self {
        held.map_or(Self::Empty, Self::Packet)
    }
}

/// A discipline that holds its packets.
pub trait Qdisc: Send {
    /// Takes in a packet. Other packets that are dropped to make room are told to `context`.
    ///
    /// # Errors
    /// The reason why this packet is refused.
    fn enqueue(&mut self, held: Held, context: &mut Context) -> Result<(), DropReason>;

    /// Takes the next packet to transmit now. Packets dropped or marked on the way are told to
    /// `context`.
    fn dequeue(&mut self, context: &mut Context) -> Dequeued;

    /// Backlog of all queues of the discipline.
    fn backlog(&self) -> Backlog;

    /// The discipline's average of the queue, in packets or bytes, if it keeps one.
    fn average(&self) -> Option<f64> {
        None
    }

    /// Rate of a shaper, which may be below that of the link; `None`: the discipline does not
    /// shape.
    fn shaped(&self) -> Option<Rate> {
        None
    }
}

/// The discipline of an event-driven link. The one that most have is asked without a call.
#[expect(
    clippy::large_enum_variant,
    reason = "a link has one, and one indirection less per packet counts"
)]
pub enum Discipline {
    /// `FQ-CoDel`.
    FqCodel(FqCodel),
    /// Any other discipline.
    Other(Box<dyn Qdisc>),
}

macro_rules! each {
    ($discipline:expr, $it:ident => $body:expr) => {
        match $discipline {
            Discipline::FqCodel($it) => $body,
            Discipline::Other($it) => $body,
        }
    };
}

impl Discipline {
    /// Makes any discipline, as one that holds its packets.
    #[must_use]
    pub fn new(plan: &QdiscPlan, rate: Option<Rate>) -> Self {
        match plan {
            QdiscPlan::FqCodel(fq_codel) => Self::FqCodel(FqCodel::new(fq_codel)),
            other => Self::Other(build(other, rate)),
        }
    }
}

impl Qdisc for Discipline {
    #[inline]
    fn enqueue(&mut self, held: Held, context: &mut Context) -> Result<(), DropReason> {
        each!(self, it => it.enqueue(held, context))
    }

    #[inline]
    fn dequeue(&mut self, context: &mut Context) -> Dequeued {
        each!(self, it => it.dequeue(context))
    }

    #[inline]
    fn backlog(&self) -> Backlog {
        each!(self, it => it.backlog())
    }

    fn average(&self) -> Option<f64> {
        each!(self, it => it.average())
    }

    fn shaped(&self) -> Option<Rate> {
        each!(self, it => it.shaped())
    }
}
