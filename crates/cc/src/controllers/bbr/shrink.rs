//! Huang, Zhu & Wang's cumulative shrink: takes what is seen to queue out of the window, little by
//! little.

use super::{Bbr, Mode};
use crate::AckEvent;
use crate::cast::{float, integer};

/// Ratio above which the RTT, and with it the bandwidth estimate, is unstable.
const UNSTABLE: f64 = 0.3;
/// Rounds of a stretch of RTT samples. The running stretch and the one before are judged together;
/// each is as long as the bandwidth filter, so that it sees the whole gain cycle. The paper gives
/// no length.
const STRETCH_ROUNDS: u32 = 10;
/// Value of `give_back` from which on nothing is given back.
pub const NEVER: f64 = 1e9;

/// Measure of the RTT's variation that is compared with its mean.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stability {
    /// The variance in ms^2. The paper: "the ratio of the variance of the RTT to its mean". That
    /// ratio has a unit, which the paper does not print; its times are in milliseconds.
    Variance,
    /// The variance in s^2. A ratio of 0.3 s is hardly ever reached.
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

    /// Ratio to the mean, from a variance in s^2 and a mean in s.
    fn ratio(self, variance: f64, mean: f64) -> f64 {
        match self {
            Self::Variance => 1e3 * variance / mean,
            Self::VarianceSeconds => variance / mean,
            Self::Deviation => libm::sqrt(variance) / mean,
        }
    }
}

/// Sums over RTT samples in seconds.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    count: f64,
    rtt: f64,
    square: f64,
}

/// The shrink, and the stability test that guards it.
#[derive(Clone, Debug, Default)]
pub struct Shrink {
    bytes: f64,
    stretches: [Sums; 2],
    rounds: u32,
    /// Whether the last ACK came in `PROBE_BW`. The ACK that ends DRAIN or `PROBE_RTT` has measured
    /// these modes.
    is_cruising: bool,
}

impl Shrink {
    pub fn bytes(&self) -> f64 {
        self.bytes
    }

    pub fn whole_bytes(&self) -> u64 {
        // Most flows have no shrink, and the comparison is faster than the cast.
        if self.bytes > 0.0 { integer(self.bytes) } else { 0 }
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
    /// Adds the round trip's share of the excess, or gives back. The shrink stays as it is while
    /// the RTT is unstable, and where BBR leaves Drain or is in `ProbeRTT`.
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
        let is_near =
            self.min_rtt.expires_in(ack.now).as_secs_f64() * 1e3 < self.options.near_probe_rtt;
        if !is_adjusted || is_near || !self.shrink.is_stable(self.options.stability) {
            return;
        }
        let delay = rtt.saturating_sub(min_rtt).as_secs_f64();
        let share = (float(ack.newly_acked) / float(ack.prior_inflight.max(1))).min(1.0);
        if delay > self.options.delay_lower_bound * 1e-3 {
            let excess = delay * float(self.bw().as_bps()) / 8.0;
            // A larger shrink would not close the window further.
            let most = float(self.inflight_target(self.bw(), self.cwnd_gain));
            self.shrink.bytes =
                (self.shrink.bytes + excess / self.options.cwnd_pace * share).min(most);
        } else if self.options.give_back < NEVER {
            let kept = 1.0 - share / self.options.give_back.max(share);
            self.shrink.bytes *= if self.options.give_back > 0.0 { kept } else { 0.0 };
        }
    }
}
