"""Section 7.11: data centres."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import dumbbell, flow
from ackclock.evaluation.row import Cell, Context, Line, Measure, Row, fct_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_STEP = {"kind": "step", "threshold": "65 packets"}


def _cells(context: Context) -> Sequence[Cell]:
    return [*_incast(context), *_flow_sizes(context)]


def _incast(context: Context) -> Sequence[Cell]:
    return [
        Cell(
            labels={"traffic": "incast", "load": f"{count} senders"},
            scenario=dumbbell(
                10000.0,
                0.1,
                400,
                [
                    {
                        "name": "s",
                        "cc": "reno",
                        "count": count,
                        "app": {"kind": "incast", "size": "64kB", "gap": "1ms"},
                    }
                ],
                seconds=0.5 if context.quick else 2.0,
                qdisc=_STEP,
            ),
            responses=("response_time.p50", "response_time.p99", "queue_delay.p99", "timeouts"),
            base_rtt=0.0001,
            rate=10e9,
        )
        for count in (2, 8, 32, 64)
    ]


def _flow_sizes(context: Context) -> Sequence[Cell]:
    return [
        Cell(
            labels={"traffic": sizes, "load": f"{load:g}"},
            scenario=dumbbell(
                10000.0,
                0.1,
                400,
                [
                    flow(
                        start="0s",
                        app={
                            "kind": "short-flows",
                            "load": load,
                            "size": f"cdf({sizes})",
                            "connections": 2000,
                        },
                    )
                ],
                seconds=0.3 if context.quick else 1.0,
                warmup=0.05,
                qdisc=_STEP,
            ),
            responses=("fct_slowdown.p50", "fct_slowdown.p99", "queue_delay.p99", "timeouts"),
            base_rtt=0.0001,
            rate=10e9,
        )
        for sizes in ("websearch", "datamining")
        for load in (0.3, 0.6)
    ]


def _is_incast(cell: Cell) -> bool:
    return cell.labels["traffic"] == "incast"


_E40 = Row(
    id="E40",
    section="7.11",
    strength="SHOULD",
    title="Data centres",
    demand="A proposal for data centres should say whether it may coexist with others there.",
    choice=(
        "10 Gbit/s, 100 us, marks from 65 packets on; incast of 2 to 64 senders of 64 kB, and the "
        "flow sizes of web search and data mining at a load of 0.3 and 0.6. Slowdown by rule R1 "
        "(25 %, 0.5), response time by 25 % and 0.5 ms, queueing delay by twice and 50 us."
    ),
    cells=_cells,
    measures=(
        Measure(
            "slowdown, 99th percentile",
            "1",
            "fct_slowdown.p99",
            line=fct_line(0.25),
            of=lambda cell: not _is_incast(cell),
        ),
        Measure(
            "response time, 99th percentile",
            "s",
            "response_time.p99",
            line=Line(0.25, 0.0005),
            of=_is_incast,
            worst=lambda cell: cell.duration,
        ),
        Measure("queueing delay, 99th percentile", "s", "queue_delay.p99", line=Line(1.0, 0.00005)),
        Measure("timeouts", "1", "timeouts"),
    ),
    references=("dctcp", "cubic"),
    competing=True,
    applies=lambda context: (
        None
        if "data-centre" in context.claims
        else "the subject does not claim data centres (evaluate it with --claim data-centre)"
    ),
)

ROWS = (_E40,)
