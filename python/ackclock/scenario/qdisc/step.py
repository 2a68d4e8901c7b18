"""Marking at a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.quantities import MarkingThreshold

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

__all__ = ["Step"]


class Step(Discipline):
    """First in, first out, with a mark on every ECN-capable packet that finds too much waiting: DCTCP's and L4S's marking."""

    kind: Literal["step"]
    """Which discipline."""
    threshold: MarkingThreshold
    """The most that may wait unmarked: DCTCP's K, in packets or bytes, or L4S's delay, such as "1ms" at line rate."""

    def plan(self, queue: Queue) -> dict[str, Any]:
        """See `Discipline.plan`."""
        return {"kind": "step", "limit": queue.limit(), "threshold": queue.length(self.threshold, "threshold")}
