"""Judges against recorded runs, which chance struck in its own way: the sides are no pairs."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.stats import permutation_p, prediction_interval
from ackclock.stats.unpaired import difference_of_means
from ackclock.verdicts.judgement import Judgement, Span, mean_of
from ackclock.verdicts.paired import ROUNDING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.verdicts.margin import Margin

__all__ = ["ENOUGH", "decided", "known", "recorded", "within_runs"]

ENOUGH = 4
"""Fewest runs on each side to judge by the interval: with fewer it is too wide to miss."""

_ALIKE = 1e-9


def known(values: Sequence[float | None]) -> tuple[float, ...]:
    """The values of the runs that have one."""
    return tuple(value for value in values if value is not None)


def recorded(
    plain: Judgement,
    earlier: Sequence[float | None],
    new: Sequence[float | None],
    margin: Margin,
    *,
    level: float,
    is_deterministic: bool = False,
) -> Judgement:
    """New values against recorded ones: by more than the margin, and by more than chance explains.

    Parameters
    ----------
    plain
        Names of case, figure and unit, and of the recording in `against`.
    earlier, new
        Values in one unit, one per seed; None: the run has no value.
    margin
        Change of the mean that always passes.
    level
        Largest chance of a change that is found although there is none.
    is_deterministic
        Whether the recorded runs are equal to the byte, so that chance has no part in them.
    """
    before, after = known(earlier), known(new)
    plain = replace(plain, values=after, references={plain.against or "": before})
    mean, now = mean_of(before), mean_of(after)
    if not before or len(before) == len(earlier):
        # All recorded runs have a value, or none has.
        odd = sum((value is None) == bool(before) for value in new)
        if odd and _is_beyond_chance(odd, len(earlier), len(new), level, is_deterministic):
            return replace(plain, kind="beyond", why=_of_values(odd, len(new), has=not before))
    if mean is None or now is None:
        if mean is None and now is None:
            return replace(plain, kind="within", why="no run has a value, as recorded")
        return replace(plain, kind="undecided", why="too few runs have a value")
    slack = max(margin.of(mean), ROUNDING * max(map(abs, before)))
    low, high = mean - slack, mean + slack
    is_spread = max(before) - min(before) > ROUNDING * max(map(abs, before))
    if is_spread:
        by_chance = prediction_interval(before, len(after), 1.0 - level)
        low, high = min(low, by_chance[0]), max(high, by_chance[1])
    plain = replace(plain, low=low, high=high, margin=slack)
    if low <= now <= high:
        return replace(plain, kind="within")
    if is_spread:
        p = permutation_p(before, after)
        is_moved = p <= level
        why = (
            f"{p:.2g} of all divisions of the {len(before)} recorded and {len(after)} new values "
            f"differ as much, and {level:.2g} may: more seeds would decide"
        )
    else:
        odd = sum(not low <= value <= high for value in after)
        is_moved = _is_beyond_chance(odd, len(before), len(after), level, is_deterministic)
        why = (
            f"{odd} of {len(after)} values differ, which chance explains: all {len(before)} "
            "recorded values are equal, and more seeds would decide"
        )
    return replace(plain, kind="beyond") if is_moved else replace(plain, kind="undecided", why=why)


def _of_values(odd: int, count: int, *, has: bool) -> str:
    what = "a value, and no recorded run has one" if has else "no value, and all recorded runs have"
    return f"{odd} of {count} runs have {what}"


def _is_beyond_chance(
    odd: int, earlier: int, new: int, level: float, is_deterministic: bool
) -> bool:
    """Whether so many odd runs among the new and none among the recorded are no chance.

    If nothing changed, any order of all runs is equally likely: the chance that all odd runs are
    new is C(new, odd) / C(earlier + new, odd) (R. A. Fisher's exact test).
    """
    return is_deterministic or math.comb(new, odd) / math.comb(earlier + new, odd) <= level


def within_runs(plain: Judgement, margin: Margin | None) -> Judgement:
    """The mean against the reference's own runs, widened by the margin.

    A mean outside of them is undecided, and not beyond, where both sides have enough runs and the
    95 % interval of the difference (Welch's) reaches the margin: chance can explain it. A figure
    that the reference alone shows is beyond.

    Parameters
    ----------
    plain
        With values, and the runs of the reference that `against` names.
    margin
        None: the figure is only shown.
    """
    runs = plain.references[plain.against or ""]
    mean, own = mean_of(runs), mean_of(plain.values)
    off = None if mean is None or own is None else own - mean
    ends = difference_of_means(plain.values, runs)
    span = None if off is None or ends is None else Span(off, *ends)
    if margin is None or mean is None:
        return replace(plain, kind="shown", difference=span)
    room = margin.of(mean)
    wide = max(room, max(runs) - min(runs))
    low, high = (
        (mean - wide, mean + wide) if margin.spread else (min(runs) - room, max(runs) + room)
    )
    return decided(replace(plain, low=low, high=high, margin=room, difference=span))


def decided(judgement: Judgement) -> Judgement:
    """The outcome of `within_runs` for a judgement whose ends, margin and difference are known."""
    deviation, span, room = judgement.deviation, judgement.difference, judgement.margin or 0.0
    if deviation is not None and abs(deviation) <= 1.0 + _ALIKE:
        return replace(judgement, kind="within")
    runs = judgement.references[judgement.against or ""]
    is_enough = min(len(runs), len(judgement.values)) >= ENOUGH
    is_chance = span is not None and span.low <= room and span.high >= -room
    return replace(judgement, kind="undecided" if is_enough and is_chance else "beyond")
