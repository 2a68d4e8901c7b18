"""Arrivals, given by their times or by the load that they offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import Field

from ackclock.scenario.distributions import mean_of, time_distribution
from ackclock.scenario.errors import ScenarioError, problem, shown

if TYPE_CHECKING:
    from ackclock.scenario.app.place import Place

__all__ = ["Connections", "Load", "interval_plan", "offered_bits", "only_one"]

Load = Annotated[float | None, Field(gt=0.0, le=10.0)]
Connections = Annotated[int, Field(ge=1, le=10_000)]


def only_one(load: float | None, interval: str | None, name: str, example: str, *, is_needed: bool) -> None:
    """Raise a problem unless one of both is given, or none where none is needed."""
    if load is not None and interval is not None:
        raise problem(f"load and {name} both say how often they arrive: leave one out", key="load")
    if is_needed and load is None and interval is None:
        raise problem(f"missing: write load, such as 0.5, or {name}, such as '{example}'", key="load")


def offered_bits(mean_bytes: float, mss: int, header: int) -> float:
    """What so many bytes of payload are on a link, in bits: each full segment has its header."""
    return 8.0 * mean_bytes * (mss + header) / mss


def interval_plan(load: float | None, interval: str | None, name: str, mean_bytes: float, place: Place) -> dict[str, Any]:
    """The time between arrivals that bring `mean_bytes` each: exponential with the mean that offers the load, or as given."""
    if load is None:
        given = time_distribution(str(interval), place.folder)
        if mean_of(given) <= 0.0:
            raise ScenarioError(f"{shown(interval)}: all would arrive at once", key=f"{place.key}.{name}", value=interval)
        return given
    if place.slowest_bps is None:
        raise ScenarioError(
            f"{load}: no link of the path has a rate to be loaded; write {name} instead", key=f"{place.key}.load", value=load
        )
    return {"kind": "exponential", "mean": offered_bits(mean_bytes, place.mss, place.header) / (load * place.slowest_bps)}
