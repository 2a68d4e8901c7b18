//! NV: an avoidance and a slow start that keep the window at what the best rate needs on the empty
//! path, plus a few packets.

pub(crate) mod avoidance;
mod estimate;
pub(crate) mod slow_start;

use crate::entry::Parameter;

/// Packets that may be queued.
const PAD: Parameter = Parameter::quantity("pad", 10.0, 2.0..=1e6, "packets")
    .meaning("the most that it keeps queued (nv_pad)");

/// Time after which the smallest RTT is forgotten and measured again.
const RESET_PERIOD: Parameter = Parameter::quantity("reset_period", 5.0, 0.1..=3600.0, "s")
    .meaning("how long the smallest RTT is remembered, on average (nv_reset_period)");
