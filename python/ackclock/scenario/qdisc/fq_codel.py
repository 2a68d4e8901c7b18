"""Flow queueing with controlled delay."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from ackclock.scenario.qdisc.codel import Controlled
from ackclock.scenario.qdisc.fair import FlowQueues
from ackclock.scenario.quantities import size_bytes

if TYPE_CHECKING:
    from ackclock.border.plan import FqCodelQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue

__all__ = ["FqCodel"]


class FqCodel(FlowQueues, Controlled):
    """A queue per flow, served in turn, each under CoDel (RFC 8290)."""

    default_limit: ClassVar[str] = "10240 packets"

    kind: Literal["fq_codel"]
    """Name of the discipline."""
    ecn: bool = True
    """Mark ECN-capable packets rather than drop them."""
    drop_batch: int = Field(default=64, ge=1, le=10_000)
    """Most packets that the longest queue loses at once at the limit."""

    def plan(self, queue: Queue) -> FqCodelQdiscPlan:
        """See `Discipline.plan`."""
        return {
            "kind": "fq_codel",
            "limit": queue.limit(),
            "control": self.control(),
            "flows": self.flows,
            "quantum_bytes": size_bytes(self.quantum),
            "memory_limit_bytes": self.memory_bytes(queue),
            "drop_batch": self.drop_batch,
        }
