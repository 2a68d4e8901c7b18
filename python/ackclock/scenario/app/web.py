"""Web pages."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from ackclock.scenario.app.base import Session
from ackclock.scenario.app.load import Connections, Load, interval_plan, only_one
from ackclock.scenario.distributions import (
    CountOrDistribution,
    SizeOrDistribution,
    TimeOrDistribution,
    count_distribution,
    mean_of,
    size_distribution,
    time_distribution,
)
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import Size, Time, size_bytes, time_ps

if TYPE_CHECKING:
    from ackclock.core_types.plan import Distribution, PersistentPlan, WebSessionAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["Web"]

# Number of embedded objects in the 3GPP2, NGMN and IEEE 802.16m evaluation methodologies: Pareto
# from 2 with the shape 1.1, cut off at 55, minus 2. The mean is 5.64.
_SHAPE, _SCALE, _MOST = 1.1, 2, 53


def _objects_3gpp() -> Distribution:
    """The number of objects as a distribution function that rises at whole numbers only."""
    points: list[list[float]] = []
    before = 0.0
    for number in range(_MOST + 1):
        up_to = 1.0 if number == _MOST else 1.0 - (_SCALE / (number + _SCALE + 0.5)) ** _SHAPE
        points += [[float(number), before], [float(number), up_to]]
        before = up_to
    return {"kind": "cdf", "points": points}


class Web(Session):
    """Users that load pages and read them: a main object, then embedded objects in parallel.

    Objects and pages are rows of transfers.parquet.
    """

    kind: Literal["web"]
    """Name of the application."""
    load: Load = None
    """Poisson arrivals of users that offer this load to the slowest link; 0.5: half its rate."""
    arrivals: TimeOrDistribution | None = None
    """Time between users in place of load, "exponential(200ms)" (default: one user from the start).
    """
    pages: CountOrDistribution | None = None
    """Pages of each user (default: 1 if users arrive, else until the flow or the run ends)."""
    main: SizeOrDistribution = "lognormal(4316 bytes, 1.37) between 100 bytes and 2MB"
    """Size of a page's main object (default: 3GPP's, mean 11 kB)."""
    embedded: SizeOrDistribution = "lognormal(478 bytes, 2.36) between 50 bytes and 2MB"
    """Size of each embedded object (default: 3GPP's, mean 8 kB)."""
    objects: CountOrDistribution | None = None
    """Number of embedded objects, rounded (default: 3GPP's, Pareto with mean 5.6, at most 53)."""
    parsing: TimeOrDistribution = "exponential(130ms)"
    """Time from the end of the main object to the first requests for embedded objects."""
    reading: TimeOrDistribution = "exponential(30s)"
    """Time from a page to the user's next page."""
    parallel: int = Field(default=6, ge=1, le=1000)
    """Most connections that a user has open at once."""
    persistent: bool = False
    """Whether connections stay open (HTTP/1.1), or each object has its own (HTTP/1.0)."""
    request: Size = "350 bytes"
    """Size of a request over a persistent connection."""
    keep_alive: Time = "5s"
    """Time after a page until idle persistent connections close; they also close when users leave.
    """
    pool: Connections | None = Field(default=None, alias="connections")
    """Most connections of all users together (default: 200 if users arrive, else `parallel`).

    An object that finds none free waits, and the run warns.
    """

    @model_validator(mode="after")
    def _one_rate(self) -> Web:
        only_one(self.load, self.arrivals, "arrivals", "exponential(200ms)", is_needed=False)
        if self.pool is not None and self.pool < self.parallel:
            raise problem(
                f"{self.pool} is less than the {self.parallel} that one user may have open "
                "(parallel)",
                key="connections",
            )
        return self

    @property
    def _has_arrivals(self) -> bool:
        return self.load is not None or self.arrivals is not None

    def connections(self) -> int:
        """See `Session.connections`."""
        if self.pool is not None:
            return self.pool
        return max(200, self.parallel) if self._has_arrivals else self.parallel

    def request_connections(self) -> int:
        """See `Session.request_connections`."""
        return self.connections() if self.persistent else 0

    def plan(self, place: Place) -> WebSessionAppPlan:
        """See `Session.plan`."""
        main, embedded = (
            size_distribution(self.main, place.folder),
            size_distribution(self.embedded, place.folder),
        )
        objects = (
            _objects_3gpp()
            if self.objects is None
            else count_distribution(self.objects, place.folder)
        )
        pages = (
            None
            if self.pages is None and not self._has_arrivals
            else count_distribution(self.pages or "1", place.folder)
        )
        arrivals = None
        if pages is not None and self._has_arrivals:
            mean = mean_of(pages) * (mean_of(main) + mean_of(objects) * mean_of(embedded))
            arrivals = interval_plan(self.load, self.arrivals, "arrivals", mean, place)
        persistent: PersistentPlan = {
            "request_bytes": size_bytes(self.request),
            "keep_alive_ps": time_ps(self.keep_alive),
        }
        return {
            "kind": "web",
            "main": main,
            "embedded": embedded,
            "objects": objects,
            "parsing": time_distribution(self.parsing, place.folder),
            "reading": time_distribution(self.reading, place.folder),
            "pages": pages,
            "arrivals": arrivals,
            "parallel": self.parallel,
            "persistent": persistent if self.persistent else None,
        }
