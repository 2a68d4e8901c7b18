//! Hybla (Caini & Firrincieli 2004): an avoidance and a slow start with which a long path's window
//! grows as fast, in segments per second, as a short one's.

pub(crate) mod avoidance;
pub(crate) mod slow_start;

use crate::Duration;
use crate::entry::Parameter;

const REFERENCE: &str = "Caini & Firrincieli, TCP Hybla: a TCP enhancement for heterogeneous \
                         networks, International Journal of Satellite Communications and \
                         Networking 22(5), 2004";

/// RTT of the path that both halves imitate.
const RTT0: Parameter = Parameter::quantity("rtt0", 25.0, 1.0..=1000.0, "ms")
    .meaning("round trip of the path whose rate it aims at; below it there is no change");

/// Ratio of the path's RTT to the reference RTT, at least 1, with which Hybla is Reno.
///
/// It is taken from the smallest RTT, so that a queue does not raise it. Linux takes the smallest
/// smoothed RTT.
fn rho(min_rtt: Duration, rtt0: Duration) -> f64 {
    (min_rtt.as_secs_f64() / rtt0.as_secs_f64()).max(1.0)
}
