"""Criteria on differences themselves, where a share of the base says nothing: in percentage points, of correlations, of no loss."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock.plot.sweep.scale import words
from ackclock.stats import bounded, estimates
from ackclock.studies.claim import Evidence
from ackclock.studies.criteria import Change, Effect
from ackclock.studies.criteria.pairing import Pairing
from ackclock.studies.weighing import Range, capital, confidence_of, quoted, spot_names, verdict_of

if TYPE_CHECKING:
    from ackclock.studies.claim import Leaning, Verdict
    from ackclock.studies.results import Results, Spot

__all__ = ["Below", "LevelsOff", "Points", "levels_off"]


@dataclass(frozen=True)
class Points(Effect):
    """An effect on a share, in percentage points."""

    def describe(self) -> str:
        """How it is answered."""
        return super().describe().replace(words(self.response), f"{words(self.response)}, in percentage points,", 1)

    def weigh(self, results: Results, claimed: Range | None = None) -> list[Evidence]:
        """An interval for each setting, of the paired difference itself, which lies between −100 and 100 points."""
        pairs = self.pairs(results)
        both = [[a.values[seed] - b.values[seed] for seed in a.values if seed in b.values] for a, b in pairs]
        found = [bounded(one, -1.0, 1.0) for one in estimates(both, confidence_of(len(pairs)))]
        names = spot_names([a for a, _ in pairs], (self.axis,))
        return [
            Evidence(name, (claimed or Range()).leaning(one.low, one.high), one.mean, one.low, one.high, "%", one.n, one.why)
            for name, one in zip(names, found, strict=True)
        ]


def _any(a: Spot, b: Spot) -> bool:
    """Whether any run of either has more or less than nothing."""
    return any(a.values.values()) or any(b.values.values())


@dataclass(frozen=True)
class Below(Pairing):
    """`value` gives less than `base`: the paired difference itself, in percentage points or of correlations, is below zero."""

    def describe(self) -> str:
        """The rule."""
        return (
            f"{words(self.response)} of {quoted(self.value)} less that of "
            f"{quoted(self.base)}{self.where} is below zero, paired by seed, at every setting, "
            "each interval of 1 − 5 %/k confidence for k settings; nothing to judge where "
            "neither has any"
        )

    def judge(self, results: Results) -> Verdict:
        """Weigh each setting."""
        pairs = self.pairs(results)
        both = [[a.values[seed] - b.values[seed] for seed in a.values if seed in b.values] for a, b in pairs]
        least, most = results.limits(self.experiment, self.response)
        found = [bounded(one, least - most, most - least) for one in estimates(both, confidence_of(len(pairs)))]
        unit = results.shown_unit(self.experiment, self.response)
        evidence = []
        for name, one, (a, b) in zip(spot_names([a for a, _ in pairs], (self.axis,)), found, pairs, strict=True):
            leaning: Leaning = Range(highest=0.0).leaning(one.low, one.high) if _any(a, b) else "tie"
            evidence.append(Evidence(name, leaning, one.mean, one.low, one.high, unit, one.n, one.why))
        return verdict_of(capital(words(self.response)), evidence, self.left_out(results))


@dataclass(frozen=True)
class LevelsOff(Change):
    """`value` and `base` differ by no more than a margin, where any run of either has any of it at all."""

    def describe(self) -> str:
        """The rule."""
        return f"{super().describe()}; nothing to judge where no run of either has any"

    def weigh(self, results: Results, claimed: Range | None = None) -> list[Evidence]:
        """As of a change; settings without anything are told as such."""
        found = super().weigh(results, claimed)
        return [one if _any(*pair) else replace(one, leaning="tie") for one, pair in zip(found, self.pairs(results), strict=True)]


def levels_off(experiment: str, response: str, axis: str, value: int, base: int, *, margin: float) -> LevelsOff:
    """`value` and `base` differ by no more than a margin, a share of the base's mean, and there is something to differ by."""
    return LevelsOff(experiment, response, axis, value, base, lowest=-margin, highest=margin)
