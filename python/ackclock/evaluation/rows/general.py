"""Sections 5.3 and 6: principles, deployment, and general use."""

from __future__ import annotations

import random
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any

from ackclock.evaluation.grid import (
    GRID,
    PLACE,
    QUICK_GRID,
    dumbbell,
    flow,
    goodput,
    grid,
    packets_of,
    path,
    seconds_of,
)
from ackclock.evaluation.lines import QUEUE_UNDER_AQM, Line
from ackclock.evaluation.measures import (
    DROP_RATE,
    LOSS_OF_VICTIM,
    LOSS_RATE,
    QUEUE_DELAY,
    SHARE_OF_SUBJECT,
    SHARE_OF_VICTIM,
    SHARES,
    UTILISATION,
    share_of_link,
    shown,
)
from ackclock.evaluation.row import Measure, Row
from ackclock.evaluation.rows.beside import STANDARD

if TYPE_CHECKING:
    from ackclock.evaluation.cell import Cell, Context, Table

__all__ = ["ROWS", "seated", "without_ecn"]

_E20 = Row(
    "E20",
    "5.3.1",
    "MUST",
    "Principles and incremental deployment",
    sections=("5.3.2",),
    demand="""
    Deviations from established principles (RFC 2914, RFC 7141) must be explained, and incremental
    deployment must be discussed.""",
    choice="""
    A form: the text of the algorithm's own documentation stands under the RFC's headings. An empty
    heading is not answered, and authors fill it in dossier.md.""",
    references=(),
)

_E21 = Row(
    "E21",
    "6.1",
    "MUST",
    "One flow behind a tail-drop queue",
    sections=("6",),
    demand="""
    Tail-drop queues must be looked at, over a representative range of bandwidth, delay and queue
    depth.""",
    choice="""
    One flow on grid G (4, 20, 100 Mbit/s; 10, 40, 160 ms; 0.25, 1, 4 BDP). Utilisation, 95th
    percentile of the queueing delay, and loss, by rule R1.""",
    grid=grid(
        lambda rate, rtt, buffer, seconds: dumbbell(
            rate, rtt, buffer, seconds=seconds_of(rate, rtt, seconds)
        ),
        {PLACE: GRID},
        quick={PLACE: QUICK_GRID},
        seconds=60,
    ),
    measures=(UTILISATION, QUEUE_DELAY, DROP_RATE),
    kernel=("20 Mbit/s, 40 ms, 1 BDP",),
)


def seated(algorithm: str, table: Table) -> Table:
    """Put an algorithm without ECN in the subject's seat of a scenario."""
    for entry in table["flows"]:
        if entry["name"] == "s":
            entry["cc"] = algorithm
    return table


def without_ecn(context: Context) -> str | None:
    """Why a row on ECN does not apply."""
    return (
        "the subject sets no ECT (evaluate it with --ecn classic to see it with RFC 3168's marks)"
        if context.ecn == "off"
        else None
    )


def _tunnels(context: Context) -> list[Cell]:
    is_l4s = context.ecn == "l4s"
    # The subject itself without ECN; Reno and CUBIC where it cannot be without.
    seats = (
        {name: partial(seated, name) for name in STANDARD}
        if context.implies_ecn
        else {"without ECN": partial(seated, context.subject)}
    )

    def cell(tunnel: str, rate: float, rtt: float, buffer: float, seconds: float) -> Cell:
        # The rewriting stands before the queue, which then sees the changed field; a lost CE is a
        # mark of this queue that a tunnel's end does not copy.
        before: Table = {"rate": "10Gbit/s", "delay": "0.1ms", "limit": "1000 packets"}
        last: Table = {
            "rate": f"{rate:g}Mbit/s",
            "delay": f"{rtt / 2:g}ms",
            "limit": f"{packets_of(rate, rtt, buffer)} packets",
            "qdisc": {"kind": "dualpi2"} if is_l4s else {"kind": "codel", "ecn": True},
        }
        rewrites: dict[str, tuple[Table, str]] = {
            "bleached": (before, "bleach"),
            "CE lost": (last, "clear-ce"),
            "ECT(1) to ECT(0)": (before, "ect1-to-ect0"),
        }
        hop, rewrite = rewrites[tunnel]
        hop["ecn_rewrite"] = rewrite
        flows = (flow(), flow("cubic", "v"))
        network = {"kind": "parking-lot", "bottlenecks": [before, last]}
        return path(network, flows, rate=rate, rtt=rtt, seconds=seconds, seats=seats)

    tunnels = ("bleached", "CE lost", *(("ECT(1) to ECT(0)",) if is_l4s else ()))
    places = ((20, 40, 1), (4, 40, 4), (100, 10, 1))
    return grid(cell, {"tunnel": tunnels, PLACE: places}, seconds=60)(context)


