"""Section 5.1: flows of the proposal alone."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.evaluation.grid import PAYLOAD, dumbbell, flow, goodput, grid, packets_of, seconds_of
from ackclock.evaluation.lines import JAIN, LN2, LOSS, LOST_PACKETS, QUEUE, SHARE, TIME, Line
from ackclock.evaluation.measures import (
    DROP_RATE,
    LOSS_RATE,
    MEDIAN_SLOWDOWN,
    P99_SLOWDOWN,
    QUEUE_DELAY,
    TIMEOUTS,
    UTILISATION,
    shown,
)
from ackclock.evaluation.row import Measure, Row

if TYPE_CHECKING:
    from ackclock.evaluation.cell import Cell, Figures

__all__ = ["ROWS", "SIZES"]

SIZES = "pareto(3kB, 1.3) between 3kB and 5MB"
"""Sizes of short flows: a heavy tail."""


def _packets_per_rtt(figures: Figures, cell: Cell) -> float | None:
    sent = figures["sent_packets"]
    return None if sent is None else sent * cell.base_rtt / cell.values["seconds"]


_E01 = Row(
    "E01",
    "5.1.1",
    "consider",
    "Response to heavy loss",
    demand="A flow must back off fully, or stop, once the loss rate passes some threshold.",
    choice="""
    One flow on 10 Mbit/s, 40 ms, a buffer of 4 BDP; random loss begins after 10 s and is measured
    from 20 s on. Packets sent per base RTT. A concern is more than 10 times the worse reference at
    a loss of 20 to 50 %; other losses are shown. E03 is the row that decides on collapse.""",
    grid=grid(
        lambda loss, **path: dumbbell(
            loss={"kind": "bernoulli", "p": loss / 100.0, "start": "10s"}, **path
        ),
        {"loss": (1, 2, 5, 10, 20, 30, 50, 70)},
        quick={"loss": (2, 10, 20, 50)},
        seconds=120,
        warmup=20,
        rate=10,
        rtt=40,
        buffer=4,
    ),
    responses=("sent_packets", "timeouts"),
    measures=(
        Measure(
            "packets per RTT",
            _packets_per_rtt,
            Line(9.0),
            judged={"loss": ("20 % loss", "30 % loss", "50 % loss")},
            unit="packets",
        ),
        TIMEOUTS,
    ),
)


def _dark(dark: str, length: int) -> Cell:
    end = 20 + length
    outages = {"outages": {"windows": [["20s", f"{end}s"]], "lossy": True}}
    rate = f"{0.8 * PAYLOAD * 10:.4g}Mbit/s"
    return dumbbell(
        10,
        40,
        4,
        seconds=end + 60,
        warmup=0,
        samples="10ms",
        links=False,
        responses=(
            {"name": "late", "metric": f"sent_between(since=22s, until={end}s)"},
            {"name": "resume", "metric": f"resume_time(since={end}s, rate={rate}, timescale=1s)"},
            {"name": "gap ratio", "metric": f"backoff_gap_ratio(since=20s, until={end}s)"},
        ),
        link=outages if dark == "both ways" else {"reverse": outages},
    )


_E02 = Row(
    "E02",
    "5.1.1",
    "MUST",
    "Loss of all feedback",
    sections=("5.2",),
    demand="The loss of all feedback must lead to backoff.",
    choice="""
    The link of E01 goes dark after 20 s, for 20 to 40 s, in both directions or for ACKs alone.
    Packets sent later than 2 s into the dark: twice the worse reference and 10 packets. Time from
    the first packet that gets through until the goodput of 1 s is 80 % of the rate: half as long
    again, and 10 RTT or 0.5 s. Gaps between the sends in the dark are the transport's timer, so
    their ratio is only shown.""",
    grid=grid(
        _dark,
        {"dark": ("both ways", "ACKs alone"), "length": (20, 25, 30, 35, 40)},
        quick={"length": (20, 30, 40)},
    ),
    measures=(
        Measure("packets later than 2 s into the dark", "late", Line(1.0, 10.0), unit="packets"),
        Measure(
            "time from the first delivery to 80 % of the rate", "resume", TIME, worst=60.0, unit="s"
        ),
        Measure("smallest ratio of gaps between sends", "gap ratio", more_is_better=True),
    ),
)

_E03 = Row(
    "E03",
    "5.1.1",
    "consider",
    "Congestion collapse",
    demand="The network must do useful work under overload: no congestion collapse.",
    choice="""
    100, 200 and 400 flows of the subject share 1.5 Mbit/s, 100 ms, 20 packets of buffer. Payload
    that arrives in order over payload sent, by rule R1 (10 %, 0.02).""",
    grid=grid(dumbbell, {"flows": (100, 200, 400)}, seconds=60, rate=1.5, rtt=100, limit=20),
    measures=(
        Measure("useful share", "useful_share", SHARE, more_is_better=True),
        LOSS_RATE,
        Measure("Jain's index", "jain_index", more_is_better=True),
    ),
)

_STANDING = (
    Measure("queueing delay, median", "queue_delay.p50", QUEUE, unit="s"),
    QUEUE_DELAY,
    shown(UTILISATION),
)

_E04 = Row(
    "E04",
    "5.1.2",
    "consider",
    "Standing queue of one flow",
    demand="A flow should not fill every buffer that it finds (bufferbloat).",
    choice="""
    One flow on 20 Mbit/s, 40 ms; buffers of 1 to 64 BDP, tail drop. Median and 95th percentile of
    the queueing delay, by rule R1 (10 %; 10 % of the base RTT). Reno and CUBIC fill the buffer
    themselves, so a concern is rare here; E27 judges under AQMs.""",
    grid=grid(
        dumbbell,
        {"buffer": (1, 2, 4, 8, 16, 64)},
        quick={"buffer": (1, 4, 16)},
        seconds=60,
        rate=20,
        rtt=40,
        flows=1,
    ),
    measures=_STANDING,
    kernel=("4 BDP",),
    sources=(
        """BBR limits its inflight to 2 BDP, so its standing queue is at most about 1 BDP in deep
        buffers (Hock, Bless & Zitterbart, ICNP 2017).""",
    ),
)

_E05 = Row(
    "E05",
    "5.1.2",
    "consider",
    "Standing queue of several flows",
    demand="Several flows should not fill every buffer that they find.",
    choice="As E04 with 4 and 16 flows and a buffer of 16 BDP.",
    grid=grid(dumbbell, {"flows": (4, 16)}, seconds=60, rate=20, rtt=40, buffer=16),
    measures=_STANDING,
)

_E06 = Row(
    "E06",
    "5.1.3",
    "consider",
    "Loss in shallow buffers",
    demand="An algorithm should not cause high loss, such as BBRv1 in buffers below 1.5 BDP.",
    choice="""
    1 to 50 flows on 50 Mbit/s, 40 ms; buffers of 0.05 to 2 BDP. Packets dropped at the bottleneck
    and share of retransmissions: twice the worse reference, and one point.""",
    grid=grid(
        dumbbell,
        {"flows": (1, 2, 4, 8, 20, 50), "buffer": (0.05, 0.1, 0.25, 0.5, 1, 1.5, 2)},
        quick={"flows": (1, 2, 8, 50), "buffer": (0.05, 0.25, 1, 2)},
        seconds=60,
        rate=50,
        rtt=40,
    ),
    measures=(
        DROP_RATE,
        Measure("retransmitted share", "retransmit_rate", LOSS),
        shown(UTILISATION),
    ),
    kernel=("2 flows, 0.25 BDP",),
    sources=(
        """Several BBRv1 flows lose packets all the time in buffers below about 1.5 BDP (Hock, Bless
        & Zitterbart, ICNP 2017; RFC 9743 section 5.1.3 cites it).""",
    ),
)


def _start(rtt: float, buffer: float) -> Cell:
    within = f"{min(10.0, 30.0 * rtt / 1000.0):g}s"
    reached = f"rate={90 * PAYLOAD:.4g}Mbit/s, timescale={max(100.0, 2.0 * rtt):g}ms"
    return dumbbell(
        100,
        rtt,
        buffer,
        seconds=12,
        warmup=0,
        samples="10ms",
        links=False,
        responses=(
            {"name": "lost", "metric": f"start_lost_packets(within={within})"},
            {"name": "reached", "metric": f"rate_reached_time({reached})"},
        ),
    )


_E07 = Row(
    "E07",
    "5.1.3",
    "consider",
    "Loss in the start",
    demand="The start of a flow should not cause high loss.",
    choice="""
    One flow on 100 Mbit/s; RTT 10, 100 and 300 ms; buffers of 0.1 and 1 BDP. Packets lost in the
    first 30 RTT, at most 10 s: twice the worse reference, and 0.1 BDP or 10 packets. The time until
    the goodput is 90 % of the rate is shown.""",
    grid=grid(_start, {"rtt": (10, 100, 300), "buffer": (0.1, 1)}),
    measures=(
        Measure("packets lost in the start", "lost", LOST_PACKETS, unit="packets"),
        Measure("time to 90 % of the rate", "reached", worst="duration", unit="s"),
    ),
)


def _equal(flows: int, rtt: float, buffer: float, seconds: float) -> Cell:
    # Many flows have small windows, and so short cycles, at 160 ms too.
    seconds = seconds_of(100, rtt if flows < 16 else 40, seconds)
    return dumbbell(100, rtt, buffer, flows, seconds=seconds)


_E08 = Row(
    "E08",
    "5.1.4",
    "consider",
    "Fairness of equal flows",
    demand="Flows of the proposal that compete should share the bottleneck fairly.",
    choice="""
    2 to 64 flows on 100 Mbit/s; RTT 10, 40 and 160 ms; buffers of 0.25 to 4 BDP. Jain's index of
    the goodputs, lower by more than 0.05 than the worse reference.""",
    grid=grid(
        _equal,
        {"flows": (2, 4, 16, 64), "rtt": (10, 40, 160), "buffer": (0.25, 1, 4)},
        quick={"rtt": (10, 40), "buffer": (0.25, 4)},
        seconds=60,
    ),
    measures=(
        Measure("Jain's index", "jain_index", JAIN, more_is_better=True),
        Measure("slowest over fastest", "min_max_ratio", more_is_better=True),
    ),
    competing=True,
    kernel=("4 flows, 40 ms, 0.25 BDP",),
)

_E09 = Row(
    "E09",
    "5.1.4",
    "consider",
    "Newcomers",
    demand="A flow that joins others of the proposal should get its share.",
    choice="""
    Five flows on 100 Mbit/s, one every 60 s; RTT 10 and 80 ms; 1 BDP. Share of its fair share that
    a newcomer has in the 30 s after it joins, mean of four, lower by more than 0.2; Jain's index of
    the last 60 s, lower by more than 0.1.""",
    grid=grid(
        dumbbell,
        {"rtt": (10, 80)},
        seconds=(360, 360),
        rate=100,
        flows=[
            flow(name=f"s{at}", start=f"uniform({60 * at}s, {60 * at + 1}s)") for at in range(5)
        ],
        warmup=0,
        samples="500ms",
        links=False,
        slots=("s0", "s1", "s2", "s3", "s4"),
    ),
    responses=(
        {"name": "newcomers", "metric": "newcomer_share(within=30s)"},
        {"name": "jain", "metric": "jain_between(since=300s, until=360s)"},
        {"name": "convergence", "metric": "convergence_time(delta=0.3, timescale=5s, hold=5s)"},
    ),
    measures=(
        Measure("newcomer's share", "newcomers", Line(floor=0.2), more_is_better=True),
        Measure("Jain's index, last 60 s", "jain", Line(floor=0.1), more_is_better=True),
        Measure("convergence time", "convergence", worst=120.0, unit="s"),
    ),
    competing=True,
)


def _unequal(rtt: float, buffer: float, seconds: float) -> Cell:
    # The bottleneck has the 10 ms that both paths share; access links have the rest.
    short = flow(name="short")
    if rtt > 10:
        short["access"] = {"delay": f"{(rtt - 10) / 4:g}ms"}
    cell = dumbbell(
        50,
        10,
        buffer,
        (short, flow(name="long", access={"delay": "37.5ms"})),
        seconds=seconds,
        warmup=20,
        limit=packets_of(50, 160, buffer),
        slots=("short", "long"),
    )
    return replace(cell, base_rtt=0.16)


def _advantage(figures: Figures, sign: float) -> float:
    """The logarithm of a ratio of goodputs, cut at 0: an advantage of one side."""
    short, long = figures["short"] or 0.0, figures["long"] or 0.0
    return max(0.0, sign * math.log(max(short, 1.0) / max(long, 1.0)))


_E10 = Row(
    "E10",
    "5.1.4",
    "consider",
    "Unequal round-trip times",
    demand="Flows of unequal round-trip times should share the bottleneck sensibly.",
    choice="""
    A flow of 10 to 80 ms beside one of 160 ms on 50 Mbit/s; buffers of 0.25 to 2 BDP of 160 ms.
    Ratio of the goodputs, each direction on its own: more than twice that of the reference with the
    worse ratio of this direction. Shown as natural logarithm.""",
    grid=grid(
        _unequal,
        {"rtt": (10, 20, 40, 80), "buffer": (0.25, 1, 2)},
        quick={"rtt": (10, 40)},
        seconds=(100, 60),
    ),
    responses=(goodput("short", "short"), goodput("long", "long")),
    measures=(
        Measure(
            "advantage of the short path (ln)",
            lambda figures, _cell: _advantage(figures, 1.0),
            Line(floor=LN2),
        ),
        Measure(
            "advantage of the long path (ln)",
            lambda figures, _cell: _advantage(figures, -1.0),
            Line(floor=LN2),
        ),
        Measure("goodput of the short path", "short", more_is_better=True, unit="bit/s"),
        Measure("goodput of the long path", "long", more_is_better=True, unit="bit/s"),
    ),
    competing=True,
    sources=(
        """BBRv1 favours long round-trip times where loss-based flows favour short ones (Ma et al.,
        Fairness of congestion-based congestion control, 2017; Hock et al., ICNP 2017).""",
        """MIMD flows such as Scalable TCP diverge where round-trip times are unequal (Xu, Harfoush
        & Rhee, INFOCOM 2004).""",
    ),
)


def _short(rate: float, beside: str, seconds: float) -> Cell:
    files = flow(name="q", app={"kind": "short-flows", "load": 0.5, "size": SIZES})
    is_alone = beside == "alone"
    slowdowns = ("fct_slowdown.p50", "fct_slowdown.p99")
    return dumbbell(
        rate,
        40,
        1,
        (files,) if is_alone else (files, flow(name="l")),
        seconds=seconds,
        responses=slowdowns if is_alone else (*slowdowns, goodput("l", "long")),
        slots=("q", "l"),
    )


_E11 = Row(
    "E11",
    "5.1.5",
    "MUST",
    "Short flows of the subject",
    demand="The effects of the proposal and short flows on each other must be looked at.",
    choice="""
    Files of a heavy-tailed size at a load of 0.5, alone and beside one long flow; 20 and 100
    Mbit/s, 40 ms, 1 BDP; all flows are the subject's. Slowdown against an empty link: median by
    10 %, 99th percentile by 25 %, each by more than 0.5.""",
    grid=grid(_short, {"rate": (20, 100), "beside": ("alone", "1 long")}, seconds=60),
    measures=(
        MEDIAN_SLOWDOWN,
        P99_SLOWDOWN,
        Measure(
            "goodput of the long flow",
            "long",
            more_is_better=True,
            of={"beside": "1 long"},
            unit="bit/s",
        ),
    ),
    competing=True,
)

ROWS = (_E01, _E02, _E03, _E04, _E05, _E06, _E07, _E08, _E09, _E10, _E11)
