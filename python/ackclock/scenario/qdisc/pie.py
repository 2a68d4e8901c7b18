"""PIE."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.period import Period
from ackclock.scenario.quantities import PositiveTime, Time, time_ps

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

__all__ = ["Pie", "PieControlled"]

GAIN_STEPS = 16
"""tc's gains are whole sixteenths of RFC 8033's, which are in 1/s: 2 is 0.125, 20 is 1.25."""


class PieControlled(Discipline):
    """What the disciplines that PIE controls have in common."""

    target: PositiveTime = "15ms"
    """Delay that is aimed at (RFC 8033 QDELAY_REF)."""
    tupdate: Period = "15ms"
    """How often the drop probability is updated (T_UPDATE)."""
    alpha: int = Field(default=2, ge=0, le=32)
    """Gain of the deviation from the target, in sixteenths of 1/s: 2 is RFC 8033's 0.125."""
    beta: int = Field(default=20, ge=0, le=32)
    """Gain of the delay's change, in sixteenths of 1/s: 20 is RFC 8033's 1.25."""
    ecn: bool = False
    """Mark ECN-capable packets rather than drop them while the probability is below `ecn_prob`."""
    ecn_prob: float = Field(default=10.0, ge=0, le=100)
    """Drop probability, in percent, from which these are dropped too (mark_ecnth; an option of tc-fq_pie, fixed in tc-pie)."""
    bytemode: bool = False
    """Scale the probability by a packet's share of a full one."""
    dq_rate_estimator: bool = False
    """Compute the delay from the backlog and the departure rate (Little's law) rather than take that of the packet that left last."""
    max_burst: Time = "150ms"
    """How long a burst is let in after quiet (MAX_BURST; fixed in tc-pie)."""

    def control(self, queue: Queue) -> dict[str, Any]:
        """The controller's parameters, as the engine takes them."""
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
    """Proportional integral controller enhanced (RFC 8033): drops at random with a probability that holds the delay at a target."""

    default_limit: ClassVar[str] = "1000 packets"

    kind: Literal["pie"]
    """Which discipline."""

    def plan(self, queue: Queue) -> dict[str, Any]:
        """See `Discipline.plan`."""
        return {"kind": "pie", "limit": queue.limit(), "control": self.control(queue)}
