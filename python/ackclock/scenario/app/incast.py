"""Incast: many servers answer one client at the same moment."""

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
from ackclock.scenario.quantities import Size, size_bytes

if TYPE_CHECKING:
    from ackclock.core_types.plan import IncastSessionAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["Incast"]


class Incast(Session):
    """Servers that answer one client at the same moment, round after round: `count` flows alike.

    Every response is a row of transfers.parquet, and so is every round, under the first flow.
    """

    kind: Literal["incast"]
    """Name of the application."""
    size: SizeOrDistribution
    """Size of each server's response, such as "64kB", or a distribution."""
    request: Size = "100 bytes"
    """Size of the request to each server."""
    server: TimeOrDistribution = "0s"
    """Time that a server takes before it answers, or a distribution; jitter eases incast."""
    gap: TimeOrDistribution = "0s"
    """Pause between the end of a round and the next, or a distribution."""
    rounds: int | None = Field(default=None, ge=1)
    """Number of rounds (default: until the flow stops or the run ends)."""
    persistent: bool = True
    """Whether connections, and so their windows, stay from round to round, as in DCTCP's benchmark.
    """

    def request_connections(self) -> int:
        """See `Session.request_connections`."""
        return 1

    def plan(self, place: Place) -> IncastSessionAppPlan:
        """See `Session.plan`."""
        return {
            "kind": "incast",
            "group": place.key,
            "request_bytes": size_bytes(self.request),
            "response": size_distribution(self.size, place.folder),
            "server": time_distribution(self.server, place.folder),
            "gap": time_distribution(self.gap, place.folder),
            "count": self.rounds,
            "persistent": self.persistent,
        }
