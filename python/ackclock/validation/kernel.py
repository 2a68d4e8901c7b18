"""A scenario on this machine's kernel, and the observations of the run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from ackclock.metrics.reduction import recorded

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.metrics.recorded_run import RecordedRun
    from ackclock.results import Result
    from ackclock.scenario import Scenario

__all__ = ["obstacle", "on_kernel"]

_KEPT = (
    "is_rootless",
    "emulator_scheduling",
    "endpoint_scheduling",
    "handed_over",
    "late_packets",
    "ring_dropped",
    "lateness",
    "first_packets",
)
"""Keys of a run's conditions that are kept."""


def obstacle() -> str | None:
    """The reason why this machine cannot run a scenario on its kernel, or None."""
    from ackclock.engine import linux

    return linux.obstacle()


def on_kernel(
    scenario: Scenario, seed: int, progress: Callable[[float], None] | None = None
) -> RecordedRun:
    """The observations of one repetition."""
    from ackclock.engine import linux

    result = linux.run_on_linux(scenario, seed=seed, progress=progress)
    return replace(recorded(result), conditions=_conditions(result, seed))


def _conditions(result: Result, seed: int) -> dict[str, Any]:
    from ackclock.results.provenance import disturbances
    from ackclock.results.queue_limits import shortest_drain

    if result.provenance is None:
        return {"kernel": result.engine, "seed": seed}
    provenance: dict[str, Any] = dict(result.provenance)
    disturbed = disturbances(
        result.provenance,
        result.flows["base_rtt"].drop_nulls().to_list(),
        shortest_drain(result.plan),
    )
    kept = {key: provenance[key] for key in _KEPT if key in provenance}
    return {
        "kernel": f"Linux {provenance['release']}",
        "seed": seed,
        **kept,
        "disturbed": disturbed,
    }
