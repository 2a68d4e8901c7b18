"""Section 5.1.5: short flows of the proposal."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import dumbbell, flow, packets_of
from ackclock.evaluation.row import Cell, Context, Measure, Row, fct_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS", "SIZES"]

SIZES = "pareto(3kB, 1.3) between 3kB and 5MB"
"""Sizes of short flows: a heavy tail."""


def _cells(context: Context) -> Sequence[Cell]:
    found = []
    for rate in (20.0, 100.0):
        for long in (False, True):
            flows: list[dict[str, Any]] = [
                flow(name="q", app={"kind": "short-flows", "load": 0.5, "size": SIZES})
            ]
            responses: list[Any] = ["fct_slowdown.p50", "fct_slowdown.p99"]
            if long:
                flows.append(flow(name="l"))
                responses.append({"name": "long", "metric": "goodput", "flows": "l"})
            found.append(
                Cell(
                    labels={"rate": f"{rate:g} Mbit/s", "beside": "1 long" if long else "alone"},
                    scenario=dumbbell(
                        rate,
                        40.0,
                        packets_of(rate, 40.0, 1.0),
                        flows,
                        seconds=30.0 if context.quick else 60.0,
                        warmup=10.0,
                    ),
                    responses=tuple(responses),
                    base_rtt=0.04,
                    rate=rate * 1e6,
                    slots=("q", "l"),
                )
            )
    return found


_E11 = Row(
    id="E11",
    section="5.1.5",
    strength="MUST",
    title="Short flows of the subject",
    demand="The effects of the proposal and short flows on each other must be looked at.",
    choice=(
        "Files of a heavy-tailed size at a load of 0.5, alone and beside one long flow; 20 and "
        "100 Mbit/s, 40 ms, 1 BDP; all flows are the subject's. Slowdown against an empty link: "
        "median by 10 %, 99th percentile by 25 %, each by more than 0.5."
    ),
    cells=_cells,
    measures=(
        Measure(
            "slowdown, median",
            "1",
            "fct_slowdown.p50",
            line=fct_line(0.1),
            worst=lambda cell: cell.duration,
        ),
        Measure(
            "slowdown, 99th percentile",
            "1",
            "fct_slowdown.p99",
            line=fct_line(0.25),
            worst=lambda cell: cell.duration,
        ),
        Measure(
            "goodput of the long flow",
            "bit/s",
            "long",
            more_is_better=True,
            of=lambda cell: cell.labels["beside"] == "1 long",
        ),
    ),
    competing=True,
)

ROWS = (_E11,)
