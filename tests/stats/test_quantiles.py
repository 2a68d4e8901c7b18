"""Quantiles with intervals by order statistics."""

import numpy as np
import pytest

from ackclock.stats import quantile_interval


def test_six_values_are_the_fewest_for_a_median() -> None:
    assert quantile_interval([1.0, 2.0, 3.0, 4.0, 5.0]).low is None
    assert quantile_interval([6.0, 2.0, 3.0, 4.0, 5.0, 1.0])[:4] == (3.5, 1.0, 6.0, 6)


def test_ranks_are_those_of_the_binomial_distribution() -> None:
    # David & Nagaraja's table of the sign test: of 20 values the 6th and the 15th hold the median
    # with 95.9 %.
    interval = quantile_interval(list(map(float, range(1, 21))))
    assert (interval.low, interval.high) == (6.0, 15.0)


def test_it_covers_whatever_the_distribution() -> None:
    rng = np.random.default_rng(3)
    for q in (0.5, 0.9):
        rows = rng.pareto(1.1, (2000, 60))
        true = (1.0 - q) ** (-1.0 / 1.1) - 1.0
        intervals = [quantile_interval(list(map(float, row)), q) for row in rows]
        covered = np.mean(
            [
                interval.low is not None
                and interval.high is not None
                and interval.low <= true <= interval.high
                for interval in intervals
            ]
        )
        # At least 95 %, but for the standard error of 2,000 draws.
        assert covered >= 0.94


def test_censored_times_have_a_median() -> None:
    interval = quantile_interval([3.0, 4.0, 5.0, 60.0, 60.0, 4.5, 3.5, 60.0])
    assert interval.value == pytest.approx(4.75)
    assert interval.high == 60.0


def test_no_values_and_equal_values() -> None:
    assert quantile_interval([]).why == "no run has a value"
    assert quantile_interval([2.0, 2.0])[:3] == (2.0, 2.0, 2.0)
    with pytest.raises(ValueError, match="between 0 and 1"):
        quantile_interval([1.0], 1.0)
