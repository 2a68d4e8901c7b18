"""Flow queueing with PIE."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from ackclock.scenario.qdisc.fair import FlowQueues
from ackclock.scenario.qdisc.pie import PieControlled
from ackclock.scenario.quantities import size_bytes

if TYPE_CHECKING:
    from ackclock.border.plan import FqPieQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue

__all__ = ["FqPie"]


class FqPie(FlowQueues, PieControlled):
    """A queue per flow, served in turn, each under PIE (tc-fq_pie)."""

    default_limit: ClassVar[str] = "10240 packets"

    kind: Literal["fq_pie"]
    """Name of the discipline."""

    def plan(self, queue: Queue) -> FqPieQdiscPlan:
        """See `Discipline.plan`."""
        return {
            "kind": "fq_pie",
            "limit": queue.limit(),
            "control": self.control(queue),
            "flows": self.flows,
            "quantum_bytes": size_bytes(self.quantum),
            "memory_limit_bytes": self.memory_bytes(queue),
        }
