"""PIE."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.period import Period
from ackclock.scenario.quantities import PositiveTime, Time, time_ps
from ackclock.tc_words import TcQdisc, limit_in_packets, units
from ackclock.tc_words.qdisc import flag

if TYPE_CHECKING:
    from ackclock.border.plan import PieControlPlan, PieQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.tc_words import TcQueue

__all__ = ["Pie", "PieControlled", "burst_note", "control_words"]

_FIXED_ECN_PROB = 0.1
_FIXED_MAX_BURST_PS = 150 * 10**9

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

    @staticmethod
    def tc(plan: PieQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`; tc-pie(8)."""
        limit, notes = limit_in_packets(plan["limit"], queue.packet)
        control = plan["control"]
        if control["ecn"] and control["ecn_prob"] != _FIXED_ECN_PROB:
            notes += (
                (
                    "tc-pie marks up to a drop probability of 10 %, and the scenario up to "
                    f"{100 * control['ecn_prob']:g} %."
                ),
            )
        return TcQdisc(
            ("pie", "limit", str(limit), *control_words(control)), (*notes, *burst_note(control))
        )


def control_words(control: PieControlPlan) -> tuple[str, ...]:
    """PIE's controller: tc's alpha and beta are whole sixteenths of 1/s (tc-pie(8))."""
    return (
        *("target", units.time(control["target_ps"])),
        *("tupdate", units.time(control["tupdate_ps"])),
        *("alpha", str(round(control["alpha"] * GAIN_STEPS))),
        *("beta", str(round(control["beta"] * GAIN_STEPS))),
        flag("ecn", control["ecn"]),
        flag("bytemode", control["bytemode"]),
        flag("dq_rate_estimator", control["dq_rate_estimator"], "no_"),
    )


def burst_note(control: PieControlPlan) -> tuple[str, ...]:
    """A sentence on PIE's burst allowance where it differs from Linux's."""
    if control["max_burst_ps"] == _FIXED_MAX_BURST_PS:
        return ()
    return (
        (
            "tc has no burst allowance to set: Linux fixes it at 150ms, and the scenario has "
            f"{units.time(control['max_burst_ps'])}."
        ),
    )
