//! Vegas: an avoidance and a slow start that steer by the packets that wait in the bottleneck's
//! queue, and Stabilised Vegas, which has the same equilibrium.

pub(crate) mod avoidance;
pub(crate) mod slow_start;
pub(crate) mod stabilised;

use crate::Duration;
use crate::cast::float;
use crate::entry::Parameter;
use crate::window::Window;

/// RTT samples that a round needs to be judged. With fewer, all may be of delayed ACKs (Linux,
/// `tcp_vegas_cong_avoid`).
const MIN_SAMPLES: u32 = 3;

/// Backlog at which slow start ends. The avoidances pass it on to the slow start that they bring.
const GAMMA: Parameter = Parameter::quantity("gamma", 1.0, 0.0..=1e6, "packets")
    .meaning("slow start ends with more queued");

/// Queued packets as Linux counts them: W (RTT - base) / base in whole packets, for a window of W.
/// The count is too high by the factor RTT / base; the paper's Diff is W (RTT - base) / RTT.
fn backlog_linux(window: &Window, rtt: Duration, base: Duration) -> f64 {
    let risen = rtt.saturating_sub(base).as_secs_f64();
    libm::floor(float(window.whole_segments()) * risen / base.as_secs_f64().max(f64::MIN_POSITIVE))
}
