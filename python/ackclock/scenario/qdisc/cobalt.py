"""CoDel and BLUE together."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.quantities import PositiveTime, time_ps

if TYPE_CHECKING:
    from ackclock.border.plan import CobaltQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue

__all__ = ["Cobalt"]


class Cobalt(Discipline):
    """COBALT, the AQM of Linux's CAKE: CoDel, and BLUE against unresponsive flows.

    CoDel's drop rate falls slowly again when the delay does.
    """

    default_limit: ClassVar[str] = "1000 packets"

    kind: Literal["cobalt"]
    """Name of the discipline."""
    target: PositiveTime = "5ms"
    """Standing delay that is tolerated."""
    interval: PositiveTime = "100ms"
    """Time from the first packet above target to the first drop: about the longest round trip."""
    ecn: bool = True
    """Mark ECN-capable packets rather than drop them; BLUE drops all the same."""
    p_inc: float = Field(default=1 / 256, ge=0, le=1)
    """Increase of BLUE's drop probability by an overflow, at most once per target."""
    p_dec: float = Field(default=1 / 4096, ge=0, le=1)
    """Decrease of BLUE's drop probability by an empty queue, at most once per target."""

    def plan(self, queue: Queue) -> CobaltQdiscPlan:
        """See `Discipline.plan`."""
        return {
            "kind": "cobalt",
            "limit": queue.limit(),
            "target_ps": time_ps(self.target),
            "interval_ps": time_ps(self.interval),
            "ecn": self.ecn,
            "p_inc": float(self.p_inc),
            "p_dec": float(self.p_dec),
        }
