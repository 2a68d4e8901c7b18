"""Criteria on plain differences, where a share of the base has no meaning."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock.plot_data.sweep.scale import words
from ackclock.stats import bounded, estimates
from ackclock.studies.claim import Evidence
from ackclock.studies.criteria import Change, Effect
from ackclock.studies.criteria.pairing import Pairing
from ackclock.studies.weighing import Range, capital, confidence_of, quoted, spot_names, verdict_of

if TYPE_CHECKING:
    from ackclock.studies.claim import Leaning, Verdict
    from ackclock.studies.results import Results, Spot


@dataclass(frozen=True)
class Points(Effect):
    """An effect on a share, in percentage points."""

    def describe(self) -> str:
        """Say how the question is answered."""
        return (
            super()
            .describe()
            .replace(words(self.response), f"{words(self.response)}, in percentage points,", 1)
        )

    def weigh(self, results: Results, claimed: Range | None = None) -> list[Evidence]:
        """Return the interval of the paired difference at each setting, from −100 to 100 points."""
        pairs = self.pairs(results)
        both = [
            [a.values[seed] - b.values[seed] for seed in a.values if seed in b.values]
            for a, b in pairs
        ]
        means = [
            bounded(estimate, -1.0, 1.0) for estimate in estimates(both, confidence_of(len(pairs)))
        ]
        names = spot_names([a for a, _ in pairs], (self.axis,))
        return [
            (claimed or Range()).evidence(name, mean, mean.mean, "%")
            for name, mean in zip(names, means, strict=True)
        ]


def _any(a: Spot, b: Spot) -> bool:
    """Return whether any run of either has a value other than zero."""
    return any(a.values.values()) or any(b.values.values())


@dataclass(frozen=True)
class Below(Pairing):
    """`value` gives less than `base`: their paired difference is below zero.

    The difference is in percentage points, or of correlations.
    """

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return (
            f"{words(self.response)} of {quoted(self.value)} less that of "
            f"{quoted(self.base)}{self.where} is below zero, paired by seed, at every setting, "
            "each interval of 1 − 5 %/k confidence for k settings; nothing to judge where neither "
            "has any"
        )

    def judge(self, results: Results) -> Verdict:
        """Judge each setting by its interval."""
        pairs = self.pairs(results)
        both = [
            [a.values[seed] - b.values[seed] for seed in a.values if seed in b.values]
            for a, b in pairs
        ]
        least, most = results.limits(self.experiment, self.response)
        means = [
            bounded(estimate, least - most, most - least)
            for estimate in estimates(both, confidence_of(len(pairs)))
        ]
        unit = results.shown_unit(self.experiment, self.response)
        evidence = []
        for name, mean, (a, b) in zip(
            spot_names([a for a, _ in pairs], (self.axis,)), means, pairs, strict=True
        ):
            leaning: Leaning = (
                Range(highest=0.0).leaning(mean.low, mean.high) if _any(a, b) else "tie"
            )
            evidence.append(
                Evidence(name, leaning, mean.mean, mean.low, mean.high, unit, mean.n, mean.why)
            )
        return verdict_of(capital(words(self.response)), evidence, self.left_out(results))


@dataclass(frozen=True)
class LevelsOff(Change):
    """`value` and `base` differ by at most a margin, if any run of either is above zero."""

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return f"{super().describe()}; nothing to judge where no run of either has any"

    def weigh(self, results: Results, claimed: Range | None = None) -> list[Evidence]:
        """Return the evidence of each setting, as for a change; a setting of zeros is a tie."""
        intervals = super().weigh(results, claimed)
        return [
            interval if _any(*pair) else replace(interval, leaning="tie")
            for interval, pair in zip(intervals, self.pairs(results), strict=True)
        ]


def levels_off(
    experiment: str, response: str, axis: str, value: int, base: int, *, margin: float
) -> LevelsOff:
    """Judge that `value` and `base` differ by at most a margin, if they are not all zero.

    The margin is a share of the base's mean.
    """
    return LevelsOff(experiment, response, axis, value, base, lowest=-margin, highest=margin)
