//! The congestion window (draft section "Congestion Window").

use super::{Bbr3, State, UNBOUNDED};
use crate::AckEvent;

/// `BBR.MinPipeCwnd`, segments: two under way and two acknowledged by one delayed ACK.
const MIN_PIPE_SEGMENTS: u64 = 4;
/// Segments that a probe for bandwidth may have in flight beyond its gain, so that it works with a
/// small BDP too.
const PROBE_UP_SEGMENTS: u64 = 2;

impl Bbr3 {
    /// `BBR.MinPipeCwnd`: smallest window, bytes.
    pub(super) fn min_pipe_cwnd(&self) -> u64 {
        MIN_PIPE_SEGMENTS * self.options.mss
    }

    /// `QuantizationBudget`: a volume with room for what the hosts hold, bytes.
    pub(super) fn quantization_budget(&self, inflight: u64) -> u64 {
        let offload_budget = self.options.offload_quanta * self.send_quantum();
        let budget = inflight.max(offload_budget).max(self.min_pipe_cwnd());
        if self.state == State::Up {
            budget.saturating_add(PROBE_UP_SEGMENTS * self.options.mss)
        } else {
            budget
        }
    }

    /// `UpdateMaxInflight`: window that the model asks for, bytes.
    fn max_inflight(&self) -> u64 {
        let bdp = self.bdp_multiple(self.bw, self.state.cwnd_gain());
        self.quantization_budget(bdp.saturating_add(self.aggregation.extra_acked()))
    }

    /// `ProbeRTTCwnd`: largest window in `ProbeRTT`, bytes.
    pub(super) fn probe_rtt_cwnd(&self) -> u64 {
        self.bdp_multiple(self.bw, State::ProbeRtt.cwnd_gain()).max(self.min_pipe_cwnd())
    }

    /// `SetCwnd`: moves the window towards what the model asks for, by the acknowledged bytes.
    pub(super) fn set_cwnd(&mut self, ack: &AckEvent) {
        let max_inflight = self.max_inflight();
        if self.full_bw.is_reached {
            self.cwnd = self.cwnd.saturating_add(ack.newly_acked).min(max_inflight);
        } else if self.cwnd < max_inflight || ack.delivered < self.options.initial_window {
            self.cwnd = self.cwnd.saturating_add(ack.newly_acked);
        }
        self.cwnd = self.cwnd.max(self.min_pipe_cwnd());
        if self.state == State::ProbeRtt {
            self.cwnd = self.cwnd.min(self.probe_rtt_cwnd());
        }
        self.bound_cwnd_for_model();
    }

    /// `BoundCwndForModel`. The summary's table bounds the window by `inflight_longterm` in drain
    /// too. The pseudo-code and Linux do not, nor does this.
    fn bound_cwnd_for_model(&mut self) {
        let longterm = match self.state {
            State::Down | State::Refill | State::Up => self.bounds.inflight_longterm,
            State::Cruise | State::ProbeRtt => self.inflight_with_headroom(),
            State::Startup | State::Drain => UNBOUNDED,
        };
        let cap = longterm.min(self.bounds.inflight_shortterm).max(self.min_pipe_cwnd());
        self.cwnd = self.cwnd.min(cap);
    }
}
