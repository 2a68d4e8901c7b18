"""Section 5.1.4: fairness among flows of the proposal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from ackclock.evaluation.grid import (
    dumbbell,
    flow,
    flows_label,
    milliseconds,
    packets_of,
    plain_number,
    seconds_of,
    warmup_of,
)
from ackclock.evaluation.row import LN2, Cell, Context, Figures, Line, Measure, Row, jain_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]


_MANY = 16


def _equal(context: Context) -> Sequence[Cell]:
    rtts = (10.0, 40.0) if context.quick else (10.0, 40.0, 160.0)
    buffers = (0.25, 4.0) if context.quick else (0.25, 1.0, 4.0)
    return [
        Cell(
            labels={
                "flows": flows_label(count),
                "RTT": f"{rtt:g} ms",
                "buffer": f"{plain_number(bdp)} BDP",
            },
            scenario=dumbbell(
                100.0,
                rtt,
                packets_of(100.0, rtt, bdp),
                [flow(count=count)],
                # Many flows have small windows, and so short cycles, at 160 ms too.
                seconds=seconds_of(context, 100.0, rtt if count < _MANY else 40.0),
                warmup=warmup_of(rtt),
            ),
            responses=("jain_index", "min_max_ratio"),
            base_rtt=rtt / 1000.0,
            rate=100e6,
        )
        for count in (2, 4, 16, 64)
        for rtt in rtts
        for bdp in buffers
    ]


_E08 = Row(
    id="E08",
    section="5.1.4",
    strength="consider",
    title="Fairness of equal flows",
    demand="Flows of the proposal that compete should share the bottleneck fairly.",
    choice=(
        "2 to 64 flows on 100 Mbit/s; RTT 10, 40 and 160 ms; buffers of 0.25 to 4 BDP. Jain's "
        "index of the goodputs, lower by more than 0.05 than the worse reference."
    ),
    cells=_equal,
    measures=(
        Measure("Jain's index", "1", "jain_index", line=jain_line(), more_is_better=True),
        Measure("slowest over fastest", "1", "min_max_ratio", more_is_better=True),
    ),
    competing=True,
    kernel=("4 flows, 40 ms, 0.25 BDP",),
)


def _join(_context: Context) -> Sequence[Cell]:
    return [
        Cell(
            labels={"RTT": f"{rtt:g} ms"},
            scenario=dumbbell(
                100.0,
                rtt,
                packets_of(100.0, rtt, 1.0),
                [
                    flow(name=f"s{at}", start=f"uniform({60 * at}s, {60 * at + 1}s)")
                    for at in range(5)
                ],
                seconds=360.0,
                samples="500ms",
                link_samples=False,
            ),
            responses=(
                {"name": "newcomers", "metric": "newcomer_share(within=30s)"},
                {"name": "jain", "metric": "jain_between(since=300s, until=360s)"},
                {
                    "name": "convergence",
                    "metric": "convergence_time(delta=0.3, timescale=5s, hold=5s)",
                },
            ),
            base_rtt=rtt / 1000.0,
            rate=100e6,
            slots=("s0", "s1", "s2", "s3", "s4"),
        )
        for rtt in (10.0, 80.0)
    ]


_E09 = Row(
    id="E09",
    section="5.1.4",
    strength="consider",
    title="Newcomers",
    demand="A flow that joins others of the proposal should get its share.",
    choice=(
        "Five flows on 100 Mbit/s, one every 60 s; RTT 10 and 80 ms; 1 BDP. Share of its fair "
        "share that a newcomer has in the 30 s after it joins, mean of four, lower by more than "
        "0.2; Jain's index of the last 60 s, lower by more than 0.1."
    ),
    cells=_join,
    measures=(
        Measure("newcomer's share", "1", "newcomers", line=jain_line(0.2), more_is_better=True),
        Measure("Jain's index, last 60 s", "1", "jain", line=jain_line(0.1), more_is_better=True),
        Measure("convergence time", "s", "convergence", worst=lambda _cell: 120.0),
    ),
    competing=True,
)

_LONG_MS = 160.0


def _unequal(context: Context) -> Sequence[Cell]:
    found = []
    for rtt in (10.0, 40.0) if context.quick else (10.0, 20.0, 40.0, 80.0):
        for bdp in (0.25, 1.0, 2.0):
            # The bottleneck has the 10 ms that both paths share; access links have the rest.
            short = flow(name="short")
            if rtt > 10.0:
                short["access"] = {"delay": milliseconds((rtt - 10.0) / 4.0)}
            found.append(
                Cell(
                    labels={"RTT": f"{rtt:g} ms", "buffer": f"{plain_number(bdp)} BDP"},
                    scenario=dumbbell(
                        50.0,
                        10.0,
                        packets_of(50.0, _LONG_MS, bdp),
                        [
                            short,
                            flow(name="long", access={"delay": milliseconds((_LONG_MS - 10) / 4)}),
                        ],
                        seconds=60.0 if context.quick else 100.0,
                        warmup=20.0,
                    ),
                    responses=(
                        {"name": "short", "metric": "goodput", "flows": "short"},
                        {"name": "long", "metric": "goodput", "flows": "long"},
                    ),
                    base_rtt=_LONG_MS / 1000.0,
                    rate=50e6,
                    slots=("short", "long"),
                )
            )
    return found


def _ratio(figures: Figures, sign: float) -> float:
    """The logarithm of a ratio of goodputs, cut at 0: an advantage of one side."""
    short, long = figures["short"] or 0.0, figures["long"] or 0.0
    return max(0.0, sign * math.log(max(short, 1.0) / max(long, 1.0)))


_E10 = Row(
    id="E10",
    section="5.1.4",
    strength="consider",
    title="Unequal round-trip times",
    demand="Flows of unequal round-trip times should share the bottleneck sensibly.",
    choice=(
        "A flow of 10 to 80 ms beside one of 160 ms on 50 Mbit/s; buffers of 0.25 to 2 BDP of "
        "160 ms. Ratio of the goodputs, each direction on its own: more than twice that of the "
        "reference with the worse ratio of this direction. Shown as natural logarithm."
    ),
    cells=_unequal,
    measures=(
        Measure(
            "advantage of the short path (ln)",
            "1",
            lambda figures, _cell: _ratio(figures, 1.0),
            line=Line(0.0, LN2),
        ),
        Measure(
            "advantage of the long path (ln)",
            "1",
            lambda figures, _cell: _ratio(figures, -1.0),
            line=Line(0.0, LN2),
        ),
        Measure("goodput of the short path", "bit/s", "short", more_is_better=True),
        Measure("goodput of the long path", "bit/s", "long", more_is_better=True),
    ),
    competing=True,
    sources=(
        (
            "BBRv1 favours long round-trip times where loss-based flows favour short ones (Ma et "
            "al., Fairness of congestion-based congestion control, 2017; Hock et al., ICNP 2017)."
        ),
        (
            "MIMD flows such as Scalable TCP diverge where round-trip times are unequal (Xu, "
            "Harfoush & Rhee, INFOCOM 2004)."
        ),
    ),
)

ROWS = (_E08, _E09, _E10)
