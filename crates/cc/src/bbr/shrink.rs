//! Huang, Zhu & Wang's cumulative shrink: what is seen to queue is taken out of the window, little by little.

use super::{Bbr, Mode};
use crate::{AckEvent, Duration};

/// Standard deviation over mean of the RTT above which the bandwidth is not stable.
const UNSTABLE: f64 = 0.3;
/// RTTs of this stretch and of the one before are compared: each as long as the bandwidth filter, so that they see the
/// whole gain cycle. The paper does not say.
const STRETCH_ROUNDS: u32 = 10;
/// "Near `PROBE_RTT`": so long before the smallest RTT expires. The paper does not say.
const NEAR_PROBE_RTT: Duration = Duration::from_secs(1);

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

    fn is_stable(&self) -> bool {
        let [now, before] = self.stretches;
        let count = now.count + before.count;
        let mean = (now.rtt + before.rtt) / count;
        let variance = (now.square + before.square) / count - mean * mean;
        libm::sqrt(variance.max(0.0)) <= UNSTABLE * mean
    }
}

impl Bbr {
    /// Adds the round trip's share of the excess, or gives back; nothing changes while the RTT is not stable.
    #[expect(clippy::cast_precision_loss, reason = "bytes and rates are below 2^53")]
    pub(super) fn update_shrink(&mut self, ack: &AckEvent) {
        let (Some(rtt), Some(min_rtt)) = (ack.rtt_sample, self.min_rtt.get()) else {
            return;
        };
        if !self.options.cumulative_shrink {
            return;
        }
        self.shrink.observe(rtt.as_secs_f64(), self.rounds.start);
        if self.mode != Mode::ProbeBw {
            self.shrink.bytes = 0.0;
            return;
        }
        if self.min_rtt.expires_in(ack.now) < NEAR_PROBE_RTT || !self.shrink.is_stable() {
            return;
        }
        let delay = rtt.saturating_sub(min_rtt).as_secs_f64();
        let share = (ack.newly_acked as f64 / ack.prior_inflight.max(1) as f64).min(1.0);
        if delay > self.options.delay_lower_bound * 1e-3 {
            let excess = delay * self.bw().as_bps() as f64 / 8.0;
            // No more than there is, so that it can be given back in time.
            let most = self.inflight_target(self.bw(), self.cwnd_gain) as f64;
            self.shrink.bytes = (self.shrink.bytes + excess / self.options.cwnd_pace * share).min(most);
        } else {
            let kept = 1.0 - share / self.options.give_back.max(share);
            self.shrink.bytes *= if self.options.give_back > 0.0 { kept } else { 0.0 };
        }
    }
}
