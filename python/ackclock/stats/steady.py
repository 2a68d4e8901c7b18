"""Begin of the steady state of a time series: MSER-5."""

from collections.abc import Sequence

import numpy as np

from ackclock.stats.resampling import Floats

# The statistic of the last few observations is small by chance: K. Hoad, S. Robinson, R. Davies,
# "Automating warm-up length estimation", Journal of the Operational Research Society 61(9), 2010,
# section 4.
_LAST = 5


def truncation(values: Sequence[float] | Floats, batch: int = 5) -> int:
    """Return the number of first values that MSER-5 removes: a multiple of the batch.

    Parameters
    ----------
    values : sequence of float
        At equal distances in time. What is left of a multiple of the batch at the end does not
        count.
    batch : int
        How many values are averaged to one observation first; five is what MSER-5 means. What goes
        to and fro over longer than some batches looks like a trend.

    Returns
    -------
    int
        What leaves the mean of the rest with the smallest standard error. More than half of the
        values: they tell of no steady state, and the series must be longer.

    Raises
    ------
    ValueError
        If there are fewer than ten batches.

    Notes
    -----
    K. P. White, "An effective truncation heuristic for bias reduction in simulation output",
    Simulation 69(6), 1997; K. P. White, M. J. Cobb, S. C. Spratt, "A comparison of five
    steady-state truncation heuristics for simulation", Winter Simulation Conference 2000: of the
    means Z of five values each, the first d are taken away that minimise sum((Z[i] - mean of
    Z[d:])^2 for i >= d) / (k - d)^2.

    Examples
    --------
    >>> truncation([9.0, 7.0, 5.0, 3.0, 2.0] * 2 + [0.0, 1.0] * 45)
    10
    """
    observations = np.asarray(values, dtype=float)
    count = len(observations) // batch
    if count < 2 * _LAST:
        raise ValueError(
            f"{len(observations)} values are too few to tell where their steady state begins: "
            f"{2 * _LAST * batch} at least"
        )
    batches = observations[: count * batch].reshape(count, batch).mean(axis=1)
    # From the end, centred: sums of squares then lose few digits.
    reversed_ = (batches - batches.mean())[::-1]
    left = np.arange(1, count + 1)
    squares = np.maximum(np.cumsum(reversed_**2) - np.cumsum(reversed_) ** 2 / left, 0.0)
    statistic = (squares / left**2)[::-1][: count - _LAST]
    # Not a later one that only rounding makes smaller: what is constant is steady from its first
    # value.
    return batch * int(np.argmax(statistic <= statistic.min() + 1e-12 * statistic[0]))