_E22 = Row(
    "E22",
    "6.2",
    "MUST",
    "Tunnels and rewritten ECN fields",
    sections=("7.1",),
    demand="Tunnels must be considered where explicit signals are used.",
    choice="""
    The subject with ECN beside CUBIC without, behind a marking queue, on a path that bleaches ECT,
    whose tunnel loses CE, or that turns ECT(1) into ECT(0). Against the subject itself without ECN
    (Reno and CUBIC if it always has ECN): CUBIC's share by rule R2, its loss, the queueing delay
    and the subject's own share by rule R1.""",
    grid=_tunnels,
    responses=(*SHARES, {"name": "queue", "metric": "queue_delay.p95@bottleneck2"}),
    measures=(
        SHARE_OF_VICTIM,
        LOSS_OF_VICTIM,
        replace(SHARE_OF_SUBJECT, line=Line(0.1, 0.1)),
        replace(QUEUE_DELAY, figure="queue", line=QUEUE_UNDER_AQM),
    ),
    competing=True,
    references=("without ECN",),
    applies=without_ecn,
)

_E23 = Row(
    "E23",
    "6.3",
    "consider",
    "Wired paths of 1 Gbit/s",
    demand="Wired paths are the baseline.",
    choice="""
    One flow on 1 Gbit/s; RTT 1, 20 and 100 ms; buffers of 0.1 and 1 BDP; 30 s after a warm-up of
    5 s. Utilisation and loss by rule R1.""",
    grid=grid(
        dumbbell,
        {"rtt": (1, 20, 100), "buffer": (0.1, 1)},
        quick={"rtt": (20,)},
        seconds=(30, 10),
        warmup=5,
        rate=1000,
    ),
    measures=(UTILISATION, DROP_RATE, shown(QUEUE_DELAY)),
)


def _lossy(loss: float, kind: str, seconds: float) -> Cell:
    share = loss / 100.0
    # Bursts have a mean of 35 ms.
    gap = 35.0 * (1.0 - share) / share
    bursts = {"kind": "bursts", "length": "uniform(20ms, 50ms)", "gap": f"exponential({gap:.4g}ms)"}
    return dumbbell(20, 40, seconds=seconds, loss=loss if kind == "random" else bursts)


_E24 = Row(
    "E24",
    "6.4",
    "SHOULD",
    "Loss that is no congestion",
    demand="Wireless paths with loss should be looked at.",
    choice="""
    One flow on 20 Mbit/s, 40 ms, 1 BDP; 0.01 to 2 % of the packets are lost at random, or in bursts
    of 20 to 50 ms that take the same share of the time. Utilisation by rule R1. Bursts are counted
    in time: counted in packets (Gilbert-Elliott), a flow in backoff stays in the bad state for a
    minute.""",
    grid=grid(
        _lossy,
        {"loss": (0.01, 0.1, 1, 2), "kind": ("random", "bursts")},
        quick={"loss": (0.1, 2)},
        seconds=60,
    ),
    measures=(UTILISATION, LOSS_RATE),
    kernel=("2 % loss, random",),
    sources=(
        """BBR keeps its rate at random loss where loss-based flows collapse (Cardwell et al., CACM
        60(2), 2017, figure 8).""",
    ),
)


def _cellular(number: int, seconds: float) -> tuple[float, Table]:
    """Mean rate of a cellular link, Mbit/s, and the rate in steps of 100 ms.

    Brownian motion with outages, as Sprout models such links (Winstein, Sivaraman & Balakrishnan,
    NSDI 2013, section 3). Sums of uniform numbers take the place of normal ones, so that the
    rates are equal on every machine.
    """
    draws = random.Random(number)
    rate = mean = (2.0, 5.0, 10.0, 20.0)[number % 4]
    steps = []
    for step in range(int(seconds * 10)):
        rate += 0.1 * mean * (sum(draws.random() for _ in range(12)) - 6.0)
        rate += 0.02 * (mean - rate)
        rate = min(max(rate, 0.0), 3.0 * mean)
        steps.append([f"{100 * step}ms", f"{max(rate, 0.01):.2f}Mbit/s"])
    return mean, {"schedule": steps}


