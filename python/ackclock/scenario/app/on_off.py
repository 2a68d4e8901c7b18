"""Bursts and silence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ackclock.messages import shown
from ackclock.scenario.app.base import Transfer
from ackclock.scenario.distributions import TimeOrDistribution, mean_of, time_distribution
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.quantities import Rate, Size, rate_bps, size_bytes

if TYPE_CHECKING:
    from ackclock.core_types.plan import OnOffAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["OnOff"]


class OnOff(Transfer):
    """Bursts and silences in turn over one connection, a burst first."""

    kind: Literal["on-off"]
    """Name of the application."""
    on: TimeOrDistribution
    """Length of a burst, such as "pareto(200ms, 1.5)"."""
    off: TimeOrDistribution
    """Length of a silence."""
    rate: Rate | Literal["unlimited"] = "unlimited"
    """Payload written during a burst, such as "2Mbit/s"; "unlimited": as much as can be sent."""
    write: Size | None = None
    """Size of each write (default: one segment)."""

    def plan(self, place: Place) -> OnOffAppPlan:
        """See `Transfer.plan`."""
        on = time_distribution(self.on, place.folder)
        if mean_of(on) <= 0.0:
            raise ScenarioError(
                f"{shown(self.on)}: a burst takes time", key=f"{place.key}.on", value=self.on
            )
        return {
            "kind": "on-off",
            "on": on,
            "off": time_distribution(self.off, place.folder),
            "rate_bps": None if self.rate == "unlimited" else rate_bps(self.rate),
            "write_bytes": place.mss if self.write is None else size_bytes(self.write),
            "stream": place.stream,
        }
