"""Two settings whose runs are not pairs: the difference of their means."""

from collections.abc import Sequence


def difference_of_means(a: Sequence[float], b: Sequence[float], confidence: float = 0.95) -> tuple[float, float] | None:
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
    B. L. Welch, "The generalization of Student's problem when several different population variances are involved", Biometrika 34,
    1947. A side without spread, such as a deterministic simulation, has no part in the interval's width.

    Examples
    --------
    >>> low, high = difference_of_means([10.0, 12.0], [9.0, 9.0])
    >>> round(low, 2), round(high, 2)
    (-10.71, 14.71)
    """
    if len(a) < 2 or len(b) < 2 or (min(a) == max(a) and min(b) == max(b)):
        return None
    from scipy import stats

    found = stats.ttest_ind(a, b, equal_var=False).confidence_interval(confidence)
    return float(found.low), float(found.high)
