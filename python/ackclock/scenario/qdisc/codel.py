"""Controlled delay."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.tc_words import TcQdisc, limit_in_packets, units
from ackclock.scenario.qdisc.tc_words.qdisc import flag
from ackclock.scenario.quantities import PositiveTime, time_ps

if TYPE_CHECKING:
    from ackclock.core_types.plan import CodelControl, CodelQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.scenario.qdisc.tc_words import TcQueue

__all__ = ["Codel", "Controlled", "control_words"]


class Controlled(Discipline):
    """Parameters of the disciplines that CoDel controls."""

    target: PositiveTime = "5ms"
    """Standing delay that is tolerated."""
    interval: PositiveTime = "100ms"
    """Time above target before the first drop: about the longest round trip."""
    ecn: bool = False
    """Mark ECN-capable packets rather than drop them."""
    ce_threshold: PositiveTime | None = None
    """Time in the queue from which every ECN-capable packet is marked as well (default: none)."""

    def control(self) -> CodelControl:
        """The control law's parameters in the engine's form."""
        return {
            "target_ps": time_ps(self.target),
            "interval_ps": time_ps(self.interval),
            "ecn": self.ecn,
            "ce_threshold_ps": None if self.ce_threshold is None else time_ps(self.ce_threshold),
        }


class Codel(Controlled):
    """Controlled delay (RFC 8289): drops ever more often while every packet waits beyond target."""

    default_limit: ClassVar[str] = "1000 packets"

    kind: Literal["codel"]
    """Name of the discipline."""

    def plan(self, queue: Queue) -> CodelQdiscPlan:
        """See `Discipline.plan`."""
        return {"kind": "codel", "limit": queue.limit(), "control": self.control()}

    @staticmethod
    def tc(plan: CodelQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`; tc-codel(8)."""
        limit, notes = limit_in_packets(plan["limit"], queue.packet)
        words = ("codel", "limit", str(limit), *control_words(plan["control"]))
        return TcQdisc(words, notes, drops_at_departure=True)


def control_words(control: CodelControl) -> tuple[str, ...]:
    """CoDel's control law in tc's words."""
    threshold = control.get("ce_threshold_ps")
    return (
        *("target", units.time(control["target_ps"])),
        *("interval", units.time(control["interval_ps"])),
        flag("ecn", control["ecn"]),
        *(() if threshold is None else ("ce_threshold", units.time(threshold))),
    )
