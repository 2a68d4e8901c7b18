//! Outages in which the transmitter goes on sending and nothing arrives: a handover, an
//! obstruction.

use super::{Crossing, Impairment};
use crate::net::outage::OutagePlan;

/// Loses packets whose last bit leaves while the link is down.
pub struct Outage {
    plan: OutagePlan,
}

impl Outage {
    /// Makes the impairment from windows of time.
    #[must_use]
    pub fn new(plan: OutagePlan) -> Self {
        Self { plan }
    }
}

impl Impairment for Outage {
    fn apply(&mut self, crossing: &mut Crossing) {
        if self.plan.at(crossing.sent).0 {
            crossing.copies = 0;
        }
    }
}
