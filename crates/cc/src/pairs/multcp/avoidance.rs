//! `MulTCP`'s avoidance: AIMD(n, 1/(2n)).

use super::{FLOWS, REFERENCE};
use crate::avoidance::Aimd;
use crate::entry::traits::{Law, Linearised, Term};
use crate::entry::{Entry, Make, Traits};

/// Catalogue entry `multcp`.
pub const ENTRY: Entry = Entry {
    name: "multcp",
    summary: "n flows in one: n segments per round trip, half of one flow's share given up on \
              congestion. Default slow start: multcp-start.",
    parameters: &[FLOWS],
    reference: REFERENCE,
    implies: &[],
    traits: Traits {
        response: &[Law::new(
            "multcp_window",
            &[("loss_rate", Term::LossRate), ("flows", Term::Parameter("n"))],
            "Crowcroft & Oechslin 1998",
        )],
        linearised: Linearised::Law(Law::new(
            "multcp",
            &[("n", Term::Parameter("n"))],
            "Crowcroft & Oechslin 1998",
        )),
        ..Traits::AVOIDANCE
    },
    // Each of the n flows grows by a segment per round trip. A loss is that of one flow, which
    // halves its n-th of the window.
    make: Make::avoidance("multcp-start", |values, _| {
        let n = values.number("n");
        Box::new(Aimd::new(n, 0.5 / n))
    }),
};
