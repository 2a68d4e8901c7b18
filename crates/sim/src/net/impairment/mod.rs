//! What a wire does to packets besides taking its time.

mod corrupt;
mod outage;
mod slot;

use ackclock_units::Time;
use serde::{Deserialize, Serialize};

use crate::net::outage::OutagePlan;
use crate::packet::Packet;
use crate::rng;
pub use corrupt::{Corrupt, CorruptPlan};
pub use outage::Outage;
pub use slot::{Slot, SlotPlan};

/// An impairment with its parameters.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum ImpairmentPlan {
    /// Bits change.
    Corrupt(CorruptPlan),
    /// What is sent while the link is down is lost.
    Outage(OutagePlan),
    /// Packets arrive in batches.
    Slot(SlotPlan),
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
    /// How often it arrives: 0 is lost, 2 is duplicated.
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
        ImpairmentPlan::Outage(outage) => Box::new(Outage::new(outage.clone())),
        ImpairmentPlan::Slot(slot) => Box::new(Slot::new(*slot, stream("slot"))),
    }
}
