"""Section 7.1: active queue management."""

from __future__ import annotations

import itertools
import math
from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import (
    Place,
    dumbbell,
    flow,
    packets_of,
    plain_number,
    quick_grid,
    seconds_of,
    warmup_of,
)
from ackclock.evaluation.row import (
    LN2,
    Cell,
    Context,
    Figures,
    Line,
    Measure,
    Row,
    harm_line,
    loss_line,
    queue_delay_line,
    share_line,
)
from ackclock.evaluation.rows.others import beside, share_of_link

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_DISCIPLINES = ("red", "codel", "fq_codel", "pie", "fq_pie", "cobalt")


def _places(context: Context) -> Sequence[Place]:
    if context.quick:
        return ((4.0, 10.0, 4.0), (100.0, 40.0, 0.25), (20.0, 40.0, 1.0))
    corners = itertools.product((4.0, 100.0), (10.0, 160.0), (0.25, 4.0))
    return (*corners, (20.0, 40.0, 1.0))


def _cells(context: Context) -> Sequence[Cell]:
    found = []
    disciplines = ("codel", "fq_codel", "pie") if context.quick else _DISCIPLINES
    for discipline in disciplines:
        for rate, rtt, bdp in _places(context):
            place = {
                "qdisc": discipline,
                "rate": f"{rate:g} Mbit/s",
                "RTT": f"{rtt:g} ms",
                "buffer": f"{plain_number(bdp)} BDP",
            }
            seconds = 30.0 if context.quick or (rate, rtt) == (100.0, 160.0) else 60.0
            alone = dumbbell(
                rate,
                rtt,
                packets_of(rate, rtt, bdp),
                [flow()],
                seconds=seconds,
                warmup=warmup_of(rtt),
                qdisc=discipline,
            )
            found.append(
                Cell(
                    labels={**place, "flows": "alone"},
                    scenario=alone,
                    responses=("utilisation", "queue_delay.p95"),
                    base_rtt=rtt / 1000.0,
                    rate=rate * 1e6,
                )
            )
            cell = beside(context, (rate, rtt, bdp), "cubic", seconds=seconds, qdisc=discipline)
            found.append(
                Cell(
                    labels={**place, "flows": "beside cubic"},
                    scenario=cell.scenario,
                    responses=(*cell.responses[:2], "queue_delay.p95"),
                    base_rtt=cell.base_rtt,
                    rate=cell.rate,
                    numbers=cell.numbers,
                )
            )
    return found


def _is_alone(cell: Cell) -> bool:
    return cell.labels["flows"] == "alone"


def _is_beside(cell: Cell) -> bool:
    return not _is_alone(cell)


_E27 = Row(
    id="E27",
    section="7.1",
    strength="SHOULD",
    title="Active queue management",
    demand="Proposals should be looked at with AQMs such as FQ-CoDel and PIE.",
    choice=(
        "One flow alone, and beside one of CUBIC, under RED, CoDel, FQ-CoDel, PIE, FQ-PIE and "
        "COBALT at the corners and the centre of G. Utilisation and 95th percentile of the "
        "queueing delay (at least 5 ms) by rule R1; the share of CUBIC by rule R2."
    ),
    cells=_cells,
    measures=(
        Measure(
            "utilisation", "1", "utilisation", line=share_line(), more_is_better=True, of=_is_alone
        ),
        Measure(
            "queueing delay, 95th percentile",
            "s",
            "queue_delay.p95",
            line=queue_delay_line(aqm=True),
            judged=_is_alone,
        ),
        Measure(
            "CUBIC's share of the link",
            "1",
            share_of_link("good v"),
            line=harm_line(),
            more_is_better=True,
            of=_is_beside,
        ),
    ),
    competing=True,
    kernel=("codel, 20 Mbit/s, 40 ms, 1 BDP, alone",),
)


