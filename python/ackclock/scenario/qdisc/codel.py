"""Controlled delay."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.quantities import PositiveTime, time_ps

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

__all__ = ["Codel", "Controlled"]


class Controlled(Discipline):
    """What the disciplines that CoDel controls have in common."""

    target: PositiveTime = "5ms"
    """The standing delay that is put up with."""
    interval: PositiveTime = "100ms"
    """For so long every packet must have waited longer before one is dropped: about the longest round trip."""
    ecn: bool = False
    """Mark ECN-capable packets rather than drop them."""
    ce_threshold: PositiveTime | None = None
    """Mark every ECN-capable packet besides that waited longer than this (default: none)."""

    def control(self) -> dict[str, Any]:
        """The control law's parameters, as the engine takes them."""
        return {
            "target_ps": time_ps(self.target),
            "interval_ps": time_ps(self.interval),
            "ecn": self.ecn,
            "ce_threshold_ps": None if self.ce_threshold is None else time_ps(self.ce_threshold),
        }


class Codel(Controlled):
    """Controlled delay (RFC 8289): drops at rising frequency while no packet has waited less than the target."""

    default_limit: ClassVar[str] = "1000 packets"

    kind: Literal["codel"]
    """Which discipline."""

    def plan(self, queue: Queue) -> dict[str, Any]:
        """See `Discipline.plan`."""
        return {"kind": "codel", "limit": queue.limit(), "control": self.control()}
