//! Draws for a scenario: start times, delays, sizes and rates that follow a distribution.
//!
//! The five transformations are written out here rather than taken from `rand_distr`: its logarithms come through `num-traits`, which quietly
//! switches from `libm` to the platform's own as soon as any crate of the build (`numpy` does) asks for `std`, and then bits differ by platform.

use crate::rng::{self, Rng};
use core::f64::consts::TAU;

/// Every distribution, with the names of its parameters.
const KINDS: [(&str, &[&str]); 6] = [
    ("fixed", &["value"]),
    ("uniform", &["low", "high"]),
    ("exponential", &["mean"]),
    ("normal", &["mean", "sd"]),
    ("lognormal", &["median", "sigma"]),
    ("pareto", &["scale", "shape"]),
];

/// The first `count` values of a distribution in the named stream. They are what a scenario's quantities are: finite and never negative.
///
/// | kind | parameters | value |
/// |---|---|---|
/// | `fixed` | value | always that |
/// | `uniform` | low, high | low <= x < high, all alike |
/// | `exponential` | mean | memoryless |
/// | `normal` | mean, sd | negative values are drawn again: the normal distribution given x >= 0, whose mean is a little larger than `mean` unless sd is small beside it |
/// | `lognormal` | median, sigma | median exp(sigma z), z standard normal: `sigma` is the standard deviation of ln x, and the mean is median exp(sigma^2 / 2) |
/// | `pareto` | scale, shape | P(X > x) = (scale / x)^shape for x >= scale; the mean is scale shape / (shape - 1), and so shape must exceed 1 |
///
/// # Errors
/// One line that names the parameter, its value and what is allowed.
pub fn draw(seed: u64, stream: &str, kind: &str, parameters: &[f64], count: usize) -> Result<Vec<f64>, String> {
    check(kind, parameters)?;
    let mut rng = rng::stream(seed, stream);
    let mut values = Vec::with_capacity(count);
    values.extend((0..count).map(|_| one(kind, parameters, &mut rng)));
    Ok(values)
}

fn one(kind: &str, parameters: &[f64], rng: &mut Rng) -> f64 {
    match (kind, parameters) {
        ("fixed", &[value]) => value,
        ("uniform", &[low, high]) => low + (high - low) * rng::unit(rng),
        ("exponential", &[mean]) => mean * standard_exponential(rng),
        ("normal", &[mean, sd]) => loop {
            let x = mean + sd * standard_normal(rng);
            if x >= 0.0 {
                break x;
            }
        },
        ("lognormal", &[median, sigma]) => median * libm::exp(sigma * standard_normal(rng)),
        ("pareto", &[scale, shape]) => scale * libm::exp(standard_exponential(rng) / shape),
        _ => unreachable!("checked"),
    }
}

/// Minus the logarithm of a uniform value in (0, 1].
fn standard_exponential(rng: &mut Rng) -> f64 {
    -libm::log1p(-rng::unit(rng))
}

/// Box & Muller 1958: the distance from the origin of a pair of normal values, and its direction. The pair's second value is given up for
/// a fixed number of draws per value.
fn standard_normal(rng: &mut Rng) -> f64 {
    let radius = libm::sqrt(2.0 * standard_exponential(rng));
    radius * libm::cos(TAU * rng::unit(rng))
}

fn check(kind: &str, parameters: &[f64]) -> Result<(), String> {
    let Some((_, names)) = KINDS.iter().find(|(name, _)| *name == kind) else {
        let known: Vec<String> = KINDS.iter().map(|(name, parameters)| signature(name, parameters)).collect();
        return Err(format!("unknown distribution `{kind}`; there are {}", known.join(", ")));
    };
    if parameters.len() != names.len() {
        let s = if names.len() == 1 { "" } else { "s" };
        return Err(format!(
            "{} takes {} parameter{s}, not {}",
            signature(kind, names),
            names.len(),
            parameters.len()
        ));
    }
    for (name, value) in names.iter().zip(parameters) {
        if !value.is_finite() || *value < 0.0 {
            return Err(format!("{kind}: {name} is {value}; it must be finite and not negative"));
        }
    }
    match (kind, parameters) {
        ("uniform", &[low, high]) if low > high => Err(format!("uniform: high is {high}; it must not be below low, which is {low}")),
        ("pareto", &[_, shape]) if shape <= 1.0 => Err(format!("pareto: shape is {shape}; it must be above 1, or the mean is infinite")),
        _ => Ok(()),
    }
}

