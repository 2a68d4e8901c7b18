//! Loss on the wire: packets leave the queue and never reach the far end of the link.

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rng::{self, Rng};

/// A loss process. It numbers the packets of a link from 1, without pure ACKs unless `acks` is set.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum LossPlan {
    /// Each packet is lost with probability `p`, independently.
    Bernoulli {
        /// Probability of loss.
        p: f64,
        /// Whether pure ACKs are lost too.
        #[serde(default)]
        acks: bool,
    },
    /// The model of Gilbert 1960 and Elliott 1963. A good and a bad state have a probability of
    /// loss each.
    GilbertElliott {
        /// Probability to leave the good state after a packet. The process begins in the good
        /// state.
        p: f64,
        /// Probability to leave the bad state after a packet.
        r: f64,
        /// Probability of loss in the bad state (1 - h).
        loss_bad: f64,
        /// Probability of loss in the good state (1 - k).
        loss_good: f64,
        /// Whether pure ACKs count and are lost too.
        #[serde(default)]
        acks: bool,
    },
    /// Every packet whose number is a multiple of `every` is lost.
    Periodic {
        /// Period, packets.
        every: u64,
        /// Number of packets before the first period begins.
        #[serde(default)]
        offset: u64,
        /// Whether pure ACKs count and are lost too.
        #[serde(default)]
        acks: bool,
    },
    /// The packets with these numbers are lost.
    List {
        /// Numbers of the lost packets, ascending.
        packets: Vec<u64>,
        /// Whether pure ACKs count and are lost too.
        #[serde(default)]
        acks: bool,
    },
}

/// The loss process of one link. It counts all packets, or all but pure ACKs, from 1.
#[derive(Clone, Debug)]
pub struct Loss {
    process: Process,
    acks: bool,
    ordinal: u64,
    rng: Rng,
}

#[derive(Clone, Debug)]
enum Process {
    Bernoulli {
        p: f64,
    },
    /// The state before a packet decides about its loss, as in netem's `gemodel` (Linux,
    /// `net/sched/sch_netem.c`, `loss_gilb_ell`).
    GilbertElliott {
        /// Probability to leave the good and the bad state.
        leave: [f64; 2],
        /// Probability of loss in the good and in the bad state.
        lose: [f64; 2],
        is_bad: bool,
    },
    Periodic {
        every: u64,
        offset: u64,
    },
    /// Numbers of the packets to lose, descending, so that the next is the last.
    List {
        remaining: Vec<u64>,
    },
}

impl Loss {
    /// Makes the process of a link; `rng` should be a stream of this link only. A Bernoulli process
    /// draws one value per packet, a Gilbert-Elliott process two, for all probabilities.
    /// The other processes draw none.
    #[must_use]
    pub fn new(plan: &LossPlan, rng: Rng) -> Self {
        let (process, acks) = match plan {
            LossPlan::Bernoulli { p, acks } => (Process::Bernoulli { p: *p }, *acks),
            LossPlan::GilbertElliott { p, r, loss_bad, loss_good, acks } => (
                Process::GilbertElliott {
                    leave: [*p, *r],
                    lose: [*loss_good, *loss_bad],
                    is_bad: false,
                },
                *acks,
            ),
            LossPlan::Periodic { every, offset, acks } => {
                (Process::Periodic { every: *every, offset: *offset }, *acks)
            }
            LossPlan::List { packets, acks } => {
                let mut remaining = packets.clone();
                remaining.sort_unstable_by_key(|&ordinal| core::cmp::Reverse(ordinal));
                remaining.dedup();
                (Process::List { remaining }, *acks)
            }
        };
        Self { process, acks, ordinal: 0, rng }
    }

