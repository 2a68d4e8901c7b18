"""CoDel and BLUE together."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field

from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.tc_words import TcQdisc, units
from ackclock.scenario.quantities import PositiveTime, time_ps

if TYPE_CHECKING:
    from ackclock.core_types.plan import CobaltQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.scenario.qdisc.tc_words import TcQueue

__all__ = ["Cobalt"]

_P_INC, _P_DEC = 1 / 256, 1 / 4096
_TARGETS_PER_INTERVAL = 20
"""CAKE's interval over its target."""


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
    p_inc: float = Field(default=_P_INC, ge=0, le=1)
    """Increase of BLUE's drop probability by an overflow, at most once per target."""
    p_dec: float = Field(default=_P_DEC, ge=0, le=1)
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

    @staticmethod
    def tc(plan: CobaltQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`.

        COBALT alone is not in tc: CAKE with one tin and one queue is nearest (tc-cake(8)).
        """
        packets, size = plan["limit"].get("limit_packets"), plan["limit"].get("limit_bytes")
        notes = [
            "tc has COBALT in cake only: besteffort and flowblind leave it one tin and one queue."
        ]
        memory: tuple[str, ...] = ()
        if packets is not None or size is not None:
            amount = size if size is not None else (packets or 0) * queue.packet.mtu
            memory = ("memlimit", str(amount))
            notes.append(
                f"cake's memlimit counts the kernel's buffers, which are larger than the {amount} "
                "bytes of packets that the scenario allows."
            )
        if plan["target_ps"] * _TARGETS_PER_INTERVAL != plan["interval_ps"]:
            notes.append(
                "cake sets its target to a twentieth of rtt, and the scenario has "
                f"{units.time(plan['target_ps'])}."
            )
        if not plan["ecn"]:
            notes.append("cake always marks ECN-capable packets, and the scenario drops them.")
        if (plan["p_inc"], plan["p_dec"]) != (_P_INC, _P_DEC):
            notes.append("tc cannot set BLUE's steps, p_inc and p_dec.")
        return TcQdisc(
            (
                *("cake", "unlimited", "besteffort", "flowblind", "no-split-gso", "raw"),
                *("rtt", units.time(plan["interval_ps"]), *memory),
            ),
            tuple(notes),
            drops_at_departure=True,
        )
