//! PCC Vivace (Dong et al., NSDI 2018): ascends the gradient of a utility that values rate and
//! punishes rising RTT and loss. Sections are those of the paper.

use std::collections::VecDeque;

use super::{Learner, Outcome, Pcc, Sample, random_pairs};
use crate::entry::{Entry, Make, Parameter, Traits, Values};
use crate::{CongestionControl, Rng, Setup};

/// Changes in one direction after which the confidence amplifier rises twice as fast (section 4.2).
const CONFIDENT_AFTER: f64 = 3.0;
/// Standard errors by which a slope must differ from zero to count.
const SIGNIFICANT_ERRORS: f64 = 2.0;
/// Length of an interval, smoothed RTTs.
const INTERVAL_RTTS: f64 = 1.0;

/// Parameters of [`Vivace`], in the paper's letters.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// t: exponent of the rate.
    pub exponent: f64,
    /// b: weight of the RTT's slope.
    pub latency: f64,
    /// c: weight of loss.
    pub loss: f64,
    /// epsilon: step of trials, as a share of the rate.
    pub epsilon: f64,
    /// Pairs of trials per experiment.
    pub pairs: usize,
    /// `theta_0`: change of the rate per unit of gradient, Mbit/s.
    pub step: f64,
    /// `omega_0`: largest first change, as a share of the rate.
    pub boundary: f64,
    /// delta: rise of the boundary each time that it is met; 0.05 in the authors' code.
    pub boundary_step: f64,
    /// Slope of the RTT below which it is noise.
    pub latency_filter: f64,
    /// Whether a falling RTT raises the utility, as in equation 1. In the authors' later code it
    /// does not: a queue that drains makes every rate look good that was tried first.
    pub reward_falling: bool,
}

/// Vivace's gradient ascent.
#[derive(Clone, Copy, Debug)]
pub struct Vivace {
    options: Options,
    /// Sign of the last change.
    direction: f64,
    /// tau: changes in that direction.
    in_a_row: f64,
    /// k: how often the boundary was raised.
    raised: f64,
}

impl Vivace {
    /// A Vivace before the first experiment.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self { options, direction: 0.0, in_a_row: 0.0, raised: 0.0 }
    }

    /// m(tau) of section 4.2: tau up to 3, and 2 tau - 3 from there.
    fn confidence(&self) -> f64 {
        let tau = self.in_a_row;
        if tau <= CONFIDENT_AFTER { tau } else { 2.0 * tau - CONFIDENT_AFTER }
    }

    /// Part of the RTT's slope that is more than noise (section 4.3).
    ///
    /// The paper's filter is a fixed threshold, made for intervals of hundreds of packets. With ten
    /// packets, chance exceeds it. The authors' later code, too, compares the slope with the error
    /// of the line.
    fn slope(&self, sample: &Sample) -> f64 {
        let slope = sample.rtt_gradient;
        let noise =
            sample.rtt_gradient_error.map_or(f64::INFINITY, |error| SIGNIFICANT_ERRORS * error);
        if slope.abs() < self.options.latency_filter.max(noise)
            || (slope < 0.0 && !self.options.reward_falling)
        {
            0.0
        } else {
            slope
        }
    }

    /// Applies the dynamic change boundary `omega_0` + k delta (section 4.2). k rises each time
    /// that the boundary is met, and falls to what is enough.
    fn within_boundary(&mut self, change: f64, rate: f64) -> f64 {
        let Options { boundary, boundary_step, .. } = self.options;
        let limit = rate * (boundary + self.raised * boundary_step);
        if change.abs() > limit {
            self.raised += 1.0;
            return limit.copysign(change);
        }
        self.raised = libm::ceil((change.abs() / rate - boundary) / boundary_step).max(0.0);
        change
    }
}

impl Learner for Vivace {
    // As in the authors' code, the doubling waits for the result.
    const UNSETTLED: usize = 0;
    const MIN_SEGMENTS: f64 = 10.0;
    const STARTING: &str = "Dong et al. 2018 section 4.3";
    const LEARNING: &str = "Dong et al. 2018 section 4.2";
    const TIMEOUT: &str = "Dong et al. 2018 section 4.3";

