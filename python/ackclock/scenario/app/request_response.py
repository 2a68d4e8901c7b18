"""Requests and responses."""

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
    from ackclock.core_types.plan import RequestResponseSessionAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["RequestResponse"]


class RequestResponse(Session):
    """Requests and responses, one at a time, over a connection that stays open.

    Every response is a row of transfers.parquet.
    """

    kind: Literal["request-response"]
    """Name of the application."""
    request: SizeOrDistribution = "100 bytes"
    """Size of a request, sent from the flow's receiver to its sender, or a distribution."""
    response: SizeOrDistribution
    """Size of a response, or a distribution."""
    server: TimeOrDistribution = "0s"
    """Time that the server takes before it answers, or a distribution."""
    think: TimeOrDistribution = "0s"
    """Pause between a response and the next request, or a distribution."""
    requests: int | None = Field(default=None, ge=1)
    """Number of requests (default: until the flow stops or the run ends)."""

    def request_connections(self) -> int:
        """See `Session.request_connections`."""
        return 1

    def plan(self, place: Place) -> RequestResponseSessionAppPlan:
        """See `Session.plan`."""
        return {
            "kind": "request-response",
            "request": size_distribution(self.request, place.folder),
            "response": size_distribution(self.response, place.folder),
            "server": time_distribution(self.server, place.folder),
            "think": time_distribution(self.think, place.folder),
            "count": self.requests,
        }
