"""The mean of a response lies in a range."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import words
from ackclock.studies.criteria.phrases import (
    ALL,
    censored,
    censored_words,
    held_words,
    means_within,
    unit_of,
)
from ackclock.studies.weighing import Range, capital, spot_names, verdict_of
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results

__all__ = ["Level", "ends_words", "within"]


def ends_words(lowest: float, highest: float, unit: str) -> str:
    """Return a range in words: `at least 3 ms and at most 5 ms`."""
    ends = (("at least", lowest), ("at most", highest))
    return " and ".join(
        f"{said} {quantity(end, unit, 4)}" for said, end in ends if math.isfinite(end)
    )


@dataclass(frozen=True)
class Level:
    """The mean of a response lies in a range, at every setting."""

    experiment: str
    response: str
    lowest: float = -math.inf
    highest: float = math.inf
    at: Mapping[str, Any] = field(default_factory=dict)
    unit: str = ""
    """Unit of the ends, for a response with a name of its own; a metric's unit is known."""
    censored_at: float | None = field(default=None, kw_only=True)
    """Seconds that a run without a value counts as: the mean is then the restricted mean."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """Return the name of the experiment."""
        return (self.experiment,)

    def describe(self) -> str:
        """Return the rule in a sentence."""
        ends = ends_words(self.lowest, self.highest, self.unit or unit_of(self.response))
        return (
            f"mean {words(self.response)} is {ends}, "
            f"{ALL}{held_words(self.at)}{censored_words(self.censored_at)}"
        )

    def judge(self, results: Results) -> Verdict:
        """Judge each setting by its interval."""
        unit = results.shown_unit(self.experiment, self.response)
        spots = censored(
            results,
            self.experiment,
            results.spots(self.experiment, self.response, self.at),
            self.censored_at,
        )
        claimed = Range(self.lowest, self.highest)
        evidence = [
            claimed.evidence(name, estimate, estimate.mean, unit)
            for name, estimate in zip(
                spot_names(spots),
                means_within(results, self.experiment, self.response, spots, self.censored_at),
                strict=True,
            )
        ]
        return verdict_of(
            capital(words(self.response)), evidence, results.left_out(self.experiment, self.at)
        )


def within(
    experiment: str,
    response: str,
    number: float,
    *,
    tolerance: float,
    at: Mapping[str, Any] | None = None,
) -> Level:
    """Judge that a mean lies within a share of a printed number."""
    return Level(
        experiment,
        response,
        number - tolerance * abs(number),
        number + tolerance * abs(number),
        at or {},
    )
