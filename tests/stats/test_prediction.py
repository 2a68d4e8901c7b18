"""Prediction intervals, permutation tests and Holm's rule against scipy and the definitions."""

import doctest
import math

import numpy as np
import pytest
from scipy import stats

from ackclock.stats import (
    adjusting,
    holm,
    permutation,
    permutation_p,
    prediction,
    prediction_interval,
)


@pytest.mark.parametrize("module", [adjusting, permutation, prediction])
def test_examples_in_docstrings_give_what_they_show(module: object) -> None:
    outcome = doctest.testmod(module)  # type: ignore[arg-type]
    assert outcome.attempted > 0
    assert outcome.failed == 0


def test_the_prediction_interval_is_that_of_the_textbook() -> None:
    low, high = prediction_interval([1.0, 2.0, 3.0], 3, 0.95)
    half = stats.t.ppf(0.975, 2) * math.sqrt(1 / 3 + 1 / 3)
    assert (low, high) == pytest.approx((2.0 - half, 2.0 + half))


def test_values_without_spread_have_no_prediction_interval() -> None:
    with pytest.raises(ValueError, match="without spread"):
        prediction_interval([1.0, 1.0], 3, 0.95)


def test_the_permutation_test_is_scipys() -> None:
    a, b = [1.0, 5.0, 2.0, 8.0], [6.0, 9.0, 7.5]
    ours = permutation_p(a, b)
    outcome = stats.permutation_test(
        (a, b), lambda x, y: abs(np.mean(x) - np.mean(y)), alternative="greater"
    )
    assert ours == pytest.approx(outcome.pvalue)
    assert permutation_p(b, a) == ours


def test_many_values_are_divided_at_random_and_give_one_p() -> None:
    draws = np.random.default_rng(3)
    a, b = draws.normal(size=30).tolist(), (draws.normal(size=30) + 0.7).tolist()
    p = permutation_p(a, b)
    # 200,000 draws: the standard error of a p of 0.01 is 0.0002.
    assert p == pytest.approx(stats.ttest_ind(a, b).pvalue, rel=0.15)
    assert permutation_p(a, b) == p


def test_holms_rule_multiplies_the_least_by_their_number() -> None:
    chances = [0.001, 0.04, 0.03, 0.005]
    assert holm(chances) == pytest.approx([0.004, 0.06, 0.06, 0.015])
    assert holm([]) == []
