"""Strict priority."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, model_validator

from ackclock.scenario.errors import problem
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.queue import fifo_plan
from ackclock.scenario.qdisc.tc_words import NO_PRIORITY, TcQdisc

if TYPE_CHECKING:
    from ackclock.core_types.plan import PrioQdiscPlan, QdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.scenario.qdisc.tc_words import TcQueue

    # The package resolves it to the union of all disciplines, this one among them.
    Qdisc = Discipline

__all__ = ["Prio"]

PRIORITIES = 16
"""Values of a flow's `priority`."""
_PRIOMAP = (1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)


class Prio(Discipline):
    """Strict priority: a band is served when all before it are empty."""

    default_limit: ClassVar[str] = "1000 packets"

    kind: Literal["prio"]
    """Name of the discipline."""
    bands: int = Field(default=3, ge=2, le=16)
    """Number of bands; the first is served first."""
    priomap: list[int] = Field(default_factory=lambda: list(_PRIOMAP))
    """The band, from 0, of each of the 16 priorities that a flow may have."""
    children: list[Qdisc] | None = None
    """The discipline of each band (default: fifo in all); the link's limit applies to each band."""

    @model_validator(mode="after")
    def _fits(self) -> Prio:
        if len(self.priomap) != PRIORITIES:
            raise problem(
                f"has {len(self.priomap)} entries: write the band of each of the {PRIORITIES} "
                "priorities",
                key="priomap",
            )
        for index, band in enumerate(self.priomap):
            if not 0 <= band < self.bands:
                raise problem(
                    f"there is no band {band}: the bands are 0 to {self.bands - 1}",
                    key=f"priomap.{index}",
                )
        if self.children is not None and len(self.children) != self.bands:
            raise problem(
                f"has {len(self.children)} entries: write the discipline of each of the "
                f"{self.bands} bands",
                key="children",
            )
        return self

    def plan(self, queue: Queue) -> PrioQdiscPlan:
        """See `Discipline.plan`."""
        fifo = fifo_plan(queue.limit())
        children: list[QdiscPlan] = (
            [fifo] * self.bands
            if self.children is None
            else [child.plan(queue) for child in self.children]
        )
        return {"kind": "prio", "children": children, "priomap": self.priomap}

    @staticmethod
    def tc(plan: PrioQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`. Bands are the classes 1, 2, ... of the qdisc (tc-prio(8))."""
        children = [queue.inside(child) for child in plan["children"]]
        return TcQdisc(
            (
                *("prio", "bands", str(len(children))),
                *("priomap", *(str(band) for band in plan["priomap"])),
            ),
            (
                (
                    "The kernel takes a packet's band from its priority: SO_PRIORITY of the "
                    "socket, or the filter or firewall rule that sets it on a router."
                ),
            ),
            tuple(enumerate(children, start=1)),
            obstacles=(NO_PRIORITY,),
        )
