"""A response grows slower along an axis with one setting than with another."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import words
from ackclock.stats import differences
from ackclock.studies.criteria.pairing import Pairing, weighed_difference
from ackclock.studies.criteria.phrases import by_words
from ackclock.studies.weighing import Range, confidence_of, quoted, verdict_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results, Spot

__all__ = ["Growth"]


@dataclass(frozen=True)
class Growth(Pairing):
    """The response grows slower along an axis of numbers with `value` than with `base`.

    Slopes are those of least squares, paired by seed.
    """

    along: str = ""
    by: float = 0.0
    """Smallest difference, as a share of the base's slope."""

    def describe(self) -> str:
        """Return the rule in a sentence."""
        return (
            f"{words(self.response)} of {quoted(self.value)} grows{by_words(self.by)} slower over "
            f"{words(self.along)} than that of {quoted(self.base)}: slope of a line through each "
            f"seed's runs (least squares), paired by seed, 95 % confidence{self.where}"
        )

    def judge(self, results: Results) -> Verdict:
        """Judge the difference of slopes by its interval."""
        numbers = results.numbers(self.experiment, self.along)
        pairs = self.pairs(results)
        ours, base = (self._slopes([pair[which] for pair in pairs], numbers) for which in (0, 1))
        seeds = [seed for seed in ours if seed in base]
        a, b = [ours[seed] for seed in seeds], [base[seed] for seed in seeds]
        subject = f"Slope of {words(self.response)} over {self.along}"
        if not seeds:
            one_only = [f"all but one value of {self.along}"] if len(pairs) == 1 else []
            return verdict_of(subject, [], self.left_out(results) or one_only)
        difference = differences([(a, b)], confidence_of(1))[0]
        evidence = weighed_difference("", difference, b, Range(highest=-self.by))
        verdict = verdict_of(subject, [evidence])
        means = {
            name: math.fsum(slopes) / len(slopes)
            for name, slopes in (("slope", a), ("base_slope", b))
        }
        return replace(verdict, figures={**verdict.figures, **means})

    def _slopes(self, spots: Sequence[Spot], numbers: Mapping[Any, float]) -> dict[int, float]:
        import numpy as np

        seeds = set.intersection(*(set(spot.values) for spot in spots)) if spots else set()
        x = [numbers[spot.labels[self.along]] for spot in spots]
        return (
            {
                seed: float(np.polyfit(x, [spot.values[seed] for spot in spots], 1)[0])
                for seed in sorted(seeds)
            }
            if len(x) > 1
            else {}
        )
