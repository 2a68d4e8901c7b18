//! Distributions of a scenario's quantities: start times, delays, sizes and rates, drawn before the
//! run or while it goes.
//!
//! The transformations are written out here rather than taken from `rand_distr`. The logarithms of
//! that crate come through `num-traits`, which switches from `libm` to the platform's own as soon
//! as any crate of the build (`numpy` does) asks for `std`. Bits would then differ by platform.

use core::f64::consts::{FRAC_1_SQRT_2, TAU};

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::rng::{self, Rng};

/// Least probability of the range of [`Distribution::Between`]: a value takes the inverse of it in
/// draws.
const LEAST_KEPT: f64 = 1e-3;
/// Least shape of a Weibull distribution: with 53 bits its values stay below 1e32 scales.
const LEAST_WEIBULL_SHAPE: f64 = 0.05;
/// Steps of the integral that the mean of a truncated distribution takes, an even number.
const STEPS: u32 = 20_000;

/// A distribution. Its values are what a scenario's quantities are: finite and never negative.
///
/// ```
/// use ackclock_sim::{distribution::Distribution, rng};
///
/// let sizes = Distribution::Pareto { scale: 3000.0, shape: 1.2 };
/// sizes.check().unwrap();
/// assert!(sizes.sample(&mut rng::stream(1, "flow/a/size")) >= 3000.0);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Distribution {
    /// Always the same.
    Fixed {
        /// That value.
        value: f64,
    },
    /// All alike from low to high: low <= x < high.
    Uniform {
        /// Lower end.
        low: f64,
        /// Upper end.
        high: f64,
    },
    /// Memoryless.
    Exponential {
        /// Mean.
        mean: f64,
    },
    /// A normal distribution of which negative values are drawn again. The mean is a little larger
    /// than `mean` unless sd is small beside it.
    Normal {
        /// Mean before negative values are drawn again.
        mean: f64,
        /// Standard deviation before that.
        sd: f64,
    },
    /// median exp(sigma z), z standard normal; the mean is median exp(sigma^2 / 2).
    Lognormal {
        /// Median.
        median: f64,
        /// Standard deviation of ln x.
        sigma: f64,
    },
    /// P(X > x) = (scale / x)^shape for x >= scale. The mean is scale shape / (shape - 1), so shape
    /// must exceed 1.
    Pareto {
        /// Smallest value.
        scale: f64,
        /// Exponent of the tail.
        shape: f64,
    },
    /// P(X > x) = exp(-(x / scale)^shape); the mean is scale Gamma(1 + 1 / shape).
    Weibull {
        /// Scale.
        scale: f64,
        /// Shape; 1 is exponential, less has the heavier tail.
        shape: f64,
    },
    /// An empirical distribution function with straight lines between its points. As in ns-2's
    /// `EmpiricalRandomVariable` with continuous interpolation, the first point's probability is
    /// that of exactly its value.
    Cdf {
        /// (x, P(X <= x)), both ascending, up to a probability of 1.
        points: Vec<(f64, f64)>,
    },
    /// Another one given low <= x <= high: values outside are drawn again.
    Between {
        /// The other one.
        of: Box<Distribution>,
        /// Smallest value kept.
        low: f64,
        /// Largest value kept.
        high: f64,
    },
}

/// The first `count` values of a distribution in the named stream.
///
/// # Errors
/// As [`Distribution::check`].
pub fn draw(
    seed: u64,
    stream: &str,
    distribution: &Distribution,
    count: usize,
) -> Result<Vec<f64>, String> {
    distribution.check()?;
    let mut rng = rng::stream(seed, stream);
    let mut values = Vec::with_capacity(count);
    values.extend((0..count).map(|_| distribution.sample(&mut rng)));
    Ok(values)
}

