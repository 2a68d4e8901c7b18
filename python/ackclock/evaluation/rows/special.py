"""Section 7: special cases, but for changes of a path in a run (7.8, 7.9)."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import (
    PAYLOAD,
    PLACE,
    QUICK_GRID,
    dumbbell,
    flow,
    goodput,
    grid,
    grids,
)
from ackclock.evaluation.lines import LN2, QUEUE_UNDER_AQM, SHARE, TIME, Line
from ackclock.evaluation.measures import (
    DROP_RATE,
    LOSS_OF_VICTIM,
    LOSS_RATE,
    NEEDLESS,
    P99_SLOWDOWN,
    QUEUE_DELAY,
    SHARE_OF_VICTIM,
    SHARES,
    TIMEOUTS,
    UTILISATION,
    share_of_link,
    shown,
)
from ackclock.evaluation.row import Measure, Row
from ackclock.evaluation.rows.beside import STANDARD, beside
from ackclock.evaluation.rows.general import seated, without_ecn

if TYPE_CHECKING:
    from ackclock.evaluation.cell import Cell, Figures, Table

__all__ = ["ROWS"]


def _managed(
    qdisc: str, rate: float, rtt: float, buffer: float, flows: str, seconds: float
) -> Cell:
    is_alone = flows == "alone"
    return dumbbell(
        rate,
        rtt,
        buffer,
        (flow(),) if is_alone else (flow(count=1), flow("cubic", "v", count=1)),
        seconds=30 if (rate, rtt) == (100, 160) else seconds,
        qdisc=qdisc,
        links=is_alone,
        responses=(*(("utilisation",) if is_alone else SHARES[:2]), "queue_delay.p95"),
    )


_E27 = Row(
    "E27",
    "7.1",
    "SHOULD",
    "Active queue management",
    demand="Proposals should be looked at with AQMs such as FQ-CoDel and PIE.",
    choice="""
    One flow alone, and beside one of CUBIC, under RED, CoDel, FQ-CoDel, PIE, FQ-PIE and COBALT at
    the corners and the centre of G. Utilisation and 95th percentile of the queueing delay (at least
    5 ms) by rule R1; the share of CUBIC by rule R2.""",
    grid=grid(
        _managed,
        {
            "qdisc": ("red", "codel", "fq_codel", "pie", "fq_pie", "cobalt"),
            PLACE: (
                *(
                    (rate, rtt, buffer)
                    for rate in (4, 100)
                    for rtt in (10, 160)
                    for buffer in (0.25, 4)
                ),
                (20, 40, 1),
            ),
            "flows": ("alone", "beside cubic"),
        },
        quick={
            "qdisc": ("codel", "fq_codel", "pie"),
            PLACE: ((4, 10, 4), (100, 40, 0.25), (20, 40, 1)),
        },
        seconds=60,
    ),
    measures=(
        replace(UTILISATION, of={"flows": "alone"}),
        replace(QUEUE_DELAY, line=QUEUE_UNDER_AQM, judged={"flows": "alone"}),
        replace(SHARE_OF_VICTIM, name="CUBIC's share of the link", of={"flows": "beside cubic"}),
    ),
    competing=True,
    kernel=("codel, 20 Mbit/s, 40 ms, 1 BDP, alone",),
)


def _marked(qdisc: str, **place: Any) -> Cell:
    cell = beside(qdisc={"kind": qdisc, "ecn": True}, **place)
    cell.scenario["flows"][1]["transport"] = {"ecn": "classic"}
    return cell


def _l4s(rate: float, rtt: float, seconds: float) -> Cell:
    cell = dumbbell(
        rate,
        rtt,
        1,
        (flow(), flow("cubic", "v")),
        seconds=seconds,
        limit=10000,
        qdisc="dualpi2",
        responses=(
            goodput("s"),
            goodput("v"),
            {"name": "loss v", "metric": "loss_rate", "flows": "v"},
            {"name": "rtt s", "metric": "rtt.p99", "flows": "s"},
        ),
    )
    return replace(cell, seats={"prague": partial(seated, "prague")})


_CLASSIC = grids(
    *(
        grid(_marked, {"victim": STANDARD, PLACE: QUICK_GRID, "qdisc": (qdisc,)}, seconds=60)
        for qdisc in ("codel", "red")
    )
)
_L4S = grid(
    _l4s,
    {"rate": (4, 40, 120), "rtt": (5, 10, 20, 50, 100)},
    quick={"rate": (4, 40), "rtt": (10, 50)},
    seconds=60,
)


def _distance(figures: Figures, _cell: Cell) -> float | None:
    """Distance of the ratio of rates from 1, on a logarithmic scale."""
    own, other = figures["good s"], figures["good v"]
    if own is None or other is None:
        return None
    return abs(math.log(max(own, 1.0) / max(other, 1.0)))


def _queue_rtt(figures: Figures, cell: Cell) -> float | None:
    rtt = figures.get("rtt s")
    return None if rtt is None else max(0.0, rtt - cell.base_rtt)


_E28 = Row(
    "E28",
    "7.1",
    "SHOULD",
    "Explicit congestion notification and L4S",
    demand="The use of ECT must conform to the meaning of the marks.",
    choice="""
    ECT(0): marks of CoDel and RED take the place of drops in E12's cells, and the victim, which has
    ECN too, is judged by rule R2. ECT(1): DualPI2, the subject beside CUBIC at 4 to 120 Mbit/s and
    5 to 100 ms. A concern is a ratio of rates outside 0.5 to 2 where Prague's is inside, or a 99th
    percentile of the RTT above the base more than twice Prague's, by 2 ms.""",
    grid=lambda context: (_L4S if context.ecn == "l4s" else _CLASSIC)(context),
    responses=SHARES,
    measures=(
        replace(SHARE_OF_VICTIM, of={"victim": STANDARD}),
        replace(LOSS_OF_VICTIM, of={"victim": STANDARD}),
        Measure(
            "distance of the ratio of rates from 1 (ln)",
            _distance,
            Line(floor=0.2, limit=LN2),
            of={"victim": None},
        ),
        Measure(
            "subject's RTT above the base, 99th percentile",
            _queue_rtt,
            Line(1.0, 0.002),
            of={"victim": None},
            unit="s",
        ),
    ),
    competing=True,
    family="victim",
    applies=without_ecn,
)

