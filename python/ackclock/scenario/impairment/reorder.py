"""Some packets take another way."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ackclock.scenario.distributions import TimeOrDistribution, time_distribution
from ackclock.scenario.impairment.base import Correlation, Impairment
from ackclock.scenario.probability import Probability
from ackclock.scenario.table import short_form

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import ReorderImpairmentPlan

__all__ = ["Reorder", "ReorderTable"]


class ReorderTable(Impairment):
    """Some packets skip the link's delay, as netem's do, or are late."""

    p: Probability
    """Probability of each candidate, 0 to 1, or a percentage such as "1%"."""
    gap: int = Field(default=1, ge=1)
    """First candidate after a reordered packet: 5 for the fifth (default 1: every packet)."""
    correlation: Correlation = 0.0
    """Correlation of each decision with the one before."""
    extra: TimeOrDistribution | None = None
    """Extra delay in place of none, such as "10ms" or "uniform(0ms, 10ms)"."""
    acks: bool = False
    """Whether pure ACKs count and are reordered too."""

    def plan(self, folder: Path | None) -> ReorderImpairmentPlan:
        """See `Impairment.plan`."""
        return {
            "kind": "reorder",
            "p": float(self.p),
            "gap": self.gap,
            "correlation": float(self.correlation),
            "extra": None if self.extra is None else time_distribution(self.extra, folder),
            "acks": self.acks,
        }


Reorder = Annotated[
    ReorderTable, short_form("p", int, float, str, schema=Probability | ReorderTable)
]