impl Distribution {
    /// A value; only of a distribution that passed [`Distribution::check`].
    pub fn sample(&self, rng: &mut Rng) -> f64 {
        match self {
            Self::Fixed { value } => *value,
            Self::Uniform { low, high } => low + (high - low) * rng::unit(rng),
            Self::Exponential { mean } => mean * standard_exponential(rng),
            Self::Normal { mean, sd } => loop {
                let x = mean + sd * standard_normal(rng);
                if x >= 0.0 {
                    break x;
                }
            },
            Self::Lognormal { median, sigma } => median * libm::exp(sigma * standard_normal(rng)),
            Self::Pareto { scale, shape } => scale * libm::exp(standard_exponential(rng) / shape),
            Self::Weibull { scale, shape } => {
                scale * libm::pow(standard_exponential(rng), 1.0 / shape)
            }
            Self::Cdf { points } => {
                let u = rng::unit(rng);
                let at = points.partition_point(|(_, p)| *p <= u).min(points.len() - 1);
                let (x, p) = points[at];
                at.checked_sub(1).map_or(x, |before| {
                    let (x0, p0) = points[before];
                    x0 + (x - x0) * (u - p0) / (p - p0)
                })
            }
            Self::Between { of, low, high } => loop {
                let x = of.sample(rng);
                if (*low..=*high).contains(&x) {
                    break x;
                }
            },
        }
    }

    /// The mean.
    #[must_use]
    pub fn mean(&self) -> f64 {
        if let Some(value) = self.only_value() {
            return value;
        }
        match self {
            Self::Fixed { value } => *value,
            Self::Uniform { low, high } => f64::midpoint(*low, *high),
            Self::Exponential { mean } => *mean,
            Self::Normal { mean, sd } => {
                let z = mean / sd;
                mean + sd * libm::exp(-z * z / 2.0) / libm::sqrt(TAU) / phi(z)
            }
            Self::Lognormal { median, sigma } => median * libm::exp(sigma * sigma / 2.0),
            Self::Pareto { scale, shape } => scale * shape / (shape - 1.0),
            Self::Weibull { scale, shape } => scale * libm::tgamma(1.0 + 1.0 / shape),
            Self::Cdf { points } => {
                let lines = points
                    .windows(2)
                    .map(|two| (two[1].1 - two[0].1) * f64::midpoint(two[0].0, two[1].0));
                points[0].0 * points[0].1 + lines.sum::<f64>()
            }
            // low + the integral of P(X > x) by Simpson's rule, in steps that are finer near low,
            // where most of the values are.
            Self::Between { of, low, high } => {
                let (first, last) = (of.below(*low), of.at_most(*high));
                let width = high - low;
                let sum: f64 = (0..=STEPS)
                    .map(|step| {
                        let t = f64::from(step) / f64::from(STEPS);
                        let weight = match step {
                            0 | STEPS => 1.0,
                            _ if step % 2 == 1 => 4.0,
                            _ => 2.0,
                        };
                        let exceeds =
                            (last - of.at_most(low + width * t * t * t * t)) / (last - first);
                        weight * exceeds * 4.0 * t * t * t
                    })
                    .sum();
                low + width * sum / (3.0 * f64::from(STEPS))
            }
        }
    }

    /// P(X <= x).
    #[must_use]
    pub fn at_most(&self, x: f64) -> f64 {
        if let Some(value) = self.only_value() {
            return if x >= value { 1.0 } else { 0.0 };
        }
        match self {
            Self::Fixed { .. } => 0.0,
            Self::Uniform { low, high } => ((x - low) / (high - low)).clamp(0.0, 1.0),
            _ if x < 0.0 => 0.0,
            Self::Exponential { mean } => -libm::expm1(-x / mean),
            Self::Normal { mean, sd } => (phi((x - mean) / sd) - phi(-mean / sd)) / phi(mean / sd),
            Self::Lognormal { median, sigma } => phi(libm::log(x / median) / sigma),
            Self::Pareto { scale, shape } => 1.0 - libm::pow(scale / x.max(*scale), *shape),
            Self::Weibull { scale, shape } => -libm::expm1(-libm::pow(x / scale, *shape)),
            Self::Cdf { points } => {
                on_line(points, points.partition_point(|(value, _)| *value <= x), x)
            }
            Self::Between { of, low, high } => {
                let (first, last) = (of.below(*low), of.at_most(*high));
                ((of.at_most(x) - first) / (last - first)).clamp(0.0, 1.0)
            }
        }
    }

    /// P(X < x).
    fn below(&self, x: f64) -> f64 {
        if let Some(value) = self.only_value() {
            return if x > value { 1.0 } else { 0.0 };
        }
        match self {
            Self::Cdf { points } => {
                on_line(points, points.partition_point(|(value, _)| *value < x), x)
            }
            _ => self.at_most(x),
        }
    }

