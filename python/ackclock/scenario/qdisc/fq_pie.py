"""Flow queueing with PIE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ackclock.scenario.qdisc.fair import FlowQueues
from ackclock.scenario.qdisc.pie import PieControlled

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

__all__ = ["FqPie"]


class FqPie(FlowQueues, PieControlled):
    """A queue per flow, served in turn, each under PIE (tc-fq_pie)."""

    default_limit: ClassVar[str] = "10240 packets"

    kind: Literal["fq_pie"]
    """Which discipline."""

    def plan(self, queue: Queue) -> dict[str, Any]:
        """See `Discipline.plan`."""
        return {"kind": "fq_pie", "limit": queue.limit(), "control": self.control(queue), **self.queues()}