_E29 = Row(
    "E29",
    "7.2",
    "consider",
    "Circuit breakers",
    demand="A flow should stay below what triggers a circuit breaker (RFC 8083, RFC 8084).",
    choice="""
    One flow on 2 Mbit/s, 100 ms; 2 to 20 % of the packets are lost at random for 120 s. Rate over
    that of TFRC's equation (RFC 5348), the least of three running reports of 5 s, the largest of
    the run. RFC 8083 section 4.3 breaks at 10; a concern is a mean above 10.""",
    grid=grid(
        dumbbell,
        {"loss": (2, 5, 10, 20)},
        quick={"loss": (5, 20)},
        seconds=120,
        rate=2,
        rtt=100,
        samples="100ms",
        links=False,
    ),
    responses=(
        {"name": "breaker", "metric": "breaker_ratio(report=5s, reports=3)"},
        "loss_rate",
        "utilisation",
    ),
    measures=(
        Measure("rate over TFRC's", "breaker", Line(floor=1.0, limit=10.0)),
        LOSS_RATE,
        shown(UTILISATION),
    ),
)


def _delays(rtt: tuple[float, list[list[str]]], seconds: float) -> Cell:
    first, steps = rtt
    # The ramp grows by 1 ms per second, in steps of the one-way delay every 100 ms.
    ramp = [
        [f"{100 * step}ms", f"{first / 2 + 0.05 * step:g}ms"]
        for step in range(1, int((seconds + 10) * 10))
    ]
    return dumbbell(20, first, 1, seconds=seconds, link={"delay_schedule": steps or ramp})


