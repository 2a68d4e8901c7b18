"""DualPI2."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Literal

from pydantic import Field, model_validator

from ackclock.messages import shown
from ackclock.scenario.errors import problem
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.period import Period
from ackclock.scenario.qdisc.tc_words import TcQdisc, limit_in_packets, units
from ackclock.scenario.quantities import PS_PER_S, PositiveTime, StepThreshold, amount, time_ps

if TYPE_CHECKING:
    from ackclock.core_types.plan import Dualpi2QdiscPlan, Dualpi2Step
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.scenario.qdisc.tc_words import TcQueue

__all__ = ["Dualpi2"]

_TARGET, _TUPDATE, _ALPHA, _BETA = "15ms", "16ms", 0.16, 3.2
_TYPICAL_TO_MAX = 6
"""max_rtt is this many times typical_rtt where only one of them is given (iproute2)."""


class Dualpi2(Discipline):
    """Coupled dual queue (RFC 9332): a separate L4S queue, marked for fair shares with others."""

    default_limit: ClassVar[str] = "10000 packets"

    kind: Literal["dualpi2"]
    """Name of the discipline."""
    target: PositiveTime | None = None
    """Target delay of the classic queue (default 15ms)."""
    tupdate: Period | None = None
    """Update period of the base probability p' (default 16ms)."""
    alpha: float | None = Field(default=None, ge=0, le=65_535)
    """Gain of the deviation from the target, 1/s (default 0.16)."""
    beta: float | None = Field(default=None, ge=0, le=65_535)
    """Gain of the delay's change, 1/s (default 3.2)."""
    max_rtt: PositiveTime | None = None
    """Longest stable RTT; sets target, tupdate, alpha and beta (RFC 9332 appendix A.1)."""
    typical_rtt: PositiveTime | None = None
    """Usual round trip, which becomes the target (default: a sixth of `max_rtt`)."""
    step_thresh: StepThreshold = "1ms"
    """Delay or length in packets of the L4S queue above which all L4S packets are marked."""
    min_qlen_step: int = Field(default=0, ge=0, le=10_000)
    """L4S packets in queue from which `step_thresh` applies: 2 where one takes that long."""
    coupling_factor: int = Field(default=2, ge=1, le=255)
    """k: L4S packets are marked with k p', all others with p'^2."""
    drop_on_overload: bool = True
    """Drop L4S packets too while k p' exceeds 1 (false: only at the limit, tc's "overflow")."""
    drop_enqueue: bool = False
    """Drop and mark by p' on arrival rather than on departure."""
    classic_protection: int = Field(default=10, ge=0, le=100)
    """Smallest share of the link that the classic queue gets, percent."""
    any_ect: bool = False
    """Whether ECT(0) packets go to the L4S queue too."""

    @model_validator(mode="after")
    def _is_set_once(self) -> Dualpi2:
        if self.max_rtt is None and self.typical_rtt is None:
            return self
        for name in ("target", "tupdate", "alpha", "beta"):
            if getattr(self, name) is not None:
                raise problem(
                    f"{shown(getattr(self, name))}: max_rtt and typical_rtt set it already; leave "
                    "it out",
                    key=name,
                )
        typical, longest = self._round_trips()
        if typical > longest:
            raise problem(
                f"{shown(self.typical_rtt)} is more than max_rtt, {self.max_rtt}", key="typical_rtt"
            )
        return self

    def _round_trips(self) -> tuple[int, int]:
        """The usual and the longest round trip, ps."""
        if self.typical_rtt is None:
            longest = time_ps(self.max_rtt or "0s")
            return max(longest // _TYPICAL_TO_MAX, 1), longest
        typical = time_ps(self.typical_rtt)
        return typical, typical * _TYPICAL_TO_MAX if self.max_rtt is None else time_ps(self.max_rtt)

    def _controller(self) -> tuple[int, int, float, float]:
        """Target and period, ps, and the gains of the deviation and of its change, 1/s."""
        if self.max_rtt is None and self.typical_rtt is None:
            return (
                time_ps(self.target or _TARGET),
                time_ps(self.tupdate or _TUPDATE),
                _ALPHA if self.alpha is None else self.alpha,
                _BETA if self.beta is None else self.beta,
            )
        typical, longest = self._round_trips()
        tupdate = max(min(typical, longest // 3), 1)
        seconds = longest / PS_PER_S
        return typical, tupdate, 0.1 * (tupdate / PS_PER_S) / seconds**2, 0.3 / seconds

    def _step(self, queue: Queue) -> Dualpi2Step:
        step = amount(self.step_thresh)
        if step.unit == "packets":
            return {
                "kind": "packets",
                "count": queue.length(self.step_thresh, "step_thresh")["limit_packets"] or 0,
            }
        return {"kind": "time", "ps": int(step.number)}

    def plan(self, queue: Queue) -> Dualpi2QdiscPlan:
        """See `Discipline.plan`."""
        target, tupdate, alpha, beta = self._controller()
        return {
            "kind": "dualpi2",
            "limit": queue.limit(),
            "target_ps": target,
            "tupdate_ps": tupdate,
            "alpha": alpha,
            "beta": beta,
            "coupling_factor": float(self.coupling_factor),
            "step": self._step(queue),
            "min_qlen_step": self.min_qlen_step,
            "drop_on_overload": self.drop_on_overload,
            "drop_enqueue": self.drop_enqueue,
            "classic_protection": self.classic_protection,
            "any_ect": self.any_ect,
            "mtu_bytes": queue.mtu_bytes,
        }

    @staticmethod
    def tc(plan: Dualpi2QdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`; tc-dualpi2(8)."""
        limit, notes = limit_in_packets(plan["limit"], queue.packet)
        step = plan["step"]
        threshold = units.time(step["ps"]) if step["kind"] == "time" else f"{step['count']}packets"
        return TcQdisc(
            (
                *("dualpi2", "limit", str(limit)),
                *(
                    "target",
                    units.time(plan["target_ps"]),
                    "tupdate",
                    units.time(plan["tupdate_ps"]),
                ),
                *("alpha", units.number(plan["alpha"]), "beta", units.number(plan["beta"])),
                *("step_thresh", threshold, "min_qlen_step", str(plan.get("min_qlen_step", 0))),
                *("coupling_factor", units.number(plan["coupling_factor"])),
                "drop_on_overload" if plan["drop_on_overload"] else "overflow",
                "drop_enqueue" if plan["drop_enqueue"] else "drop_dequeue",
                *("classic_protection", str(plan["classic_protection"])),
                *(("any_ect",) if plan["any_ect"] else ()),
            ),
            (*notes, "dualpi2 needs a kernel and a tc that have it: Linux 6.17 or later."),
            drops_at_departure=not plan["drop_enqueue"],
        )
