"""One setting gives less, more, or as much as another."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ackclock.plot_data.sweep.scale import words
from ackclock.studies.criteria.pairing import Pairing
from ackclock.studies.criteria.phrases import ALL, by_words, censored_words
from ackclock.studies.weighing import Range, capital, percent, quoted, signed, verdict_of
from ackclock.tables.quantities import quantity

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.studies.claim import Evidence, Verdict
    from ackclock.studies.results import Results

__all__ = ["Change", "greater", "less", "no_more", "same"]


@dataclass(frozen=True)
class Change(Pairing):
    """The paired change of `value` from `base`, as a share of the base's mean, lies in a range.

    Made by `less`, `greater`, ...
    """

    lowest: float = -math.inf
    highest: float = math.inf
    floor: float = field(default=0.0, kw_only=True)
    """In the response's unit. If no run of either setting exceeds it, there is nothing to judge."""
    unit: str = field(default="", kw_only=True)
    """Unit of the floor, for a response with a name of its own; a metric's unit is known."""

    def describe(self) -> str:
        """Return the rule in a sentence."""
        who, base = f"{words(self.response)} of {quoted(self.value)}", quoted(self.base)
        if self.lowest == -math.inf and self.highest > 0:
            said = f"{who} is no more than {percent(self.highest)} above that of {base}"
        elif self.lowest == -math.inf:
            said = f"{who} is{by_words(-self.highest)} less than that of {base}"
        elif self.highest == math.inf and self.lowest < 0:
            said = f"{who} is no more than {percent(-self.lowest)} below that of {base}"
        elif self.highest == math.inf:
            said = f"{who} is{by_words(self.lowest)} greater than that of {base}"
        else:
            said = (
                f"{who} is between {signed(self.lowest)} and {signed(self.highest)} of that of "
                f"{base}"
            )
        floor = (
            "; nothing to judge where no run of either has more than "
            f"{quantity(self.floor, self.unit or '1', 3)}"
            if self.floor
            else ""
        )
        return f"{said}{self.where}, paired by seed, {ALL}{floor}{censored_words(self.censored_at)}"

    def judge(self, results: Results) -> Verdict:
        """Weigh each setting of the other axes."""
        weighed = self.weigh(results, Range(self.lowest, self.highest))
        return verdict_of(capital(words(self.response)), weighed, self.left_out(results))

    def weigh(self, results: Results, claimed: Range | None = None) -> list[Evidence]:
        """Return the evidence of each setting; a setting at the floor is a tie."""
        evidence = super().weigh(results, claimed)
        if results.limits(self.experiment, self.response)[0] != 0.0:
            return evidence
        own = Range(self.lowest, self.highest)
        at_floor = [
            bool(a.values)
            and bool(b.values)
            and own.at_floor(max(*a.values.values(), *b.values.values(), 0.0), self.floor)
            for a, b in self.pairs(results)
        ]
        return [
            replace(piece, leaning="tie") if low else piece
            for piece, low in zip(evidence, at_floor, strict=True)
        ]


def less(
    experiment: str,
    response: str,
    axis: str,
    value: Any,
    base: Any,
    *,
    by: float = 0.0,
    at: Mapping[str, Any] | None = None,
    floor: float = 0.0,
    censored_at: float | None = None,
) -> Change:
    """Judge that `value` gives less than `base`, by at least a share of the base's mean."""
    return Change(
        experiment,
        response,
        axis,
        value,
        base,
        at or {},
        highest=-by,
        floor=floor,
        censored_at=censored_at,
    )


def greater(
    experiment: str,
    response: str,
    axis: str,
    value: Any,
    base: Any,
    *,
    by: float = 0.0,
    at: Mapping[str, Any] | None = None,
    floor: float = 0.0,
    censored_at: float | None = None,
) -> Change:
    """Judge that `value` gives more than `base`, by at least a share of the base's mean."""
    return Change(
        experiment,
        response,
        axis,
        value,
        base,
        at or {},
        lowest=by,
        floor=floor,
        censored_at=censored_at,
    )


def no_more(
    experiment: str,
    response: str,
    axis: str,
    value: Any,
    base: Any,
    *,
    margin: float,
    at: Mapping[str, Any] | None = None,
    censored_at: float | None = None,
) -> Change:
    """Judge that `value` gives at most a tolerable margin more than `base` ("no worse")."""
    return Change(
        experiment, response, axis, value, base, at or {}, highest=margin, censored_at=censored_at
    )


def same(
    experiment: str,
    response: str,
    axis: str,
    value: Any,
    base: Any,
    *,
    margin: float,
    at: Mapping[str, Any] | None = None,
) -> Change:
    """Judge that `value` and `base` differ by at most a margin, a share of the base's mean."""
    return Change(experiment, response, axis, value, base, at or {}, lowest=-margin, highest=margin)
