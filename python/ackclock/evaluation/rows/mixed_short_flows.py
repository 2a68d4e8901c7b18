"""Section 5.2.3: short and long flows of the subject and of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import PAYLOAD, dumbbell, flow, packets_of, plain_number
from ackclock.evaluation.row import Cell, Context, Figures, Line, Measure, Row, fct_line, harm_line
from ackclock.evaluation.rows.short_flows import SIZES

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]


def _cells(context: Context) -> Sequence[Cell]:
    found = []
    for who in ("others' short, own long", "own short, others' long"):
        for rate in (20.0, 100.0):
            for bdp in (1.0,) if context.quick else (0.25, 1.0, 4.0):
                own_long = who.endswith("own long")
                short = flow("cubic", name="q" if own_long else "s")
                short["app"] = {"kind": "short-flows", "load": 0.3, "size": SIZES}
                long = flow("cubic", name="s" if own_long else "l")
                found.append(
                    Cell(
                        labels={
                            "flows": who,
                            "rate": f"{rate:g} Mbit/s",
                            "buffer": f"{plain_number(bdp)} BDP",
                        },
                        scenario=dumbbell(
                            rate,
                            40.0,
                            packets_of(rate, 40.0, bdp),
                            [short, long],
                            seconds=30.0 if context.quick else 60.0,
                            warmup=10.0,
                        ),
                        responses=(
                            "fct_slowdown.p50",
                            "fct_slowdown.p99",
                            {"name": "long", "metric": "goodput", "flows": long["name"]},
                        ),
                        base_rtt=0.04,
                        rate=rate * 1e6,
                    )
                )
    return found


def _long_share(figures: Figures, cell: Cell) -> float | None:
    good = figures["long"]
    return None if good is None else good / (cell.rate * PAYLOAD)


def _are_others_long(cell: Cell) -> bool:
    return cell.labels["flows"].startswith("own short")


def _are_others_short(cell: Cell) -> bool:
    return not _are_others_long(cell)


_E18 = Row(
    id="E18",
    section="5.2.3",
    strength="MUST",
    title="Short and long flows of different algorithms",
    demand="Short and long flows that use other congestion controls must be looked at.",
    choice=(
        "Short CUBIC flows (load 0.3, heavy tail) beside one long flow of the subject, and the "
        "subject's short flows beside one long CUBIC flow; 20 and 100 Mbit/s, 40 ms, buffers of "
        "0.25 to 4 BDP. The others' slowdown by rule R1 (median 10 %, 99th percentile 25 %, 0.5), "
        "the others' long flow by rule R2 (0.1 of the link)."
    ),
    cells=_cells,
    measures=(
        Measure(
            "slowdown of the others, median",
            "1",
            "fct_slowdown.p50",
            line=fct_line(0.1),
            judged=_are_others_short,
            worst=lambda cell: cell.duration,
        ),
        Measure(
            "slowdown of the others, 99th percentile",
            "1",
            "fct_slowdown.p99",
            line=fct_line(0.25),
            judged=_are_others_short,
            worst=lambda cell: cell.duration,
        ),
        Measure(
            "share of the link of the others' long flow",
            "1",
            _long_share,
            line=harm_line(),
            more_is_better=True,
            judged=_are_others_long,
        ),
    ),
    competing=True,
    family="flows",
)


def _web(context: Context) -> Sequence[Cell]:
    users: dict[str, Any] = {"kind": "web", "load": 0.3}
    return [
        Cell(
            labels={"buffer": f"{plain_number(bdp)} BDP"},
            scenario=dumbbell(
                20.0,
                40.0,
                packets_of(20.0, 40.0, bdp),
                [flow(), flow("cubic", name="web", app=users)],
                seconds=60.0 if context.quick else 120.0,
                warmup=10.0,
            ),
            responses=(
                "page_load_time.p50",
                "page_load_time.p95",
                {"name": "good s", "metric": "goodput", "flows": "s"},
            ),
            base_rtt=0.04,
            rate=20e6,
        )
        for bdp in (1.0, 4.0)
    ]


def _page_line(relative: float) -> Line:
    def floor(cell: Cell) -> float:
        """10 base RTTs."""
        return 10.0 * cell.base_rtt

    return Line(relative, floor)


_E19 = Row(
    id="E19",
    section="5.2.3",
    strength="MUST",
    title="Web pages beside one flow",
    demand="Users of the web beside the proposal must be looked at.",
    choice=(
        "Pages over CUBIC (load 0.3) beside one flow of the subject on 20 Mbit/s, 40 ms, 1 and 4 "
        "BDP. Time to load a page: median 25 %, 95th percentile 50 %, each by more than 10 RTT."
    ),
    cells=_web,
    measures=(
        Measure(
            "page load time, median",
            "s",
            "page_load_time.p50",
            line=_page_line(0.25),
            worst=lambda cell: cell.duration,
        ),
        Measure(
            "page load time, 95th percentile",
            "s",
            "page_load_time.p95",
            line=_page_line(0.5),
            worst=lambda cell: cell.duration,
        ),
        Measure("goodput of the subject", "bit/s", "good s", more_is_better=True),
    ),
    competing=True,
)

ROWS = (_E18, _E19)
