"""DualPI2."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, ClassVar, Literal

from pydantic import Field, model_validator

from ackclock.scenario.errors import problem, shown
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.period import Period
from ackclock.scenario.quantities import PS_PER_S, PositiveTime, StepThreshold, amount, time_ps

if TYPE_CHECKING:
    from ackclock.scenario.plan.queue import Queue

__all__ = ["Dualpi2"]

_TARGET, _TUPDATE, _ALPHA, _BETA = "15ms", "16ms", 0.16, 3.2
_TYPICAL_TO_MAX = 6
"""max_rtt is this many times typical_rtt where only one of them is given (iproute2)."""


class Dualpi2(Discipline):
    """Coupled dual queue (RFC 9332): L4S flows in a queue of their own, marked so that they share the link fairly with all others."""

    default_limit: ClassVar[str] = "10000 packets"

    kind: Literal["dualpi2"]
    """Which discipline."""
    target: PositiveTime | None = None
    """Delay of the classic queue that is aimed at (default 15ms)."""
    tupdate: Period | None = None
    """How often the base probability p' is updated (default 16ms)."""
    alpha: float | None = Field(default=None, ge=0, le=65_535)
    """Gain of the deviation from the target, 1/s (default 0.16)."""
    beta: float | None = Field(default=None, ge=0, le=65_535)
    """Gain of the delay's change, 1/s (default 3.2)."""
    max_rtt: PositiveTime | None = None
    """Longest round trip to be stable for; with or without `typical_rtt` it sets the four above (RFC 9332 appendix A.1)."""
    typical_rtt: PositiveTime | None = None
    """Usual round trip, which becomes the target (default: a sixth of `max_rtt`)."""
    step_thresh: StepThreshold = "1ms"
    """L4S packets that have waited longer, or leave more packets behind in their queue, are all marked."""
    min_qlen_step: int = Field(default=0, ge=0, le=10_000)
    """Packets that must wait in the L4S queue for the next to come under `step_thresh`: 2 where a packet alone takes that long."""
    coupling_factor: int = Field(default=2, ge=1, le=255)
    """k: L4S packets are marked with k p', all others with p'^2."""
    drop_on_overload: bool = True
    """While k p' exceeds 1 drop L4S packets too (else: only when the limit is reached, tc's "overflow")."""
    drop_enqueue: bool = False
    """Drop and mark by p' on arrival rather than on departure."""
    classic_protection: int = Field(default=10, ge=0, le=100)
    """Share of the link that the classic queue gets in any case, percent."""
    any_ect: bool = False
    """ECT(0) belongs to the L4S queue too."""

    @model_validator(mode="after")
    def _is_set_once(self) -> Dualpi2:
        if self.max_rtt is None and self.typical_rtt is None:
            return self
        for name in ("target", "tupdate", "alpha", "beta"):
            if getattr(self, name) is not None:
                raise problem(f"{shown(getattr(self, name))}: max_rtt and typical_rtt set it already; leave it out", key=name)
        typical, longest = self._round_trips()
        if typical > longest:
            raise problem(f"{shown(self.typical_rtt)} is more than max_rtt, {self.max_rtt}", key="typical_rtt")
        return self

    def _round_trips(self) -> tuple[int, int]:
        """The usual and the longest round trip, ps."""
        if self.typical_rtt is None:
            longest = time_ps(self.max_rtt or "0s")
            return max(longest // _TYPICAL_TO_MAX, 1), longest
        typical = time_ps(self.typical_rtt)
        return typical, typical * _TYPICAL_TO_MAX if self.max_rtt is None else time_ps(self.max_rtt)

    def _controller(self) -> dict[str, Any]:
        if self.max_rtt is None and self.typical_rtt is None:
            return {
                "target_ps": time_ps(self.target or _TARGET),
                "tupdate_ps": time_ps(self.tupdate or _TUPDATE),
                "alpha": _ALPHA if self.alpha is None else self.alpha,
                "beta": _BETA if self.beta is None else self.beta,
            }
        typical, longest = self._round_trips()
        tupdate = max(min(typical, longest // 3), 1)
        seconds = longest / PS_PER_S
        return {
            "target_ps": typical,
            "tupdate_ps": tupdate,
            "alpha": 0.1 * (tupdate / PS_PER_S) / seconds**2,
            "beta": 0.3 / seconds,
        }

    def _step(self, queue: Queue) -> dict[str, Any]:
        step = amount(self.step_thresh)
        if step.unit == "packets":
            return {"kind": "packets", "count": queue.length(self.step_thresh, "step_thresh")["limit_packets"]}
        return {"kind": "time", "ps": int(step.number)}

    def plan(self, queue: Queue) -> dict[str, Any]:
        """See `Discipline.plan`."""
        return {
            "kind": "dualpi2",
            "limit": queue.limit(),
            **self._controller(),
            "coupling_factor": float(self.coupling_factor),
            "step": self._step(queue),
            "min_qlen_step": self.min_qlen_step,
            "drop_on_overload": self.drop_on_overload,
            "drop_enqueue": self.drop_enqueue,
            "classic_protection": self.classic_protection,
            "any_ect": self.any_ect,
            "mtu_bytes": queue.mtu_bytes,
        }
