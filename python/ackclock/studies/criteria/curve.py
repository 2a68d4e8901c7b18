"""Means along an axis agree with a law, or with printed points."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import words
from ackclock.studies.claim import Evidence
from ackclock.studies.criteria.phrases import ALL, held_words, means_within
from ackclock.studies.weighing import Range, capital, percent, spot_names, verdict_of

if TYPE_CHECKING:
    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results

__all__ = ["Curve"]


@dataclass(frozen=True)
class Curve:
    """The mean of a response is within a share of a law's value at each label of an axis."""

    experiment: str
    response: str
    along: str
    """Name of the axis."""
    law: Callable[[float], float] | Mapping[Any, float]
    """A function of the axis' number in base units, or printed points by the axis' label; values
    are in the response's base unit.
    """
    tolerance: float
    """Largest allowed distance, as a share of the law's value."""
    at: Mapping[str, Any] = field(default_factory=dict)
    name: str = "the formula"
    """The law's name in a sentence."""

    @property
    def experiments(self) -> tuple[str, ...]:
        """Return the name of the experiment."""
        return (self.experiment,)

    def describe(self) -> str:
        """Return the rule in a sentence."""
        said = f"mean {words(self.response)} is within {percent(self.tolerance)} of {self.name}"
        return f"{said} along {words(self.along)}, {ALL}{held_words(self.at)}"

    def judge(self, results: Results) -> Verdict:
        """Judge each point by its interval."""
        at = {**self.at, **({self.along: list(self.law)} if isinstance(self.law, Mapping) else {})}
        spots = results.spots(self.experiment, self.response, at)
        expected = [self._law(results, spot.labels[self.along]) for spot in spots]
        claimed, evidence = Range(-self.tolerance, self.tolerance), []
        estimates = means_within(results, self.experiment, self.response, spots)
        for name, law, estimate in zip(spot_names(spots), expected, estimates, strict=True):
            value, low, high = (
                None if number is None else number / law - 1.0
                for number in (estimate.mean, estimate.low, estimate.high)
            )
            evidence.append(
                Evidence(
                    name,
                    claimed.leaning(low, high),
                    value,
                    low,
                    high,
                    "change",
                    estimate.n,
                    estimate.why,
                )
            )
        return verdict_of(
            f"{capital(words(self.response))} against {self.name}",
            evidence,
            results.left_out(self.experiment, at),
        )

    def _law(self, results: Results, label: Any) -> float:
        if isinstance(self.law, Mapping):
            return self.law[label]
        return self.law(results.numbers(self.experiment, self.along)[label])
