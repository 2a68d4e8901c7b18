//! What a wire does to packets besides taking its time: a file for each impairment, in a plan's order.

mod correlated;
mod corrupt;
mod delay_schedule;
mod duplicate;
mod jitter;
mod outage;
mod reorder;
mod slot;

use ackclock_units::Time;
use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;
use crate::net::outage::OutagePlan;
use crate::packet::Packet;
use crate::rng;
pub use correlated::Correlated;
pub use corrupt::{Corrupt, CorruptPlan};
pub use delay_schedule::{DelaySchedule, DelaySchedulePlan};
pub use duplicate::{Duplicate, DuplicatePlan};
pub use jitter::{Jitter, JitterPlan};
pub use outage::Outage;
pub use reorder::{Reorder, ReorderPlan};
pub use slot::{Slot, SlotPlan};

/// An impairment with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ImpairmentPlan {
    /// Bits change.
    Corrupt(CorruptPlan),
    /// The delay changes at given times.
    DelaySchedule(DelaySchedulePlan),
    /// Packets arrive twice.
    Duplicate(DuplicatePlan),
    /// The delay varies from packet to packet.
    Jitter(JitterPlan),
    /// What is sent while the link is down is lost.
    Outage(OutagePlan),
    /// Some packets skip the delay, or are late.
    Reorder(ReorderPlan),
    /// Packets arrive in batches.
    Slot(SlotPlan),
}

impl ImpairmentPlan {
    /// Whether its numbers make sense.
    ///
    /// # Errors
    /// One line that says which does not.
    pub fn check(&self) -> Result<(), String> {
        match self {
            Self::Jitter(jitter) => jitter.delay.check(),
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
    /// When its last bit left the transmitter.
    pub sent: Time,
    /// When it reaches the far end: at first, after the link's delay.
    pub deliver_at: Time,
    /// How often it goes on from here: 0 is lost, 2 is duplicated.
    pub copies: u8,
    /// Whether it may overtake packets sent before it; otherwise it arrives after them.
    pub may_overtake: bool,
}

/// One impairment of one link, with its own stream of random numbers.
pub trait Impairment: Send {
    /// Does to a packet what it does; called once for each that is not lost, in order of departure.
    fn apply(&mut self, crossing: &mut Crossing);
}

/// The impairment of a plan at the link `link`.
#[must_use]
pub fn build(plan: &ImpairmentPlan, link: &str, seed: u64) -> Box<dyn Impairment> {
    let stream = |what: &str| rng::stream(seed, &format!("link/{link}/{what}"));
    match plan {
        ImpairmentPlan::Corrupt(corrupt) => Box::new(Corrupt::new(*corrupt, stream("corrupt"))),
        ImpairmentPlan::DelaySchedule(delays) => Box::new(DelaySchedule::new(delays)),
        ImpairmentPlan::Duplicate(duplicate) => Box::new(Duplicate::new(*duplicate, stream("duplicate"))),
        ImpairmentPlan::Jitter(jitter) => Box::new(Jitter::new(jitter, stream("jitter"))),
        ImpairmentPlan::Outage(outage) => Box::new(Outage::new(outage.clone())),
        ImpairmentPlan::Reorder(reorder) => Box::new(Reorder::new(reorder, stream("reorder"))),
        ImpairmentPlan::Slot(slot) => Box::new(Slot::new(*slot, stream("slot"))),
    }
}

#[cfg(test)]
mod tests;
