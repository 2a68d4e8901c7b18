//! `MulTCP`'s slow start: triples the window until it is what n flows would have, then doubles it.

use super::{FLOWS, REFERENCE};
use crate::cast::float;
use crate::entry::{Entry, Make, Traits};
use crate::slow_start::{Growth, SlowStart};
use crate::window::Window;
use crate::{AckEvent, Rule, Ruled};

const SOURCE: &str = "Crowcroft & Oechslin 1998";
const BEHIND: Rule =
    Rule::new("MulTCP behind n flows: two segments per segment acknowledged", SOURCE);
const LEVEL: Rule =
    Rule::new("MulTCP level with n flows: cwnd grows by the bytes acknowledged", SOURCE);

/// Growth by two segments for each acknowledged segment while the window is behind n flows, then by
/// one.
#[derive(Clone, Debug)]
pub struct MulTcpStart {
    n: f64,
    /// Window at which tripling has caught up with n doubling flows, bytes: cwnd at the start times
    /// 3^k, where 3^k = n 2^k.
    caught_up: f64,
}

impl MulTcpStart {
    /// A slow start for n flows.
    #[must_use]
    pub fn new(n: f64) -> Self {
        Self { n, caught_up: 0.0 }
    }
}

impl SlowStart for MulTcpStart {
    // A start with n initial windows would send n bursts at once, and the path would lose them. The
    // connection begins as one flow does and catches up in k = log n / log 1.5 round trips.
    fn begin(&mut self, window: &Window) {
        let k = libm::log(self.n) / libm::log(1.5);
        self.caught_up = float(window.cwnd) * libm::pow(3.0, k);
    }

    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Ruled<Growth> {
        if float(window.cwnd) < self.caught_up {
            BEHIND.gives(Growth::by(ack.credited.saturating_mul(2), ack, window))
        } else {
            LEVEL.gives(Growth::double(ack, window))
        }
    }
}

/// Catalogue entry `multcp-start`.
pub const ENTRY: Entry = Entry {
    name: "multcp-start",
    summary: "Triples the window each round trip until it is as large as that of n flows, then \
              doubles.",
    parameters: &[FLOWS],
    reference: REFERENCE,
    implies: &[],
    traits: Traits::SLOW_START,
    make: Make::slow_start(|values, _| Box::new(MulTcpStart::new(values.number("n")))),
};