    /// The value of one that has only one.
    fn only_value(&self) -> Option<f64> {
        let (value, spread) = match self {
            Self::Fixed { value } => (value, 0.0),
            Self::Uniform { low, high } | Self::Between { low, high, .. } => (low, high - low),
            Self::Exponential { mean } => (mean, *mean),
            Self::Normal { mean, sd } => (mean, *sd),
            Self::Lognormal { median, sigma } => (median, median * sigma),
            Self::Pareto { scale, .. } | Self::Weibull { scale, .. } => (scale, *scale),
            Self::Cdf { points } => (&points[0].0, points[points.len() - 1].0 - points[0].0),
        };
        (spread <= 0.0).then_some(*value)
    }

    /// Whether its parameters make sense.
    ///
    /// # Errors
    /// One line that names the parameter, its value and what is allowed.
    pub fn check(&self) -> Result<(), String> {
        let fine = |kind: &str, parameters: &[(&str, f64)]| {
            for (name, value) in parameters {
                if !value.is_finite() || *value < 0.0 {
                    return Err(format!(
                        "{kind}: {name} is {value}; it must be finite and not negative"
                    ));
                }
            }
            Ok(())
        };
        match self {
            Self::Fixed { value } => fine("fixed", &[("value", *value)]),
            Self::Uniform { low, high } => {
                fine("uniform", &[("low", *low), ("high", *high)])?;
                ascending("uniform", *low, *high)
            }
            Self::Exponential { mean } => fine("exponential", &[("mean", *mean)]),
            Self::Normal { mean, sd } => fine("normal", &[("mean", *mean), ("sd", *sd)]),
            Self::Lognormal { median, sigma } => {
                fine("lognormal", &[("median", *median), ("sigma", *sigma)])
            }
            Self::Pareto { scale, shape } => {
                fine("pareto", &[("scale", *scale), ("shape", *shape)])?;
                if *shape <= 1.0 {
                    return Err(format!(
                        "pareto: shape is {shape}; it must be above 1, or the mean is infinite"
                    ));
                }
                Ok(())
            }
            Self::Weibull { scale, shape } => {
                fine("weibull", &[("scale", *scale), ("shape", *shape)])?;
                if *shape < LEAST_WEIBULL_SHAPE {
                    return Err(format!(
                        "weibull: shape is {shape}; it must be at least {LEAST_WEIBULL_SHAPE}"
                    ));
                }
                Ok(())
            }
            Self::Cdf { points } => check_points(points),
            Self::Between { of, low, high } => {
                if matches!(**of, Self::Between { .. }) {
                    return Err("between: one range is enough".into());
                }
                of.check()?;
                fine("between", &[("low", *low), ("high", *high)])?;
                ascending("between", *low, *high)?;
                let kept = of.at_most(*high) - of.below(*low);
                if kept < LEAST_KEPT {
                    return Err(format!(
                        "between: {low} to {high} holds {kept:.2e} of the values; it must hold at \
                         least {LEAST_KEPT}"
                    ));
                }
                Ok(())
            }
        }
    }
}

fn ascending(kind: &str, low: f64, high: f64) -> Result<(), String> {
    if low > high {
        return Err(format!("{kind}: high is {high}; it must not be below low, which is {low}"));
    }
    Ok(())
}

fn check_points(points: &[(f64, f64)]) -> Result<(), String> {
    let mut before = (0.0, 0.0);
    for &(x, p) in points {
        if !x.is_finite() || x < before.0 {
            return Err(format!("cdf: {x} after {}; values must ascend from zero", before.0));
        }
        if !(before.1..=1.0).contains(&p) {
            return Err(format!(
                "cdf: probability {p} after {}; probabilities must ascend to 1",
                before.1
            ));
        }
        before = (x, p);
    }
    if before.1 < 1.0 {
        return Err(format!("cdf: the last probability is {}; it must be 1", before.1));
    }
    Ok(())
}

/// The probability at `x` on the line from the point before the one at `next` to that.
fn on_line(points: &[(f64, f64)], next: usize, x: f64) -> f64 {
    if next == 0 || next == points.len() {
        return if next == 0 { 0.0 } else { 1.0 };
    }
    let ((x0, p0), (x1, p1)) = (points[next - 1], points[next]);
    p0 + (p1 - p0) * (x - x0) / (x1 - x0)
}

