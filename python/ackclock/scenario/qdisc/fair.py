"""What disciplines with a queue per flow have in common."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Field, WithJsonSchema

from ackclock.scenario.errors import problem, shown
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.quantities import Size, check_size, size_bytes

__all__ = ["FlowQueues"]

# Linux takes no less for fq_codel (sch_fq_codel.c) and no more for fq_pie (sch_fq_pie.c).
_LEAST_QUANTUM, _MOST_QUANTUM = 256, 1 << 20
_MOST_QUEUES = 65_536


def _check_quantum(value: Any) -> str:
    text = check_size(value)
    if not _LEAST_QUANTUM <= size_bytes(text) <= _MOST_QUANTUM:
        raise problem(f"{shown(text)} is {size_bytes(text)} bytes: a quantum is {_LEAST_QUANTUM} to {_MOST_QUANTUM} bytes")
    return text


_Quantum = Annotated[
    str,
    BeforeValidator(_check_quantum),
    WithJsonSchema({"type": "string", "description": "A number of bytes with its unit.", "examples": ["1514 bytes", "300 bytes"]}),
]


class FlowQueues(Discipline):
    """A queue per flow, served in turn by bytes."""

    flows: int = Field(default=1024, ge=1, le=_MOST_QUEUES)
    """Queues; flows are spread over them by a hash."""
    quantum: _Quantum = "1514 bytes"
    """What a queue may send a turn."""
    memory_limit: Size = "32MiB"
    """The most that may wait in all of them, besides the link's limit."""

    def queues(self) -> dict[str, Any]:
        """The queues' parameters, as the engine takes them."""
        return {
            "flows": self.flows,
            "quantum_bytes": size_bytes(self.quantum),
            "memory_limit_bytes": size_bytes(self.memory_limit),
        }