    /// u = x^t - b x dRTT/dT - c x L (section 3, equation 1).
    fn utility(&self, sample: &Sample) -> f64 {
        let Options { exponent, latency, loss, .. } = self.options;
        let x = sample.rate;
        libm::pow(x, exponent) - latency * x * self.slope(sample) - loss * x * sample.loss
    }

    fn interval_rtts(&self, _rng: &mut Rng) -> f64 {
        INTERVAL_RTTS
    }

    fn experiment(&self, rate: f64, rng: &mut Rng) -> VecDeque<f64> {
        random_pairs(rate, self.options.epsilon, self.options.pairs, rng)
    }

    /// Next rate r + `theta_0` m(tau) gamma, with gamma = (u(r (1 + epsilon)) - u(r (1 - epsilon)))
    /// / (2 epsilon r) (section 4.2).
    fn learn(&mut self, rate: f64, outcomes: &[Outcome]) -> f64 {
        let (mut rise, mut run) = (0.0, 0.0);
        for outcome in outcomes {
            let side = if outcome.rate > rate { 1.0 } else { -1.0 };
            rise += side * outcome.utility;
            run += side * outcome.rate;
        }
        if run <= 0.0 || rise == 0.0 {
            return rate;
        }
        let gradient = rise / run;
        let direction = 1.0_f64.copysign(gradient);
        if direction * self.direction <= 0.0 {
            self.direction = direction;
            self.in_a_row = 0.0;
            self.raised = 0.0;
        }
        self.in_a_row += 1.0;
        rate + self.within_boundary(self.options.step * self.confidence() * gradient, rate)
    }

    fn reset(&mut self) {
        *self = Self::new(self.options);
    }

    fn internals(&self, show: &mut dyn FnMut(&'static str, f64)) {
        show("direction", self.direction);
        show("in_a_row", self.in_a_row);
        show("boundary", self.options.boundary + self.raised * self.options.boundary_step);
    }
}

fn make(values: &Values, setup: &Setup) -> Box<dyn CongestionControl> {
    let options = Options {
        exponent: values.number("exponent"),
        latency: values.number("latency"),
        loss: values.number("loss"),
        epsilon: values.number("epsilon"),
        pairs: values.count("pairs") as usize,
        step: values.number("step"),
        boundary: values.number("boundary"),
        boundary_step: values.number("boundary_step"),
        latency_filter: values.number("latency_filter"),
        reward_falling: values.flag("reward_falling"),
    };
    Box::new(Pcc::new(Vivace::new(options), setup))
}

/// Catalogue entry `pcc-vivace`.
pub const ENTRY: Entry = Entry {
    name: "pcc-vivace",
    summary: "Tries rates above and below and follows the gradient of rate^0.9 less rising RTT \
              and loss.",
    parameters: &[
        Parameter::number("exponent", 0.9, 0.1..=1.0)
            .meaning("t: value of rate, in Mbit/s to the power of t"),
        Parameter::number("latency", 900.0, 0.0..=1e6)
            .meaning("b: weight of the RTT's slope; 0 is deaf to delay"),
        Parameter::number("loss", 11.35, 0.0..=1e4)
            .meaning("c: weight of loss; random loss up to t x^(t-1) / c is borne at x Mbit/s"),
        Parameter::number("epsilon", 0.05, 0.001..=0.5)
            .meaning("how far from the rate to try, as a share of it"),
        Parameter::number("pairs", 2.0, 1.0..=8.0).meaning("pairs of rates tried before a change"),
        Parameter::quantity("step", 1.0, 0.001..=1000.0, "Mbit/s")
            .meaning("theta_0: change of rate per unit of gradient"),
        Parameter::number("boundary", 0.05, 0.001..=1.0)
            .meaning("omega_0: largest first change, as a share of the rate"),
        Parameter::number("boundary_step", 0.05, 0.001..=1.0)
            .meaning("delta: rise of the boundary each time it is met"),
        Parameter::number("latency_filter", 0.01, 0.0..=1.0)
            .meaning("slopes of the RTT below this count as none"),
        Parameter::flag("reward_falling", false)
            .meaning("count a falling RTT as a merit, as the paper's formula has it"),
    ],
    reference: "Dong et al., PCC Vivace: online-learning congestion control, NSDI 2018",
    implies: &[("pacing", "cc")],
    traits: Traits { draws: true, ..Traits::MODEL_BASED },
    make: Make::whole(make),
};
