"""Two settings whose runs are not pairs: the difference of their means."""

import math
from collections.abc import Sequence

from ackclock._core import student_quantile
from ackclock.stats.intervals import mean_and_deviation


def difference_of_means(
    a: Sequence[float], b: Sequence[float], confidence: float = 0.95
) -> tuple[float, float] | None:
    """Welch's interval for the mean of A less the mean of B.

    Parameters
    ----------
    a, b : sequence of float
        Values of either side, in any unit that both have.
    confidence : float
        Coverage of the interval.

    Returns
    -------
    tuple or None
        The ends of the interval. None: a side has fewer than two values, or neither has any spread.

    Notes
    -----
    B. L. Welch, "The generalization of Student's problem when several different population
    variances are involved", Biometrika 34,
    1947. A side without spread, such as a deterministic simulation, has no part in the interval's
          width.

    Examples
    --------
    >>> low, high = difference_of_means([10.0, 12.0], [9.0, 9.0])
    >>> round(low, 2), round(high, 2)
    (-10.71, 14.71)
    """
    if len(a) < 2 or len(b) < 2 or (min(a) == max(a) and min(b) == max(b)):
        return None
    (mean_a, error_a), (mean_b, error_b) = (_mean_and_error(values) for values in (a, b))
    # The Welch-Satterthwaite equation.
    degrees = (error_a + error_b) ** 2 / (error_a**2 / (len(a) - 1) + error_b**2 / (len(b) - 1))
    half = student_quantile(degrees, (1.0 + confidence) / 2) * math.sqrt(error_a + error_b)
    return mean_a - mean_b - half, mean_a - mean_b + half


def _mean_and_error(values: Sequence[float]) -> tuple[float, float]:
    """The mean, and the square of its standard error."""
    mean, deviation = mean_and_deviation(values)
    return mean, (deviation or 0.0) ** 2 / len(values)
