"""A sweep as it will run: its settings, its runs, how large it is, and what is wrong with it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from ackclock.scenario import Scenario
    from ackclock.sweep.axes import Axis, Label, Setting
    from ackclock.sweep.responses import Response
    from ackclock.sweep.task import Task

__all__ = ["Comparison", "Design", "Estimate", "Stop"]


@dataclass(frozen=True)
class Comparison:
    """Paired differences along one axis: every other value's run minus the base's of the same seed."""

    axis: str
    base: Label
    """Label of the value that the others are compared with."""
    ratio: bool = False
    """Quotients in place of differences."""


@dataclass(frozen=True)
class Stop:
    """When there are replications enough."""

    response: str
    half_width: float | None
    """In the response's unit."""
    relative: float | None
    """As a share of the mean; one of the two is given."""
    most: int
    """Replications per setting at most."""
    batch: int = 10
    """Replications that are added at a time."""
    comparison: str | None = None
    """Axis of the comparison whose paired differences are meant; None: the response itself."""


@dataclass(frozen=True)
class Estimate:
    """How large a sweep is."""

    settings: int
    runs: int
    """At first; a sequential stop may ask for more."""
    most: int
    """At most."""
    core_seconds: float
    """What the first runs take on one core, about."""

    def seconds_on(self, workers: int) -> float:
        """Wall time of the first runs, about."""
        return self.core_seconds / max(1, min(workers, self.runs))


@dataclass
class Design:
    """A sweep, checked."""

    name: str
    scenario: Scenario
    """Without its tables of comparisons and sweeps."""
    axes: tuple[Axis, ...]
    settings: tuple[Setting, ...]
    responses: tuple[Response, ...]
    comparisons: tuple[Comparison, ...]
    replications: int
    stop: Stop | None
    confidence: float = 0.95
    warmup: Literal["auto"] | None = None

    def task(self, setting: int, replication: int, *, warmup_ps: int | None = None) -> Task:
        """One run, to be made or found."""
        raise NotImplementedError

    def to_toml(self) -> str:
        """The sweep as resolved; it loads back to the same design."""
        raise NotImplementedError

    def estimate(self) -> Estimate:
        """How large it is."""
        raise NotImplementedError
