"""What `ackclock compare` varies when the command line does not say it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from ackclock.scenario.flows import CongestionControl
from ackclock.scenario.table import Table

__all__ = ["Compare"]


class Compare(Table):
    """A comparison: every algorithm, at every value of what varies, with the same seeds."""

    cc: Annotated[list[CongestionControl], Field(min_length=1)] | None = None
    """Algorithms to compare; the first is the one that the others are compared with (default: the scenario as it is)."""
    flows: list[str] | None = None
    """Entries of [[flows]], by name, whose algorithm is replaced (default: all)."""
    along: dict[str, Annotated[list[Any], Field(min_length=1)]] = Field(default_factory=dict)
    """Keys of the scenario, dotted as for --set, with the values that each takes."""
    seeds: int = Field(default=1, ge=1, le=100_000)
    """Number of seeds: the scenario's seed and those that follow it, the same for every algorithm."""
    metric: str | None = None
    """Metric that the table shows."""
