"""Short flows that arrive at random."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from ackclock.scenario.app.base import Session
from ackclock.scenario.app.load import Connections, Load, interval_plan, only_one
from ackclock.scenario.distributions import (
    SizeOrDistribution,
    TimeOrDistribution,
    mean_of,
    size_distribution,
)

if TYPE_CHECKING:
    from ackclock.core_types.plan import ShortFlowsSessionAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["ShortFlows"]


class ShortFlows(Session):
    """Files that arrive independently of one another, each over its own connection.

    Every file is a row of transfers.parquet.
    """

    kind: Literal["short-flows"]
    """Name of the application."""
    size: SizeOrDistribution
    """Size of each file, such as "pareto(3kB, 1.2) between 3kB and 10MB" or "cdf(sizes.cdf)"."""
    load: Load = None
    """Poisson arrivals that offer this load to the slowest link of the path; 0.5: half its rate."""
    interval: TimeOrDistribution | None = None
    """Time between arrivals in place of load, such as "exponential(10ms)"."""
    files: int | None = Field(default=None, ge=1)
    """Number of files (default: until the flow stops or the run ends)."""
    pool: Connections = Field(default=200, alias="connections")
    """Most connections open at once; a file that finds none free waits, and the run warns."""

    @model_validator(mode="after")
    def _one_rate(self) -> ShortFlows:
        only_one(self.load, self.interval, "interval", "exponential(10ms)", is_needed=True)
        return self

    def connections(self) -> int:
        """See `Session.connections`."""
        return self.pool

    def plan(self, place: Place) -> ShortFlowsSessionAppPlan:
        """See `Session.plan`."""
        size = size_distribution(self.size, place.folder)
        return {
            "kind": "short-flows",
            "interval": interval_plan(self.load, self.interval, "interval", mean_of(size), place),
            "size": size,
            "count": self.files,
        }
