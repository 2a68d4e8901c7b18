//! `MulTCP` (Crowcroft & Oechslin 1998): one connection that behaves as n, by AIMD(n, 1/(2n)).

use super::Aimd;
use crate::entry::{Entry, Make, Parameter, Value};

/// `multcp`.
pub const ENTRY: Entry = Entry {
    name: "multcp",
    summary: "n flows in one: n segments per round trip, half of one flow's share given up on congestion; alone it brings multcp-start.",
    parameters: &[FLOWS],
    reference: "Crowcroft & Oechslin, Differentiated end-to-end Internet services using a weighted proportional fair sharing TCP, \
        CCR 28(3), 1998",
    implies: &[],
    make: Make::Avoidance {
        slow_start: "multcp-start",
        // cwnd grows by n/cwnd per ACK; a loss is one of the n flows', whose n-th of the window is halved.
        make: |values| {
            let n = values.number("n");
            Box::new(Aimd::new(n, 0.5 / n))
        },
    },
};

/// The weight, which the slow start shares.
pub(crate) const FLOWS: Parameter = Parameter {
    name: "n",
    default: Value::Number(2.0),
    range: (1.0, 1000.0),
    unit: "flows",
    meaning: "how many flows it stands for",
};
