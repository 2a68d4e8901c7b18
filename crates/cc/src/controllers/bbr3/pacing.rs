//! Pacing, the send quantum, and the restart from idle (draft sections "Pacing Rate:
//! `C.pacing_rate`", "Send Quantum: `C.send_quantum`" and "Restarting From Idle").

use ackclock_units::{Duration, Rate};

use super::{Bbr3, State};

/// `BBR.PacingMarginPercent`: the rate stays 1 % below the bandwidth, so that queues shrink.
const PACING_MARGIN: f64 = 0.99;
/// RTT of the initial rate before the first sample.
const NOMINAL_RTT: Duration = Duration::from_millis(1);
/// Time that a send quantum takes at the pacing rate.
const QUANTUM_TIME: Duration = Duration::from_millis(1);
/// Largest send quantum, bytes.
const MAX_QUANTUM: u64 = 64 * 1024;
/// Smallest send quantum, segments.
const MIN_QUANTUM_SEGMENTS: u64 = 2;
/// Smallest rate. With a rate of zero nothing would ever be sent again.
const SLOWEST: Rate = Rate::from_bps(1);

impl Bbr3 {
    /// `InitPacingRate`: the initial window per RTT, times startup's gain.
    pub(super) fn initial_pacing_rate(initial_window: u64, srtt: Option<Duration>) -> Rate {
        Rate::of(initial_window, srtt.unwrap_or(NOMINAL_RTT)).scale(State::Startup.pacing_gain())
    }

    /// `SetPacingRateWithGain`: the bandwidth times the gain. Until the pipe is full the rate only
    /// rises.
    pub(super) fn set_pacing_rate(&mut self, gain: f64) {
        // Losses may end startup before any rate was sampled. An unknown bandwidth does not slow
        // the flow down.
        if self.bw.as_bps() == 0 {
            return;
        }
        let rate = self.bw.scale(gain * PACING_MARGIN).max(SLOWEST);
        if self.full_bw.is_reached || rate > self.pacing_rate {
            self.pacing_rate = rate;
        }
    }

    /// `SetSendQuantum`. The sender's pacer has it without the upper bound.
    pub(super) fn send_quantum(&self) -> u64 {
        let quantum = self.pacing_rate.bytes_in(QUANTUM_TIME).min(MAX_QUANTUM);
        quantum.max(MIN_QUANTUM_SEGMENTS * self.options.mss)
    }

    /// `HandleRestartFromIdle`: sends at the bandwidth itself, because there is no queue to drain
    /// or fill.
    pub(super) fn handle_restart_from_idle(&mut self) {
        self.probe_rtt.is_idle_restart = true;
        self.aggregation.restart(self.now);
        if self.state.is_probe_bw() {
            self.set_pacing_rate(1.0);
        } else if self.state == State::ProbeRtt {
            self.check_probe_rtt_done();
        }
    }
}
