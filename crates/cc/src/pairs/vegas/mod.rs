//! Vegas: an avoidance and a slow start that steer by the packets that wait in the bottleneck's
//! queue, and Stabilised Vegas, which has the same equilibrium.

pub(crate) mod avoidance;
pub(crate) mod slow_start;
pub(crate) mod stabilised;

use crate::cast::share;
use crate::entry::Parameter;
use crate::measure::VegasRound;

/// RTT samples that a round needs to be judged. With fewer, all may be of delayed ACKs (Linux,
/// `tcp_vegas_cong_avoid`).
const MIN_SAMPLES: u32 = 3;

/// Backlog at which slow start ends. The avoidances pass it on to the slow start that they bring.
const GAMMA: Parameter = Parameter::quantity("gamma", 1.0, 0.0..=1e6, "packets")
    .meaning("slow start ends with more queued");

/// Whether to be Linux's Vegas. The avoidance passes it on too.
const LINUX: Parameter = Parameter::linux(
    "as Linux: double every round trip, count what is queued in whole packets, more by RTT / base \
     RTT, end slow start with the window that queues nothing",
);

/// Queued packets as Linux counts them: W (RTT - base) / base in whole packets, for a window of W.
/// The count is too high by the factor RTT / base; the paper's Diff is W (RTT - base) / RTT.
fn backlog_linux(cwnd: u64, round: &VegasRound) -> u64 {
    share(cwnd, round.min - round.base, round.base)
}
