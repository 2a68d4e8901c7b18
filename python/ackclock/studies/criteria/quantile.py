"""A quantile over seeds, such as the median, lies in a range."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import words
from ackclock.stats import quantile_interval
from ackclock.studies.criteria.level import ends_words
from ackclock.studies.criteria.phrases import ALL, censored, censored_words, held_words, unit_of
from ackclock.studies.weighing import Range, capital, confidence_of, spot_names, verdict_of
from ackclock.tables.quantities import significant

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results

__all__ = ["Quantile"]


@dataclass(frozen=True)
class Quantile:
    """A quantile of a response over seeds lies in a range, at every setting.

    Use the median for times that may be censored.
    """

    experiment: str
    response: str
    q: float = 0.5
    """Probability of the quantile, between 0 and 1; 0.5 is the median."""
    lowest: float = -math.inf
    highest: float = math.inf
    at: Mapping[str, Any] = field(default_factory=dict)
    unit: str = ""
    """Unit of the ends, for a response with a name of its own; a metric's unit is known."""
    censored_at: float | None = None
    """Seconds by which a run without a value counts."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """Return the name of the experiment."""
        return (self.experiment,)

    @property
    def name(self) -> str:
        """Return `median`, or `90th percentile`."""
        return "median" if self.q == 0.5 else f"{significant(100 * self.q, 3)}th percentile"

    def describe(self) -> str:
        """Return the rule in a sentence."""
        ends = ends_words(self.lowest, self.highest, self.unit or unit_of(self.response))
        return (
            f"{self.name} over seeds of {words(self.response)} is {ends}, {ALL}, by order "
            f"statistics{held_words(self.at)}{censored_words(self.censored_at, mean=False)}"
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
        claimed, evidence = Range(self.lowest, self.highest), []
        for name, spot in zip(spot_names(spots), spots, strict=True):
            interval = quantile_interval(
                list(spot.values.values()), self.q, confidence_of(len(spots))
            )
            evidence.append(claimed.evidence(name, interval, interval.value, unit))
        return verdict_of(
            f"{capital(self.name)} of {words(self.response)}",
            evidence,
            results.left_out(self.experiment, self.at),
        )
