"""The mean of a response over seeds: its interval, which method made it, and why that one."""

import math
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ackclock._core import student_cdf
from ackclock.stats.intervals import mean_and_deviation, mean_interval
from ackclock.stats.resampling import bca, resamples, studentised

Method = Literal["none", "constant", "t", "bootstrap-t", "BCa"]
"""Method of an interval; `none`: fewer than two values, `constant`: all values are equal."""

# W. G. Cochran, "Sampling Techniques", 3rd edition, section 2.15: with n > 25 G1^2 a 95 % interval
# from the normal theory is wrong no more often than 6 times in 100.
_COCHRAN = 25.0
# With fewer, the skewness of normal values often looks large, and resamples repeat each other.
_LEAST_TO_RESAMPLE = 10


# Of the standard deviation: a resample of values that differ by less has no spread of its own, and
# a statistic beyond all bounds.
_ALIKE = 1e-3

# Some units in the last place.
_ROUNDING = 8 * sys.float_info.epsilon


@dataclass(frozen=True)
class Estimate:
    """A mean over seeds, with its confidence interval.

    Examples
    --------
    >>> from ackclock.stats import Estimate, estimate
    >>> one = estimate([1.0, 2.0, 3.0])
    >>> isinstance(one, Estimate), round(one.half_width, 3)
    (True, 2.484)
    """

    n: int
    """Number of seeds that have a value."""
    mean: float | None
    """Mean of the values; None, as the fields below, if no seed has a value."""
    sd: float | None
    """Standard deviation of the values (divided by n - 1); None with fewer than two."""
    median: float | None
    low: float | None
    """Lower end of the mean's confidence interval; None with fewer than two values."""
    high: float | None
    method: Method
    why: str
    """Reason for the method, in words."""

    @property
    def half_width(self) -> float | None:
        """Half of the interval's width."""
        return half_width(self.low, self.high)


class Mean(NamedTuple):
    """Result of `means` for a row of values."""

    mean: float
    sd: float | None
    low: float | None
    high: float | None
    p: float | None
    """Two-sided p-value of a mean of zero; None without spread, or if not wanted."""
    method: Method
    why: str


def half_width(low: float | None, high: float | None) -> float | None:
    """Half of an interval's width; None: there is no interval."""
    return None if low is None or high is None else (high - low) / 2


def estimate(
    values: Iterable[float | None], confidence: float = 0.95, method: Method | None = None
) -> Estimate:
    """`estimates` of one row.

    Examples
    --------
    >>> from ackclock.stats import estimate
    >>> one = estimate([9.1, 9.3, 9.2, None])
    >>> one.n, round(one.mean, 2), one.method
    (3, 9.2, 't')
    """
    return estimates([values], confidence, method)[0]


def estimates(
    rows: Sequence[Iterable[float | None]], confidence: float = 0.95, method: Method | None = None
) -> list[Estimate]:
    """The mean of each row with its interval.

    Parameters
    ----------
    rows : sequence of iterables of float or None
        One value per seed; None stands for "not measured" and is left out. A row's estimate does
        not depend on the others.
    confidence : float
        Coverage of the intervals.
    method : {"t", "bootstrap-t", "BCa"}, optional
        In place of the one that the rule of docs/statistics.md takes.

    Examples
    --------
    >>> from ackclock.stats import estimates
    >>> [one.method for one in estimates([[1.0, 2.0, 3.0], [5.0, 5.0, 5.0], [4.0]])]
    ['t', 'constant', 'none']
    """
    known = [[float(value) for value in row if value is not None] for row in rows]
    measured = [row for row in known if row]
    intervals = iter(means(measured, [max(map(abs, row)) for row in measured], confidence, method))
    result = []
    for row in known:
        if not row:
            result.append(Estimate(0, None, None, None, None, None, "none", "no run has a value"))
            continue
        mean = next(intervals)
        result.append(
            Estimate(
                len(row),
                mean.mean,
                mean.sd,
                float(np.median(row)),
                mean.low,
                mean.high,
                mean.method,
                mean.why,
            )
        )
    return result


def means(
    rows: Sequence[Sequence[float]],
    sizes: Sequence[float],
    confidence: float,
    method: Method | None = None,
    *,
    tested: bool = False,
) -> list[Mean]:
    """Mean and interval of each row of one value or more, with p-values (slow) if wanted.

    `sizes` are the largest of the numbers that each row's values were computed from: what is within
    their rounding is the same.
    """
    spreads = [_spread(row, size) for row, size in zip(rows, sizes, strict=True)]
    choices = _choose(rows, spreads, confidence, method)
    intervals: dict[int, Mean] = {}
    resampled: dict[tuple[Literal["bootstrap-t", "BCa"], int], list[int]] = {}
    for index, (row, (mean, sd), (chosen, why)) in enumerate(
        zip(rows, spreads, choices, strict=True)
    ):
        if chosen == "none":
            intervals[index] = Mean(mean, sd, None, None, None, chosen, why)
        elif chosen == "constant":
            intervals[index] = Mean(mean, sd, mean, mean, None, chosen, why)
        elif chosen == "t":
            intervals[index] = _by_students_t(row, confidence, why)
        else:
            resampled.setdefault((chosen, len(row)), []).append(index)
    for (chosen, _), indices in resampled.items():
        resample = studentised if chosen == "bootstrap-t" else bca
        low, high, p = resample(
            np.array([rows[index] for index in indices]), confidence, tested=tested
        )
        for at, index in enumerate(indices):
            why, chance = choices[index][1], None if p is None else float(p[at])
            intervals[index] = Mean(
                *spreads[index], float(low[at]), float(high[at]), chance, chosen, why
            )
    return [intervals[index] for index in range(len(rows))]