    /// Whether the next packet is lost; `is_ack` says that it is a pure ACK.
    ///
    /// A periodic process loses the packets number `offset + every`, `offset + 2 every` and so on,
    /// so that its loss rate is 1 / `every`.
    pub fn lose(&mut self, is_ack: bool) -> bool {
        if is_ack && !self.acks {
            return false;
        }
        self.ordinal += 1;
        match &mut self.process {
            Process::Bernoulli { p } => rng::unit(&mut self.rng) < *p,
            Process::GilbertElliott { leave, lose, is_bad } => {
                let state = usize::from(*is_bad);
                let is_lost = rng::unit(&mut self.rng) < lose[state];
                *is_bad ^= rng::unit(&mut self.rng) < leave[state];
                is_lost
            }
            Process::Periodic { every, offset } => {
                self.ordinal > *offset && (self.ordinal - *offset).checked_rem(*every) == Some(0)
            }
            Process::List { remaining } => {
                while remaining.last().is_some_and(|&next| next < self.ordinal) {
                    remaining.pop();
                }
                remaining.last() == Some(&self.ordinal)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers (from 1) of the packets lost among the first `n` data packets.
    fn lost(plan: &LossPlan, n: u64) -> Vec<u64> {
        let mut loss = Loss::new(plan, rng::stream(1, "link/loss"));
        (1..=n).filter(|_| loss.lose(false)).collect()
    }

    #[test]
    fn periodic_loses_every_kth_after_the_offset() {
        assert_eq!(lost(&LossPlan::Periodic { every: 4, offset: 0, acks: false }, 13), [4, 8, 12]);
        assert_eq!(
            lost(&LossPlan::Periodic { every: 4, offset: 6, acks: false }, 20),
            [10, 14, 18]
        );
        assert_eq!(lost(&LossPlan::Periodic { every: 1, offset: 2, acks: false }, 4), [3, 4]);
    }

    #[test]
    fn list_loses_exactly_the_listed() {
        assert_eq!(
            lost(&LossPlan::List { packets: vec![1, 3, 4, 9], acks: false }, 12),
            [1, 3, 4, 9]
        );
        assert_eq!(lost(&LossPlan::List { packets: vec![9, 3, 3, 1], acks: false }, 12), [1, 3, 9]);
        assert_eq!(lost(&LossPlan::List { packets: vec![], acks: false }, 12), [0_u64; 0]);
    }

    #[test]
    fn pure_acks_are_counted_and_lost_only_if_asked() {
        for (acks, expected) in [(false, vec![3, 7]), (true, vec![2, 4, 6, 8])] {
            let mut process = Loss::new(
                &LossPlan::Periodic { every: 2, offset: 0, acks },
                rng::stream(1, "link/loss"),
            );
            let ordinals: Vec<u64> = (1..=8).filter(|i| process.lose(i % 2 == 0)).collect();
            assert_eq!(ordinals, expected, "acks = {acks}");
        }
    }

    /// The rate has the standard error sqrt(p (1 - p) / n) = 0.0003; five of them are allowed. Gaps
    /// are geometric: a loss follows a loss with probability p.
    #[test]
    fn bernoulli_loses_independently_at_its_rate() {
        let n = 100_000;
        let losses = lost(&LossPlan::Bernoulli { p: 0.01, acks: false }, n);
        assert!(losses.len().abs_diff(1000) < 158, "{}", losses.len());
        let pairs = losses.windows(2).filter(|w| w[1] == w[0] + 1).count();
        assert!(pairs.abs_diff(10) < 16, "{pairs}");
    }

    /// Elliott's closed forms at netem's defaults: a share p / (p + r) is lost, in bursts of 1 / r
    /// packets, a burst every 1 / p + 1 / r packets. The number of losses among n varies as
    /// that of a two-state chain does: its variance is n pi (1 - pi) (1 + c) / (1 - c) with c = 1 -
    /// p - r. The lengths of bursts are geometric, of variance (1 - r) / r^2. Five standard
    /// errors are allowed.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    fn gilbert_elliott_meets_its_closed_forms() {
        let (p, r, n) = (0.01, 0.25, 400_000);
        let losses =
            lost(&LossPlan::GilbertElliott { p, r, loss_bad: 1.0, loss_good: 0.0, acks: false }, n);
        let (share, c) = (p / (p + r), 1.0 - p - r);
        let error = (share * (1.0 - share) * (1.0 + c) / (1.0 - c) / n as f64).sqrt();
        let is = losses.len() as f64 / n as f64;
        assert!((is - share).abs() < 5.0 * error, "{is}, not {share}");

        let bursts = 1 + losses.windows(2).filter(|two| two[1] > two[0] + 1).count();
        let mean = losses.len() as f64 / bursts as f64;
        let error = ((1.0 - r) / (r * r) / bursts as f64).sqrt();
        assert!((mean - 1.0 / r).abs() < 5.0 * error, "{mean}");
    }

    /// In the general form the loss rate is the bad state's share (1 - h) plus the good state's
    /// share (1 - k). The variance of the states is that of a two-state chain; five standard errors
    /// are allowed.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    fn gilbert_elliott_loses_in_both_states() {
        let (p, r, loss_bad, loss_good, n) = (0.02, 0.1, 0.5, 0.01, 400_000);
        let losses = lost(&LossPlan::GilbertElliott { p, r, loss_bad, loss_good, acks: false }, n);
        let bad = p / (p + r);
        let share = bad * loss_bad + (1.0 - bad) * loss_good;
        let c = 1.0 - p - r;
        let states =
            bad * (1.0 - bad) * (loss_bad - loss_good) * (loss_bad - loss_good) * (1.0 + c)
                / (1.0 - c);
        let error = ((states + share * (1.0 - share)) / n as f64).sqrt();
        let is = losses.len() as f64 / n as f64;
        assert!((is - share).abs() < 5.0 * error, "{is}, not {share}");
    }

    /// With r = 1 - p the state has no memory, and netem's form with one parameter is Bernoulli
    /// loss. The process begins in the good state.
    #[test]
    fn gilbert_elliott_at_the_ends() {
        let plan = |p, r, loss_bad, loss_good| LossPlan::GilbertElliott {
            p,
            r,
            loss_bad,
            loss_good,
            acks: false,
        };
        assert!(lost(&plan(0.0, 1.0, 1.0, 0.0), 1000).is_empty());
        assert_eq!(lost(&plan(1.0, 0.0, 1.0, 0.0), 5), [2, 3, 4, 5]);
        assert_eq!(lost(&plan(1.0, 1.0, 1.0, 0.0), 6), [2, 4, 6]);
        assert_eq!(lost(&plan(0.0, 0.0, 0.0, 1.0), 3), [1, 2, 3]);
    }

    #[test]
    fn bernoulli_at_the_ends() {
        assert!(lost(&LossPlan::Bernoulli { p: 0.0, acks: false }, 1000).is_empty());
        assert_eq!(lost(&LossPlan::Bernoulli { p: 1.0, acks: false }, 1000).len(), 1000);
    }
}
