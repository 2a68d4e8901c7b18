"""Interval for the mean of runs that are still to be made."""

import math
from collections.abc import Sequence

from ackclock._core import student_quantile
from ackclock.stats.intervals import mean_and_deviation


def prediction_interval(
    values: Sequence[float], count: int, confidence: float
) -> tuple[float, float]:
    """Interval that holds the mean of `count` further values, by Student's t.

    Parameters
    ----------
    values
        At least two values that are not all equal, in any unit.
    count
        Number of further values, at least one.
    confidence
        Chance that the interval holds their mean, from 0 to 1.

    Returns
    -------
    tuple of float
        Both ends, in the unit of the values.

    Raises
    ------
    ValueError
        If the values have no spread.

    Notes
    -----
    mean ± t(n − 1) s √(1/n + 1/count): G. J. Hahn, W. Q. Meeker, "Statistical Intervals", Wiley
    1991, section 4.8. It assumes that all values are independent and not far from normal.

    Examples
    --------
    >>> low, high = prediction_interval([1.0, 2.0, 3.0], 3, 0.95)
    >>> round(high - 2.0, 3)  # t(2) = 4.303, s = 1, √(2/3)
    3.513
    """
    mean, deviation = mean_and_deviation(values)
    if not deviation:
        raise ValueError("values without spread have no such interval")
    quantile = student_quantile(len(values) - 1, 0.5 + confidence / 2)
    half = quantile * deviation * math.sqrt(1 / len(values) + 1 / count)
    return mean - half, mean + half
