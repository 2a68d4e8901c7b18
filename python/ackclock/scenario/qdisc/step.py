"""Marking at a threshold."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.quantities import PS_PER_S, MarkingThreshold
from ackclock.tc_words import TcQdisc, limit_in_packets, units

if TYPE_CHECKING:
    from ackclock.border.plan import StepQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.tc_words import TcQueue

__all__ = ["Step"]

_NEVER = "1000s"
"""A target that no queue reaches; tc's times end at 4294 s."""


class Step(Discipline):
    """First in, first out, with marks above a threshold, as for DCTCP and L4S.

    Every ECN-capable packet that finds more waiting is marked.
    """

    kind: Literal["step"]
    """Name of the discipline."""
    threshold: MarkingThreshold
    """The most that may wait unmarked: DCTCP's K in packets or bytes, or L4S's delay, "1ms"."""

    def plan(self, queue: Queue) -> StepQdiscPlan:
        """See `Discipline.plan`."""
        return {
            "kind": "step",
            "limit": queue.limit(),
            "threshold": queue.length(self.threshold, "threshold"),
        }

    @staticmethod
    def tc(plan: StepQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`. Marks above a threshold: codel's ce_threshold, without drops.

        tc-codel(8): "sets a threshold above which all packets are marked with ECN Congestion
        Experienced".
        """
        limit, notes = limit_in_packets(plan["limit"], queue.packet)
        packets, size = plan["threshold"].get("limit_packets"), plan["threshold"].get("limit_bytes")
        length = size if size is not None else (packets or 0) * queue.packet.mtu
        wait = units.time(round(length * 8 * PS_PER_S / queue.rate_bps) if queue.rate_bps else 0)
        return TcQdisc(
            (
                *("codel", "limit", str(limit), "target", _NEVER, "interval", _NEVER, "noecn"),
                *("ce_threshold", wait),
            ),
            (
                *notes,
                (
                    f"tc has no marking by length: codel marks packets that waited {wait}, "
                    f"the time in which {length} bytes leave; its target is too long to drop."
                ),
            ),
        )
