"""Student's t and the binomial distribution of the core agree with scipy's."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from ackclock._core import binomial_cdf, student_cdf, student_quantile

# Series and continued fractions of either side lose some digits; 1e-9 is far below any printed one.
CLOSE = 1e-9


@pytest.mark.parametrize("degrees", [1, 1.5, 2, 4, 9, 18.4, 29, 99, 999, 1e5])
@pytest.mark.parametrize("p", [1e-6, 0.005, 0.025, 0.4, 0.5, 0.6, 0.75, 0.975, 0.9999])
def test_quantiles(degrees: float, p: float) -> None:
    expected = stats.t.ppf(p, degrees)
    assert student_quantile(degrees, p) == pytest.approx(expected, rel=CLOSE, abs=1e-12)


@given(st.floats(1, 1e4), st.floats(-40, 40))
def test_probabilities(degrees: float, t: float) -> None:
    assert student_cdf(degrees, t) == pytest.approx(stats.t.cdf(t, degrees), abs=CLOSE)


@given(st.floats(1, 1e4), st.floats(1e-9, 1 - 1e-9))
def test_a_quantile_has_its_probability(degrees: float, p: float) -> None:
    assert student_cdf(degrees, student_quantile(degrees, p)) == pytest.approx(p, rel=CLOSE)


@given(st.integers(0, 500), st.integers(0, 500), st.floats(0, 1))
def test_binomial(k: int, n: int, p: float) -> None:
    assert binomial_cdf(k, n, p) == pytest.approx(stats.binom.cdf(k, n, p), abs=CLOSE)


def test_small_tails_keep_their_digits() -> None:
    assert student_cdf(30, -20.0) == pytest.approx(stats.t.cdf(-20.0, 30), rel=CLOSE)
    assert student_cdf(5, -math.inf) == 0.0
    assert student_cdf(5, math.inf) == 1.0


@pytest.mark.parametrize(
    ("call", "says"),
    [
        (lambda: student_quantile(0.0, 0.5), "degrees is a finite number above 0, not 0"),
        (lambda: student_quantile(math.nan, 0.5), "degrees is a finite number above 0, not NaN"),
        (lambda: student_quantile(3.0, 1.0), "p is between 0 and 1, not 1"),
        (lambda: student_cdf(3.0, math.nan), "t is a number, not NaN"),
        (lambda: binomial_cdf(1, 2, 1.5), "p is between 0 and 1, not 1.5"),
    ],
)
def test_impossible_values_are_named(call: object, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        call()  # type: ignore[operator]
