"""One run of a sweep as it travels to whoever makes it, and what comes back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from ackclock.sweep.responses import Response

__all__ = ["Outcome", "Task", "perform"]


@dataclass(frozen=True)
class Task:
    """A run to be made: all that its worker needs, in any process of any machine."""

    key: str
    """As `ackclock.sweep.key.of_run` makes it."""
    plan: str
    """The plan, JSON, its seed inside."""
    folder: str | None
    """Where the user's own classes and metrics are looked for first."""
    responses: tuple[Response, ...]
    results_version: int
    code: str
    """Hash of the user's own modules; "": it uses none."""
    weight: float
    """What it costs, about: flows times simulated seconds."""
    where: str
    """For messages, such as "setting 3 (limit=5 packets, cc=reno), seed 7"."""


@dataclass(frozen=True)
class Outcome:
    """What a run left."""

    key: str
    seed: int
    summary: Mapping[str, Any]
    figures: Mapping[str, float | None]
    """By the response's name."""
    digest: str
    """sha256 of summary and figures, without key and seed: two settings that give the same are one."""


def perform(task: Task, progress: Callable[[float], None] | None = None) -> Outcome:
    """Make a run, in any thread of any process of any machine.

    Parameters
    ----------
    task
        The run.
    progress
        Called about ten times a second with the share of the run that is done. An exception from it ends the run.

    Raises
    ------
    SweepError
        If another version of ackclock, or of the user's modules, runs here than there where the sweep was designed.
    AlgorithmError, MetricError
        If the user's own code fails.
    """
    raise NotImplementedError
