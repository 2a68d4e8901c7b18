"""Marking at a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.quantities import MarkingThreshold

if TYPE_CHECKING:
    from ackclock.border.plan import StepQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue

__all__ = ["Step"]


class Step(Discipline):
    """First in, first out, with marks above a threshold, as for DCTCP and L4S.

    Every ECN-capable packet that finds more waiting is marked.
    """

    kind: Literal["step"]
    """Name of the discipline."""
    threshold: MarkingThreshold
    """The most that may wait unmarked: DCTCP's K in packets or bytes, or L4S's delay, "1ms"."""

    def plan(self, queue: Queue) -> StepQdiscPlan:
        """See `Discipline.plan`."""
        return {
            "kind": "step",
            "limit": queue.limit(),
            "threshold": queue.length(self.threshold, "threshold"),
        }
