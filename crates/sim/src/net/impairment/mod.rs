//! Impairments: what a wire does to packets besides the propagation delay. Each has a file; packets
//! meet them in the order of the plan.

mod correlated;
mod corrupt;
mod delay_schedule;
mod duplicate;
mod ecn_rewrite;
mod jitter;
mod outage;
mod reorder;
mod slot;

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;
use crate::net::outage::OutagePlan;
use crate::packet::{Ecn, Packet};
use crate::rng;
pub use correlated::Correlated;
pub use corrupt::{Corrupt, CorruptPlan};
pub use delay_schedule::{DelaySchedule, DelaySchedulePlan};
pub use duplicate::{Duplicate, DuplicatePlan};
pub use ecn_rewrite::{EcnRewrite, EcnRewritePlan, EcnRule};
pub use jitter::{Jitter, JitterPlan};
pub use outage::Outage;
pub use reorder::{Reorder, ReorderPlan};
pub use slot::{Slot, SlotPlan};

/// An impairment with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ImpairmentPlan {
    /// Bits of packets change.
    Corrupt(CorruptPlan),
    /// The delay changes at given times.
    DelaySchedule(DelaySchedulePlan),
    /// Packets arrive twice.
    Duplicate(DuplicatePlan),
    /// ECN fields of IP headers change.
    EcnRewrite(EcnRewritePlan),
    /// The delay varies from packet to packet.
    Jitter(JitterPlan),
    /// Packets that are sent while the link is down are lost.
    Outage(OutagePlan),
    /// Some packets skip the delay, or arrive late.
    Reorder(ReorderPlan),
    /// Packets arrive in batches.
    Slot(SlotPlan),
}

impl ImpairmentPlan {
    /// Checks distributions and outages.
    ///
    /// # Errors
    /// One line that names the parameter, its value and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Jitter(jitter) => jitter.delay.check(),
            Self::Outage(outages) => outages.check(),
            Self::Reorder(reorder) => reorder.extra.as_ref().map_or(Ok(()), Distribution::check),
            _ => Ok(()),
        }
    }
}

/// A packet that crosses the wire.
#[derive(Clone, Copy, Debug)]
pub struct Crossing {
    /// The packet.
    pub packet: Packet,
    /// ECN field with which the packet reached the link, before its queue.
    pub entered: Ecn,
    /// Time at which the packet's last bit left the transmitter.
    pub sent: Time,
    /// Time at which the packet reaches the far end; before any impairment, `sent` plus the link's
    /// delay.
    pub deliver_at: Time,
    /// Number of packets that go on: 0 if the packet is lost, 2 if it is duplicated.
    pub copies: u8,
    /// Whether the packet may overtake packets sent before it. Otherwise it arrives after them.
    pub may_overtake: bool,
}

/// One impairment of one link, with its own stream of random numbers.
pub trait Impairment: Send {
    /// Changes a packet's crossing. Called once for each packet that is not lost yet, in order of
    /// departure.
    fn apply(&mut self, crossing: &mut Crossing);

    /// Least time from a packet's last bit to its arrival, if it was `before` without this
    /// impairment.
    fn least_delay(&self, before: Duration) -> Duration {
        before
    }
}

/// Makes an impairment of the link named `link`.
#[must_use]
pub fn build(plan: &ImpairmentPlan, link: &str, seed: u64) -> Box<dyn Impairment> {
    let stream = |what: &str| rng::stream(seed, &format!("link/{link}/{what}"));
    match plan {
        ImpairmentPlan::Corrupt(corrupt) => Box::new(Corrupt::new(*corrupt, stream("corrupt"))),
        ImpairmentPlan::DelaySchedule(delays) => Box::new(DelaySchedule::new(delays)),
        ImpairmentPlan::Duplicate(duplicate) => {
            Box::new(Duplicate::new(*duplicate, stream("duplicate")))
        }
        ImpairmentPlan::EcnRewrite(rewrite) => Box::new(EcnRewrite::new(*rewrite)),
        ImpairmentPlan::Jitter(jitter) => Box::new(Jitter::new(jitter, stream("jitter"))),
        ImpairmentPlan::Outage(outage) => Box::new(Outage::new(outage.clone())),
        ImpairmentPlan::Reorder(reorder) => Box::new(Reorder::new(reorder, stream("reorder"))),
        ImpairmentPlan::Slot(slot) => Box::new(Slot::new(*slot, stream("slot"))),
    }
}

#[cfg(test)]
mod tests;
