"""Two settings with the same seeds: differences seed by seed."""

import math
from collections.abc import Sequence
from dataclasses import dataclass

from ackclock.stats.intervals import mean_and_deviation
from ackclock.stats.means import Method, half_width, means


@dataclass(frozen=True)
class Difference:
    """Difference from the base, from runs paired by seed.

    Examples
    --------
    >>> from ackclock.stats import Difference, difference
    >>> one = difference([5.0, 6.0, 7.0], [4.0, 5.5, 6.0])
    >>> isinstance(one, Difference), one.low < one.difference < one.high
    (True, True)
    """

    n: int
    """Number of seeds where both have a value."""
    difference: float | None
    """Mean of A - B; of a ratio the geometric mean of A / B.

    None: there is no pair, or the ratio is not defined.
    """
    low: float | None
    high: float | None
    method: Method
    why: str
    relative: float | None
    """The mean difference over the base's mean; for a ratio, the ratio less 1."""
    effect_size: float | None
    """Cohen's d_z: the mean difference (of logarithms for a ratio) over the differences' standard
    deviation; None without spread.
    """
    p: float | None
    """Two-sided p-value of no difference (a ratio of 1); None without spread."""

    @property
    def half_width(self) -> float | None:
        """Half of the interval's width."""
        return half_width(self.low, self.high)


Pair = tuple[Sequence[float | None], Sequence[float | None]]
"""Values of A and of B, the same seed at the same place."""


def difference(
    a: Sequence[float | None],
    b: Sequence[float | None],
    confidence: float = 0.95,
    *,
    ratio: bool = False,
) -> Difference:
    """`differences` of one pair of rows.

    Examples
    --------
    >>> from ackclock.stats import difference
    >>> one = difference([5.0, 6.0, 7.0], [4.0, 5.5, 6.0])
    >>> one.n, round(one.difference, 3), round(one.relative, 3)
    (3, 0.833, 0.161)
    """
    return differences([(a, b)], confidence, ratio=ratio)[0]


def differences(
    pairs: Sequence[Pair], confidence: float = 0.95, *, ratio: bool = False
) -> list[Difference]:
    """A minus B of each pair of rows, or A over B, with its interval.

    Parameters
    ----------
    pairs : sequence of pairs of sequences of float or None
        Seeds where either has None, "not measured", are left out. A pair's figures do not depend on
        the others.
    confidence : float
        Coverage of the intervals.
    ratio : bool
        Ratios, which are averaged and given intervals as logarithms, so that A / B and B / A tell
        the same.

    Examples
    --------
    >>> from ackclock.stats import differences
    >>> found = differences([([2.0, 4.0], [1.0, 2.0])], ratio=True)
    >>> round(found[0].difference, 6)
    2.0
    """
    known = [
        [(x, y) for x, y in zip(a, b, strict=True) if x is not None and y is not None]
        for a, b in pairs
    ]
    why_not = [_why_not(pair, ratio) for pair in known]
    sound = [pair for pair, problem in zip(known, why_not, strict=True) if problem is None]
    rows = [[math.log(x / y) if ratio else x - y for x, y in pair] for pair in sound]
    sizes = [1.0 if ratio else max(max(abs(x), abs(y)) for x, y in pair) for pair in sound]
    intervals = iter(means(rows, sizes, confidence, tested=True))
    result = []
    for pair, problem in zip(known, why_not, strict=True):
        if problem is not None:
            result.append(
                Difference(len(pair), None, None, None, "none", problem, None, None, None)
            )
            continue
        mean = next(intervals)
        centre, low, high = (
            None if value is None else math.exp(value) if ratio else value
            for value in (mean.mean, mean.low, mean.high)
        )
        base = mean_and_deviation([y for _, y in pair])[0]
        relative = math.expm1(mean.mean) if ratio else mean.mean / abs(base) if base else None
        effect = mean.mean / mean.sd if mean.sd else None
        result.append(
            Difference(
                len(pair), centre, low, high, mean.method, mean.why, relative, effect, mean.p
            )
        )
    return result


def _why_not(pair: Sequence[tuple[float, float]], ratio: bool) -> str | None:
    if not pair:
        return "no seed has both values"
    if ratio and any(x <= 0.0 or y <= 0.0 for x, y in pair):
        return "a ratio needs positive values, and some are zero or less: compare differences"
    return None