/// The standard normal distribution function.
fn phi(z: f64) -> f64 {
    libm::erfc(-z * FRAC_1_SQRT_2) / 2.0
}

/// Minus the logarithm of a uniform value in (0, 1].
pub(crate) fn standard_exponential(rng: &mut Rng) -> f64 {
    -libm::log1p(-rng::unit(rng))
}

/// Box & Muller 1958: the distance from the origin of a pair of normal values, and its direction.
/// The pair's second value is given up for a fixed number of draws per value.
fn standard_normal(rng: &mut Rng) -> f64 {
    let radius = libm::sqrt(2.0 * standard_exponential(rng));
    radius * libm::cos(TAU * rng::unit(rng))
}

#[cfg(test)]
mod tests {
    use super::*;

    use Distribution::{Cdf, Exponential, Fixed, Lognormal, Normal, Pareto, Uniform, Weibull};

    const COUNT: usize = 100_000;
    const N: f64 = 1e5;

    fn values(distribution: &Distribution) -> Vec<f64> {
        draw(1, "test", distribution, COUNT).unwrap()
    }

    fn between(of: Distribution, low: f64, high: f64) -> Distribution {
        Distribution::Between { of: Box::new(of), low, high }
    }

    /// A third are exactly 1, a third lies evenly from 1 to 3, a third from 3 to 11.
    fn thirds() -> Distribution {
        Cdf { points: vec![(1.0, 1.0 / 3.0), (3.0, 2.0 / 3.0), (11.0, 1.0)] }
    }

    /// Mean and standard deviation.
    fn moments(values: &[f64]) -> (f64, f64) {
        let mean = values.iter().sum::<f64>() / N;
        (mean, (values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / N).sqrt())
    }

    /// The mean of n values has the standard error sd / sqrt(n); five of them are allowed. The
    /// error of the sd is below 1 % for these distributions, whose kurtosis is at most 15:
    /// sqrt((15 - 1) / 4n) = 0.6 %, and 2 % are allowed.
    fn check_moments(distribution: &Distribution, mean: f64, sd: f64) {
        let (m, s) = moments(&values(distribution));
        assert!((m - mean).abs() <= 5.0 * sd / N.sqrt(), "{distribution:?}: mean {m}, not {mean}");
        assert!((s - sd).abs() <= 0.02 * sd, "{distribution:?}: sd {s}, not {sd}");
        let stated = distribution.mean();
        assert!(
            (stated - mean).abs() <= 1e-9 * mean,
            "{distribution:?}: says its mean is {stated}, not {mean}"
        );
    }

    #[test]
    fn moments_are_those_of_the_distribution() {
        check_moments(&Fixed { value: 3.0 }, 3.0, 0.0);
        check_moments(&Uniform { low: 2.0, high: 5.0 }, 3.5, 3.0 / 12_f64.sqrt());
        check_moments(&Exponential { mean: 0.25 }, 0.25, 0.25);
        check_moments(&Normal { mean: 10.0, sd: 1.0 }, 10.0, 1.0);
        // Half a normal distribution: mean sqrt(2 / pi), variance 1 - 2 / pi.
        let half = 2.0 / core::f64::consts::PI;
        check_moments(&Normal { mean: 0.0, sd: 1.0 }, half.sqrt(), (1.0 - half).sqrt());
        // Kurtosis 8.9 at sigma 0.5; the variance is m^2 e^s2 (e^s2 - 1).
        let e = libm::exp(0.25);
        check_moments(
            &Lognormal { median: 2.0, sigma: 0.5 },
            2.0 * e.sqrt(),
            2.0 * (e * (e - 1.0)).sqrt(),
        );
        // Kurtosis 14.8 at shape 10. Variance a s^2 / ((a - 1)^2 (a - 2)).
        let pareto = Pareto { scale: 3.0, shape: 10.0 };
        check_moments(&pareto, 30.0 / 9.0, (10.0 * 9.0 / (81.0 * 8.0_f64)).sqrt());
        // Gamma(3/2) = sqrt(pi) / 2; variance 1 - pi / 4 (Rayleigh's distribution).
        let quarter = core::f64::consts::FRAC_PI_4;
        check_moments(&Weibull { scale: 1.0, shape: 2.0 }, quarter.sqrt(), (1.0 - quarter).sqrt());
        // (1 + 2 + 7) / 3; the second moments of the thirds are 1, 13/3, 163/3.
        check_moments(&thirds(), 10.0 / 3.0, (179.0 / 9.0 - 100.0 / 9.0_f64).sqrt());
    }

