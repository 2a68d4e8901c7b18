//! Hybla (Caini & Firrincieli 2004): an avoidance and a slow start with which a long path's window
//! grows as fast, in segments per second, as a short one's.

pub(crate) mod avoidance;
pub(crate) mod slow_start;

use crate::cast::{float, integer};
use crate::entry::Parameter;
use crate::measure::MICROSECOND;
use crate::{AckEvent, CaState, Duration};

const REFERENCE: &str = "Caini & Firrincieli, TCP Hybla: a TCP enhancement for heterogeneous \
                         networks, International Journal of Satellite Communications and \
                         Networking 22(5), 2004; Linux 6 net/ipv4/tcp_hybla.c";

/// RTT of the path that both halves imitate.
const RTT0: Parameter = Parameter::quantity("rtt0", 25.0, 1.0..=1000.0, "ms")
    .meaning("round trip of the path whose rate it aims at; below it there is no change");

/// Whether to be Linux's Hybla. The avoidance passes it on too.
const LINUX: Parameter = Parameter::linux(
    "as Linux: rho in eighths and from the smallest smoothed RTT, growth for each ACK, an initial \
     window of rho segments",
);

/// Ratio of the path's RTT to the reference RTT, at least 1, with which Hybla is Reno.
///
/// It is taken from the smallest RTT, so that a queue does not raise it. Linux takes the smallest
/// smoothed RTT.
fn rho(min_rtt: Duration, rtt0: Duration) -> f64 {
    (min_rtt.as_secs_f64() / rtt0.as_secs_f64()).max(1.0)
}

/// Hybla's growth as Linux computes it (`net/ipv4/tcp_hybla.c`), in 128ths of a packet. Each ACK
/// grows the window by a step, however much it acknowledges. Out of the open state Hybla is Reno.
#[derive(Clone, Debug)]
struct StepLinux {
    rtt0: Duration,
    /// Smallest smoothed RTT, eighths of a microsecond.
    min_srtt: Option<u64>,
    /// Eighths of rho.
    rho: u64,
    /// 128ths of a packet by which the window has not grown yet.
    rest: u64,
}

/// Fractions of a packet.
const UNIT: u64 = 128;

impl StepLinux {
    fn new(rtt0: Duration) -> Self {
        Self { rtt0, min_srtt: None, rho: 8, rest: 0 }
    }

    /// Takes in a smoothed RTT (`hybla_recalc_param`).
    fn observe(&mut self, srtt: Duration) {
        let srtt = srtt.as_ps().saturating_mul(8) / MICROSECOND.as_ps();
        if self.min_srtt.is_none_or(|min| srtt < min) {
            self.min_srtt = Some(srtt);
            self.rho = (srtt / (self.rtt0.as_ps() / MICROSECOND.as_ps()).max(1)).max(8);
        }
    }

    /// Step in slow start: 2^rho - 1 packets.
    fn in_slow_start(&self) -> u64 {
        let fraction = libm::exp2(float(self.rho % 8) / 8.0);
        integer(float(UNIT) * fraction) * (1 << (self.rho / 8).min(16)) - UNIT
    }

    /// Step at a window of `cwnd` packets: rho^2 packets per window.
    fn in_avoidance(&self, cwnd: u64) -> u64 {
        self.rho.saturating_mul(2).saturating_mul(self.rho) / cwnd
    }

    /// Whole packets of growth by a step.
    fn packets(&mut self, step: u64) -> u64 {
        self.rest += step;
        let packets = self.rest / UNIT;
        self.rest %= UNIT;
        packets
    }
}

/// Whether an ACK lets Linux's Hybla grow the window by its steps.
fn steps(ack: &AckEvent) -> bool {
    ack.state == CaState::Open && !ack.in_recovery && ack.is_cwnd_limited && ack.newly_acked > 0
}
