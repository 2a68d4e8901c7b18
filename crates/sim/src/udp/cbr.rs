//! Datagrams of one size at a constant rate.

use ackclock_units::Time;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Datagram, NO_FRAME, Source, time_for_bits};
use crate::rng::Rng;

/// Parameters of a constant bit rate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct CbrPlan {
    /// Rate on the wire, headers included, bit/s.
    pub rate_bps: u64,
    /// Payload of each datagram, bytes.
    pub payload_bytes: u32,
}

/// A source with a constant bit rate.
pub struct Cbr {
    plan: CbrPlan,
    header_bytes: u32,
    start: Time,
    count: u64,
}

impl Cbr {
    /// Makes a source whose first datagram is sent at `start`.
    #[must_use]
    pub fn new(plan: &CbrPlan, header_bytes: u32, start: Time) -> Self {
        Self { plan: plan.clone(), header_bytes, start, count: 0 }
    }
}

impl Source for Cbr {
    fn next(&mut self, _rng: &mut Rng) -> Option<Datagram> {
        // Computed from the start each time, so that no rounding adds up.
        let bits = 8 * u64::from(self.plan.payload_bytes + self.header_bytes);
        let after = if self.count == 0 {
            ackclock_units::Duration::ZERO
        } else {
            time_for_bits(bits.saturating_mul(self.count), self.plan.rate_bps)
        };
        self.count += 1;
        Some(Datagram {
            at: self.start.saturating_add(after),
            payload: self.plan.payload_bytes,
            frame: NO_FRAME,
        })
    }
}
