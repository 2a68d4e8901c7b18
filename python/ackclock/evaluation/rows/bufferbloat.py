"""Section 5.1.2: protection from bufferbloat."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import dumbbell, flow, flows_label, packets_of, plain_number
from ackclock.evaluation.row import Cell, Context, Measure, Row, queue_delay_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_RATE, _RTT_MS = 20.0, 40.0
_RESPONSES = ("queue_delay.p50", "queue_delay.p95", "utilisation")
_MEASURES = (
    Measure("queueing delay, median", "s", "queue_delay.p50", line=queue_delay_line()),
    Measure("queueing delay, 95th percentile", "s", "queue_delay.p95", line=queue_delay_line()),
    Measure("utilisation", "1", "utilisation", more_is_better=True),
)


def _cell(context: Context, count: int, bdp: float, labels: dict[str, str]) -> Cell:
    return Cell(
        labels=labels,
        scenario=dumbbell(
            _RATE,
            _RTT_MS,
            packets_of(_RATE, _RTT_MS, bdp),
            [flow(count=count)],
            seconds=30.0 if context.quick else 60.0,
            warmup=10.0,
        ),
        responses=_RESPONSES,
        base_rtt=_RTT_MS / 1000.0,
        rate=_RATE * 1e6,
    )


def _one(context: Context) -> Sequence[Cell]:
    return [
        _cell(context, 1, bdp, {"buffer": f"{plain_number(bdp)} BDP"})
        for bdp in ((1, 4, 16) if context.quick else (1, 2, 4, 8, 16, 64))
    ]


def _several(context: Context) -> Sequence[Cell]:
    return [_cell(context, count, 16, {"flows": flows_label(count)}) for count in (4, 16)]


_E04 = Row(
    id="E04",
    section="5.1.2",
    strength="consider",
    title="Standing queue of one flow",
    demand="A flow should not fill every buffer that it finds (bufferbloat).",
    choice=(
        "One flow on 20 Mbit/s, 40 ms; buffers of 1 to 64 BDP, tail drop. Median and 95th "
        "percentile of the queueing delay, by rule R1 (10 %; 10 % of the base RTT). Reno and "
        "CUBIC fill the buffer themselves, so a concern is rare here; E27 judges under AQMs."
    ),
    cells=_one,
    measures=_MEASURES,
    kernel=("4 BDP",),
    sources=(
        (
            "BBR limits its inflight to 2 BDP, so its standing queue is at most about 1 BDP in "
            "deep buffers (Hock, Bless & Zitterbart, ICNP 2017)."
        ),
    ),
)

_E05 = Row(
    id="E05",
    section="5.1.2",
    strength="consider",
    title="Standing queue of several flows",
    demand="Several flows should not fill every buffer that they find.",
    choice="As E04 with 4 and 16 flows and a buffer of 16 BDP.",
    cells=_several,
    measures=_MEASURES,
)

ROWS = (_E04, _E05)
