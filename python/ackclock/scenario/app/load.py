"""Arrivals, given by the time between them or by the load that they offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field

from ackclock.messages import shown
from ackclock.scenario.distributions import mean_of, time_distribution
from ackclock.scenario.errors import ScenarioError, problem

if TYPE_CHECKING:
    from ackclock.core_types.plan import Distribution
    from ackclock.scenario.app.place import Place

__all__ = ["Connections", "Load", "interval_plan", "offered_bits", "only_one"]

Load = Annotated[float | None, Field(gt=0.0, le=10.0)]
Connections = Annotated[int, Field(ge=1, le=10_000)]


def only_one(
    load: float | None, interval: str | None, name: str, example: str, *, is_needed: bool
) -> None:
    """Raise a problem if load and interval are both given, or both missing though needed."""
    if load is not None and interval is not None:
        raise problem(f"load and {name} both say how often they arrive: leave one out", key="load")
    if is_needed and load is None and interval is None:
        raise problem(
            f"missing: write load, such as 0.5, or {name}, such as '{example}'",
            key="load",
            kind="missing",
        )


def offered_bits(mean_bytes: float, mss: int, header: int) -> float:
    """Bits on a link for `mean_bytes` of payload, with a header for each full segment."""
    return 8.0 * mean_bytes * (mss + header) / mss


def interval_plan(
    load: float | None, interval: str | None, name: str, mean_bytes: float, place: Place
) -> Distribution:
    """The time between arrivals of `mean_bytes`: `interval`, or exponential to offer `load`."""
    if load is None:
        given = time_distribution(str(interval), place.folder)
        if mean_of(given) <= 0.0:
            raise ScenarioError(
                f"{shown(interval)}: all would arrive at once",
                key=f"{place.key}.{name}",
                value=interval,
            )
        return given
    if place.slowest_bps is None:
        raise ScenarioError(
            f"{load}: no link of the path has a rate to be loaded; write {name} instead",
            key=f"{place.key}.load",
            value=load,
        )
    return {
        "kind": "exponential",
        "mean": offered_bits(mean_bytes, place.mss, place.header) / (load * place.slowest_bps),
    }
