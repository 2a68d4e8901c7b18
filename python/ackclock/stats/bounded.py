"""Intervals within the range of a quantity.

A quantity that is never negative has a log scale, and a share has a logit scale.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock.stats.means import Estimate, Method, estimates, means

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.stats.paired import Difference, Pair

__all__ = ["Change", "bounded", "changes_of_means", "cut_differences"]

_RESAMPLED_WITHIN = "BCa"
"""The method whose intervals never leave the range of the values that it was given."""

_FAR = 3.0
"""Upper half of an interval, in means: at most 2.78 for five values >= 0 (Student's t)."""

_NOTHING = 1e-200
"""Least mean that is not taken for zero: a quotient with a smaller one loses its digits."""


def bounded(mean: Estimate, lowest: float = -math.inf, highest: float = math.inf) -> Estimate:
    """An estimate whose interval lies within the range of its quantity.

    Parameters
    ----------
    mean : Estimate
        Of a mean.
    lowest, highest : float
        The range, in the mean's unit. Finite both: the interval is made on a logit scale; a finite
        `lowest` alone: on a log scale; otherwise the estimate is returned as it is.

    Notes
    -----
    The delta method carries each half of the interval to the other scale and back (G. Casella, R.
    Berger, "Statistical Inference", 2nd edition, section 5.5.4). It needs a mean inside of the
    range: a mean at an end has values without spread. BCa intervals never leave the range of the
    values, and stay as they are. On a log scale an upper end more than 3 means above the mean
    follows the scale's tangent: two or three runs would otherwise have one hundred thousand times
    the mean.

    Examples
    --------
    >>> from ackclock.stats import bounded, estimate
    >>> shares = estimate([0.90, 0.99, 0.97])
    >>> shares.high > 1, bounded(shares, 0.0, 1.0).high < 1
    (True, True)
    """
    if (
        mean.mean is None
        or mean.low is None
        or mean.high is None
        or mean.method in {"constant", _RESAMPLED_WITHIN}
    ):
        return mean
    if not math.isfinite(lowest) or not lowest < mean.mean < highest:
        return mean
    below, above = mean.mean - mean.low, mean.high - mean.mean
    share = mean.mean - lowest
    if math.isfinite(highest):
        left = highest - mean.mean
        slope = (highest - lowest) / (share * left)
        low, high = (
            lowest
            + (highest - lowest) / (1.0 + math.exp(min(700.0, math.log(left / share) - step)))
            for step in (-below * slope, above * slope)
        )
        return replace(
            mean,
            low=low,
            high=high,
            why=f"{mean.why}; on a logit scale" if mean.why else "on a logit scale",
        )
    low, high = lowest + share * math.exp(-below / share), lowest + share * _stretch(above / share)
    return replace(
        mean,
        low=low,
        high=high,
        why=f"{mean.why}; on a log scale" if mean.why else "on a log scale",
    )


def _stretch(step: float) -> float:
    """exp, and its tangent beyond the range of the delta method."""
    return math.exp(step) if step <= _FAR else math.exp(_FAR) * (1.0 + step - _FAR)


def cut_differences(
    differences: Sequence[Difference],
    pairs: Sequence[Pair],
    limits: Sequence[tuple[float, float]],
    confidence: float = 0.95,
) -> list[Difference]:
    """Paired differences whose intervals end where the quantity itself does.

    Parameters
    ----------
    differences : sequence of Difference
        Of A - B, no ratios.
    pairs : sequence of pairs of sequences of float or None
        Values that the differences were made from.
    limits : sequence of two floats each
        Smallest and largest value that A and B can have.
    confidence : float
        Coverage of the intervals.

    Notes
    -----
    A is nowhere below the range, and B below the upper end of its own interval: A - B is no less
    than the least value minus that end. The three other ends follow in the same way. An interval is
    only ever cut, so it holds the mean difference as before.

    Examples
    --------
    >>> from ackclock.stats import cut_differences, differences
    >>> pairs = [([0.98, 0.99, 1.00], [0.10, 0.95, 0.90])]
    >>> (wide,) = differences = differences(pairs)
    >>> (cut,) = cut_differences(differences, pairs, [(0.0, 1.0)])
    >>> cut.high < wide.high
    True
    """
    at = [
        index
        for index, (difference, (a, b), (lowest, highest)) in enumerate(
            zip(differences, pairs, limits, strict=True)
        )
        if difference.low is not None
        and difference.high is not None
        and difference.low < difference.high
        and _leaves(difference, a, b, lowest, highest)
    ]
    known = [
        [(x, y) for x, y in zip(*pairs[index], strict=True) if x is not None and y is not None]
        for index in at
    ]
    sides = [
        estimates([[pair[side] for pair in every] for every in known], confidence)
        for side in (0, 1)
    ]
    cut = list(differences)
    for index, *both in zip(at, *sides, strict=True):
        lowest, highest = limits[index]
        a, b = (_ends(bounded(estimate, lowest, highest)) for estimate in both)
        difference = differences[index]
        assert difference.low is not None
        assert difference.high is not None
        low, high = (
            max(difference.low, lowest - b[1], a[0] - highest),
            min(difference.high, a[1] - lowest, highest - b[0]),
        )
        if (low, high) != (difference.low, difference.high):
            cut[index] = replace(
                difference,
                low=low,
                high=high,
                why=f"{difference.why}; cut where the quantity itself ends",
            )
    return cut


def _leaves(
    difference: Difference,
    a: Sequence[float | None],
    b: Sequence[float | None],
    lowest: float,
    highest: float,
) -> bool:
    """Whether a side of an interval would leave its range if the other side stayed at its mean."""
    pairs = [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
    if not all(lowest <= value <= highest for pair in pairs for value in pair):
        return False  # the range is not this quantity's
    mean_a, mean_b = (math.fsum(pair[side] for pair in pairs) / len(pairs) for side in (0, 1))
    assert difference.low is not None
    assert difference.high is not None
    return difference.low < max(lowest - mean_b, mean_a - highest) or difference.high > min(
        mean_a - lowest, highest - mean_b
    )


def _ends(estimate: Estimate) -> tuple[float, float]:
    assert estimate.mean is not None
    return (estimate.mean if estimate.low is None else estimate.low), (
        estimate.mean if estimate.high is None else estimate.high
    )


@dataclass(frozen=True)
class Change:
    """Change of a mean, as a share of the base's: A / B - 1, from runs paired by seed.

    Examples
    --------
    >>> from ackclock.stats import Change, changes_of_means
    >>> (one,) = changes_of_means([([0.0, 0.0], [3.0, 4.0])])
    >>> isinstance(one, Change), one.change
    (True, -1.0)
    """

    n: int
    """Seeds where both have a value."""
    change: float | None
    """None: no seed has both, or the base's mean is zero (below 1e-200)."""
    low: float | None
    high: float | None
    method: Method
    why: str


def changes_of_means(pairs: Sequence[Pair], confidence: float = 0.95) -> list[Change]:
    """Difference of the means of A and B as a share of B's, for figures that cannot be negative.

    Parameters
    ----------
    pairs : sequence of pairs of sequences of float or None
        Values of A and of B, the same seed at the same place; none may be negative. Seeds where
        either has None are left out.
    confidence : float
        Coverage of the intervals.

    Returns
    -------
    list of Change
        With intervals that never go below -1: nothing can lose more than all of itself.

    Notes
    -----
    The interval is that of ln(mean A / mean B), from the seeds' influences on it, a/mean A - b/mean
    B, which pair what the seeds share (linearisation of a ratio of means: W. G. Cochran, "Sampling
    Techniques", 3rd edition, section 6.4). Where A is zero in every run there is no logarithm; the
    paired difference is taken, and its interval ends at -1.

    Examples
    --------
    >>> from ackclock.stats import changes_of_means
    >>> (one,) = changes_of_means([([8.0, 9.0, 10.0], [10.0, 11.0, 12.0])])
    >>> round(one.change, 3), one.low >= -1
    (-0.182, True)
    """
    known = [
        [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
        for a, b in pairs
    ]
    middles = [(_middle([x for x, _ in pair]), _middle([y for _, y in pair])) for pair in known]
    rows, sizes, at = [], [], []
    for index, (pair, (a, b)) in enumerate(zip(known, middles, strict=True)):
        if pair and a > 0.0 and b > 0.0:
            same = all(x == y for x, y in pair)
            shift = 0.0 if same else math.log(a / b)
            rows.append([shift] * len(pair) if same else [shift + x / a - y / b for x, y in pair])
            # Influences are of size one: differences within the rounding of one are no spread.
            sizes.append(max(1.0, abs(shift)))
            at.append(index)
    intervals = dict(zip(at, means(rows, sizes, confidence), strict=True))
    return [
        _change(
            pair,
            a,
            b,
            intervals[index].mean,
            intervals[index].low,
            intervals[index].high,
            intervals[index].method,
            intervals[index].why,
        )
        if index in intervals
        else _without_logarithm(pair, a, b, confidence)
        for index, (pair, (a, b)) in enumerate(zip(known, middles, strict=True))
    ]


def _middle(values: Sequence[float]) -> float:
    mean = math.fsum(values) / (len(values) or 1)
    return mean if mean >= _NOTHING else 0.0


def _change(
    pair: Sequence[tuple[float, float]],
    a: float,
    b: float,
    mean: float,
    low: float | None,
    high: float | None,
    method: Method,
    why: str,
) -> Change:
    # The mean of the influences is ln(a / b) but for rounding.
    value = 0.0 if mean == 0.0 else a / b - 1.0
    if method == "constant":
        return Change(len(pair), value, value, value, method, why)
    below, above = (None if end is None else math.expm1(min(end, 700.0)) for end in (low, high))
    return Change(len(pair), value, below, above, method, why)


def _without_logarithm(
    pair: Sequence[tuple[float, float]], a: float, b: float, confidence: float
) -> Change:
    if not pair:
        return Change(0, None, None, None, "none", "no seed has both values")
    if b == 0.0:
        if a == 0.0:
            return Change(len(pair), 0.0, 0.0, 0.0, "constant", "zero in every run of both")
        return Change(len(pair), None, None, None, "none", "the base is zero in every run")
    estimate = estimates([[(x - y) / b for x, y in pair]], confidence)[0]
    assert estimate.mean is not None
    low, high = (None if end is None else max(end, -1.0) for end in (estimate.low, estimate.high))
    return Change(len(pair), -1.0, low, high, estimate.method, estimate.why)