_E30 = Row(
    "E30",
    "7.3",
    "SHOULD",
    "Delays that vary",
    demand="Paths of varying delay should be looked at.",
    choice="""
    One flow on 20 Mbit/s, 1 BDP. The base RTT is 20, 35 and 27 ms in turn, each for 15 s; or 100 ms
    longer one way from 30 to 60 s; or it grows by 1 ms per second. Utilisation, and retransmissions
    of data that had arrived, by rule R1.""",
    grid=grid(
        _delays,
        {
            "rtt": {
                "steps of 20, 35 and 27 ms": (
                    20,
                    [[f"{15 * at}s", f"{(20, 35, 27)[at % 3] / 2:g}ms"] for at in range(1, 8)],
                ),
                "100 ms more from 30 to 60 s": (40, [["30s", "120ms"], ["60s", "20ms"]]),
                "ramp of 1 ms/s": (40, []),
            }
        },
        seconds=(110, 50),
    ),
    measures=(UTILISATION, NEEDLESS, shown(QUEUE_DELAY)),
    kernel=("steps of 20, 35 and 27 ms",),
)

_E31 = Row(
    "E31",
    "7.4",
    "consider",
    "Constrained nodes",
    demand="Constrained nodes and links of a very small BDP should be considered.",
    choice="""
    1 and 4 flows on 64, 128 and 250 kbit/s, 200 ms, with a buffer of 4 packets: the BDP is 1 to 4
    packets. Drop rate, and goodput over the link's rate, by rule R1.""",
    grid=grid(
        dumbbell,
        {"rate": {"64 kbit/s": 0.064, "128 kbit/s": 0.128, "250 kbit/s": 0.25}, "flows": (1, 4)},
        seconds=120,
        rtt=200,
        limit=4,
    ),
    responses=("drop_rate", "goodput", "timeouts"),
    measures=(
        DROP_RATE,
        Measure(
            "goodput over the link's rate", share_of_link("goodput"), SHARE, more_is_better=True
        ),
        TIMEOUTS,
    ),
)


def _far(path: tuple[float, float, Table], size: str, seconds: float) -> Cell:
    rate, rtt, link = path
    if size == "10 MB":
        file = flow(app={"kind": "file", "size": "10MB"})
        return dumbbell(
            rate, rtt, 1, [file], seconds=120, warmup=0, responses=("fct.mean",), link=link
        )
    reached = f"rate={0.9 * PAYLOAD * rate:.4g}Mbit/s, timescale={2 * rtt:g}ms"
    return dumbbell(
        rate,
        rtt,
        seconds=seconds,
        warmup=0,
        samples="100ms",
        links=False,
        responses=("utilisation", {"name": "reached", "metric": f"rate_reached_time({reached})"}),
        link=link,
    )


_UP = {"reverse": {"rate": "4Mbit/s", "limit": "1000ms"}}
_E32 = Row(
    "E32",
    "7.5",
    "consider",
    "Paths of high delay",
    demand="Paths of high delay, such as satellites, should be considered.",
    choice="""
    A geostationary path of 40 and 4 Mbit/s with 600 ms, without and with 0.1 % random loss, and 100
    Mbit/s with 300 ms; 1 BDP. Utilisation of 120 s from the start, time until the goodput is 90 %
    of the rate, and completion time of 10 MB, by rule R1.""",
    grid=grid(
        _far,
        {
            "path": {
                "GEO": (40, 600, _UP),
                "GEO, 0.1 % loss": (40, 600, {**_UP, "loss": {"kind": "bernoulli", "p": 0.001}}),
                "terrestrial": (100, 300, {}),
            },
            "size": ("long", "10 MB"),
        },
        seconds=120,
    ),
    measures=(
        replace(UTILISATION, of={"flow": "long"}),
        Measure(
            "time to 90 % of the rate",
            "reached",
            TIME,
            of={"flow": "long"},
            worst="duration",
            unit="s",
        ),
        Measure(
            "completion time of 10 MB",
            "fct.mean",
            TIME,
            of={"flow": "10 MB"},
            worst="duration",
            unit="s",
        ),
    ),
)

