//! `ProbeBW`: the cycle down, cruise, refill, up, and when to look for more (draft section "`ProbeBW`").

use ackclock_units::{Duration, Time};
use rand_core::Rng as _;

use super::{Bbr3, State, UNBOUNDED};
use crate::{AckEvent, Rng};

/// `T_bbr` (section "A Dual-Time-Scale Approach for Coexistence"): from 2 to 3 s.
const PROBE_WAIT: Duration = Duration::from_secs(2);
const PROBE_WAIT_SPREAD: Duration = Duration::from_secs(1);
/// `T_reno_bound`: 62 or 63 round trips, of which the first is drawn to be 0 or 1.
const RENO_ROUNDS: u64 = 63;

/// `BBR.ack_phase`: what the ACKs that come in tell of.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum AckPhase {
    /// Nothing of probing.
    #[default]
    Init,
    /// Sent at the estimated bandwidth to fill the pipe.
    Refilling,
    /// From before the probe, which has begun.
    ProbeStarting,
    /// Of the probe.
    ProbeFeedback,
    /// Of the probe, which is over.
    ProbeStopping,
}

/// What one `PickProbeWait` draws; drawn ahead, because a probe may end at a loss, where there is no random stream.
#[derive(Clone, Copy, Debug, Default)]
struct Draw {
    rounds: u64,
    wait: Duration,
}

/// Where the flow is in the cycle.
#[derive(Clone, Copy, Debug, Default)]
pub struct Cycle {
    /// `BBR.ack_phase`.
    pub ack_phase: AckPhase,
    /// `BBR.cycle_stamp`.
    stamp: Time,
    /// `BBR.bw_probe_wait`.
    wait: Duration,
    /// `BBR.rounds_since_probe_up`.
    pub rounds_since_probe_up: u64,
    /// `BBR.is_bw_probe_sample`.
    pub is_bw_probe_sample: bool,
    next: Option<Draw>,
}

impl Cycle {
    /// Has the next wait drawn if the last one was taken.
    pub fn draw(&mut self, rng: &mut Rng) {
        self.next.get_or_insert_with(|| Draw {
            rounds: rng.next_u64() & 1,
            wait: PROBE_WAIT + Duration::from_ps(rng.next_u64() % PROBE_WAIT_SPREAD.as_ps()),
        });
    }

    /// `PickProbeWait`.
    fn pick_wait(&mut self) {
        let draw = self.next.take().unwrap_or(Draw {
            rounds: 0,
            wait: PROBE_WAIT,
        });
        self.rounds_since_probe_up = draw.rounds;
        self.wait = draw.wait;
    }
}

impl Bbr3 {
    /// `StartProbeBW_DOWN`.
    pub(super) fn start_probe_bw_down(&mut self) {
        self.reset_congestion_signals();
        self.bounds.acked_per_increment = UNBOUNDED;
        self.cycle.pick_wait();
        self.cycle.stamp = self.now;
        self.cycle.ack_phase = AckPhase::ProbeStopping;
        self.start_round();
        self.state = State::Down;
    }

    /// `StartProbeBW_CRUISE`.
    pub(super) fn start_probe_bw_cruise(&mut self) {
        self.state = State::Cruise;
    }

    /// `StartProbeBW_REFILL`; the probe's first round grows `inflight_longterm` by 2 to the power of `up_rounds` segments.
    pub(super) fn start_probe_bw_refill(&mut self, up_rounds: u32) {
        self.reset_short_term_model();
        self.bounds.probe_up_rounds = up_rounds;
        self.bounds.probe_up_acked = 0;
        self.bounds.is_prev_probe_precautionary = false;
        self.cycle.ack_phase = AckPhase::Refilling;
        self.start_round();
        self.state = State::Refill;
    }

    /// `StartProbeBW_UP`.
    fn start_probe_bw_up(&mut self, ack: &AckEvent) {
        self.cycle.ack_phase = AckPhase::ProbeStarting;
        self.start_round();
        self.full_bw
            .reset(ack.rate.map_or_else(Default::default, |sample| sample.delivery_rate));
        self.state = State::Up;
        self.raise_inflight_longterm_slope();
    }

    /// `UpdateProbeBWCyclePhase`.
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

    /// `IsTimeToProbeBW`.
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

    /// `IsRenoCoexistenceProbeTime`: Reno would have filled the pipe, at a segment per round trip, in as many as the BDP has segments.
    fn is_reno_coexistence_probe_time(&self) -> bool {
        let reno_rounds = self.target_inflight().div_ceil(self.options.mss);
        self.cycle.rounds_since_probe_up >= reno_rounds.min(RENO_ROUNDS)
    }

    /// `IsTimeToCruise`.
    fn is_time_to_cruise(&self, ack: &AckEvent) -> bool {
        ack.inflight <= self.inflight_with_headroom() && ack.inflight <= self.inflight(self.max_bw.max(), 1.0)
    }

    /// `IsTimeToGoDown`.
    fn is_time_to_go_down(&mut self, ack: &AckEvent) -> bool {
        // What was out when the ACK arrived, as Linux: what an ACK leaves out is always below a limit that it was at. And in whole
        // segments, which is how a limit is reached.
        let has_reached_limit = ack.prior_inflight.saturating_add(self.options.mss) > self.bounds.inflight_longterm;
        if self.bounds.is_prev_probe_too_high && has_reached_limit {
            self.bounds.is_prev_probe_precautionary = true;
            return true;
        }
        if ack.is_cwnd_limited && self.cwnd >= self.bounds.inflight_longterm {
            // The bandwidth was held back by inflight_longterm and shows nothing.
            self.full_bw
                .reset(ack.rate.map_or_else(Default::default, |sample| sample.delivery_rate));
            return false;
        }
        self.full_bw.is_now
    }
}
