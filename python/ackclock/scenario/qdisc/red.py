"""Random early detection."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import BeforeValidator, Field

from ackclock.messages import shown
from ackclock.scenario.errors import ScenarioError, problem
from ackclock.scenario.qdisc.base import Discipline
from ackclock.scenario.qdisc.red_auto import auto_red
from ackclock.scenario.qdisc.tc_words import TcQdisc
from ackclock.scenario.qdisc.tc_words.red import red
from ackclock.scenario.quantities import (
    PositiveTime,
    Threshold,
    amount,
    check_size,
    size_bytes,
    text_schema,
    time_ps,
)

if TYPE_CHECKING:
    from ackclock.core_types.plan import RedQdiscPlan
    from ackclock.scenario.qdisc.queue import Queue
    from ackclock.scenario.qdisc.tc_words import TcQueue

__all__ = ["Red"]


def _check_weight(value: Any) -> Any:
    if value == "auto" or (
        isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1
    ):
        return value
    raise problem(
        f"{shown(value)} is not a weight: write a number above 0 and at most 1, or 'auto'",
        kind="out-of-range",
    )


def _check_mean_packet(value: Any) -> str:
    return "auto" if value == "auto" else check_size(value)


_Weight = Annotated[Literal["auto"] | float, BeforeValidator(_check_weight)]
_MeanPacket = Annotated[
    str,
    BeforeValidator(_check_mean_packet),
    text_schema("A number of bytes with its unit, or auto.", "1500 bytes", "auto"),
]


class Red(Discipline):
    """Random early detection (Floyd & Jacobson 1993), with ns-2.35's automatic parameters."""

    kind: Literal["red"]
    """Name of the discipline."""
    min_threshold: Threshold = "auto"
    """Average queue above which packets are dropped or marked at random.

    auto: half of `target_delay` at line rate, at least 5 packets.
    """
    max_threshold: Threshold = "auto"
    """Average queue at which the probability is `max_p`. auto: three times the lower threshold."""
    max_p: float = Field(default=0.1, gt=0, le=1)
    """Probability at the upper threshold, 0 to 1 (ns-2: 1 / linterm_)."""
    weight: _Weight = "auto"
    """Weight of a new sample in the average.

    auto: 1 - exp(-1 / (10 R C)), C the line rate in packets/s and R = max(100 ms, 3 (delay + 1/C)).
    """
    gentle: bool = True
    """Between the upper threshold and twice that, rise from `max_p` to 1 rather than drop all."""
    wait: bool = True
    """Space random drops out: none within 1/p packets of the last, as in ns-2.

    Linux's RED is `wait = false`: gaps up to 1/p, three times as many drops at an average queue.
    """
    adaptive: bool = False
    """Let `max_p` follow the average (Floyd, Gummadi & Shenker 2001)."""
    byte_mode: bool = False
    """Count bytes rather than packets, and scale the probability by packet size."""
    mean_packet: _MeanPacket = "auto"
    """Mean packet size on the wire.

    auto: the mean full packet of the flows whose data, or else whose ACKs, cross the link.
    """
    target_delay: PositiveTime = "5ms"
    """Queueing delay that the automatic thresholds aim at."""
    ecn: bool = False
    """Mark ECN-capable packets rather than drop them at random."""

    def plan(self, queue: Queue) -> RedQdiscPlan:
        """See `Discipline.plan`."""
        if self.mean_packet != "auto":
            mean = size_bytes(self.mean_packet)
        elif queue.crossing.flows:
            mean = round(queue.crossing.packet_sum_bytes / queue.crossing.flows)
        else:
            mean = 500
        if not queue.rate_bps:
            raise ScenarioError(
                "RED has nothing to do on an unlimited link, where nothing ever waits: give the "
                "link a rate, or leave RED out",
                key=f"{queue.key}.qdisc",
                value=self.kind,
            )
        auto = auto_red(queue.rate_bps, queue.delay_ps, mean, time_ps(self.target_delay))

        def threshold(name: Literal["min_threshold", "max_threshold"], automatic: float) -> float:
            text: str = getattr(self, name)
            if text == "auto" or queue.is_unknown(text):
                packets = Fraction(automatic)
            elif amount(text).unit == "packets":
                packets = amount(text).number
            else:
                packets = queue.bytes_at(text) / mean
            return float(packets * mean if self.byte_mode else packets)

        lower = threshold("min_threshold", auto.min_threshold)
        in_packets = lower / mean if self.byte_mode else lower
        upper = threshold("max_threshold", 3 * in_packets)
        if upper <= lower:
            name = "max_threshold" if self.max_threshold != "auto" else "min_threshold"
            raise ScenarioError(
                f"{shown(getattr(self, name))}: the upper threshold must be above the lower; they "
                f"are {upper:g} and {lower:g} "
                f"{'bytes' if self.byte_mode else 'packets'}",
                key=f"{queue.key}.qdisc.{name}",
                value=getattr(self, name),
            )
        return {
            "kind": "red",
            "limit": queue.limit(),
            "min_threshold": lower,
            "max_threshold": upper,
            "max_p": self.max_p,
            "weight": auto.weight if self.weight == "auto" else float(self.weight),
            "gentle": self.gentle,
            "wait": self.wait,
            "adaptive": self.adaptive,
            "byte_mode": self.byte_mode,
            "mean_packet_bytes": mean,
            "ecn": self.ecn,
        }

    @staticmethod
    def tc(plan: RedQdiscPlan, queue: TcQueue) -> TcQdisc:
        """See `Discipline.tc`; tc-red(8)."""
        words, notes, warnings = red(plan, queue.packet.mtu, queue.rate_bps)
        waits = ("with wait = true Linux's RED is another queue", "write wait = false in its qdisc")
        return TcQdisc(words, notes, warnings=warnings, obstacles=(waits,) if plan["wait"] else ())
