"""First in, first out."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.queue import fifo_plan
from ackclock.tc_words import TcQdisc, limit_of

if TYPE_CHECKING:
    from ackclock.border.plan import FifoQdiscPlan, LimitPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.tc_words import TcQueue

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

    @staticmethod
    def tc(plan: FifoQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`; tc-pfifo(8)."""
        limit: LimitPlan = {
            "limit_packets": plan.get("limit_packets"),
            "limit_bytes": plan.get("limit_bytes"),
        }
        return TcQdisc(*limit_of(limit, queue.packet))
