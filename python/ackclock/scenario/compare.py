"""What `ackclock compare` varies when the command line does not say it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ackclock.scenario.errors import problem, shown
from ackclock.scenario.flows import CongestionControl
from ackclock.scenario.starts import StartChoice
from ackclock.scenario.table import Table

__all__ = ["Compare"]


def _check_value(value: Any) -> Any:
    if not isinstance(value, str | int | float | list | dict):
        raise problem(f"{shown(value)} is not a value that a scenario can have")
    return value


class Compare(Table):
    """A comparison: every algorithm, at every value of what varies, with the same seeds."""

    cc: Annotated[list[CongestionControl], Field(min_length=1)] | None = None
    """Algorithms to compare; the first is the one that the others are compared with (default: the scenario as it is)."""
    flows: list[str] | None = None
    """Entries of [[flows]], by name, whose algorithm is replaced (default: all)."""
    along: dict[str, Annotated[list[Annotated[Any, BeforeValidator(_check_value)]], Field(min_length=1)]] = Field(default_factory=dict)
    """Keys of the scenario, dotted as for --set, with the values that each takes."""
    seeds: int = Field(default=1, ge=1, le=100_000)
    """Number of seeds: the scenario's seed and those that follow it, the same for every algorithm."""
    on: Annotated[list[Literal["sim", "linux"]], Field(min_length=1)] | None = None
    """What runs every variant: the simulator, this machine's kernel, or both side by side (default: the simulator)."""
    starts: StartChoice | None = None
    """Starts of the simulated flows: "fixed", as the scenario says; a time such as "40ms", drawn within it after that;
    "auto" (default): drawn within one base RTT if there are several seeds and nothing else is random."""
    metric: str | None = None
    """Metric that the table shows (default: goodput, queueing delay, losses and fairness)."""
