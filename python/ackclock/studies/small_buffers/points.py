"""Differences of shares in percentage points: where next to nothing is lost, a share of that says nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.plot.sweep.scale import words
from ackclock.stats import differences
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
        """An interval for each setting, of the paired difference itself."""
        pairs = self.pairs(results)
        both = [tuple([spot.values[seed] for seed in a.values if seed in b.values] for spot in (a, b)) for a, b in pairs]
        found = differences([(a, b) for a, b in both], confidence_of(len(pairs)))
        names = spot_names([a for a, _ in pairs], (self.axis,))
        return [
            Evidence(name, (claimed or Range()).leaning(one.low, one.high), one.difference, one.low, one.high, "%", one.n, one.why)
            for name, one in zip(names, found, strict=True)
        ]