fn signature(kind: &str, parameters: &[&str]) -> String {
    format!("{kind}({})", parameters.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COUNT: usize = 100_000;
    const N: f64 = 1e5;

    fn values(kind: &str, parameters: &[f64]) -> Vec<f64> {
        draw(1, "test", kind, parameters, COUNT).unwrap()
    }

    /// Mean and standard deviation.
    fn moments(values: &[f64]) -> (f64, f64) {
        let mean = values.iter().sum::<f64>() / N;
        (mean, (values.iter().map(|x| (x - mean) * (x - mean)).sum::<f64>() / N).sqrt())
    }

    /// The mean of n values has the standard error sd / sqrt(n); five of them are allowed. The error of the sd is below 1 % for these
    /// distributions, whose kurtosis is at most 9: sqrt((9 - 1) / 4n) = 0.4 %, and 2 % are allowed.
    fn check_moments(kind: &str, parameters: &[f64], mean: f64, sd: f64) {
        let (m, s) = moments(&values(kind, parameters));
        assert!((m - mean).abs() <= 5.0 * sd / N.sqrt(), "{kind}: mean {m}, not {mean}");
        assert!((s - sd).abs() <= 0.02 * sd, "{kind}: sd {s}, not {sd}");
    }

    #[test]
    fn moments_are_those_of_the_distribution() {
        check_moments("fixed", &[3.0], 3.0, 0.0);
        check_moments("uniform", &[2.0, 5.0], 3.5, 3.0 / 12_f64.sqrt());
        check_moments("exponential", &[0.25], 0.25, 0.25);
        check_moments("normal", &[10.0, 1.0], 10.0, 1.0);
        // Kurtosis 8.9 at sigma 0.5; the variance is m^2 e^s2 (e^s2 - 1).
        let e = libm::exp(0.25);
        check_moments("lognormal", &[2.0, 0.5], 2.0 * e.sqrt(), 2.0 * (e * (e - 1.0)).sqrt());
        // Kurtosis 14.8 at shape 10: sd error 0.6 %. Variance a s^2 / ((a - 1)^2 (a - 2)).
        check_moments("pareto", &[3.0, 10.0], 30.0 / 9.0, (10.0 * 9.0 / (81.0 * 8.0_f64)).sqrt());
    }

    /// A share has the standard error sqrt(p (1 - p) / n) <= 0.0016; five of them are allowed.
    #[test]
    fn shares_are_those_of_the_distribution() {
        let share = |kind, parameters: &[f64], at: f64| {
            let below = values(kind, parameters).into_iter().filter(|&x| x <= at).count();
            f64::from(u32::try_from(below).unwrap()) / N
        };
        for (is, should) in [
            (share("exponential", &[1.0], core::f64::consts::LN_2), 0.5),
            (share("normal", &[10.0, 1.0], 11.0), 0.841_345),
            (share("normal", &[10.0, 1.0], 8.0), 0.022_750),
            (share("lognormal", &[2.0, 1.5], 2.0), 0.5),
            (share("lognormal", &[2.0, 1.5], 2.0 * libm::exp(1.5)), 0.841_345),
            (share("pareto", &[1.0, 1.5], 4.0), 0.875),
            // Given x >= 0 of a normal with mean 0, half are below 0.674490 sd.
            (share("normal", &[0.0, 1.0], 0.674_490), 0.5),
        ] {
            assert!((is - should).abs() < 0.008, "{is}, not {should}");
        }
    }

    #[test]
    fn values_stay_in_their_range() {
        assert!(values("uniform", &[2.0, 5.0]).iter().all(|x| (2.0..5.0).contains(x)));
        assert!(values("normal", &[1.0, 3.0]).iter().all(|x| x.is_finite() && *x >= 0.0));
        assert!(values("exponential", &[1.0]).iter().all(|x| x.is_finite() && *x >= 0.0));
        assert!(values("pareto", &[2.0, 1.1]).iter().all(|x| x.is_finite() && *x >= 2.0));
    }

    #[test]
    fn a_longer_draw_begins_like_a_shorter_one() {
        for (kind, parameters) in [("normal", &[1.0, 3.0][..]), ("pareto", &[1.0, 2.0]), ("uniform", &[0.0, 1.0])] {
            let long = draw(3, "s", kind, parameters, 100).unwrap();
            assert_eq!(draw(3, "s", kind, parameters, 10).unwrap(), long[..10]);
            assert_ne!(draw(3, "t", kind, parameters, 100).unwrap(), long);
        }
    }

    /// To the bit. If this fails, every result with a drawn quantity changes: say so in the changelog, or undo whatever moved it.
    #[test]
    fn values_are_frozen() {
        for (kind, parameters, expected) in [
            ("uniform", &[0.0, 1.0][..], [0.605_440_186_940_560_9, 0.367_077_533_493_501_36]),
            ("exponential", &[1.0], [0.929_984_532_801_284_2, 0.457_407_350_111_679_7]),
            ("normal", &[10.0, 1.0], [9.084_821_734_789_93, 8.825_158_350_584_262]),
            ("lognormal", &[1.0, 1.0], [0.400_445_234_273_859_8, 0.308_867_885_225_892_9]),
            ("pareto", &[1.0, 1.5], [1.858_908_873_672_220_4, 1.356_541_211_490_661_4]),
        ] {
            assert_eq!(draw(1, "flow/3/loss", kind, parameters, 2).unwrap(), expected, "{kind}");
        }
    }

    #[test]
    fn errors_name_what_is_wrong() {
        for (kind, parameters, expected) in [
            (
                "gauss",
                &[1.0, 2.0][..],
                "unknown distribution `gauss`; there are fixed(value), uniform(low, high), exponential(mean), normal(mean, sd), \
                 lognormal(median, sigma), pareto(scale, shape)",
            ),
            ("uniform", &[1.0], "uniform(low, high) takes 2 parameters, not 1"),
            ("fixed", &[1.0, 2.0], "fixed(value) takes 1 parameter, not 2"),
            ("uniform", &[2.0, 1.0], "uniform: high is 1; it must not be below low, which is 2"),
            (
                "exponential",
                &[f64::NAN],
                "exponential: mean is NaN; it must be finite and not negative",
            ),
            ("normal", &[-1.0, 1.0], "normal: mean is -1; it must be finite and not negative"),
            (
                "lognormal",
                &[1.0, f64::INFINITY],
                "lognormal: sigma is inf; it must be finite and not negative",
            ),
            (
                "pareto",
                &[1.0, 1.0],
                "pareto: shape is 1; it must be above 1, or the mean is infinite",
            ),
        ] {
            assert_eq!(draw(1, "test", kind, parameters, 1).unwrap_err(), expected);
        }
    }
}
