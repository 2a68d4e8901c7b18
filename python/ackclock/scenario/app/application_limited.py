"""A steady rate below what the network could carry."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ackclock.scenario.app.base import Transfer
from ackclock.scenario.quantities import PositiveTime, Rate, rate_bps, time_ps

if TYPE_CHECKING:
    from ackclock.core_types.plan import ApplicationLimitedAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["ApplicationLimited"]


class ApplicationLimited(Transfer):
    """Writes at a steady rate, until the flow stops or the run ends."""

    kind: Literal["application-limited"]
    """Name of the application."""
    rate: Rate
    """Payload written, such as "2Mbit/s"."""
    every: PositiveTime = "20ms"
    """Time between writes; each write has the bytes that the rate gives in that time."""

    def plan(self, place: Place) -> ApplicationLimitedAppPlan:  # noqa: ARG002
        """See `Transfer.plan`."""
        return {
            "kind": "application-limited",
            "rate_bps": rate_bps(self.rate),
            "every_ps": time_ps(self.every),
        }
