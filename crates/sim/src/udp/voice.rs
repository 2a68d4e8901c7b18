//! Voice: frames at a constant rate in talk spurts, nothing in the pauses.

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::{Datagram, Source};
use crate::distribution;
use crate::rng::Rng;

/// A codec's frames, and the lengths of talk spurts and pauses (ITU-T P.59: means of 1.004 s and
/// 1.587 s, both exponential).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct VoicePlan {
    /// Length of speech in a datagram, ps.
    pub frame_ps: u64,
    /// Payload of a datagram, bytes.
    pub payload_bytes: u32,
    /// Mean length of a talk spurt, ps; 0: no pauses.
    pub talk_mean_ps: u64,
    /// Mean length of a pause, ps.
    pub pause_mean_ps: u64,
    /// Look-ahead of the encoder, ps; only the E-model uses it.
    #[serde(default)]
    pub lookahead_ps: u64,
    /// Equipment impairment factor Ie; only the E-model uses it.
    #[serde(default)]
    pub ie: f64,
    /// Packet-loss robustness factor Bpl; only the E-model uses it.
    #[serde(default)]
    pub bpl: f64,
    /// Advantage factor A; only the E-model uses it.
    #[serde(default)]
    pub advantage: f64,
}

/// One direction of a conversation. It begins with a talk spurt.
pub struct Voice {
    plan: VoicePlan,
    /// Time at which the next frame is complete.
    at: Time,
    spurt: u32,
    spurt_ends: Time,
}

impl Voice {
    /// Makes a source that begins at `start`; the first frame is sent when it is complete.
    #[must_use]
    pub fn new(plan: &VoicePlan, start: Time) -> Self {
        Self { plan: plan.clone(), at: start, spurt: u32::MAX, spurt_ends: start }
    }

    fn has_pauses(&self) -> bool {
        self.plan.talk_mean_ps > 0
    }
}

/// Draws an exponential time of at most a day.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "bounded just before"
)]
fn exponential(mean_ps: u64, rng: &mut Rng) -> Duration {
    const DAY_PS: f64 = 86_400e12;
    Duration::from_ps((distribution::standard_exponential(rng) * mean_ps as f64).min(DAY_PS) as u64)
}

impl Source for Voice {
    fn next(&mut self, rng: &mut Rng) -> Option<Datagram> {
        let frame = Duration::from_ps(self.plan.frame_ps.max(1));
        if self.spurt == u32::MAX {
            self.spurt = 0;
            self.spurt_ends = self.at.saturating_add(exponential(self.plan.talk_mean_ps, rng));
        } else if self.has_pauses() && self.at >= self.spurt_ends {
            let begins = self
                .spurt_ends
                .saturating_add(exponential(self.plan.pause_mean_ps, rng))
                .max(self.at);
            self.spurt = self.spurt.wrapping_add(1);
            self.at = begins;
            self.spurt_ends = begins.saturating_add(exponential(self.plan.talk_mean_ps, rng));
        }
        self.at = self.at.saturating_add(frame);
        Some(Datagram { at: self.at, payload: self.plan.payload_bytes, frame: self.spurt })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rng;

    const MS: u64 = 1_000_000_000;

    fn sent(talk_ms: u64, pause_ms: u64, count: usize) -> Vec<Datagram> {
        let plan = VoicePlan {
            frame_ps: 20 * MS,
            payload_bytes: 160,
            talk_mean_ps: talk_ms * MS,
            pause_mean_ps: pause_ms * MS,
            lookahead_ps: 0,
            ie: 0.0,
            bpl: 25.1,
            advantage: 0.0,
        };
        let mut voice = Voice::new(&plan, Time::ZERO);
        let mut rng = rng::stream(1, "voice");
        (0..count).filter_map(|_| voice.next(&mut rng)).collect()
    }

    #[test]
    fn without_pauses_a_frame_every_twenty_milliseconds() {
        let times: Vec<u64> =
            sent(0, 0, 4).iter().map(|datagram| datagram.at.as_ps() / MS).collect();
        assert_eq!(times, [20, 40, 60, 80]);
    }

    /// Talk spurts and pauses of P.59: 38.7 % of the time is speech. 40,000 frames are about 800
    /// spurts, whose mean has a standard error of 3.5 %, and so has the share, less a fifth for
    /// the part that cancels; four of them are allowed. Frames are whole: half a frame more per
    /// spurt.
    #[test]
    fn activity_is_that_of_p_59() {
        let frames = sent(1004, 1587, 40_000);
        let last = frames.last().unwrap();
        let activity = 40_000.0 * 0.020 / last.at.as_secs_f64();
        assert!((activity - 1.014 / (1.014 + 1.577)).abs() < 0.045, "{activity}");
        let spurts = f64::from(last.frame) + 1.0;
        assert!(
            (40_000.0 * 0.020 / spurts - 1.014).abs() < 4.0 * 1.004 / spurts.sqrt(),
            "{spurts}"
        );
    }
}
