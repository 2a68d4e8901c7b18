"""Deficit round robin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from pydantic import Field, model_validator

from ackclock.messages import shown
from ackclock.scenario.errors import problem
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.tc_words import NO_PRIORITY, Packet, TcQdisc, limit_of
from ackclock.scenario.quantities import Size, size_bytes

if TYPE_CHECKING:
    from ackclock.core_types.plan import DrrQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.scenario.qdisc.tc_words import TcQueue

__all__ = ["Drr"]

_TC_CLASSES = 16
"""Classes over which tc spreads flows."""

_PRIORITIES = tuple(str(priority) for priority in range(16))


class Drr(Discipline):
    """Deficit round robin (Shreedhar & Varghese 1996; tc-drr): classes take turns, by bytes."""

    kind: Literal["drr"]
    """Name of the discipline."""
    quantum: Size | None = None
    """Bytes that a class may send in a round (default: a full packet)."""
    by: Literal["flow", "priority"] = "flow"
    """Definition of a class: each direction of each flow, or each `priority` that flows have."""
    quanta: dict[str, Size] = Field(default_factory=dict)
    """Quanta of some priorities, { 0 = "3000 bytes" }; classes share in proportion to quanta."""

    @model_validator(mode="after")
    def _fits(self) -> Drr:
        if self.quanta and self.by != "priority":
            raise problem(
                "quanta are those of priorities: write by = 'priority', too", key="quanta"
            )
        for priority in self.quanta:
            if priority not in _PRIORITIES:
                raise problem(
                    f"{shown(priority)} is no priority: they are 0 to {len(_PRIORITIES) - 1}",
                    key=f"quanta.{priority}",
                )
        return self

    def plan(self, queue: Queue) -> DrrQdiscPlan:
        """See `Discipline.plan`."""
        quanta = sorted(
            (int(priority), size_bytes(quantum)) for priority, quantum in self.quanta.items()
        )
        return {
            "kind": "drr",
            "limit": queue.limit(),
            "quantum_bytes": queue.mtu_bytes if self.quantum is None else size_bytes(self.quantum),
            "by": self.by,
            "quanta": [list(pair) for pair in quanta],
        }

    @staticmethod
    def tc(plan: DrrQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`; tc-drr(8).

        Classes and the filter that fills them: drr drops a packet that it does not take.
        """
        words, notes = limit_of(plan["limit"], Packet(queue.packet.mtu))
        child = TcQdisc(words)
        quanta = {pair[0]: pair[1] for pair in plan.get("quanta") or []}
        if plan["by"] == "priority":
            count = len(_PRIORITIES)
            chosen: tuple[str, ...] = ("flow", "map", "key", "priority", "baseclass", "%1")
        else:
            count = _TC_CLASSES
            chosen = (
                *("flow", "hash", "keys", "src,dst,proto,proto-src,proto-dst"),
                *("divisor", str(count), "baseclass", "%1"),
            )
            notes += (
                (
                    f"tc spreads flows over {count} classes by a hash; the scenario has a class "
                    "for each direction of each flow."
                ),
            )
        notes += ("Each class has the whole limit here; in the scenario all classes share it.",)
        classes = tuple(
            (number + 1, ("drr", "quantum", str(quanta.get(number, plan["quantum_bytes"]))))
            for number in range(count)
        )
        return TcQdisc(
            ("drr",),
            notes,
            tuple((number, child) for number, _ in classes),
            classes,
            (("protocol", "all", "handle", "1", *chosen),),
            obstacles=(NO_PRIORITY,) if plan["by"] == "priority" else (),
        )
