"""CoDel and BLUE together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.quantities import PositiveTime, time_ps

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

__all__ = ["Cobalt"]


class Cobalt(Discipline):
    """COBALT, the AQM of Linux's CAKE: CoDel whose drop rate falls again slowly, and BLUE against what does not answer."""

    default_limit: ClassVar[str] = "1000 packets"

    kind: Literal["cobalt"]
    """Which discipline."""
    target: PositiveTime = "5ms"
    """The standing delay that is put up with."""
    interval: PositiveTime = "100ms"
    """From the first packet that waited longer to the first drop: about the longest round trip."""
    ecn: bool = True
    """Mark ECN-capable packets rather than drop them; BLUE drops all the same."""
    p_inc: float = Field(default=1 / 256, ge=0, le=1)
    """What an overflow adds to BLUE's drop probability, at most once per target."""
    p_dec: float = Field(default=1 / 4096, ge=0, le=1)
    """What an empty queue takes from it, at most once per target."""

    def plan(self, queue: Queue) -> dict[str, Any]:
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
