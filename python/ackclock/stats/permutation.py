"""Two groups of runs without common seeds, compared without assumptions on a distribution."""

import itertools
import math
import sys
from collections.abc import Sequence

# Some units in the last place.
_ROUNDING = 8 * sys.float_info.epsilon
# Most divisions of values into two groups that a permutation test looks at.
_MOST_WAYS = 200_000
# Most random numbers that it draws: some seconds, and megabytes of memory.
_MOST_DRAWS = 500_000_000
_DRAWS_AT_ONCE = 2_000_000


def permutation_p(a: Sequence[float], b: Sequence[float]) -> float:
    """Two-sided p-value of the difference of two means, without assumptions on a distribution.

    Parameters
    ----------
    a, b
        Values in one unit, at least one each.

    Returns
    -------
    float
        Share of all ways to divide the values into groups of these sizes whose means differ by at
        least as much. If there are more than 200,000 ways, as many random ones stand for them
        (fewer with more than 2,500 values).

    Notes
    -----
    R. A. Fisher, "The Design of Experiments", 1935, section 21. The observed division counts among
    the random ones, so that p is never too small: B. Phipson, G. K. Smyth, "Permutation p-values
    should never be zero", Statistical Applications in Genetics and Molecular Biology 9(1), 2010.

    Examples
    --------
    >>> permutation_p([1.0, 2.0, 3.0], [4.0, 5.0])  # 2 of 10 ways
    0.2
    """
    import numpy as np

    values = np.array([*a, *b])
    values -= values.mean()
    size = min(len(a), len(b))
    smaller = values[len(a) :] if len(b) == size else values[: len(a)]
    least = abs(float(smaller.sum())) - _ROUNDING * len(values) * float(abs(values).max())
    if math.comb(len(values), size) <= _MOST_WAYS:
        ways = np.array(list(itertools.combinations(range(len(values)), size)))
        return float((abs(values[ways].sum(axis=1)) >= least).mean())
    # A fixed stream: equal values give an equal p.
    stream = np.random.default_rng(1)
    count = min(_MOST_WAYS, _MOST_DRAWS // len(values))
    rows = max(1, _DRAWS_AT_ONCE // len(values))
    extremes = 0
    for begin in range(0, count, rows):
        order = stream.random((min(rows, count - begin), len(values)))
        ways = np.argpartition(order, size - 1, axis=1)[:, :size]
        extremes += int((abs(values[ways].sum(axis=1)) >= least).sum())
    return (extremes + 1) / (count + 1)
