//! Distribution functions of the statistics in Python.

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use statrs::function::beta::{beta_reg, ln_beta};

/// Largest number of steps of a quantile's search; bisection alone needs about 60.
const STEPS: u32 = 100;

/// Quantiles differ by no more than this share of themselves from the last step's.
const CLOSE: f64 = 1e-14;

fn checked(name: &str, value: f64, is_allowed: bool, allowed: &str) -> PyResult<()> {
    if is_allowed {
        return Ok(());
    }
    Err(PyValueError::new_err(format!("{name} is {allowed}, not {value}")))
}

fn checked_degrees(degrees: f64) -> PyResult<()> {
    checked("degrees", degrees, degrees.is_finite() && degrees > 0.0, "a finite number above 0")
}

/// Probability that Student's t is below `t`.
///
/// Each branch calculates a probability far from one, so that none loses its digits.
fn cdf(degrees: f64, t: f64) -> f64 {
    let square = t * t;
    let tail = if square.is_infinite() {
        0.0
    } else if square < 1.0 {
        0.5 - 0.5 * beta_reg(0.5, degrees / 2.0, square / (degrees + square))
    } else {
        0.5 * beta_reg(degrees / 2.0, 0.5, degrees / (degrees + square))
    };
    if t < 0.0 { tail } else { 1.0 - tail }
}

/// Quantile of Student's t at a probability below one half: Newton's method within a bracket, where
/// a step that leaves the bracket is replaced by its middle.
fn lower_quantile(degrees: f64, p: f64) -> f64 {
    let scale = ln_beta(degrees / 2.0, 0.5);
    let mut below = -1.0;
    while cdf(degrees, below) > p {
        below *= 2.0;
    }
    let mut above = 0.0;
    let mut t = below / 2.0;
    for _ in 0..STEPS {
        let excess = cdf(degrees, t) - p;
        if excess > 0.0 {
            above = t;
        } else {
            below = t;
        }
        let log_density = -0.5 * (degrees + 1.0) * libm::log1p(t * t / degrees) - scale;
        let newton = t - excess * degrees.sqrt() / libm::exp(log_density);
        let next =
            if below < newton && newton < above { newton } else { f64::midpoint(below, above) };
        let step = next - t;
        t = next;
        if step.abs() <= CLOSE * t.abs() {
            break;
        }
    }
    t
}

/// Probability that Student's t is at most `t`.
#[pyfunction]
pub fn student_cdf(degrees: f64, t: f64) -> PyResult<f64> {
    checked_degrees(degrees)?;
    checked("t", t, !t.is_nan(), "a number")?;
    Ok(cdf(degrees, t))
}

/// Quantile of Student's t.
#[pyfunction]
pub fn student_quantile(degrees: f64, p: f64) -> PyResult<f64> {
    checked_degrees(degrees)?;
    checked("p", p, 0.0 < p && p < 1.0, "between 0 and 1")?;
    let tail = p.min(1.0 - p);
    let quantile = if tail < 0.5 { lower_quantile(degrees, tail) } else { 0.0 };
    Ok(if p < 0.5 { quantile } else { -quantile })
}

/// Probability of at most `k` successes in `n` independent trials.
#[pyfunction]
pub fn binomial_cdf(k: u32, n: u32, p: f64) -> PyResult<f64> {
    checked("p", p, (0.0..=1.0).contains(&p), "between 0 and 1")?;
    Ok(if k >= n { 1.0 } else { beta_reg(f64::from(n - k), f64::from(k) + 1.0, 1.0 - p) })
}
