"""Parameters of disciplines with a queue per flow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field

from ackclock.messages import shown
from ackclock.scenario.errors import problem
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.quantities import QueueMemory, check_size, size_bytes, text_schema

if TYPE_CHECKING:
    from ackclock.scenario.qdisc.queue import Queue

__all__ = ["FlowQueues"]

# Linux takes no less for fq_codel (sch_fq_codel.c) and no more for fq_pie (sch_fq_pie.c).
_LEAST_QUANTUM, _MOST_QUANTUM = 256, 1 << 20
_MOST_QUEUES = 65_536


def _check_quantum(value: Any) -> str:
    text = check_size(value)
    if not _LEAST_QUANTUM <= size_bytes(text) <= _MOST_QUANTUM:
        raise problem(
            f"{shown(text)} is {size_bytes(text)} bytes: a quantum is {_LEAST_QUANTUM} to "
            f"{_MOST_QUANTUM} bytes"
        )
    return text


_Quantum = Annotated[
    str,
    BeforeValidator(_check_quantum),
    text_schema("A number of bytes with its unit.", "1514 bytes", "300 bytes"),
]


class FlowQueues(Discipline):
    """A queue per flow, served in turn by bytes."""

    flows: int = Field(default=1024, ge=1, le=_MOST_QUEUES)
    """Number of queues; a hash spreads the flows over them."""
    quantum: _Quantum = "1514 bytes"
    """Bytes that a queue may send per turn."""
    memory_limit: QueueMemory = "32MiB"
    """Most that may wait in all queues together, besides the link's limit, which counts packets.

    In bytes; a packet counts as a full one, and "500ms" and "1bdp" are at line rate.
    """

    def memory_bytes(self, queue: Queue) -> int:
        """The memory limit at a queue, bytes."""
        return queue.size_bytes(self.memory_limit, f"{queue.key}.qdisc.memory_limit")
