//! Huang, Zhu & Wang's cumulative shrink: what is seen to queue is taken out of the window, little by little.

use super::{Bbr, Mode};
use crate::AckEvent;

/// Ratio above which the RTT, and so the bandwidth estimate, is not stable.
const UNSTABLE: f64 = 0.3;
/// RTTs of this stretch and of the one before are compared: each as long as the bandwidth filter, so that they see the
/// whole gain cycle. The paper does not say.
const STRETCH_ROUNDS: u32 = 10;
/// `give_back` from which on nothing is given back.
pub const NEVER: f64 = 1e9;

/// What of the RTT is compared with its mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stability {
    /// The paper: "the ratio of the variance of the RTT to its mean". The ratio of a variance to a mean has a unit, which is
    /// not printed: milliseconds, as all of the paper's times.
    Variance,
    /// The ratio of the variance to the mean with times in seconds: 0.3 s is hardly ever reached.
    VarianceSeconds,
    /// The standard deviation, whose ratio to the mean has no unit.
    Deviation,
}

impl Stability {
    pub const CHOICES: &[&str] = &["variance", "variance-s", "deviation"];

    pub fn named(name: &str) -> Self {
        match name {
            "deviation" => Self::Deviation,
            "variance-s" => Self::VarianceSeconds,
            _ => Self::Variance,
        }
    }

    /// The ratio to the mean, of seconds and their squares.
    fn ratio(self, variance: f64, mean: f64) -> f64 {
        match self {
            Self::Variance => 1e3 * variance / mean,
            Self::VarianceSeconds => variance / mean,
            Self::Deviation => libm::sqrt(variance) / mean,
        }
    }
}

/// Sums over RTT samples, seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    rtt: f64,
    square: f64,
}

/// The shrink and the test that guards it.
#[derive(Clone, Debug, Default)]
pub struct Shrink {
    bytes: f64,
    stretches: [Sums; 2],
    rounds: u32,
    /// Whether the last ACK came in `PROBE_BW`: the ACK with which DRAIN or `PROBE_RTT` is left measured what these did.
    is_cruising: bool,
}

impl Shrink {
    pub fn bytes(&self) -> f64 {
        self.bytes
    }

    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "not negative; casts of floats saturate"
    )]
    pub fn whole_bytes(&self) -> u64 {
        // Most flows have none: the cast takes longer than the question.
        if self.bytes > 0.0 { self.bytes as u64 } else { 0 }
    }

    fn observe(&mut self, rtt: f64, is_round_start: bool) {
        if is_round_start {
            self.rounds += 1;
            if self.rounds > STRETCH_ROUNDS {
                self.rounds = 1;
                self.stretches = [Sums::default(), self.stretches[0]];
            }
        }
        let sums = &mut self.stretches[0];
        sums.count += 1.0;
        sums.rtt += rtt;
        sums.square += rtt * rtt;
    }

    fn is_stable(&self, by: Stability) -> bool {
        let [now, before] = self.stretches;
        let count = now.count + before.count;
        let mean = (now.rtt + before.rtt) / count;
        let variance = (now.square + before.square) / count - mean * mean;
        by.ratio(variance.max(0.0), mean) <= UNSTABLE
    }
}

impl Bbr {
    /// Adds the round trip's share of the excess, or gives back. The shrink stays as it is while the RTT is not stable, and where BBR
    /// "leaves DRAIN or is in `PROBE_RTT`".
    #[expect(clippy::cast_precision_loss, reason = "bytes and rates are below 2^53")]
    pub(super) fn update_shrink(&mut self, ack: &AckEvent) {
        let (Some(rtt), Some(min_rtt)) = (ack.rtt_sample, self.min_rtt.get()) else {
            return;
        };
        if !self.options.cumulative_shrink {
            return;
        }
        self.shrink.observe(rtt.as_secs_f64(), self.rounds.start);
        let is_cruising = self.mode == Mode::ProbeBw;
        let was_cruising = core::mem::replace(&mut self.shrink.is_cruising, is_cruising);
        let mut is_adjusted = is_cruising && was_cruising;
        if self.options.reset_shrink {
            is_adjusted = is_cruising;
            if !is_cruising {
                self.shrink.bytes = 0.0;
            }
        }
        let is_near = self.min_rtt.expires_in(ack.now).as_secs_f64() * 1e3 < self.options.near_probe_rtt;
        if !is_adjusted || is_near || !self.shrink.is_stable(self.options.stability) {
            return;
        }
        let delay = rtt.saturating_sub(min_rtt).as_secs_f64();
        let share = (ack.newly_acked as f64 / ack.prior_inflight.max(1) as f64).min(1.0);
        if delay > self.options.delay_lower_bound * 1e-3 {
            let excess = delay * self.bw().as_bps() as f64 / 8.0;
            // No more than there is: a larger one would not close the window further.
            let most = self.inflight_target(self.bw(), self.cwnd_gain) as f64;
            self.shrink.bytes = (self.shrink.bytes + excess / self.options.cwnd_pace * share).min(most);
        } else if self.options.give_back < NEVER {
            let kept = 1.0 - share / self.options.give_back.max(share);
            self.shrink.bytes *= if self.options.give_back > 0.0 { kept } else { 0.0 };
        }
    }
}