# The way of the ACKs: at the bottleneck's own rate ten ACKs for one would delay, and so compress,
# those of the honest flow, which then loses packets with any sender.
_BACK = {"rate": "1Gbit/s", "limit": "1000 packets", "qdisc": "fifo"}


def _cheated(receiver: Table, buffer: float, seconds: float) -> Cell:
    marks = "hide_marks" in receiver
    honest = flow(name="honest")
    if marks:
        honest["transport"] = {"ecn": "classic"}
    return dumbbell(
        20,
        40,
        buffer,
        (flow(name="cheat", transport=receiver), honest),
        seconds=seconds,
        qdisc={"kind": "codel", "ecn": True} if marks else "fifo",
        slots=("cheat", "honest"),
        link={"reverse": _BACK},
    )


def _gain(figures: Figures, _cell: Cell) -> float | None:
    cheat, honest = figures["cheat"], figures["honest"]
    return None if cheat is None or honest is None else cheat / max(honest, 1000.0)


_E33 = Row(
    "E33",
    "7.6",
    "SHOULD",
    "Misbehaving receivers",
    demand="A misbehaving receiver should not gain by misleading the sender.",
    choice="""
    Two flows of the subject on 20 Mbit/s, 40 ms, with ACKs over 1 Gbit/s; one receiver divides
    ACKs, acknowledges early, thins ACKs or hides marks (Savage et al., CCR 29(5), 1999). Its
    goodput over the honest flow's is more than 1.5 times that of the worse reference, and by more
    than 0.5.""",
    grid=grid(
        _cheated,
        {
            "receiver": {
                "divides ACKs by 10": {"ack_division": 10},
                "acknowledges early": {"optimistic_ack": "20 packets"},
                "thins ACKs to every 16th": {"delayed_ack": 16},
                "hides marks": {"hide_marks": True, "ecn": "classic"},
            },
            "buffer": (0.25, 1),
        },
        quick={"buffer": (1,)},
        seconds=60,
    ),
    responses=(goodput("cheat", "cheat"), goodput("honest", "honest")),
    measures=(
        Measure("goodput over the honest flow's", _gain, Line(0.5, 0.5)),
        Measure("share of the honest flow", share_of_link("honest"), more_is_better=True),
    ),
    competing=True,
)


def _attacked(period: float, seconds: float) -> Cell:
    bursts = [
        flow(
            None,
            f"burst{at}",
            start=f"{1000 * (5.0 + at * period):g}ms",
            stop=f"{1000 * (5.0 + (at + 0.1) * period):g}ms",
            app={"kind": "cbr", "rate": "10Mbit/s", "packet": "1000 bytes"},
        )
        for at in range(int((seconds + 5.0) / period))
    ]
    return dumbbell(10, 40, 1, (flow(), *bursts), seconds=seconds)


_E34 = Row(
    "E34",
    "7.6",
    "SHOULD",
    "Low-rate attacks",
    demand="An attacker should not be able to stop the proposal at little cost.",
    choice="""
    Bursts at the link's rate of 10 Mbit/s every 0.5, 1 and 1.5 s, 10 % of the time (Kuzmanovic &
    Knightly, SIGCOMM 2003), beside one flow; 40 ms, 1 BDP. The goodput that is left, by rule R1.
    """,
    grid=grid(_attacked, {"period": (0.5, 1, 1.5)}, seconds=60),
    responses=(goodput("s"),),
    measures=(
        Measure(
            "goodput over the link's rate", share_of_link("good s"), SHARE, more_is_better=True
        ),
    ),
)

