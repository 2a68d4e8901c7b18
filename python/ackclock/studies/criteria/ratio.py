"""Criteria on the ratio of two means: of two settings, or of two responses of the same runs."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import words
from ackclock.stats import changes_of_means
from ackclock.studies.claim import Evidence
from ackclock.studies.criteria.level import ends_words
from ackclock.studies.criteria.pairing import Pairing
from ackclock.studies.criteria.phrases import ALL, censored_words, held_words
from ackclock.studies.weighing import Range, capital, confidence_of, quoted, spot_names, verdict_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.stats import Change
    from ackclock.studies.claim import Verdict
    from ackclock.studies.results import Results

__all__ = ["Ratio", "RatioOf"]

_SCALE = f"paired by seed, on a log scale, {ALL}"


@dataclass(frozen=True)
class Ratio(Pairing):
    """The mean of `value` over the mean of `base` lies in a range, such as 13 times."""

    lowest: float = 0.0
    highest: float = math.inf

    def describe(self) -> str:
        """Return the rule in a sentence."""
        ends = _ends(self.lowest, self.highest)
        return (
            f"mean {words(self.response)} of {quoted(self.value)} over that of {quoted(self.base)} "
            f"is {ends}{self.where}, {_SCALE}{censored_words(self.censored_at)}"
        )

    def judge(self, results: Results) -> Verdict:
        """Weigh each setting of the other axes."""
        pairs = self.pairs(results)
        seeds = [[seed for seed in a.values if seed in b.values] for a, b in pairs]
        values = [
            ([a.values[seed] for seed in both], [b.values[seed] for seed in both])
            for (a, b), both in zip(pairs, seeds, strict=True)
        ]
        names = spot_names([a for a, _ in pairs], (self.axis,))
        subject = (
            f"{capital(words(self.response))} of {quoted(self.value)} over that of "
            f"{quoted(self.base)}"
        )
        return verdict_of(
            subject,
            _weighed(names, values, Range(self.lowest, self.highest)),
            self.left_out(results),
        )


@dataclass(frozen=True)
class RatioOf:
    """The mean of one response over the mean of another of the same runs lies in a range."""

    experiment: str
    over: str
    """The response in the numerator."""
    under: str
    """The response in the denominator, in the same unit."""
    lowest: float = 0.0
    highest: float = math.inf
    at: Mapping[str, Any] = field(default_factory=dict)

    @property
    def experiments(self) -> tuple[str, ...]:
        """Return the name of the experiment."""
        return (self.experiment,)

    def describe(self) -> str:
        """Return the rule in a sentence."""
        ends = _ends(self.lowest, self.highest)
        return (
            f"mean {words(self.over)} over mean {words(self.under)} is "
            f"{ends}{held_words(self.at)}, {_SCALE}"
        )

    def judge(self, results: Results) -> Verdict:
        """Judge each setting by its interval."""
        above, below = (
            results.spots(self.experiment, name, self.at) for name in (self.over, self.under)
        )
        values = [
            (
                [a.values[seed] for seed in a.values if seed in b.values],
                [b.values[seed] for seed in a.values if seed in b.values],
            )
            for a, b in zip(above, below, strict=True)
        ]
        evidence = _weighed(spot_names(above), values, Range(self.lowest, self.highest))
        subject = f"{capital(words(self.over))} over {words(self.under)}"
        return verdict_of(subject, evidence, results.left_out(self.experiment, self.at))


def _ends(lowest: float, highest: float) -> str:
    return ends_words(lowest if lowest > 0.0 else -math.inf, highest, "1")


def _weighed(
    names: Sequence[str], values: Sequence[tuple[list[float], list[float]]], claimed: Range
) -> list[Evidence]:
    changes = changes_of_means(values, confidence_of(len(values)))
    return [_evidence(name, change, claimed) for name, change in zip(names, changes, strict=True)]


def _evidence(name: str, change: Change, claimed: Range) -> Evidence:
    value, low, high = (
        None if number is None else number + 1.0
        for number in (change.change, change.low, change.high)
    )
    return Evidence(name, claimed.leaning(low, high), value, low, high, "1", change.n, change.why)
