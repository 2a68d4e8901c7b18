"""Queue disciplines."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, WithJsonSchema

from ackclock.scenario.errors import problem, shown
from ackclock.scenario.quantities import MarkingThreshold, PositiveTime, Threshold, check_size
from ackclock.scenario.table import Table, kind_of

__all__ = ["QDISCS", "Fifo", "Qdisc", "Red", "Step"]


def _check_weight(value: Any) -> Any:
    if value == "auto" or (isinstance(value, int | float) and not isinstance(value, bool) and 0 < value <= 1):
        return value
    raise problem(f"{shown(value)} is not a weight: write a number above 0 and at most 1, or 'auto'")


def _check_mean_packet(value: Any) -> str:
    return "auto" if value == "auto" else check_size(value)


_Weight = Annotated[Literal["auto"] | float, BeforeValidator(_check_weight)]
_MeanPacket = Annotated[
    str,
    BeforeValidator(_check_mean_packet),
    WithJsonSchema({"type": "string", "description": "A number of bytes with its unit, or auto.", "examples": ["1500 bytes", "auto"]}),
]


class Fifo(Table):
    """First in, first out; an arrival that finds the queue full is dropped."""

    kind: Literal["fifo"]
    """Which discipline."""


class Red(Table):
    """Random early detection (Floyd & Jacobson 1993), with ns-2.35's automatic parameters."""

    kind: Literal["red"]
    """Which discipline."""
    min_threshold: Threshold = "auto"
    """Average queue above which packets are dropped or marked at random. auto: half of `target_delay` at line rate, at least 5 packets."""
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
    """Space random drops out: none within 1/p packets of the last."""
    adaptive: bool = False
    """Let `max_p` follow the average (Floyd, Gummadi & Shenker 2001)."""
    byte_mode: bool = False
    """Count bytes rather than packets, and scale the probability by packet size."""
    mean_packet: _MeanPacket = "auto"
    """Mean packet size, on the wire. auto: the mean full packet of the flows whose data, or else whose ACKs, cross."""
    target_delay: PositiveTime = "5ms"
    """Queueing delay that the automatic thresholds aim at."""
    ecn: bool = False
    """Mark ECN-capable packets rather than drop them at random."""


class Step(Table):
    """First in, first out, with a mark on every ECN-capable packet that finds too much waiting: DCTCP's and L4S's marking."""

    kind: Literal["step"]
    """Which discipline."""
    threshold: MarkingThreshold
    """The most that may wait unmarked: DCTCP's K, in packets or bytes, or L4S's delay, such as "1ms" at line rate."""


QDISCS: dict[str, type[Table]] = {"fifo": Fifo, "red": Red, "step": Step}


def _short(value: Any) -> Any:
    if not isinstance(value, str | dict | Table):
        raise problem(f"{shown(value)} is not a queue discipline: write one of {', '.join(QDISCS)}, or a table with that as its kind")
    return kind_of(value)


Qdisc = Annotated[
    Fifo | Red | Step,
    Field(discriminator="kind"),
    BeforeValidator(_short, json_schema_input_type=Literal["fifo", "red"] | Fifo | Red | Step),
]
