"""First in, first out."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.queue import fifo_plan

if TYPE_CHECKING:
    from ackclock.border.plan import FifoQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue

__all__ = ["Fifo"]


class Fifo(Discipline):
    """First in, first out; an arrival that finds the queue full is dropped."""

    limit_may_change: ClassVar[bool] = True

    kind: Literal["fifo"]
    """Name of the discipline."""

    def plan(self, queue: Queue) -> FifoQdiscPlan:
        """See `Discipline.plan`."""
        plan = fifo_plan(queue.limit())
        if queue.later:
            plan["later"] = queue.later_limits()
        return plan
