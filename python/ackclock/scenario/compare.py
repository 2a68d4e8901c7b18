"""The table of a comparison, for `ackclock compare` without options of its own."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field

from ackclock.messages import shown
from ackclock.scenario.engine import EngineText
from ackclock.scenario.errors import problem
from ackclock.scenario.flows import CongestionControl
from ackclock.scenario.starts import StartChoice
from ackclock.scenario.sweep import Stop
from ackclock.scenario.table import Table

__all__ = ["Compare"]


def _check_value(value: Any) -> Any:
    if not isinstance(value, str | int | float | list | dict):
        raise problem(f"{shown(value)} is not a value that a scenario can have")
    return value


class Compare(Table):
    """A comparison: every algorithm, at every value of what varies, with the same seeds."""

    cc: Annotated[list[CongestionControl], Field(min_length=1)] | None = None
    """Algorithms to compare; the first is the baseline (default: the scenario as it is)."""
    flows: list[str] | None = None
    """Entries of [[flows]], by name, whose algorithm is replaced (default: all)."""
    along: dict[
        str, Annotated[list[Annotated[Any, BeforeValidator(_check_value)]], Field(min_length=1)]
    ] = Field(default_factory=dict)
    """Keys of the scenario, dotted as for --set, each with its values."""
    seeds: int = Field(default=1, ge=1, le=100_000)
    """Number of seeds, from the scenario's seed on, the same for every algorithm."""
    on: Annotated[list[EngineText], Field(min_length=1)] | None = None
    """Engines of every variant: "sim" (default), "linux", this machine's kernel, "virtual", the
    newest of `ackclock kernel list`, or "virtual:NAME"."""
    starts: StartChoice | None = None
    """Starts of simulated flows: "fixed", as in the scenario; a time such as "40ms", the most drawn
    on top; "auto" (default): up to one base RTT on top with several seeds and no other draws.
    """
    stop: Stop | None = None
    """Rule that ends the seeds, as in a sweep; `seeds` is then the first batch (default: none)."""
    metric: str | None = None
    """Metric that the table shows (default: goodput, queueing delay, losses and fairness)."""
