//! PCC Vivace (Dong et al., NSDI 2018): ascends the gradient of a utility that values rate and punishes rising RTT and loss.

use std::collections::VecDeque;

use super::{Learner, Outcome, Pcc, Sample, random_pairs};
use crate::entry::{Entry, Make, Parameter, Value, Values};
use crate::{CongestionControl, Rng, Setup};

/// Section 4.2: after so many changes in one direction the confidence amplifier rises twice as fast.
const CONFIDENT_AFTER: f64 = 3.0;
/// A slope counts if it is as many of its standard errors away from zero.
const SIGNIFICANT_ERRORS: f64 = 2.0;
/// An interval lasts so many smoothed RTTs.
const INTERVAL_RTTS: f64 = 1.0;

/// Options.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// t, exponent of the rate.
    pub exponent: f64,
    /// b, weight of the RTT's slope.
    pub latency: f64,
    /// c, weight of loss.
    pub loss: f64,
    /// epsilon, how far from the rate to try.
    pub epsilon: f64,
    /// How many pairs are tried.
    pub pairs: usize,
    /// `theta_0`, Mbit/s of change per unit of gradient.
    pub step: f64,
    /// `omega_0`, the largest first change, as a share of the rate.
    pub boundary: f64,
    /// delta, by how much the boundary rises each time it is met; 0.05 in the authors' code.
    pub boundary_step: f64,
    /// Slopes of the RTT below this are noise.
    pub latency_filter: f64,
    /// Whether a falling RTT is a merit, as it is in equation 1. The authors' later code has it as none: a queue that drains makes
    /// every rate look good that was tried first.
    pub reward_falling: bool,
}

/// Vivace's gradient ascent.
#[derive(Clone, Copy, Debug)]
pub struct Vivace {
    options: Options,
    /// Sign of the last change.
    direction: f64,
    /// tau, changes in that direction.
    in_a_row: f64,
    /// k, how often the boundary was raised.
    raised: f64,
}

impl Vivace {
    /// Before the first experiment.
    #[must_use]
    pub fn new(options: Options) -> Self {
        Self {
            options,
            direction: 0.0,
            in_a_row: 0.0,
            raised: 0.0,
        }
    }

    /// Section 4.2, m(tau): tau up to 3, 2 tau - 3 from there.
    fn confidence(&self) -> f64 {
        let tau = self.in_a_row;
        if tau <= CONFIDENT_AFTER { tau } else { 2.0 * tau - CONFIDENT_AFTER }
    }

    /// Section 4.3: what of the RTT's slope is more than noise. The paper's filter is a fixed threshold, made for intervals of hundreds
    /// of packets; where there are ten, chance exceeds it (the authors' later code, too, compares it with the error of the line).
    fn slope(&self, sample: &Sample) -> f64 {
        let slope = sample.rtt_gradient;
        let noise = sample.rtt_gradient_error.map_or(f64::INFINITY, |error| SIGNIFICANT_ERRORS * error);
        if slope.abs() < self.options.latency_filter.max(noise) || (slope < 0.0 && !self.options.reward_falling) {
            0.0
        } else {
            slope
        }
    }

    /// Section 4.2, the dynamic change boundary: `omega_0` + k delta, where k rises each time it is met and falls to what is enough.
    fn within_boundary(&mut self, change: f64, rate: f64) -> f64 {
        let Options {
            boundary, boundary_step, ..
        } = self.options;
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
    // As the authors' code: the doubling waits for the result.
    const UNSETTLED: usize = 0;
    const MIN_SEGMENTS: f64 = 10.0;

    /// Section 3, equation 1: u = x^t - b x dRTT/dT - c x L.
    fn utility(&self, sample: &Sample) -> f64 {
        let Options {
            exponent, latency, loss, ..
        } = self.options;
        let x = sample.rate;
        libm::pow(x, exponent) - latency * x * self.slope(sample) - loss * x * sample.loss
    }

    fn interval_rtts(&self, _rng: &mut Rng) -> f64 {
        INTERVAL_RTTS
    }

    fn experiment(&self, rate: f64, rng: &mut Rng) -> VecDeque<f64> {
        random_pairs(rate, self.options.epsilon, self.options.pairs, rng)
    }

    /// Section 4.2: r + `theta_0` m(tau) gamma, with gamma = (u(r (1 + epsilon)) - u(r (1 - epsilon))) / (2 epsilon r).
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

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the range of the parameter")]
fn make(values: &Values, setup: &Setup) -> Box<dyn CongestionControl> {
    let options = Options {
        exponent: values.number("exponent"),
        latency: values.number("latency"),
        loss: values.number("loss"),
        epsilon: values.number("epsilon"),
        pairs: values.number("pairs") as usize,
        step: values.number("step"),
        boundary: values.number("boundary"),
        boundary_step: values.number("boundary_step"),
        latency_filter: values.number("latency_filter"),
        reward_falling: values.flag("reward_falling"),
    };
    Box::new(Pcc::new(Vivace::new(options), setup))
}

const fn number(name: &'static str, default: f64, range: (f64, f64), unit: &'static str, meaning: &'static str) -> Parameter {
    Parameter {
        name,
        default: Value::Number(default),
        range,
        unit,
        meaning,
    }
}

/// `pcc-vivace`.
pub const ENTRY: Entry = Entry {
    name: "pcc-vivace",
    summary: "Tries rates above and below and follows the gradient of rate^0.9 less rising RTT and loss.",
    parameters: &[
        number("exponent", 0.9, (0.1, 1.0), "", "t: value of rate, in Mbit/s to the power of t"),
        number("latency", 900.0, (0.0, 1e6), "", "b: weight of the RTT's slope; 0 is deaf to delay"),
        number(
            "loss",
            11.35,
            (0.0, 1e4),
            "",
            "c: weight of loss; random loss up to t x^(t-1) / c is borne at x Mbit/s",
        ),
        number("epsilon", 0.05, (0.001, 0.5), "", "how far from the rate to try, as a share of it"),
        number("pairs", 2.0, (1.0, 8.0), "", "pairs of rates tried before a change"),
        number(
            "step",
            1.0,
            (0.001, 1000.0),
            "Mbit/s",
            "theta_0: change of rate per unit of gradient",
        ),
        number(
            "boundary",
            0.05,
            (0.001, 1.0),
            "",
            "omega_0: largest first change, as a share of the rate",
        ),
        number(
            "boundary_step",
            0.05,
            (0.001, 1.0),
            "",
            "delta: rise of the boundary each time it is met",
        ),
        number("latency_filter", 0.01, (0.0, 1.0), "", "slopes of the RTT below this count as none"),
        Parameter {
            name: "reward_falling",
            default: Value::Flag(false),
            range: (0.0, 0.0),
            unit: "",
            meaning: "count a falling RTT as a merit, as the paper's formula has it",
        },
    ],
    reference: "Dong et al., PCC Vivace: online-learning congestion control, NSDI 2018",
    implies: &[("pacing", "cc")],
    make: Make::Whole(make),
};
