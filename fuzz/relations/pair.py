"""A scenario for a relation; plans to run, and a judge of the runs."""

from __future__ import annotations

import copy
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from ackclock.scenario import Scenario
    from fuzz.generate import Case

__all__ = ["Plan", "Runs", "Subject"]

Plan = dict[str, Any]
"""A plan as the engine reads it."""


def _always(*_runs: Any) -> bool:
    return True


@dataclass
class Subject:
    """A scenario that a relation is applied to."""

    case: Case
    folder: Path
    """Folder with the files that the scenario names."""
    scenario: Scenario
    plan: Plan

    def planned(self) -> Plan:
        """Return a copy of the plan that may be changed."""
        return copy.deepcopy(self.plan)


@dataclass
class Runs:
    """The plans that a relation compares, and how."""

    plans: list[Plan]
    """The given plan, perhaps simplified, and its changed copies."""
    judge: Callable[..., Iterator[str]]
    """Takes the run of each plan and yields a sentence for each difference."""
    applies: Callable[..., bool] = field(default=_always)
    """Takes the runs: whether they meet a precondition that only a run shows."""
