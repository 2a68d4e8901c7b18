"""Welch's interval against its textbook form."""

from __future__ import annotations

import math

import pytest

from ackclock.stats.unpaired import difference_of_means


def test_two_samples_of_different_spread() -> None:
    a, b = [27.5, 21.0, 19.0, 23.6, 17.0, 17.9], [27.1, 22.0, 20.8, 23.4, 23.4, 23.5, 25.8, 22.0]
    mean_a, mean_b = sum(a) / 6, sum(b) / 8
    error_a, error_b = (
        sum((x - mean_a) ** 2 for x in a) / 5 / 6,
        sum((x - mean_b) ** 2 for x in b) / 7 / 8,
    )
    degrees = (error_a + error_b) ** 2 / (error_a**2 / 5 + error_b**2 / 7)
    # Quantiles of Student's t, by table: 2.365 with 7 degrees of freedom, 2.306 with 8.
    assert 7 < degrees < 8
    interval = difference_of_means(a, b)
    assert interval is not None
    low, high = interval
    assert (low + high) / 2 == pytest.approx(mean_a - mean_b)
    assert 2.306 < (high - low) / 2 / math.sqrt(error_a + error_b) < 2.365


def test_a_side_without_spread_has_no_part_in_the_width() -> None:
    interval = difference_of_means([5.0, 5.0, 5.0], [1.0, 3.0])
    assert interval is not None
    # One degree of freedom: t = 12.706, and an error of 1.
    assert interval == pytest.approx((3 - 12.706, 3 + 12.706), rel=1e-4)


@pytest.mark.parametrize(
    ("a", "b"), [([1.0], [2.0, 3.0]), ([1.0, 2.0], []), ([1.0, 1.0], [2.0, 2.0])]
)
def test_where_nothing_tells_there_is_no_interval(a: list[float], b: list[float]) -> None:
    assert difference_of_means(a, b) is None
