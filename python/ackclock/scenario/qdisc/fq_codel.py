"""Flow queueing with controlled delay."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from ackclock.scenario.qdisc.codel import Controlled, control_words
from ackclock.scenario.qdisc.fair import FlowQueues
from ackclock.scenario.qdisc.tc_words import TcQdisc, limit_in_packets
from ackclock.scenario.quantities import size_bytes

if TYPE_CHECKING:
    from ackclock.core_types.plan import FqCodelQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.scenario.qdisc.tc_words import TcQueue

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

    @staticmethod
    def tc(plan: FqCodelQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`; tc-fq_codel(8)."""
        limit, notes = limit_in_packets(plan["limit"], queue.packet)
        return TcQdisc(
            (
                *("fq_codel", "limit", str(limit), "flows", str(plan["flows"])),
                *("quantum", str(plan["quantum_bytes"])),
                *("memory_limit", str(plan["memory_limit_bytes"])),
                *("drop_batch", str(plan["drop_batch"])),
                *control_words(plan["control"]),
            ),
            notes,
            drops_at_departure=True,
        )
