"""PIE."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.period import Period
from ackclock.scenario.quantities import PositiveTime, Time, time_ps

if TYPE_CHECKING:
    from ackclock.border.plan import PieControlPlan, PieQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue

__all__ = ["Pie", "PieControlled"]

GAIN_STEPS = 16
"""tc's gains are whole sixteenths of RFC 8033's, which are in 1/s: 2 is 0.125, 20 is 1.25."""


class PieControlled(Discipline):
    """Parameters of the disciplines that PIE controls."""

    target: PositiveTime = "15ms"
    """Target delay (RFC 8033 QDELAY_REF)."""
    tupdate: Period = "15ms"
    """Update period of the drop probability (T_UPDATE)."""
    alpha: int = Field(default=2, ge=0, le=32)
    """Gain of the deviation from the target, in sixteenths of 1/s: 2 is RFC 8033's 0.125."""
    beta: int = Field(default=20, ge=0, le=32)
    """Gain of the delay's change, in sixteenths of 1/s: 20 is RFC 8033's 1.25."""
    ecn: bool = False
    """Mark ECN-capable packets rather than drop them while the probability is below `ecn_prob`."""
    ecn_prob: float = Field(default=10.0, ge=0, le=100)
    """Drop probability in percent from which marking ends (mark_ecnth; fixed in tc-pie)."""
    bytemode: bool = False
    """Scale the probability by a packet's share of a full one."""
    dq_rate_estimator: bool = False
    """Compute the delay from backlog and departure rate rather than take the last packet's."""
    max_burst: Time = "150ms"
    """Longest burst that is let in after quiet (MAX_BURST; fixed in tc-pie)."""

    def control(self, queue: Queue) -> PieControlPlan:
        """The controller's parameters in the engine's form."""
        return {
            "target_ps": time_ps(self.target),
            "tupdate_ps": time_ps(self.tupdate),
            "alpha": self.alpha / GAIN_STEPS,
            "beta": self.beta / GAIN_STEPS,
            "max_burst_ps": time_ps(self.max_burst),
            "ecn": self.ecn,
            "ecn_prob": self.ecn_prob / 100,
            "bytemode": self.bytemode,
            "dq_rate_estimator": self.dq_rate_estimator,
            "mtu_bytes": queue.mtu_bytes,
        }


class Pie(PieControlled):
    """Proportional integral controller enhanced (RFC 8033): drops hold the delay at target."""

    default_limit: ClassVar[str] = "1000 packets"

    kind: Literal["pie"]
    """Name of the discipline."""

    def plan(self, queue: Queue) -> PieQdiscPlan:
        """See `Discipline.plan`."""
        return {"kind": "pie", "limit": queue.limit(), "control": self.control(queue)}
