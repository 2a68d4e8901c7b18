"""One file after another."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field

from ackclock.scenario.app.base import Session
from ackclock.scenario.distributions import (
    SizeOrDistribution,
    TimeOrDistribution,
    size_distribution,
    time_distribution,
)

if TYPE_CHECKING:
    from ackclock.core_types.plan import RepeatedSessionAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["Repeated"]


class Repeated(Session):
    """Files, one after another, each over its own connection and a row of transfers.parquet."""

    kind: Literal["repeated"]
    """Name of the application."""
    size: SizeOrDistribution
    """Size of each file, such as "10MB", or a distribution to draw it from."""
    think: TimeOrDistribution = "0s"
    """Pause between the end of a file and the next connection, or a distribution."""
    files: int | None = Field(default=None, ge=1)
    """Number of files (default: until the flow stops or the run ends)."""

    def plan(self, place: Place) -> RepeatedSessionAppPlan:
        """See `Session.plan`."""
        return {
            "kind": "repeated",
            "size": size_distribution(self.size, place.folder),
            "think": time_distribution(self.think, place.folder),
            "count": self.files,
        }
