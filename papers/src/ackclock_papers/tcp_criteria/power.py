"""A response follows a power of what an axis varies."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import words
from ackclock.stats import estimates
from ackclock.studies.criteria.phrases import held_words
from ackclock.studies.weighing import Range, confidence_of, verdict_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results


@dataclass(frozen=True)
class Power:
    """Slope of ln(response) over ln(axis), a line through each seed's runs, is near an exponent."""

    experiment: str
    response: str
    along: str
    """The axis, of numbers above 0."""
    exponent: float
    tolerance: float
    """Largest absolute distance."""
    at: Mapping[str, Any] = field(default_factory=dict)

    @property
    def experiments(self) -> tuple[str, ...]:
        """Return the name of the experiment."""
        return (self.experiment,)

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return (
            f"slope of a line through ln({words(self.response)}) over ln({words(self.along)}) "
            f"(least squares, each seed's runs) is within {self.tolerance:g} of "
            f"{f'{self.exponent:g}'.replace('-', '−')}{held_words(self.at)}; 95 % confidence"
        )

    def judge(self, results: Results) -> Verdict:
        """Judge the slope by its interval."""
        import numpy as np

        spots = results.spots(self.experiment, self.response, self.at)
        numbers = results.numbers(self.experiment, self.along)
        x = [math.log(numbers[spot.labels[self.along]]) for spot in spots]
        seeds = (
            sorted(set.intersection(*(set(spot.values) for spot in spots)))
            if len(spots) > 1
            else []
        )
        slopes = [
            float(np.polyfit(x, [math.log(spot.values[seed]) for spot in spots], 1)[0])
            for seed in seeds
        ]
        slope = estimates([slopes], confidence_of(1))[0]
        claimed = Range(self.exponent - self.tolerance, self.exponent + self.tolerance)
        weighed = [claimed.evidence("", slope, slope.mean, "1")]
        subject = f"Slope of ln {words(self.response)} over ln {words(self.along)}"
        return verdict_of(
            subject, weighed if slopes else [], results.left_out(self.experiment, self.at)
        )
