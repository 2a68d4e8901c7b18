//! `MulTCP` (Crowcroft & Oechslin 1998): an avoidance and a slow start with which one connection
//! behaves as n do.

pub(crate) mod avoidance;
pub(crate) mod slow_start;

use crate::entry::Parameter;

const REFERENCE: &str = "Crowcroft & Oechslin, Differentiated end-to-end Internet services using \
                         a weighted proportional fair sharing TCP, CCR 28(3), 1998";

/// Number of flows that the connection stands for.
const FLOWS: Parameter =
    Parameter::quantity("n", 2.0, 1.0..=1000.0, "flows").meaning("how many flows it stands for");
