//! Loss on the wire: packets leave the queue and never reach the far end of the link.

use ackclock_units::{Duration, Time};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::distribution::Distribution;
use crate::rng::{self, Rng};

/// Least mean time of a burst with the gap before it, s. Shorter cycles would take longer to count
/// through than packets take to cross.
const SHORTEST_CYCLE: f64 = 1e-6;
/// Most bursts and gaps that are drawn one by one when no packet has crossed for long: an even
/// number. Drawing all of a silence of hours would take as long.
const MOST_DRAWN: u32 = 1 << 13;

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
    /// Each packet is lost with the probability that holds when its last bit leaves.
    Steps {
        /// Steps (time, ps; probability from then on), ascending. Before the first nothing is lost.
        steps: Vec<(u64, f64)>,
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
    /// All packets of a burst are lost, and none of the gap before it. Bursts and gaps are lengths
    /// of time, drawn independently of packets and of each other.
    Bursts {
        /// Length of a burst, s.
        length: Distribution,
        /// Time before each burst in which nothing is lost, s.
        gap: Distribution,
        /// Whether pure ACKs are lost too.
        #[serde(default)]
        acks: bool,
    },
}

impl LossPlan {
    /// Checks the distributions.
    ///
    /// # Errors
    /// One line that names the parameter, its value and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        let Self::Bursts { length, gap, .. } = self else { return Ok(()) };
        length.check()?;
        gap.check()?;
        let cycle = length.mean() + gap.mean();
        if cycle < SHORTEST_CYCLE {
            return Err(format!(
                "a burst of loss and the gap before it take {cycle} s on average, and \
                 {SHORTEST_CYCLE} s is the least"
            ));
        }
        Ok(())
    }
}

/// The time in which a link's loss acts. A packet belongs to the moment at which its last bit
/// leaves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct LossWindowPlan {
    /// Time from which on packets are counted and lost, ps.
    pub start_ps: u64,
    /// Time from which on nothing is lost any more, ps; `None`: the loss goes on to the end.
    #[serde(default)]
    pub stop_ps: Option<u64>,
}

/// The loss process of one link. It counts all packets, or all but pure ACKs, from 1.
#[derive(Clone, Debug)]
pub struct Loss {
    process: Process,
    acks: bool,
    start: Time,
    stop: Option<Time>,
    ordinal: u64,
    rng: Rng,
}

#[derive(Clone, Debug)]
enum Process {
    Bernoulli {
        p: f64,
    },
    Steps {
        steps: Vec<(u64, f64)>,
        /// Number of steps that have begun.
        begun: usize,
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
    Bursts {
        /// Lengths of a gap and of a burst.
        lengths: [Distribution; 2],
        is_burst: bool,
        /// End of the present gap or burst.
        until: Time,
    },
}

impl Loss {
    /// Makes the process of a link; `rng` should be a stream of this link only. `window`: the time
    /// in which the process acts; `None`: always.
    ///
    /// A Bernoulli process and steps draw one value per packet, a Gilbert-Elliott process two, for
    /// all probabilities. Bursts draw one length each, and each gap another. The other processes
    /// draw none.
    #[must_use]
    pub fn new(plan: &LossPlan, window: Option<LossWindowPlan>, rng: Rng) -> Self {
        let start = Time::from_ps(window.map_or(0, |window| window.start_ps));
        let stop = window.and_then(|window| window.stop_ps).map(Time::from_ps);
        let (process, acks) = match plan {
            LossPlan::Bernoulli { p, acks } => (Process::Bernoulli { p: *p }, *acks),
            LossPlan::Steps { steps, acks } => {
                (Process::Steps { steps: steps.clone(), begun: 0 }, *acks)
            }
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
            LossPlan::Bursts { length, gap, acks } => {
                let lengths = [gap.clone(), length.clone()];
                // A burst that ends at the start is followed by the first gap.
                (Process::Bursts { lengths, is_burst: true, until: start }, *acks)
            }
        };
        Self { process, acks, start, stop, ordinal: 0, rng }
    }