def _spread(row: Sequence[float], size: float) -> tuple[float, float | None]:
    mean, sd = mean_and_deviation(row)
    return mean, 0.0 if sd is not None and max(row) - min(row) <= _ROUNDING * size else sd


def _by_students_t(row: Sequence[float], confidence: float, why: str) -> Mean:
    interval = mean_interval(row, confidence)
    sd = mean_and_deviation(row)[1]
    if interval is None or not sd:
        raise ValueError("no spread, no interval")
    p = 2.0 * student_cdf(len(row) - 1, -abs(interval.mean) / sd * math.sqrt(len(row)))
    return Mean(interval.mean, sd, interval.low, interval.high, p, "t", why)


def _choose(
    rows: Sequence[Sequence[float]],
    spreads: Sequence[tuple[float, float | None]],
    confidence: float,
    method: Method | None,
) -> list[tuple[Method, str]]:
    """The method of each row, and the reason for it."""
    to_judge = [
        index
        for index, (row, (_, sd)) in enumerate(zip(rows, spreads, strict=True))
        if method is None and sd and len(row) >= _LEAST_TO_RESAMPLE
    ]
    skewness = _skewness(rows, spreads, to_judge)
    choices: list[tuple[Method, str]] = []
    for index, (row, (_, sd)) in enumerate(zip(rows, spreads, strict=True)):
        if sd is None:
            choices.append(("none", "one value has no interval"))
        elif not sd:
            choices.append(("constant", f"all {len(row)} values are the same"))
        elif method is not None:
            choices.append((method, "asked for"))
        elif len(row) < _LEAST_TO_RESAMPLE:
            choices.append(
                (
                    "t",
                    (
                        f"{len(row)} values are too few to judge their shape or to resample them: "
                        "Student's t, as for normal values"
                    ),
                )
            )
        else:
            choices.append(_by_shape(row, sd, skewness[index], confidence))
    return choices


def _skewness(
    rows: Sequence[Sequence[float]],
    spreads: Sequence[tuple[float, float | None]],
    indices: Sequence[int],
) -> dict[int, float]:
    """Fisher's G1 of some of the rows."""
    skewness: dict[int, float] = {}
    by_length: dict[int, list[int]] = {}
    for index in indices:
        by_length.setdefault(len(rows[index]), []).append(index)
    for alike in by_length.values():
        standard = np.array(
            [
                [(value - spreads[index][0]) / (spreads[index][1] or 1.0) for value in rows[index]]
                for index in alike
            ]
        )
        skewness.update(zip(alike, _fisher_g1(standard).tolist(), strict=True))
    return skewness


def _fisher_g1(rows: NDArray[np.float64]) -> NDArray[np.float64]:
    """Skewness of each row, corrected for the bias of a sample of normal values."""
    count = rows.shape[-1]
    deviations = rows - rows.mean(axis=-1, keepdims=True)
    second, third = ((deviations**power).mean(axis=-1) for power in (2, 3))
    return np.asarray(math.sqrt(count * (count - 1)) / (count - 2) * third / second**1.5)


def _by_shape(
    row: Sequence[float], sd: float, skewness: float, confidence: float
) -> tuple[Method, str]:
    count = len(row)
    least = _COCHRAN * skewness * skewness
    if count > least:
        return (
            "t",
            (
                f"skewness {skewness:.2g} is small enough for Student's t: {count} values are more "
                f"than 25 G1² = {least:.3g}"
            ),
        )
    skewed = (
        f"skewness {skewness:.2g} is too large for Student's t: {count} values are not more than "
        f"25 G1² = {least:.3g}"
    )
    times = Counter(round(value / (_ALIKE * sd)) for value in row)
    # Resamples of a single value have no Student's statistic; more of them than this would move the
    # interval's ends.
    if sum((number / count) ** count for number in times.values()) > (1.0 - confidence) / 20:
        most = max(times.values())
        return (
            "BCa",
            (
                f"{skewed}; {most} of them are equal, too many to studentise: bootstrap BCa, "
                f"{resamples(confidence)} resamples"
            ),
        )
    return "bootstrap-t", f"{skewed}: studentised bootstrap, {resamples(confidence)} resamples"