    /// Means of truncated distributions against their closed forms, and samples against the means.
    #[test]
    fn means_between_bounds() {
        // The integral of x e^-x from 0 to 1 is 1 - 2/e, over 1 - 1/e.
        let e = core::f64::consts::E;
        // The integral of x f(x) is a s^a (l^(1-a) - h^(1-a)) / (a - 1).
        let (a, h) = (1.2, 1e6);
        let pareto = a * (1.0 - libm::pow(h, 1.0 - a)) / (a - 1.0) / (1.0 - libm::pow(h, -a));
        for (distribution, mean) in [
            (between(Exponential { mean: 1.0 }, 0.0, 1.0), (1.0 - 2.0 / e) / (1.0 - 1.0 / e)),
            (between(Uniform { low: 0.0, high: 10.0 }, 2.0, 4.0), 3.0),
            (between(Pareto { scale: 1.0, shape: a }, 1.0, h), pareto),
            // A third at 1 and a third around 2.
            (between(thirds(), 0.0, 3.0), 1.5),
            (between(thirds(), 3.0, 20.0), 7.0),
            (between(Fixed { value: 2.0 }, 2.0, 2.0), 2.0),
        ] {
            distribution.check().unwrap();
            let stated = distribution.mean();
            assert!((stated - mean).abs() < 1e-4 * mean, "{distribution:?}: {stated}, not {mean}");
            let (sampled, sd) = moments(&values(&distribution));
            assert!(
                (sampled - mean).abs() <= 5.0 * sd / N.sqrt(),
                "{distribution:?}: {sampled}, not {mean}"
            );
        }
    }

    /// A share has the standard error sqrt(p (1 - p) / n) <= 0.0016; five of them are allowed.
    #[test]
    fn shares_are_those_of_the_distribution() {
        let e = libm::exp(1.5);
        for (distribution, at, should) in [
            (Exponential { mean: 1.0 }, core::f64::consts::LN_2, 0.5),
            (Normal { mean: 10.0, sd: 1.0 }, 11.0, 0.841_345),
            (Normal { mean: 10.0, sd: 1.0 }, 8.0, 0.022_750),
            (Lognormal { median: 2.0, sigma: 1.5 }, 2.0, 0.5),
            (Lognormal { median: 2.0, sigma: 1.5 }, 2.0 * e, 0.841_345),
            (Pareto { scale: 1.0, shape: 1.5 }, 4.0, 0.875),
            // Given x >= 0 of a normal with mean 0, half are below 0.674490 sd.
            (Normal { mean: 0.0, sd: 1.0 }, 0.674_490, 0.5),
            // 1 - e^-sqrt(4)
            (Weibull { scale: 1.0, shape: 0.5 }, 4.0, 0.864_665),
            (thirds(), 1.0, 1.0 / 3.0),
            (thirds(), 2.0, 0.5),
            (thirds(), 9.0, 11.0 / 12.0),
            (between(Exponential { mean: 1.0 }, 1.0, 2.0), 1.5, 0.622_459),
        ] {
            let below = values(&distribution).into_iter().filter(|&x| x <= at).count();
            let is = f64::from(u32::try_from(below).unwrap()) / N;
            assert!((is - should).abs() < 0.008, "{distribution:?}: {is}, not {should}");
            let share = distribution.at_most(at);
            assert!((share - should).abs() < 1e-6, "{distribution:?}: says {share}, not {should}");
        }
    }

