"""Comparisons of two settings seed by seed, and the intervals of the changes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.stats import Change as ChangeOfMeans
from ackclock.stats import Difference, changes_of_means, differences
from ackclock.studies.claim import Evidence
from ackclock.studies.criteria.phrases import censored, held_words
from ackclock.studies.weighing import Range, confidence_of, spot_names

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.studies.results import Results, Spot

__all__ = ["Pairing", "weighed_difference"]


@dataclass(frozen=True)
class Pairing:
    """A comparison of two settings, paired by seed."""

    experiment: str
    response: str
    axis: str
    """The axis along which runs are compared."""
    value: Any
    base: Any
    at: Mapping[str, Any] = field(default_factory=dict)
    """The only values of other axes that are looked at; a list means several."""
    censored_at: float | None = field(default=None, kw_only=True)
    """Seconds that a run without a value counts as: the mean is then the restricted mean."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """Return the name of the experiment."""
        return (self.experiment,)

    @property
    def where(self) -> str:
        """Return the values that `at` holds, in words."""
        return held_words(self.at)

    def pairs(self, results: Results) -> list[tuple[Spot, Spot]]:
        """Return the settings of `value`, each with that of `base`.

        There are none if one of the two was not run.
        """
        ours, base = (
            censored(
                results,
                self.experiment,
                results.spots(self.experiment, self.response, {**self.at, self.axis: which}),
                self.censored_at,
            )
            for which in (self.value, self.base)
        )
        partners = {self._elsewhere(spot): spot for spot in base}
        return [
            (spot, partners[self._elsewhere(spot)])
            for spot in ours
            if self._elsewhere(spot) in partners
        ]

    def _elsewhere(self, spot: Spot) -> tuple[Any, ...]:
        """Return the labels of the other axes."""
        return tuple(label for name, label in spot.labels.items() if name != self.axis)

    def left_out(self, results: Results) -> list[str]:
        """Return the labels that the comparison names and these runs lack."""
        wanted = ({**self.at, self.axis: label} for label in (self.value, self.base))
        return list(
            dict.fromkeys(label for at in wanted for label in results.left_out(self.experiment, at))
        )

    def weigh(self, results: Results, claimed: Range | None = None) -> list[Evidence]:
        """Return the interval of the paired change at each setting, as a share of the base's mean.

        For figures that cannot be negative the interval is made on a log scale, and never goes
        below -100 %.
        """
        pairs = self.pairs(results)
        values = [_in_common(a, b) for a, b in pairs]
        names = spot_names([a for a, _ in pairs], (self.axis,))
        confidence, claimed = confidence_of(len(values)), claimed or Range()
        if results.limits(self.experiment, self.response)[0] == 0.0 and all(
            value >= 0.0 for pair in values for row in pair for value in row
        ):
            changes = changes_of_means(values, confidence)
            return [
                _weighed_change(name, change, pair, claimed)
                for name, change, pair in zip(names, changes, values, strict=True)
            ]
        plain = differences(values, confidence)
        return [
            weighed_difference(name, difference, base, claimed)
            for name, difference, (_, base) in zip(names, plain, values, strict=True)
        ]


def _in_common(a: Spot, b: Spot) -> tuple[list[float], list[float]]:
    seeds = [seed for seed in a.values if seed in b.values]
    return [a.values[seed] for seed in seeds], [b.values[seed] for seed in seeds]


def _weighed_change(
    where: str, change: ChangeOfMeans, pair: tuple[Sequence[float], Sequence[float]], claimed: Range
) -> Evidence:
    if change.change is None and change.n:
        # A share of zero means nothing, but the change itself is above zero.
        mean = math.fsum(pair[0]) / change.n
        ends = (math.inf, math.inf) if change.n > 1 else (None, None)
        return Evidence(
            where,
            claimed.leaning(*ends),
            None,
            None,
            None,
            "change",
            change.n,
            f"{mean:+.3g} where the base has none",
        )
    return claimed.evidence(where, change, change.change, "change")


def weighed_difference(
    where: str, difference: Difference, base: Sequence[float], claimed: Range
) -> Evidence:
    """Return a paired difference of figures that may be negative, as a share of the base's mean."""
    mean = abs(math.fsum(base) / len(base)) if base else 0.0
    if difference.difference is None:
        return Evidence(where, "open", None, None, None, "change", difference.n, difference.why)
    if mean == 0.0 and difference.difference != 0.0:
        # A share of zero means nothing, but the interval has a side.
        ends = [
            None if end is None else math.copysign(math.inf, end)
            for end in (difference.low, difference.high)
        ]
        return Evidence(
            where,
            claimed.leaning(*ends),
            None,
            None,
            None,
            "change",
            difference.n,
            f"{difference.difference:+.3g} where the base has none",
        )
    share, low, high = (
        None if number is None else number / (mean or 1.0)
        for number in (difference.difference, difference.low, difference.high)
    )
    return Evidence(
        where, claimed.leaning(low, high), share, low, high, "change", difference.n, difference.why
    )