    /// Whether the next packet is lost, whose last bit leaves at `sent`; `is_ack` says that it is a
    /// pure ACK. Calls are in order of `sent`.
    ///
    /// A periodic process loses the packets number `offset + every`, `offset + 2 every` and so on,
    /// so that its loss rate is 1 / `every`.
    pub fn lose(&mut self, is_ack: bool, sent: Time) -> bool {
        if is_ack && !self.acks || sent < self.start || self.stop.is_some_and(|stop| stop <= sent) {
            return false;
        }
        self.ordinal += 1;
        match &mut self.process {
            Process::Bernoulli { p } => rng::unit(&mut self.rng) < *p,
            Process::Steps { steps, begun } => {
                while steps.get(*begun).is_some_and(|&(at, _)| Time::from_ps(at) <= sent) {
                    *begun += 1;
                }
                let p = begun.checked_sub(1).map_or(0.0, |last| steps[last].1);
                rng::unit(&mut self.rng) < p
            }
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
            Process::Bursts { lengths, is_burst, until } => {
                let (mut from, mut drawn) = (*until, 0);
                while *until <= sent && *until < Time::MAX {
                    *is_burst ^= true;
                    let seconds = lengths[usize::from(*is_burst)].sample(&mut self.rng);
                    *until = until.saturating_add(Duration::from_secs_f64(seconds));
                    drawn += 1;
                    if drawn == MOST_DRAWN && *until <= sent {
                        // The rest of a long silence passes in spans like the one that was drawn.
                        let span = until.since(from);
                        let spans = sent.since(*until).as_ps().checked_div(span.as_ps());
                        *until = until.saturating_add(span.saturating_mul(spans.unwrap_or(0)));
                        (from, drawn) = (*until, 0);
                    }
                }
                *is_burst
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Numbers (from 1) of the packets lost among the first `n` data packets.
    fn lost(plan: &LossPlan, n: u64) -> Vec<u64> {
        let mut loss = Loss::new(plan, None, rng::stream(1, "link/loss"));
        (1..=n).filter(|_| loss.lose(false, Time::ZERO)).collect()
    }

    #[test]
    fn a_schedule_loses_as_bernoulli_until_its_next_step() {
        let steps = vec![(0, 0.1), (500, 0.0), (800, 1.0)];
        let plan = LossPlan::Steps { steps, acks: false };
        let mut scheduled = Loss::new(&plan, None, rng::stream(1, "link/loss"));
        let bernoulli = LossPlan::Bernoulli { p: 0.1, acks: false };
        let mut constant = Loss::new(&bernoulli, None, rng::stream(1, "link/loss"));
        for at in 0..1000 {
            let sent = Time::from_ps(at);
            let expected = match at {
                0..500 => constant.lose(false, sent),
                500..800 => false,
                _ => true,
            };
            assert_eq!(scheduled.lose(false, sent), expected, "{at}");
        }
        let late = LossPlan::Steps { steps: vec![(10, 1.0)], acks: false };
        assert!(lost(&late, 100).is_empty());
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
                None,
                rng::stream(1, "link/loss"),
            );
            let ordinals: Vec<u64> =
                (1..=8).filter(|i| process.lose(i % 2 == 0, Time::ZERO)).collect();
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

    /// 480 hours of bursts and gaps of a microsecond: 10^12 of them, of which 8192 and as many
    /// again are drawn. Lengths that are fixed keep their beat.
    #[test]
    fn bursts_pass_a_long_silence_in_spans() {
        let fixed = |value| Distribution::Fixed { value };
        let plan = LossPlan::Bursts { length: fixed(0.75e-6), gap: fixed(0.5e-6), acks: false };
        let mut loss = Loss::new(&plan, None, rng::stream(1, "link/loss"));
        let cycle = 1_250_000;
        let silence = 480 * 3600 * 1_000_000_000_000 / cycle * cycle;
        for (after, is_lost) in [(0, false), (499_999, false), (500_000, true), (cycle, false)] {
            assert_eq!(loss.lose(false, Time::from_ps(silence + after)), is_lost, "{after}");
        }
        let times = Distribution::Exponential { mean: 1e-6 };
        let plan = LossPlan::Bursts { length: times.clone(), gap: times, acks: false };
        let mut loss = Loss::new(&plan, None, rng::stream(1, "link/loss"));
        let unlucky =
            (1..=100).filter(|hour| loss.lose(false, Time::from_ps(silence / 480 * hour)));
        // Half of them, with a standard error of 5, of which five are allowed.
        assert!(unlucky.count().abs_diff(50) < 25);
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

    const MS: u64 = 1_000_000_000;

    fn bursts(length: f64, gap: f64) -> LossPlan {
        let [length, gap] = [length, gap].map(|value| Distribution::Fixed { value });
        LossPlan::Bursts { length, gap, acks: false }
    }

    /// Milliseconds of the packets lost, of one packet in each millisecond before `end`.
    fn lost_ms(plan: &LossPlan, window: Option<LossWindowPlan>, end: u64) -> Vec<u64> {
        let mut loss = Loss::new(plan, window, rng::stream(1, "link/loss"));
        (0..end).filter(|ms| loss.lose(false, Time::from_ps(ms * MS))).collect()
    }

    /// A gap of 5 ms, then a burst of 2 ms: milliseconds 5 and 6 of each 7. The state goes on
    /// where no packet is.
    #[test]
    fn bursts_lose_by_time_and_not_by_packets() {
        let plan = bursts(0.002, 0.005);
        assert_eq!(lost_ms(&plan, None, 20), [5, 6, 12, 13, 19]);
        let mut loss = Loss::new(&plan, None, rng::stream(1, "link/loss"));
        let mut is_hit_at = |us: u64| loss.lose(false, Time::from_ps(us * MS / 1000));
        assert!(!is_hit_at(4999));
        assert!(is_hit_at(5000));
        assert!(!is_hit_at(7000), "no packet came at the burst's end");
        assert!(is_hit_at(7_000_005_999));
        assert!(is_hit_at(7_000_005_999), "all packets of a burst");
    }

    /// The share of a renewal process is the mean length over the mean cycle. With exponential
    /// lengths the share over n cycles has the standard error p (1 - p) sqrt(2 / n); five of them
    /// are allowed.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "counts far below 2^53")]
    fn the_share_of_bursts_is_their_mean_over_the_mean_cycle() {
        let [length, gap] = [0.05, 0.2].map(|mean| Distribution::Exponential { mean });
        let plan = LossPlan::Bursts { length, gap, acks: false };
        let n = 1_000_000;
        let is = lost_ms(&plan, None, n).len() as f64 / n as f64;
        let error = 0.2 * 0.8 * (2.0 * 250.0 / n as f64).sqrt();
        assert!((is - 0.2).abs() < 5.0 * error, "{is}");
    }

    #[test]
    fn outside_its_window_a_loss_neither_counts_nor_loses() {
        let window = |start, stop: Option<u64>| {
            Some(LossWindowPlan { start_ps: start * MS, stop_ps: stop.map(|stop| stop * MS) })
        };
        let periodic = LossPlan::Periodic { every: 4, offset: 0, acks: false };
        assert_eq!(lost_ms(&periodic, window(10, None), 20), [13, 17]);
        assert_eq!(lost_ms(&periodic, window(10, Some(17)), 30), [13]);
        let all = LossPlan::Bernoulli { p: 1.0, acks: false };
        assert_eq!(lost_ms(&all, window(2, Some(4)), 9), [2, 3]);
        // The first packet from the start on finds the good state.
        let alternating =
            LossPlan::GilbertElliott { p: 1.0, r: 1.0, loss_bad: 1.0, loss_good: 0.0, acks: false };
        assert_eq!(lost_ms(&alternating, window(3, None), 9), [4, 6, 8]);
        assert_eq!(lost_ms(&bursts(0.002, 0.005), window(3, Some(16)), 30), [8, 9, 15]);
    }

    #[test]
    fn a_cycle_of_no_time_is_refused() {
        assert_eq!(bursts(0.0, 1e-6).check(), Ok(()));
        assert!(bursts(0.0, 0.0).check().unwrap_err().contains("0.000001 s is the least"));
        assert_eq!(LossPlan::Bernoulli { p: 0.1, acks: false }.check(), Ok(()));
    }
}
