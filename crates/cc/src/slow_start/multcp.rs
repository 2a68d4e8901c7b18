//! `MulTCP`'s slow start (Crowcroft & Oechslin 1998): triples until it has what n flows would have, then doubles.

use super::{Growth, SlowStart, grow};
use crate::AckEvent;
use crate::avoidance;
use crate::avoidance::multcp::FLOWS;
use crate::entry::{Entry, Make};
use crate::window::Window;

/// Two segments for each acknowledged while it is behind n flows, then one.
#[derive(Clone, Debug)]
pub struct MulTcpStart {
    n: f64,
    /// The window at which 3^k = n 2^k, bytes.
    caught_up: f64,
}

impl MulTcpStart {
    /// For n flows.
    #[must_use]
    pub fn new(n: f64) -> Self {
        Self { n, caught_up: 0.0 }
    }
}

impl SlowStart for MulTcpStart {
    // n bursts at once would be lost, so it begins as one flow does and catches up in k = log n / log 1.5 round trips.
    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    fn begin(&mut self, window: &Window) {
        let k = libm::log(self.n) / libm::log(1.5);
        self.caught_up = window.cwnd as f64 * libm::pow(3.0, k);
    }

    #[expect(clippy::cast_precision_loss, reason = "windows are far below 2^53 bytes")]
    fn on_ack(&mut self, ack: &AckEvent, window: &Window) -> Growth {
        let times = if (window.cwnd as f64) < self.caught_up { 2 } else { 1 };
        grow(ack.credited.saturating_mul(times), ack, window)
    }

    fn clone_box(&self) -> Box<dyn SlowStart> {
        Box::new(self.clone())
    }
}

/// `multcp-start`.
pub const ENTRY: Entry = Entry {
    name: "multcp-start",
    summary: "Triples the window each round trip until it is as large as that of n flows, then doubles.",
    parameters: &[FLOWS],
    reference: avoidance::multcp::ENTRY.reference,
    implies: &[],
    make: Make::SlowStart(|values| Box::new(MulTcpStart::new(values.number("n")))),
};
