//! `ProbeBW`: the cycle down, cruise, refill, up, and when to probe (draft section "`ProbeBW`").

use ackclock_units::{Duration, Time};
use rand_core::Rng as _;

use super::{Bbr3, State, UNBOUNDED};
use crate::{AckEvent, Rng};

/// Time between probes, drawn from 2 to 3 s: `T_bbr` (section "A Dual-Time-Scale Approach for
/// Coexistence").
const PROBE_WAIT: Duration = Duration::from_secs(2);
const PROBE_WAIT_SPREAD: Duration = Duration::from_secs(1);
/// Round trips between probes, 62 or 63: `T_reno_bound`. The first is drawn to be 0 or 1.
const RENO_ROUNDS: u64 = 63;

/// `BBR.ack_phase`: what the incoming ACKs tell about.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AckPhase {
    /// Nothing about probing.
    #[default]
    Init,
    /// Data sent at the estimated bandwidth to fill the pipe.
    Refilling,
    /// Data from before the probe, which has begun.
    ProbeStarting,
    /// Data of the probe.
    ProbeFeedback,
    /// Data of the probe, which is over.
    ProbeStopping,
}

/// Result of one `PickProbeWait`. It is drawn ahead, because a probe may end at a loss, where there
/// is no random stream.
#[derive(Clone, Copy, Debug, Default)]
struct Draw {
    rounds: u64,
    wait: Duration,
}

/// Position of the flow in the cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cycle {
    /// `BBR.ack_phase`: what the incoming ACKs tell about.
    pub ack_phase: AckPhase,
    /// `BBR.cycle_stamp`: instant at which the cycle began.
    stamp: Time,
    /// `BBR.bw_probe_wait`: time from the start of the cycle to the next probe.
    wait: Duration,
    /// `BBR.rounds_since_probe_up`: round trips since the last probe.
    pub rounds_since_probe_up: u64,
    /// `BBR.is_bw_probe_sample`: samples that come in may show what the probe has done.
    pub is_bw_probe_sample: bool,
    next: Option<Draw>,
}

impl Cycle {
    /// Draws the next wait if the last one was taken.
    pub fn draw(&mut self, rng: &mut Rng) {
        self.next.get_or_insert_with(|| Draw {
            rounds: rng.next_u64() & 1,
            wait: PROBE_WAIT + Duration::from_ps(rng.next_u64() % PROBE_WAIT_SPREAD.as_ps()),
        });
    }

    /// `PickProbeWait`: sets the time to the next probe.
    fn pick_wait(&mut self) {
        let draw = self.next.take().unwrap_or(Draw { rounds: 0, wait: PROBE_WAIT });
        self.rounds_since_probe_up = draw.rounds;
        self.wait = draw.wait;
    }
}

impl Bbr3 {
    /// `StartProbeBW_DOWN`: ends the probe and sends slower than the path delivers.
    pub(super) fn start_probe_bw_down(&mut self) {
        self.reset_congestion_signals();
        self.bounds.acked_per_increment = UNBOUNDED;
        self.cycle.pick_wait();
        self.cycle.stamp = self.now;
        self.cycle.ack_phase = AckPhase::ProbeStopping;
        self.start_round();
        self.state = State::Down;
    }

    /// `StartProbeBW_CRUISE`: sends as fast as the path delivers.
    pub(super) fn start_probe_bw_cruise(&mut self) {
        self.state = State::Cruise;
    }

    /// `StartProbeBW_REFILL`. The first round of the probe grows `inflight_longterm` by 2 to the
    /// power of `up_rounds` segments.
    pub(super) fn start_probe_bw_refill(&mut self, up_rounds: u32) {
        self.reset_short_term_model();
        self.bounds.probe_up_rounds = up_rounds;
        self.bounds.probe_up_acked = 0;
        self.bounds.is_prev_probe_precautionary = false;
        self.cycle.ack_phase = AckPhase::Refilling;
        self.start_round();
        self.state = State::Refill;
    }

    /// `StartProbeBW_UP`: begins to probe for bandwidth.
    fn start_probe_bw_up(&mut self, ack: &AckEvent) {
        self.cycle.ack_phase = AckPhase::ProbeStarting;
        self.start_round();
        self.full_bw.reset(ack.rate.map_or_else(Default::default, |sample| sample.delivery_rate));
        self.state = State::Up;
        self.raise_inflight_longterm_slope();
    }

    /// `UpdateProbeBWCyclePhase`: moves through the cycle.
    pub(super) fn update_probe_bw_cycle_phase(&mut self, ack: &AckEvent) {
        if !self.full_bw.is_reached || self.adapt_long_term_model(ack) {
            return;
        }
        let state = self.state;
        match state {
            State::Down | State::Cruise if self.check_time_to_probe_bw(ack) => (),
            State::Down if self.is_time_to_cruise(ack) => self.start_probe_bw_cruise(),
            State::Refill if self.rounds.is_start => {
                self.cycle.is_bw_probe_sample = true;
                self.start_probe_bw_up(ack);
            }
            State::Up if self.is_time_to_go_down(ack) => {
                self.bounds.is_prev_probe_too_high = false;
                self.start_probe_bw_down();
            }
            _ => (),
        }
    }

    /// `IsTimeToProbeBW`: begins the next probe if it is time. Returns true if so.
    fn check_time_to_probe_bw(&mut self, ack: &AckEvent) -> bool {
        if self.ecn_has_ceased(ack) {
            self.start_probe_bw_refill(self.ecn_reprobe_rounds());
            return true;
        }
        let has_elapsed = self.now > self.cycle.stamp + self.cycle.wait;
        if has_elapsed || self.is_reno_coexistence_probe_time() {
            self.start_probe_bw_refill(0);
            return true;
        }
        false
    }

    /// `IsRenoCoexistenceProbeTime`. Reno, at a segment per round trip, fills the pipe in as many
    /// round trips as the BDP has segments.
    fn is_reno_coexistence_probe_time(&self) -> bool {
        let reno_rounds = self.target_inflight().div_ceil(self.options.mss);
        self.cycle.rounds_since_probe_up >= reno_rounds.min(RENO_ROUNDS)
    }

    /// `IsTimeToCruise`: inflight is down to the BDP, and leaves headroom below the long-term
    /// bound.
    fn is_time_to_cruise(&self, ack: &AckEvent) -> bool {
        ack.inflight <= self.inflight_with_headroom()
            && ack.inflight <= self.inflight(self.max_bw.max(), 1.0)
    }

    /// `IsTimeToGoDown`: the probe has filled the pipe, or has come to a bound that the last probe
    /// exceeded.
    fn is_time_to_go_down(&mut self, ack: &AckEvent) -> bool {
        // The inflight is that before the ACK, as in Linux: without what the ACK takes out, it
        // would always be below a limit that it was at. It is compared in whole segments, which is
        // how a limit is reached.
        let has_reached_limit =
            ack.prior_inflight.saturating_add(self.options.mss) > self.bounds.inflight_longterm;
        if self.bounds.is_prev_probe_too_high && has_reached_limit {
            self.bounds.is_prev_probe_precautionary = true;
            return true;
        }
        if ack.is_cwnd_limited && self.cwnd >= self.bounds.inflight_longterm {
            // `inflight_longterm` held the bandwidth back, which therefore shows nothing.
            self.full_bw
                .reset(ack.rate.map_or_else(Default::default, |sample| sample.delivery_rate));
            return false;
        }
        self.full_bw.is_now
    }
}
