//! PCC Allegro (Dong et al., NSDI 2015): randomised trials of a slightly higher and a slightly
//! lower rate decide the direction. Sections are those of the paper.

use std::collections::VecDeque;

use rand_core::Rng as _;

use super::{Learner, Outcome, Pcc, Sample, random_pairs};
use crate::cast::float;
use crate::entry::traits::{Law, Term};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::{CongestionControl, Rng, Setup};

/// Steepness of the sigmoid (section 2.2); at least 2.2 (n - 1) for n flows.
const ALPHA: f64 = 100.0;
/// Pairs of trials (section 3.2).
const PAIRS: usize = 2;
/// Length of an interval, RTTs (section 3.1). It is drawn between the two bounds, so that flows do
/// not try in step.
const SHORTEST_RTTS: f64 = 1.7;
const LONGEST_RTTS: f64 = 2.2;

/// Parameters of [`Allegro`].
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Loss beyond which the sigmoid cuts off the utility.
    pub loss_limit: f64,
    /// Smallest and first step of trials, as a share of the rate.
    pub epsilon_min: f64,
    /// Largest step of trials, as a share of the rate.
    pub epsilon_max: f64,
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// Two pairs of trials with this step.
    Deciding { epsilon: f64 },
    /// Ever larger steps in one direction, while they pay.
    Adjusting { direction: f64, n: f64, last: Outcome },
}

/// Allegro's decision making.
#[derive(Clone, Copy, Debug)]
pub struct Allegro {
    options: Options,
    state: State,
}

impl Allegro {
    /// An Allegro before the first experiment.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, state: State::Deciding { epsilon: options.epsilon_min } }
    }

    /// Direction on which all pairs agree, and the mean utility of its trials (section 3.2,
    /// decision making).
    fn verdict(rate: f64, outcomes: &[Outcome]) -> Option<(f64, f64)> {
        let winners = |direction: f64| {
            let mut sum = 0.0;
            for pair in outcomes.chunks_exact(2) {
                let (up, down) =
                    if pair[0].rate > rate { (pair[0], pair[1]) } else { (pair[1], pair[0]) };
                let (winner, loser) = if direction > 0.0 { (up, down) } else { (down, up) };
                if winner.utility <= loser.utility {
                    return None;
                }
                sum += winner.utility;
            }
            Some((direction, 2.0 * sum / float(outcomes.len() as u64)))
        };
        winners(1.0).or_else(|| winners(-1.0))
    }

    /// Next rate while adjusting (section 3.2): the last rate times 1 + n epsilon dir, with the
    /// smallest epsilon.
    fn adjust(&mut self, direction: f64, n: f64, last: Outcome) -> f64 {
        self.state = State::Adjusting { direction, n, last };
        let step = (n * self.options.epsilon_min).min(0.5);
        last.rate * (1.0 + step * direction)
    }
}

impl Learner for Allegro {
    // Section 3.2: at the start the rate doubles in each monitor interval.
    const UNSETTLED: usize = 1;
    // Section 3.1 says 10 segments, of which a single loss is 10 %. Of 20 segments it is the 5 %
    // that matter (the authors' kernel module).
    const MIN_SEGMENTS: f64 = 20.0;
    const STARTING: &str = "Dong et al. 2015 section 3.2";
    const LEARNING: &str = "Dong et al. 2015 section 3.2";
    const TIMEOUT: &str = "Dong et al. 2018 section 4.3";

    /// u = T sigmoid(L - 0.05) - x L, with T = x (1 - L) and sigmoid(y) = 1 / (1 + e^(alpha y))
    /// (section 2.2).
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
        let Options { epsilon_min, epsilon_max, .. } = self.options;
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
            (State::Adjusting { direction, n, last }, [now]) if now.utility > last.utility => {
                self.adjust(direction, n + 1.0, *now)
            }
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

/// Catalogue entry `pcc-allegro`.
pub const ENTRY: Entry = Entry {
    name: "pcc-allegro",
    summary: "Tries rates above and below and takes what delivers more with less than 5 % loss; \
              deaf to delay.",
    parameters: &[
        Parameter::number("loss_limit", 0.05, 0.0..=0.9)
            .meaning("loss beyond which the utility is cut off"),
        Parameter::number("epsilon_min", 0.01, 0.001..=0.1)
            .meaning("first granularity of trials and step of adjusting, as a share of the rate"),
        Parameter::number("epsilon_max", 0.05, 0.001..=0.5)
            .meaning("granularity up to which trials without a verdict are repeated"),
    ],
    reference: "Dong et al., PCC: re-architecting congestion control for consistent high \
                performance, NSDI 2015",
    implies: &[("pacing", "cc")],
    traits: Traits {
        draws: true,
        tolerance: Some(Law::new(
            "allegro_loss_tolerance",
            &[("limit", Term::Parameter("loss_limit"))],
            "PCC Allegro, Dong et al. 2015",
        )),
        ..Traits::MODEL_BASED
    },
    make: Make::whole(make),
};
