"""A judgement: a figure of a case, its reference, and the outcome."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, NamedTuple

from ackclock.stats.intervals import mean_and_deviation

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["Judgement", "Kind", "Span", "mean_of"]

Kind = Literal["within", "beyond", "better", "undecided", "tie", "shown"]
"""Outcome of a judgement.

"within": no farther from the reference than the margin. "beyond": farther, on the bad side where
the figure has one. "better": farther on the good side. "undecided": more seeds would decide.
"tie": both sides are at the floor or ceiling of the figure, so that neither can be better.
"shown": nothing judges the figure.
"""


class Span(NamedTuple):
    """A mean with the ends of its interval."""

    mean: float
    low: float
    high: float

    @property
    def half_width(self) -> float:
        """Half of the interval, which lies evenly about the mean."""
        return self.high - self.mean


def mean_of(values: tuple[float, ...]) -> float | None:
    """Mean of some runs' values, with its sum rounded once; None without any."""
    return mean_and_deviation(values)[0] if values else None


@dataclass(frozen=True, kw_only=True)
class Judgement:
    """One figure in one case.

    Examples
    --------
    >>> one = Judgement(case="2 flows", figure="goodput", unit="bit/s", kind="within",
    ...     values=(9e6, 9.2e6), references={"reno": (8e6, 8.2e6)}, against="reno")
    >>> one.mean, one.reference_mean, one.is_ok
    (9100000.0, 8100000.0, True)
    """

    case: str
    """Name of the case: a cell, a scenario, a claim."""
    figure: str
    """Name of the figure."""
    unit: str
    kind: Kind
    rule: str = ""
    """Name of the rule that judged, where a result has several."""
    values: tuple[float, ...] = ()
    """The figure in each run, by seed."""
    references: Mapping[str, tuple[float, ...]] = field(default_factory=dict)
    """The figure in the runs of each reference, by its name."""
    against: str | None = None
    """Name of the reference that decided; None: bounds or nothing did."""
    low: float | None = None
    """Smallest mean that is within; None: no such end."""
    high: float | None = None
    """Largest mean that is within; None: no such end."""
    margin: float | None = None
    """Margin at the deciding reference, in `unit`."""
    difference: Span | None = None
    """Mean difference to the deciding reference with its 95 % interval; for `beside` positive
    where the figure is worse.
    """
    p: float | None = None
    """Probability of such a finding by chance, adjusted for its family; None: not computed."""
    counts: tuple[int, int] | None = None
    """Of a rule that counts runs: those with the event here, and beside the reference."""
    seeds_wanted: int | None = None
    """Number of seeds that a verdict would take, where none was possible."""
    more_is_better: bool = False
    own: bool = False
    """Whether the figure tells what the subject itself suffers: reported, and never a finding."""
    why: str = ""
    """Explanation, if the numbers alone do not explain the outcome."""

    @property
    def is_ok(self) -> bool:
        """Whether the figure is not beyond its margin."""
        return self.kind != "beyond"

    @property
    def mean(self) -> float | None:
        """Mean over the runs; None without any."""
        return mean_of(self.values)

    def mean_of(self, reference: str) -> float | None:
        """Mean over the runs of a reference; None without any."""
        return mean_of(self.references.get(reference, ()))

    @property
    def reference_mean(self) -> float | None:
        """Mean of the reference that decided; None without one."""
        return None if self.against is None else self.mean_of(self.against)

    @property
    def excess(self) -> float:
        """Difference over the margin; above 1 the figure is beyond it."""
        if self.difference is None or self.margin is None:
            return -math.inf
        return self.difference.mean / self.margin if self.margin else math.inf

    @property
    def deviation(self) -> float | None:
        """Difference of the means over the allowed one, on its side: from -1 to 1 it is within.

        None without ends, or without a value on one side.
        """
        before, now = self.reference_mean, self.mean
        if self.low is None or self.high is None or before is None or now is None:
            return None
        off = now - before
        room = self.high - before if off > 0 else before - self.low
        return 0.0 if off == 0 else off / room if room > 0 else math.inf

    @property
    def is_one_run(self) -> bool:
        """Whether all seeds gave one value, so that nothing in the case is left to chance."""
        return len(self.values) > 1 and min(self.values) == max(self.values)
