"""Quantiles of several runs' values, with distribution-free intervals."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from ackclock._core import binomial_cdf

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["QuantileInterval", "quantile_interval"]


class QuantileInterval(NamedTuple):
    """A quantile with its confidence interval.

    Examples
    --------
    >>> from ackclock.stats import QuantileInterval, quantile_interval
    >>> isinstance(quantile_interval([1.0, 2.0, 3.0]), QuantileInterval)
    True
    """

    value: float | None
    """The quantile; None without values."""
    low: float | None
    """Lower end of the interval; None with too few values for the confidence."""
    high: float | None
    n: int
    why: str


def quantile_interval(
    values: Sequence[float], q: float = 0.5, confidence: float = 0.95
) -> QuantileInterval:
    """A quantile and the two order statistics around it that hold it with at least this confidence.

    Parameters
    ----------
    values : sequence of float
        One value per seed.
    q : float
        Between 0 and 1, ends left out; 0.5 is the median.
    confidence : float
        Coverage of the interval, reached or exceeded for any distribution.

    Notes
    -----
    The number of values below the quantile is binomial (H. A. David, H. N. Nagaraja, "Order
    Statistics", 3rd edition, section 7.1). The narrowest pair of ranks is taken, and of several the
    one that lies most evenly around the quantile. Six values are the fewest that give a median's
    interval of 95 %.

    Examples
    --------
    >>> quantile_interval([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])[:4]
    (3.5, 1.0, 6.0, 6)
    """
    import numpy as np

    if not 0.0 < q < 1.0:
        raise ValueError(f"a quantile lies between 0 and 1, not at {q:g}")
    ordered = sorted(values)
    n = len(ordered)
    if not n:
        return QuantileInterval(None, None, None, 0, "no run has a value")
    value = float(np.quantile(ordered, q))
    # below[k]: the chance that at most k values lie below the quantile. It is between the values of
    # the ranks i and j, counted from 0, with the chance below[j] - below[i].
    below = [binomial_cdf(k, n, q) for k in range(n)]
    best: tuple[int, float, int] | None = None
    for low in range(n):
        for high in range(low + 1, n):
            if below[high] - below[low] >= confidence:
                skew = abs((low + high) / 2 - q * (n - 1))
                if best is None or (high - low, skew) < best[:2]:
                    best = (high - low, skew, low)
                break
    if ordered[0] == ordered[-1] and n > 1:
        return QuantileInterval(value, value, value, n, f"all {n} values are the same")
    if best is None:
        return QuantileInterval(
            value,
            None,
            None,
            n,
            f"{n} values are too few for an interval of {100 * confidence:g} %",
        )
    width, _, low = best
    return QuantileInterval(
        value,
        ordered[low],
        ordered[low + width],
        n,
        f"order statistics {low + 1} and {low + width + 1} of {n}",
    )
