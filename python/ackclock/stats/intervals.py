"""The mean of independent repetitions with Student's t interval."""

import math
from collections.abc import Sequence
from typing import NamedTuple

from ackclock._core import student_quantile


class Interval(NamedTuple):
    """A mean with the confidence interval around it.

    Examples
    --------
    >>> from ackclock.stats import Interval
    >>> Interval(2.0, 1.5, 2.5, 10).mean
    2.0
    """

    mean: float
    low: float | None
    high: float | None
    samples: int


def mean_and_deviation(values: Sequence[float]) -> tuple[float, float | None]:
    """Mean, and standard deviation (over n - 1; None for one value), with sums rounded once."""
    # Equal values have no spread, and the sum's rounding must not give them one.
    if min(values) == max(values):
        return values[0], 0.0 if len(values) > 1 else None
    mean = math.fsum(values) / len(values)
    return mean, math.sqrt(math.fsum((value - mean) ** 2 for value in values) / (len(values) - 1))


def mean_interval(values: Sequence[float], confidence: float = 0.95) -> Interval | None:
    """Mean and Student's t confidence interval of independent repetitions.

    Parameters
    ----------
    values : sequence of float
        One value per seed.
    confidence : float
        Coverage of the interval.

    Returns
    -------
    Interval or None
        `low` and `high` are None with fewer than two values; None without values.

    Notes
    -----
    mean +- t(n-1) s / sqrt(n): A. Law, "Simulation Modeling and Analysis", section 4.5. It assumes
    that the seeds' values are independent and not far from normal.

    Examples
    --------
    >>> interval = mean_interval([1.0, 2.0, 3.0])
    >>> interval.mean, round(interval.high - interval.mean, 3)  # t(2) = 4.303, s = 1
    (2.0, 2.484)
    """
    if not values:
        return None
    count = len(values)
    mean, deviation = mean_and_deviation(values)
    if deviation is None:
        return Interval(mean, None, None, count)
    half = student_quantile(count - 1, 0.5 + confidence / 2) * deviation / math.sqrt(count)
    return Interval(mean, mean - half, mean + half, count)
