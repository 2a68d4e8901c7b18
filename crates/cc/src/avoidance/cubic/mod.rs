//! CUBIC: after congestion the window is a cubic function of the time since. Two implementations:
//! `rfc9438` follows the RFC, `linux` has the integer arithmetic of Linux.

mod linux;
mod rfc9438;

use super::Avoidance;
use crate::entry::traits::{Growth, Law, Left, Linearised, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::{Rule, Setup};
use linux::CubicLinux;
use rfc9438::Cubic;

/// Parameters of both forms of CUBIC.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Share of the window that congestion leaves.
    pub beta: f64,
    /// Steepness of the curve, segments/s^3.
    pub c: f64,
    /// Whether a flow that congestion met below its last peak takes cwnd (1 + beta) / 2 as its new
    /// `W_max`, and so leaves more to others (RFC 9438 section 4.7).
    pub fast_convergence: bool,
    /// Whether the window is at least what Reno's would be (RFC 9438 section 4.3).
    pub reno_friendly: bool,
}

const CONVEX: Rule = Rule::new(
    "CUBIC, convex region: the curve goes beyond W_max and asks for more",
    "RFC 9438 section 4.5",
);
const TIMEOUT: Rule = Rule::new(
    "a timeout leaves beta_cubic of the window as ssthresh and forgets W_max",
    "RFC 9438 section 4.8",
);

const RENO_FRIENDLY: Rule = Rule::new(
    "CUBIC, Reno-friendly region: the curve is below W_est, which Reno would have",
    "RFC 9438 section 4.3",
);
const NO_PEAK: Rule = Rule::new(
    "CUBIC without a W_max: the curve begins flat at the present window",
    "RFC 9438 sections 4.8 and 4.10",
);
const CONCAVE: Rule =
    Rule::new("CUBIC, concave region: the curve rises to W_max", "RFC 9438 section 4.4");
const CONVERGENCE: Rule = Rule::cut(
    "leaves beta_cubic of the window; W_max is less than the window, for fast convergence",
    "RFC 9438 sections 4.6 and 4.7",
);
const CUT: Rule = Rule::cut(
    "leaves beta_cubic of the window, and W_max is the window before",
    "RFC 9438 section 4.6",
);

fn make(values: &Values, _setup: &Setup) -> Box<dyn Avoidance> {
    let options = Options {
        beta: values.number("beta"),
        c: values.number("c"),
        fast_convergence: values.flag("fast_convergence"),
        reno_friendly: values.flag("reno_friendly"),
    };
    if values.flag("linux") {
        Box::new(CubicLinux::new(&options))
    } else {
        Box::new(Cubic::new(options))
    }
}

/// Catalogue entry `cubic`.
pub const ENTRY: Entry = Entry {
    name: "cubic",
    summary: "A cubic function of the time since the last loss. Default slow start: hystart, as in \
              Linux.",
    parameters: &[
        Parameter::number("beta", 0.7, 0.1..=0.99)
            .meaning("what is left of the window after congestion"),
        Parameter::quantity("c", 0.4, 0.001..=100.0, "segments/s^3")
            .meaning("steepness of the curve"),
        Parameter::flag("fast_convergence", true).meaning(
            "give up more when the peak is lower than the last one (RFC 9438 section 4.7)",
        ),
        Parameter::flag("reno_friendly", true)
            .meaning("never slower than Reno (RFC 9438 section 4.3)"),
        Parameter::flag("linux", true).meaning(
            "compute in whole packets with the roundings of Linux 6; false: as RFC 9438 \
                      writes it",
        ),
    ],
    reference: "RFC 9438",
    implies: &[],
    traits: Traits {
        growth: Growth::Cubic,
        left: Left::Share(Term::Parameter("beta")),
        response: &[
            Law::new(
                "cubic_random_average_window",
                &[("loss_rate", Term::LossRate), ("rtt", Term::Rtt), ("c", Term::Parameter("c"))],
                "Poojary & Sharma 2019, C^(1/4) (RTT/p)^(3/4)",
            ),
            Law::reno_friendly("Mathis et al. 1997, CUBIC's Reno-friendly region"),
        ],
        linearised: Linearised::Without(
            "its growth depends on the time since the last loss, and where it is at rest the curve \
             is flat, so that to first order it answers no loss: its published model decides by \
             what is beyond, and finds it locally stable (Vardoyan, Hollot & Towsley, INFOCOM \
             2018)",
        ),
        ..Traits::AVOIDANCE
    },
    make: Make::avoidance("hystart", make),
};
