"""Delays that vary from packet to packet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from ackclock.scenario.distributions import TimeOrDistribution, time_distribution
from ackclock.scenario.impairment.base import Correlation, Impairment, short_form

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Jitter", "JitterTable"]


class JitterTable(Impairment):
    """Every packet takes a random time longer."""

    distribution: TimeOrDistribution
    """What is added to the link's delay, such as "normal(5ms, 2ms)"."""
    correlation: Correlation = 0.0
    """Of each packet's with that of the packet before."""
    reorder: bool = False
    """Whether packets may overtake others, as netem lets them; otherwise none arrives before its predecessor."""

    def plan(self, folder: Path | None) -> dict[str, Any]:
        """See `Impairment.plan`."""
        delay = time_distribution(self.distribution, folder)
        return {"kind": "jitter", "delay": delay, "correlation": float(self.correlation), "reorder": self.reorder}


Jitter = Annotated[JitterTable, short_form("distribution", str)]
