//! Hybla (Caini & Firrincieli 2004): a long path's window grows as fast, in segments per second, as a short one's would.

use super::{Avoidance, Credit, less_share};
use crate::entry::{Entry, Make, Parameter, Value};
use crate::window::Window;
use crate::{AckEvent, CongestionEvent, Duration, Rng};

/// How much longer than the reference a path is.
///
/// Taken from the smallest RTT, as Linux does (there the smallest smoothed one), so that a queue does not raise it; never below
/// 1, which is Reno.
#[must_use]
pub fn rho(min_rtt: Duration, rtt0: Duration) -> f64 {
    (min_rtt.as_secs_f64() / rtt0.as_secs_f64()).max(1.0)
}

/// rho^2 segments per round trip, halved on congestion.
#[derive(Clone, Debug)]
pub struct Hybla {
    rtt0: Duration,
    rho: f64,
    credit: Credit,
}

impl Hybla {
    /// With this reference RTT.
    #[must_use]
    pub fn new(rtt0: Duration) -> Self {
        Self {
            rtt0,
            rho: 1.0,
            credit: Credit::default(),
        }
    }
}

impl Avoidance for Hybla {
    // Equation 6, second line: rho^2 / cwnd per segment acknowledged.
    fn next_cwnd(&mut self, ack: &AckEvent, window: &Window, _rng: &mut Rng) -> u64 {
        self.rho = rho(ack.min_rtt, self.rtt0);
        self.credit.per_window(ack, window, self.rho * self.rho)
    }

    fn ssthresh(&mut self, _event: &CongestionEvent, window: &Window) -> u64 {
        self.credit.reset();
        less_share(window, 0.5)
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("rho", self.rho);
    }

    fn undo_state(&self) -> Option<Box<dyn Avoidance>> {
        None
    }

    fn clone_box(&self) -> Box<dyn Avoidance> {
        Box::new(self.clone())
    }
}

/// RTT0, which the slow start shares.
pub(crate) const RTT0: Parameter = Parameter {
    name: "rtt0",
    default: Value::Number(25.0),
    range: (1.0, 1000.0),
    unit: "ms",
    meaning: "round trip of the path whose rate it aims at; below it there is no change",
};

/// `hybla`.
pub const ENTRY: Entry = Entry {
    name: "hybla",
    summary: "Grows (RTT/25 ms)^2 times as fast as Reno: the same rate at any RTT; alone it brings hybla-start.",
    parameters: &[RTT0],
    reference: "Caini & Firrincieli, TCP Hybla: a TCP enhancement for heterogeneous networks, \
        International Journal of Satellite Communications and Networking 22(5), 2004",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "hybla-start",
        make: |values| Box::new(Hybla::new(Duration::from_secs_f64(values.number("rtt0") * 1e-3))),
    },
};
