"""Delays that vary from packet to packet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from ackclock.scenario.distributions import TimeOrDistribution, time_distribution
from ackclock.scenario.impairment.base import Correlation, Impairment
from ackclock.scenario.table import short_form

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import JitterImpairmentPlan

__all__ = ["Jitter", "JitterTable"]


class JitterTable(Impairment):
    """Every packet takes a random time longer."""

    distribution: TimeOrDistribution
    """Time added to the link's delay, such as "normal(5ms, 2ms)"."""
    correlation: Correlation = 0.0
    """Correlation of each packet's added time with that of the packet before."""
    reorder: bool = False
    """Whether packets may overtake others, as in netem; otherwise order is kept."""

    def plan(self, folder: Path | None) -> JitterImpairmentPlan:
        """See `Impairment.plan`."""
        return {
            "kind": "jitter",
            "delay": time_distribution(self.distribution, folder),
            "correlation": float(self.correlation),
            "reorder": self.reorder,
        }


Jitter = Annotated[
    JitterTable, short_form("distribution", str, schema=TimeOrDistribution | JitterTable)
]