_E35 = Row(
    "E35",
    "7.7",
    "consider",
    "Reordering",
    demand="Extreme reordering should be considered (RFC 4653).",
    choice="""
    One flow on 20 Mbit/s, 40 ms, 1 BDP; 0.1 to 25 % of the packets come 1 to 50 ms late.
    Utilisation, and retransmissions of data that had arrived, by rule R1.""",
    grid=grid(
        lambda late_packets, by, **path: dumbbell(
            link={"reorder": {"p": late_packets / 100.0, "extra": f"{by}ms"}}, **path
        ),
        {"late_packets": (0.1, 1, 5, 25), "by": (1, 10, 50)},
        quick={"late_packets": (1, 25), "by": (10,)},
        seconds=60,
        rate=20,
        rtt=40,
    ),
    measures=(UTILISATION, NEEDLESS, TIMEOUTS),
    kernel=("1 % late, by 10 ms",),
)


_E39 = Row(
    "E39",
    "7.10",
    "MUST",
    "Multipath",
    demand="Multipath proposals must be looked at on shared bottlenecks and at fail-over.",
    choice="Subflows of one transfer on one bottleneck beside one CUBIC flow.",
    references=(),
    applies=lambda _context: (
        "the subject is no multipath proposal: it controls one path, and ackclock couples no "
        "subflows"
    ),
)


def _data_centre(flows: Table, seconds: float, responses: tuple[str, ...], warmup: float) -> Cell:
    return dumbbell(
        10000,
        0.1,
        1,
        [flows],
        seconds=seconds,
        warmup=warmup,
        limit=400,
        qdisc={"kind": "step", "threshold": "65 packets"},
        responses=(*responses, "queue_delay.p99", "timeouts"),
    )


def _incast(traffic: str, load: int, seconds: float) -> Cell:
    app = {"kind": traffic, "size": "64kB", "gap": "1ms"}
    senders = {"name": "s", "cc": "reno", "count": load, "app": app}
    return _data_centre(senders, seconds, ("response_time.p50", "response_time.p99"), 0)


def _flow_sizes(traffic: str, load: float, seconds: float) -> Cell:
    sizes = {"load": load, "size": f"cdf({traffic})", "connections": 2000}
    flows = flow(start="0s", app={"kind": "short-flows", **sizes})
    return _data_centre(flows, seconds, ("fct_slowdown.p50", "fct_slowdown.p99"), 0.05)


_E40 = Row(
    "E40",
    "7.11",
    "SHOULD",
    "Data centres",
    demand="A proposal for data centres should say whether it may coexist with others there.",
    choice="""
    10 Gbit/s, 100 us, marks from 65 packets on; incast of 2 to 64 senders of 64 kB, and the flow
    sizes of web search and data mining at a load of 0.3 and 0.6. Slowdown by rule R1 (25 %, 0.5),
    response time by 25 % and 0.5 ms, queueing delay by twice and 50 us.""",
    grid=grids(
        grid(
            _incast,
            {"traffic": ("incast",), "load": {f"{n} senders": n for n in (2, 8, 32, 64)}},
            seconds=(2, 0.5),
        ),
        grid(
            _flow_sizes,
            {"traffic": ("websearch", "datamining"), "load": {"0.3": 0.3, "0.6": 0.6}},
            seconds=(1, 0.3),
        ),
    ),
    measures=(
        replace(P99_SLOWDOWN, of={"traffic": ("websearch", "datamining")}, worst=None),
        Measure(
            "response time, 99th percentile",
            "response_time.p99",
            Line(0.25, 0.0005),
            of={"traffic": "incast"},
            worst="duration",
            unit="s",
        ),
        Measure("queueing delay, 99th percentile", "queue_delay.p99", Line(1.0, 0.00005), unit="s"),
        TIMEOUTS,
    ),
    references=("dctcp", "cubic"),
    competing=True,
    applies=lambda context: (
        None
        if "data-centre" in context.claims
        else "the subject does not claim data centres (evaluate it with --claim data-centre)"
    ),
)


ROWS = (_E27, _E28, _E29, _E30, _E31, _E32, _E33, _E34, _E35, _E39, _E40)