def _square_wave(half: int, _seconds: float) -> tuple[float, Table]:
    steps = [["0s", "4Mbit/s"], [f"{half}s", "20Mbit/s"]]
    return 12.0, {"schedule": steps, "period": f"{2 * half}s"}


def _varying(rate: Any, seconds: float) -> Cell:
    mean, schedule = rate(seconds + 10)
    return dumbbell(mean, 40, 4, seconds=seconds, link={"rate": schedule})


_E25 = Row(
    "E25",
    "6.4",
    "SHOULD",
    "Rates that vary",
    demand="Wireless paths of varying capacity should be looked at.",
    choice="""
    One flow on four cellular links (a random walk of 2 to 20 Mbit/s on average) and on a square
    wave between 4 and 20 Mbit/s; 40 ms; a buffer of 4 BDP of the mean rate. A concern is a cell
    that is worse on both axes, utilisation and 95th percentile of the queueing delay, by rule R1.
    """,
    grid=grid(
        _varying,
        {
            "rate": {
                **{f"cellular {number}": partial(_cellular, number) for number in range(1, 5)},
                **{f"square wave, {half} s": partial(_square_wave, half) for half in (1, 5, 20)},
            }
        },
        quick={"rate": ("cellular 1", "cellular 2", "square wave, 5 s")},
        seconds=60,
    ),
    measures=(UTILISATION, QUEUE_DELAY),
    joint=True,
)

_E26 = Row(
    "E26",
    "6.4",
    "SHOULD",
    "Jitter and batches",
    demand="Wireless paths with jitter should be looked at.",
    choice="""
    One flow on 20 Mbit/s, 40 ms, 1 BDP; jitter of up to 5 to 200 ms without reordering, or packets
    that leave in batches every 2 to 25 ms. Utilisation and 95th percentile of the queueing delay by
    rule R1.""",
    grid=grid(
        dumbbell,
        {
            "link": {
                **{
                    f"jitter {ms} ms": {"jitter": f"uniform(0ms, {ms}ms)"}
                    for ms in (5, 20, 80, 200)
                },
                **{f"slots of {ms} ms": {"slot": f"{ms}ms"} for ms in (2, 10, 25)},
            }
        },
        quick={"link": ("jitter 20 ms", "jitter 200 ms", "slots of 10 ms")},
        seconds=60,
        rate=20,
        rtt=40,
    ),
    measures=(UTILISATION, QUEUE_DELAY),
    kernel=("jitter 20 ms",),
)


def _three_hops(buffer: float, seconds: float) -> Cell:
    hop = {"rate": "100Mbit/s", "delay": "10ms", "limit": f"{packets_of(100, 60, buffer)} packets"}
    crossing = [
        flow(name=f"cross{at}", access={"delay": "10ms"}, **{"from": f"r{at}", "to": f"r{at + 1}"})
        for at in (1, 2, 3)
    ]
    return path(
        {"kind": "parking-lot", "bottlenecks": [hop, hop, hop]},
        (flow(name="long"), *crossing),
        rate=100,
        rtt=60,
        seconds=seconds,
        warmup=20,
        slots=("long", "cross1", "cross2", "cross3"),
    )


_E41 = Row(
    "E41",
    "6",
    "SHOULD",
    "Three bottlenecks",
    demand="A representative range of paths should be looked at.",
    choice="""
    A parking lot of three hops of 100 Mbit/s, one flow over all and one over each, all of 60 ms;
    buffers of 0.25 and 1 BDP. The long flow's share of a link is less than half of that of the
    worse reference, and by more than 0.02.""",
    grid=grid(_three_hops, {"buffer": (0.25, 1)}, seconds=60),
    responses=(goodput("long", "long"), "max_min_fairness"),
    measures=(
        Measure(
            "long flow's share of a link",
            share_of_link("long"),
            Line(0.5, 0.02),
            more_is_better=True,
        ),
        Measure("max-min fairness", "max_min_fairness", more_is_better=True),
    ),
    competing=True,
)

ROWS = (_E20, _E21, _E22, _E23, _E24, _E25, _E26, _E41)
