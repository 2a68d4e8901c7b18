"""First in, first out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ackclock.scenario.qdisc.base import Discipline

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

__all__ = ["Fifo"]


class Fifo(Discipline):
    """First in, first out; an arrival that finds the queue full is dropped."""

    kind: Literal["fifo"]
    """Which discipline."""

    def plan(self, queue: Queue) -> dict[str, Any]:
        """See `Discipline.plan`."""
        return {"kind": "fifo", **queue.limit()}
