"""Flow queueing with controlled delay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from ackclock.scenario.qdisc.codel import Controlled
from ackclock.scenario.qdisc.fair import FlowQueues

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

__all__ = ["FqCodel"]


class FqCodel(FlowQueues, Controlled):
    """A queue per flow, served in turn, each under CoDel (RFC 8290)."""

    default_limit: ClassVar[str] = "10240 packets"

    kind: Literal["fq_codel"]
    """Which discipline."""
    ecn: bool = True
    """Mark ECN-capable packets rather than drop them."""
    drop_batch: int = Field(default=64, ge=1, le=10_000)
    """The most packets that the longest queue loses at once when too much waits."""

    def plan(self, queue: Queue) -> dict[str, Any]:
        """See `Discipline.plan`."""
        return {
            "kind": "fq_codel",
            "limit": queue.limit(),
            "control": self.control(),
            **self.queues(),
            "drop_batch": self.drop_batch,
        }
