//! PCC Allegro (Dong et al., NSDI 2015): randomised trials of a slightly higher and a slightly lower rate decide the direction.

use std::collections::VecDeque;

use rand_core::Rng as _;

use super::{Learner, Outcome, Pcc, Sample, random_pairs};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::{CongestionControl, Rng, Setup};

/// Section 2.2: steepness of the sigmoid; at least 2.2 (n - 1) for n flows.
const ALPHA: f64 = 100.0;
/// Section 3.2: two pairs of trials.
const PAIRS: usize = 2;
/// Section 3.1: an interval lasts between so many RTTs, at random, so that flows do not try in step.
const SHORTEST_RTTS: f64 = 1.7;
const LONGEST_RTTS: f64 = 2.2;

/// Options.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Loss beyond which the sigmoid cuts the utility off.
    pub loss_limit: f64,
    /// Smallest and first granularity of trials.
    pub epsilon_min: f64,
    /// Largest.
    pub epsilon_max: f64,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Two pairs of trials at this granularity.
    Deciding { epsilon: f64 },
    /// Ever faster in one direction, while it pays.
    Adjusting { direction: f64, n: f64, last: Outcome },
}

/// Allegro's states.
#[derive(Clone, Copy, Debug)]
pub struct Allegro {
    options: Options,
    state: State,
}

impl Allegro {
    /// Before the first experiment.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            state: State::Deciding {
                epsilon: options.epsilon_min,
            },
        }
    }

    /// Section 3.2, decision making: the direction that every pair agrees on, and the mean utility of its trials.
    fn verdict(rate: f64, outcomes: &[Outcome]) -> Option<(f64, f64)> {
        let winners = |direction: f64| {
            let mut sum = 0.0;
            for pair in outcomes.chunks_exact(2) {
                let (up, down) = if pair[0].rate > rate {
                    (pair[0], pair[1])
                } else {
                    (pair[1], pair[0])
                };
                let (winner, loser) = if direction > 0.0 { (up, down) } else { (down, up) };
                if winner.utility <= loser.utility {
                    return None;
                }
                sum += winner.utility;
            }
            Some((direction, 2.0 * sum / usize_as_float(outcomes.len())))
        };
        winners(1.0).or_else(|| winners(-1.0))
    }

    /// Section 3.2, rate adjusting: each rate is the last times 1 + n epsilon dir, with the smallest epsilon.
    fn adjust(&mut self, direction: f64, n: f64, last: Outcome) -> f64 {
        self.state = State::Adjusting { direction, n, last };
        let step = (n * self.options.epsilon_min).min(0.5);
        last.rate * (1.0 + step * direction)
    }
}

#[expect(clippy::cast_precision_loss, reason = "a handful of trials")]
fn usize_as_float(count: usize) -> f64 {
    count as f64
}

impl Learner for Allegro {
    // Section 3.2: "doubles its rate at each consecutive monitor interval".
    const UNSETTLED: usize = 1;
    // Section 3.1 says 10, of which a single loss is 10 %; of 20 it is the 5 % that matter (the authors' kernel module).
    const MIN_SEGMENTS: f64 = 20.0;

    /// Section 2.2: T sigmoid(L - 0.05) - x L, with T = x (1 - L) and sigmoid(y) = 1 / (1 + e^(alpha y)).
    fn utility(&self, sample: &Sample) -> f64 {
        let Sample { rate: x, loss, .. } = *sample;
        let sigmoid = 1.0 / (1.0 + libm::exp(ALPHA * (loss - self.options.loss_limit)));
        x * (1.0 - loss) * sigmoid - x * loss
    }

    fn interval_rtts(&self, rng: &mut Rng) -> f64 {
        let uniform = f64::from(rng.next_u32()) / 4_294_967_296.0;
        SHORTEST_RTTS + (LONGEST_RTTS - SHORTEST_RTTS) * uniform
    }

    fn experiment(&self, rate: f64, rng: &mut Rng) -> VecDeque<f64> {
        match self.state {
            State::Deciding { epsilon } => random_pairs(rate, epsilon, PAIRS, rng),
            State::Adjusting { .. } => VecDeque::from([rate]),
        }
    }

    fn learn(&mut self, rate: f64, outcomes: &[Outcome]) -> f64 {
        let Options {
            epsilon_min, epsilon_max, ..
        } = self.options;
        match (self.state, outcomes) {
            (State::Deciding { epsilon }, _) => {
                if let Some((direction, utility)) = Self::verdict(rate, outcomes) {
                    let rate = rate * (1.0 + direction * epsilon);
                    return self.adjust(direction, 1.0, Outcome { rate, utility });
                }
                let epsilon = (epsilon + epsilon_min).min(epsilon_max);
                self.state = State::Deciding { epsilon };
                rate
            }
            (State::Adjusting { direction, n, last }, [now]) if now.utility > last.utility => self.adjust(direction, n + 1.0, *now),
            (State::Adjusting { last, .. }, _) => {
                self.reset();
                last.rate
            }
        }
    }

    fn reset(&mut self) {
        *self = Self::new(self.options);
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        match self.state {
            State::Deciding { epsilon } => show("epsilon", epsilon),
            State::Adjusting { direction, n, .. } => {
                show("direction", direction);
                show("in_a_row", n);
            }
        }
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn CongestionControl> {
    let epsilon_min = values.number("epsilon_min");
    let options = Options {
        loss_limit: values.number("loss_limit"),
        epsilon_min,
        epsilon_max: values.number("epsilon_max").max(epsilon_min),
    };
    Box::new(Pcc::new(Allegro::new(options), setup))
}

/// `pcc-allegro`.
pub const ENTRY: Entry = Entry {
    name: "pcc-allegro",
    summary: "Tries rates above and below and takes what delivers more with less than 5 % loss; deaf to delay.",
    parameters: &[
        Parameter {
            name: "loss_limit",
            default: Value::Number(0.05),
            range: (0.0, 0.9),
            unit: "",
            meaning: "loss beyond which the utility is cut off",
        },
        Parameter {
            name: "epsilon_min",
            default: Value::Number(0.01),
            range: (0.001, 0.1),
            unit: "",
            meaning: "first granularity of trials and step of adjusting, as a share of the rate",
        },
        Parameter {
            name: "epsilon_max",
            default: Value::Number(0.05),
            range: (0.001, 0.5),
            unit: "",
            meaning: "granularity up to which trials without a verdict are repeated",
        },
    ],
    reference: "Dong et al., PCC: re-architecting congestion control for consistent high performance, NSDI 2015",
    implies: &[("pacing", "cc")],
    make: Make::Whole(make),
};
