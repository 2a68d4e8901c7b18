"""Rules that tell a change of a figure from chance, on plain numbers.

docs/test.md states and explains them.
"""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from ackclock._core import student_cdf, student_quantile
from ackclock.golden.states import known
from ackclock.stats import permutation_p, prediction_interval
from ackclock.stats.intervals import mean_and_deviation

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["Finding", "Pairing", "judge", "pair"]

# Some units in the last place.
_ROUNDING = 8 * sys.float_info.epsilon


@dataclass(frozen=True)
class Finding:
    """Result of a comparison of new values with recorded ones."""

    outcome: Literal["ok", "changed", "not judged"]
    """Whether they differ; "not judged": more seeds would decide."""
    before: float | None
    """Mean of the recorded values; None without any."""
    now: float | None
    """Mean of the new values; None without any."""
    low: float | None = None
    """Smallest mean that passes; None: there is no interval."""
    high: float | None = None
    """Largest mean that passes; None: there is no interval."""
    why: str = ""
    """Explanation, if the interval alone does not explain the result."""


def judge(
    recorded: Sequence[float | None],
    new: Sequence[float | None],
    *,
    level: float,
    tolerance: float,
    is_deterministic: bool = False,
) -> Finding:
    """Decide whether new values differ from recorded ones by more than chance and tolerance.

    Parameters
    ----------
    recorded, new
        Values in one unit, one per seed; None: the run has no value.
    level
        Largest chance of a change that is found although there is none.
    tolerance
        Change that always passes, as a share of the recorded mean.
    is_deterministic
        Whether the recorded runs are equal to the byte, so that chance has no part in them.
    """
    before, after = known(recorded), known(new)
    mean = mean_and_deviation(before)[0] if before else None
    now = mean_and_deviation(after)[0] if after else None
    lacking = [value is None for value in new]
    if not before or len(before) == len(recorded):
        # All recorded runs have a value, or none has.
        odd = sum(one == bool(before) for one in lacking)
        if odd and _is_beyond_chance(odd, len(recorded), len(new), level, is_deterministic):
            return Finding("changed", mean, now, why=_of_values(odd, len(new), has=not before))
    if mean is None or now is None:
        if mean is None and now is None:
            return Finding("ok", mean, now, why="no run has a value, as recorded")
        return Finding("not judged", mean, now, why="too few runs have a value")
    slack = max(tolerance * abs(mean), _ROUNDING * max(map(abs, before)))
    low, high = mean - slack, mean + slack
    if max(before) - min(before) > _ROUNDING * max(map(abs, before)):
        by_chance = prediction_interval(before, len(after), 1.0 - level)
        low, high = min(low, by_chance[0]), max(high, by_chance[1])
        if low <= now <= high:
            return Finding("ok", mean, now, low, high)
        p = permutation_p(before, after)
        if p <= level:
            return Finding("changed", mean, now, low, high)
        why = (
            f"{p:.2g} of all divisions of the {len(before)} recorded and {len(after)} new values "
            f"differ as much, and {level:.2g} may: more seeds would decide"
        )
        return Finding("not judged", mean, now, low, high, why)
    odd = sum(not low <= value <= high for value in after)
    if low <= now <= high:
        return Finding("ok", mean, now, low, high)
    if _is_beyond_chance(odd, len(before), len(after), level, is_deterministic):
        return Finding("changed", mean, now, low, high)
    why = (
        f"{odd} of {len(after)} values differ, which chance explains: all {len(before)} recorded "
        "values are equal, and more seeds would decide"
    )
    return Finding("not judged", mean, now, low, high, why)


def _of_values(odd: int, count: int, *, has: bool) -> str:
    what = "a value, and no recorded run has one" if has else "no value, and all recorded runs have"
    return f"{odd} of {count} runs have {what}"


def _is_beyond_chance(
    odd: int, recorded: int, new: int, level: float, is_deterministic: bool
) -> bool:
    """Whether so many odd runs among the new and none among the recorded are no chance.

    If nothing changed, any order of all runs is equally likely: the chance that all odd runs are
    new is C(new, odd) / C(recorded + new, odd) (R. A. Fisher's exact test).
    """
    return is_deterministic or math.comb(new, odd) / math.comb(recorded + new, odd) <= level


@dataclass(frozen=True)
class Pairing:
    """Result of a comparison seed by seed."""

    count: int
    """Number of seeds with both values."""
    before: float | None
    """Mean of the old values; None without any pair."""
    now: float | None
    """Mean of the new values; None without any pair."""
    half_width: float | None
    """Half of the 95 % interval of the mean difference, by Student's t; None without spread."""
    p: float | None
    """Two-sided p-value of no difference, by Student's paired t; None without spread."""
    is_beyond: bool
    """Whether the mean difference is larger than the tolerance."""


def pair(old: Sequence[float | None], new: Sequence[float | None], *, tolerance: float) -> Pairing:
    """Compare values seed by seed; `tolerance` is a share of the old mean that always passes.

    Both sequences have one value per seed, in one unit, and equal seeds at equal places.
    """
    both = [(a, b) for a, b in zip(old, new, strict=True) if a is not None and b is not None]
    if not both:
        return Pairing(0, None, None, None, None, False)
    before = mean_and_deviation([a for a, _ in both])[0]
    now = mean_and_deviation([b for _, b in both])[0]
    largest = max(max(abs(a), abs(b)) for a, b in both)
    differences = [b - a for a, b in both]
    mean, deviation = mean_and_deviation(differences)
    is_beyond = abs(mean) > max(tolerance * abs(before), _ROUNDING * largest)
    if not deviation or max(differences) - min(differences) <= _ROUNDING * largest:
        return Pairing(len(both), before, now, None, None, is_beyond)
    error = deviation / math.sqrt(len(both))
    return Pairing(
        len(both),
        before,
        now,
        student_quantile(len(both) - 1, 0.975) * error,
        2.0 * student_cdf(len(both) - 1, -abs(mean) / error),
        is_beyond,
    )
