//! LEDBAT++ (draft-irtf-iccrg-ledbat-plus-plus): an avoidance and a slow start for background
//! traffic that measures round-trip times.

pub(crate) mod avoidance;
pub(crate) mod slow_start;

use crate::entry::Parameter;

/// RTT samples of which the smallest is the current delay (section 4.5).
const CURRENT_FILTER: usize = 4;
/// Minutes over which the smallest RTT is the base delay, as in RFC 6817.
const BASE_HISTORY: u64 = 10;

/// Queueing delay to keep (section 4.5).
const TARGET: Parameter =
    Parameter::quantity("target", 60.0, 1.0..=1000.0, "ms").meaning("queueing delay to keep");

/// Bound on how small GAIN may be (section 4.2).
const MAX_DIVISOR: Parameter = Parameter::number("max_divisor", 16.0, 1.0..=1000.0)
    .meaning("bound on 1 / GAIN, which is 2 target / base RTT rounded up");

/// GAIN of section 4.2: growth in segments per round trip, less than one where the path is short.
/// `target` and `base` are seconds.
fn gain(target: f64, base: f64, max_divisor: f64) -> f64 {
    1.0 / libm::ceil(2.0 * target / base.max(1e-9)).clamp(1.0, max_divisor)
}
