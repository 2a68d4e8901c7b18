"""Differences of shares in percentage points: where next to nothing is lost, a share of that says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.plot.sweep.scale import words
from ackclock.stats import bounded, estimates
from ackclock.studies.claim import Evidence
from ackclock.studies.criteria import Effect
from ackclock.studies.weighing import Range, confidence_of, spot_names

if TYPE_CHECKING:
    from ackclock.studies.results import Results

__all__ = ["Points"]


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
