"""Deficit round robin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from ackclock.scenario.errors import problem
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.quantities import Size, size_bytes
from ackclock.wording import shown

if TYPE_CHECKING:
    from ackclock.border.plan import DrrQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue

__all__ = ["Drr"]

_PRIORITIES = tuple(str(priority) for priority in range(16))


class Drr(Discipline):
    """Deficit round robin (Shreedhar & Varghese 1996; tc-drr): classes take turns, by bytes."""

    kind: Literal["drr"]
    """Name of the discipline."""
    quantum: Size | None = None
    """Bytes that a class may send in a round (default: a full packet)."""
    by: Literal["flow", "priority"] = "flow"
    """Definition of a class: each direction of each flow, or each `priority` that flows have."""
    quanta: dict[str, Size] = Field(default_factory=dict)
    """Quanta of some priorities, { 0 = "3000 bytes" }; classes share in proportion to quanta."""

    @model_validator(mode="after")
    def _fits(self) -> Drr:
        if self.quanta and self.by != "priority":
            raise problem(
                "quanta are those of priorities: write by = 'priority', too", key="quanta"
            )
        for priority in self.quanta:
            if priority not in _PRIORITIES:
                raise problem(
                    f"{shown(priority)} is no priority: they are 0 to {len(_PRIORITIES) - 1}",
                    key=f"quanta.{priority}",
                )
        return self

    def plan(self, queue: Queue) -> DrrQdiscPlan:
        """See `Discipline.plan`."""
        quanta = sorted(
            (int(priority), size_bytes(quantum)) for priority, quantum in self.quanta.items()
        )
        return {
            "kind": "drr",
            "limit": queue.limit(),
            "quantum_bytes": queue.mtu_bytes if self.quantum is None else size_bytes(self.quantum),
            "by": self.by,
            "quanta": [list(one) for one in quanta],
        }
