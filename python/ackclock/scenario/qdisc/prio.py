"""Strict priority."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, model_validator

from ackclock.scenario.errors import problem
from ackclock.scenario.qdisc.base import Discipline

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

    # Resolved when the union of all disciplines, this one among them, exists.
    from ackclock.scenario.qdisc import Qdisc  # noqa: TC004

__all__ = ["Prio"]

PRIORITIES = 16
"""Values of a flow's `priority`."""
_PRIOMAP = (1, 2, 2, 2, 1, 2, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1)


class Prio(Discipline):
    """Strict priority: a band is served when all before it are empty."""

    default_limit: ClassVar[str] = "1000 packets"

    kind: Literal["prio"]
    """Which discipline."""
    bands: int = Field(default=3, ge=2, le=16)
    """How many bands there are; the first is served first."""
    priomap: list[int] = Field(default_factory=lambda: list(_PRIOMAP))
    """The band, from 0, of each of the 16 priorities that a flow may have."""
    children: list[Qdisc] | None = None
    """The discipline of each band (default: fifo in all). The link's limit is that of each."""

    @model_validator(mode="after")
    def _fits(self) -> Prio:
        if len(self.priomap) != PRIORITIES:
            raise problem(f"has {len(self.priomap)} entries: write the band of each of the {PRIORITIES} priorities", key="priomap")
        for index, band in enumerate(self.priomap):
            if not 0 <= band < self.bands:
                raise problem(f"there is no band {band}: the bands are 0 to {self.bands - 1}", key=f"priomap.{index}")
        if self.children is not None and len(self.children) != self.bands:
            raise problem(f"has {len(self.children)} entries: write the discipline of each of the {self.bands} bands", key="children")
        return self

    def plan(self, queue: Queue) -> dict[str, Any]:
        """See `Discipline.plan`."""
        fifo = {"kind": "fifo", **queue.limit()}
        children = [fifo] * self.bands if self.children is None else [child.plan(queue) for child in self.children]
        return {"kind": "prio", "children": children, "priomap": self.priomap}
