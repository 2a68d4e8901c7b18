//! `PROBE_BW`: a cycle of eight phases, each as long as the smallest RTT. One asks for more
//! bandwidth, one drains the queue of the first, and six send at the estimate.

use rand_core::Rng as _;

use super::options::StableTest;
use super::{Bbr, Mode, Options};
use crate::{AckEvent, Duration, Rng, Rule, Time};

/// Phases of the cycle.
pub const PHASES: u8 = 8;
const PROBE: u8 = 0;
const DRAIN: u8 = 1;
const FIRST_STABLE: u8 = 2;
/// Phases with which the cycle may begin (`bbr_cycle_rand`): any but the draining one. A random
/// start keeps flows from probing together.
const START_PHASES: u64 = 7;

/// Position in the cycle.
#[derive(Clone, Debug, Default)]
pub struct Cycle {
    phase: u8,
    since: Time,
    /// Instant since which the gain is 1.
    stable_since: Time,
    /// Phase with which the next `PROBE_BW` begins.
    start: Option<u8>,
}

impl Cycle {
    pub fn gain(&self, options: &Options) -> f64 {
        match self.phase {
            PROBE => options.probe_gain,
            DRAIN => options.drain_gain,
            _ => 1.0,
        }
    }

    /// Rule of the phase.
    pub fn rule(&self) -> Rule {
        const SOURCE: &str =
            "Linux 6 net/ipv4/tcp_bbr.c, bbr_update_cycle_phase; Cardwell et al. 2016";
        match self.phase {
            PROBE => Rule::new("PROBE_BW, probing: a gain above 1 asks for more bandwidth", SOURCE),
            DRAIN => {
                Rule::new("PROBE_BW, draining: a gain below 1 drains the probe's queue", SOURCE)
            }
            _ => Rule::new(
                "PROBE_BW, cruising: the rate is the bandwidth estimate, cwnd two BDPs",
                SOURCE,
            ),
        }
    }

    pub fn is_probing(&self) -> bool {
        self.phase == PROBE
    }

    /// Draws the first phase ahead, for a `PROBE_BW` that begins without an ACK.
    pub fn draw_start(&mut self, rng: &mut Rng) {
        self.start.get_or_insert_with(|| {
            let drawn = (u64::from(rng.next_u32()) * START_PHASES) >> 32;
            // Linux starts the cycle at 7 minus the drawn number and moves on by one.
            (PHASES - u8::try_from(drawn).unwrap_or(0)) % PHASES
        });
    }

    fn enter(&mut self, phase: u8, now: Time) {
        self.phase = phase;
        self.since = now;
        if phase <= FIRST_STABLE {
            self.stable_since = now;
        }
    }
}

impl Bbr {
    /// Enters `PROBE_BW` at the drawn phase (`bbr_reset_probe_bw_mode`).
    pub(super) fn enter_probe_bw(&mut self, now: Time) {
        self.mode = Mode::ProbeBw;
        let start = self.cycle.start.take().unwrap_or(PROBE);
        self.cycle.enter(start, now);
        self.cycle.stable_since = now;
    }

    /// Moves on to the next phase when the present one is over (`bbr_update_cycle_phase`).
    pub(super) fn update_cycle(&mut self, ack: &AckEvent) {
        if self.mode != Mode::ProbeBw {
            return;
        }
        let now = self.totals.delivered_at;
        if self.is_phase_over(ack, now) {
            let next = (self.cycle.phase + 1) % PHASES;
            let is_cut = self.options.max_stable_at == StableTest::PhaseEnd
                && next > FIRST_STABLE
                && self.is_stable_over(now);
            self.cycle.enter(if is_cut { PROBE } else { next }, now);
        } else if self.options.max_stable_at == StableTest::Ack && self.is_stable_over(now) {
            self.cycle.enter(PROBE, now);
        }
    }

    /// Whether the phase is over (`bbr_is_next_cycle_phase`), with the two published changes.
    fn is_phase_over(&self, ack: &AckEvent, now: Time) -> bool {
        let is_full_length =
            now.since(self.cycle.since) > self.min_rtt.get().unwrap_or(Duration::MAX);
        let inflight = || self.in_network(ack.prior_inflight, ack.pacing_wait);
        let reached = |gain| self.inflight_target(self.max_bw.get(), gain);
        if self.pacing_gain > 1.0 {
            let target = reached(self.pacing_gain);
            // Linux's window of two bandwidth-delay products always holds the target. A smaller
            // window may not.
            let is_up = inflight() >= target || (is_full_length && self.target_cwnd() < target);
            return if self.options.early_probe_exit {
                is_up || (is_full_length && ack.newly_lost > 0)
            } else {
                is_full_length && (is_up || ack.newly_lost > 0)
            };
        }
        if self.pacing_gain < 1.0 {
            return inflight() <= reached(1.0) || (is_full_length && !self.options.drain_to_target);
        }
        is_full_length
    }

    /// Whether the phases at gain 1 have lasted for Huang, Zhu & Wang's `MaxStableDuration`.
    fn is_stable_over(&self, now: Time) -> bool {
        if self.options.max_stable_duration <= 0.0 || self.cycle.phase < FIRST_STABLE {
            return false;
        }
        let longest = Duration::from_secs_f64(self.options.max_stable_duration * 1e-3);
        !longest.is_zero() && now.since(self.cycle.stable_since) >= longest
    }
}