    #[test]
    fn values_stay_in_their_range() {
        assert!(values(&Uniform { low: 2.0, high: 5.0 }).iter().all(|x| (2.0..5.0).contains(x)));
        assert!(values(&Normal { mean: 1.0, sd: 3.0 }).iter().all(|x| x.is_finite() && *x >= 0.0));
        assert!(values(&Exponential { mean: 1.0 }).iter().all(|x| x.is_finite() && *x >= 0.0));
        assert!(
            values(&Pareto { scale: 2.0, shape: 1.1 }).iter().all(|x| x.is_finite() && *x >= 2.0)
        );
        assert!(
            values(&Weibull { scale: 1.0, shape: LEAST_WEIBULL_SHAPE })
                .iter()
                .all(|x| x.is_finite() && *x >= 0.0)
        );
        assert!(values(&thirds()).iter().all(|x| (1.0..11.0).contains(x)));
        let narrow = between(Pareto { scale: 2.0, shape: 1.1 }, 3.0, 5.0);
        assert!(values(&narrow).iter().all(|x| (3.0..=5.0).contains(x)));
    }

    #[test]
    fn a_longer_draw_begins_like_a_shorter_one() {
        for distribution in [
            Normal { mean: 1.0, sd: 3.0 },
            Pareto { scale: 1.0, shape: 2.0 },
            Uniform { low: 0.0, high: 1.0 },
        ] {
            let long = draw(3, "s", &distribution, 100).unwrap();
            assert_eq!(draw(3, "s", &distribution, 10).unwrap(), long[..10]);
            assert_ne!(draw(3, "t", &distribution, 100).unwrap(), long);
        }
    }

    /// To the bit. If this fails, every result with a drawn quantity changes: say so in the
    /// changelog, or undo the change.
    #[test]
    fn values_are_frozen() {
        for (distribution, expected) in [
            (Uniform { low: 0.0, high: 1.0 }, [0.605_440_186_940_560_9, 0.367_077_533_493_501_36]),
            (Exponential { mean: 1.0 }, [0.929_984_532_801_284_2, 0.457_407_350_111_679_7]),
            (Normal { mean: 10.0, sd: 1.0 }, [9.084_821_734_789_93, 8.825_158_350_584_262]),
            (
                Lognormal { median: 1.0, sigma: 1.0 },
                [0.400_445_234_273_859_8, 0.308_867_885_225_892_9],
            ),
            (Pareto { scale: 1.0, shape: 1.5 }, [1.858_908_873_672_220_4, 1.356_541_211_490_661_4]),
            // The square of the exponential's.
            (Weibull { scale: 1.0, shape: 0.5 }, [0.864_871_231_249_623, 0.209_221_483_936_188_75]),
            // The uniform values are 0.605 and 0.367: 1 + 2 (u - 1/3) 3.
            (thirds(), [2.632_641_121_643_365_6, 1.202_465_200_961_008_4]),
        ] {
            assert_eq!(
                draw(1, "flow/3/loss", &distribution, 2).unwrap(),
                expected,
                "{distribution:?}"
            );
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (distribution, expected) in [
            (
                Uniform { low: 2.0, high: 1.0 },
                "uniform: high is 1; it must not be below low, which is 2",
            ),
            (
                Exponential { mean: f64::NAN },
                "exponential: mean is NaN; it must be finite and not negative",
            ),
            (
                Normal { mean: -1.0, sd: 1.0 },
                "normal: mean is -1; it must be finite and not negative",
            ),
            (
                Lognormal { median: 1.0, sigma: f64::INFINITY },
                "lognormal: sigma is inf; it must be finite and not negative",
            ),
            (
                Pareto { scale: 1.0, shape: 1.0 },
                "pareto: shape is 1; it must be above 1, or the mean is infinite",
            ),
            (
                Weibull { scale: 1.0, shape: 0.01 },
                "weibull: shape is 0.01; it must be at least 0.05",
            ),
            (Cdf { points: vec![] }, "cdf: the last probability is 0; it must be 1"),
            (
                Cdf { points: vec![(2.0, 0.5), (1.0, 1.0)] },
                "cdf: 1 after 2; values must ascend from zero",
            ),
            (
                Cdf { points: vec![(1.0, 0.5), (2.0, 0.25)] },
                "cdf: probability 0.25 after 0.5; probabilities must ascend to 1",
            ),
            (
                between(Exponential { mean: 1.0 }, 20.0, 30.0),
                "between: 20 to 30 holds 2.06e-9 of the values; it must hold at least 0.001",
            ),
            (
                between(between(Fixed { value: 1.0 }, 0.0, 2.0), 0.0, 1.0),
                "between: one range is enough",
            ),
        ] {
            assert_eq!(draw(1, "test", &distribution, 1).unwrap_err(), expected);
        }
    }
}