def _marked(context: Context) -> Sequence[Cell]:
    if context.ecn == "l4s":
        return _l4s(context)
    found = []
    for qdisc in ("codel", "red"):
        for victim in ("reno", "cubic"):
            for place in quick_grid():
                cell = beside(
                    context,
                    place,
                    victim,
                    labels={"qdisc": qdisc},
                    qdisc={"kind": qdisc, "ecn": True},
                )
                for one in cell.scenario["flows"]:
                    if one["name"] == "v":
                        one["transport"] = {"ecn": "classic"}
                found.append(cell)
    return found


def _l4s(context: Context) -> Sequence[Cell]:
    found = []
    rates = (4.0, 40.0) if context.quick else (4.0, 40.0, 120.0)
    rtts = (10.0, 50.0) if context.quick else (5.0, 10.0, 20.0, 50.0, 100.0)
    for rate in rates:
        for rtt in rtts:
            scenario = dumbbell(
                rate,
                rtt,
                10000,
                [flow(), flow("cubic", name="v")],
                seconds=seconds_of(context, rate, rtt),
                warmup=warmup_of(rtt),
                qdisc="dualpi2",
            )
            found.append(
                Cell(
                    labels={"rate": f"{rate:g} Mbit/s", "RTT": f"{rtt:g} ms"},
                    scenario=scenario,
                    responses=(
                        {"name": "good s", "metric": "goodput", "flows": "s"},
                        {"name": "good v", "metric": "goodput", "flows": "v"},
                        {"name": "loss v", "metric": "loss_rate", "flows": "v"},
                        {"name": "rtt s", "metric": "rtt.p99", "flows": "s"},
                    ),
                    base_rtt=rtt / 1000.0,
                    rate=rate * 1e6,
                    seats={"prague": _prague},
                )
            )
    return found


def _prague(table: dict[str, Any]) -> dict[str, Any]:
    for one in table["flows"]:
        if one["name"] == "s":
            one["cc"] = "prague"
    return table


def _is_l4s(cell: Cell) -> bool:
    return cell.seats is not None


def _is_classic(cell: Cell) -> bool:
    return cell.seats is None


def _ratio(figures: Figures, _cell: Cell) -> float | None:
    """Distance of the ratio of rates from 1, on a logarithmic scale."""
    own, other = figures["good s"], figures["good v"]
    if own is None or other is None:
        return None
    return abs(math.log(max(own, 1.0) / max(other, 1.0)))


def _queue_rtt(figures: Figures, cell: Cell) -> float | None:
    found = figures.get("rtt s")
    return None if found is None else max(0.0, found - cell.base_rtt)


_E28 = Row(
    id="E28",
    section="7.1",
    strength="SHOULD",
    title="Explicit congestion notification and L4S",
    demand="The use of ECT must conform to the meaning of the marks.",
    choice=(
        "ECT(0): marks of CoDel and RED take the place of drops in E12's cells, and the victim, "
        "which has ECN too, is judged by rule R2. ECT(1): DualPI2, the subject beside CUBIC at 4 "
        "to 120 Mbit/s and 5 to 100 ms. A concern is a ratio of rates outside 0.5 to 2 where "
        "Prague's is inside, or a 99th percentile of the RTT above the base more than twice "
        "Prague's, by 2 ms."
    ),
    cells=_marked,
    measures=(
        Measure(
            "victim's share of the link",
            "1",
            share_of_link("good v"),
            line=harm_line(),
            more_is_better=True,
            of=_is_classic,
        ),
        Measure("loss rate of the victim", "1", "loss v", line=loss_line(), of=_is_classic),
        Measure(
            "distance of the ratio of rates from 1 (ln)",
            "1",
            _ratio,
            line=Line(0.0, 0.2, limit=LN2),
            of=_is_l4s,
        ),
        Measure(
            "subject's RTT above the base, 99th percentile",
            "s",
            _queue_rtt,
            line=Line(1.0, 0.002),
            of=_is_l4s,
        ),
    ),
    competing=True,
    family="victim",
    applies=lambda context: (
        "the subject sets no ECT (evaluate it with --ecn classic to see it with RFC 3168's marks)"
        if context.ecn == "off"
        else None
    ),
)

ROWS = (_E27, _E28)
