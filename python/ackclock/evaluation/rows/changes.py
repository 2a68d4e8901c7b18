"""Sections 7.8 and 7.9: events and sudden changes of a path."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.evaluation.grid import PAYLOAD, dumbbell, flow, grid
from ackclock.evaluation.lines import LOST_PACKETS, QUEUE_AFTER_EVENT, TIME, Line
from ackclock.evaluation.measures import NEEDLESS
from ackclock.evaluation.row import Measure, Row

if TYPE_CHECKING:
    from ackclock.evaluation.cell import Cell, Table

__all__ = ["ROWS"]


def _cbr(name: str, rate: float, **times: str) -> Table:
    app = {"kind": "cbr", "rate": f"{rate:g}Mbit/s", "packet": "1400 bytes"}
    return {"name": name, "app": app, **times}


def _crossed(cross_traffic: str, seconds: float) -> Cell:
    since = round(seconds * 2 / 3)
    streams = {
        "75 to 0 Mbit/s": [_cbr("udp", 75, stop=f"{since}s")],
        "0 to 75 Mbit/s": [_cbr("udp", 75, start=f"{since}s")],
    }
    steps = [_cbr(f"udp{at}", 2.5, start=f"{since + at}s") for at in range(30)]
    udp = streams.get(cross_traffic, steps)
    settled = since + 30 if udp is steps else since
    rate = 0.8 * PAYLOAD * (100 if "stop" in udp[0] else 25)
    return dumbbell(
        100,
        100,
        1,
        (flow(), *udp),
        seconds=max(since + seconds, settled + 30),
        warmup=0,
        limit=1024,
        samples="50ms",
        responses=(
            {
                "name": "reached",
                "metric": f"rate_reached_time(since={settled}s, rate={rate:.4g}Mbit/s, "
                "timescale=1s)@s",
            },
            {"name": "lost", "metric": f"dropped_between(since={since}s, until={since + 2}s)"},
            {
                "name": "lost late",
                "metric": f"dropped_between(since={since + 2}s, until={settled + 30}s)",
            },
        ),
    )


_E36 = Row(
    "E36",
    "7.8",
    "SHOULD",
    "Steps of cross traffic",
    demand="Transient events should be looked at.",
    choice="""
    tcpeval's transients (draft-irtf-iccrg-tcpeval-01): one flow on 100 Mbit/s, 100 ms, 1024
    packets; a UDP stream of 75 Mbit/s ends or begins, or 30 streams of 2.5 Mbit/s begin one a
    second. Time until the goodput of 1 s is 80 % of the new share: half as long again, and 10 RTT.
    Packets dropped in the 20 RTT after the step: twice, and 0.1 BDP.""",
    grid=grid(
        _crossed,
        {"cross_traffic": ("75 to 0 Mbit/s", "0 to 75 Mbit/s", "30 steps of 2.5 Mbit/s")},
        seconds=60,
    ),
    measures=(
        Measure("time to 80 % of the new share", "reached", TIME, worst=30.0, unit="s"),
        Measure("packets dropped in the next 20 RTT", "lost", LOST_PACKETS, unit="packets"),
        Measure("packets dropped later", "lost late", unit="packets"),
    ),
)


def _outage(outage: float, queue: str) -> Cell:
    end = f"{1000 * (20 + outage):g}ms"
    resumed = f"since={end}, rate={0.8 * PAYLOAD * 20:.4g}Mbit/s, timescale=500ms"
    return dumbbell(
        20,
        40,
        1,
        seconds=20 + outage + (40 if outage < 10 else 70),
        warmup=0,
        samples="10ms",
        links=False,
        responses=(
            {"name": "reached", "metric": f"resume_time({resumed})"},
            "needless_retransmit_rate",
        ),
        link={"outages": {"windows": [["20s", end]], "lossy": queue == "queue lost"}},
    )


_E37 = Row(
    "E37",
    "7.8",
    "SHOULD",
    "Outages",
    demand="Short outages of the path should be looked at.",
    choice="""
    One flow on 20 Mbit/s, 40 ms, 1 BDP; the link goes down after 20 s, for 0.2 to 30 s; the queue
    is kept or lost. Time from the first delivery after the outage until the goodput of 0.5 s is
    80 % of the rate: half as long again, and 10 RTT or 0.5 s. Retransmissions of data that had
    arrived: by rule R1.""",
    grid=grid(
        _outage,
        {"outage": (0.2, 1, 5, 30), "queue": ("queue kept", "queue lost")},
        quick={"outage": (0.2, 5)},
    ),
    measures=(
        Measure(
            "time from the first delivery to 80 % of the rate",
            "reached",
            TIME,
            worst=40.0,
            unit="s",
        ),
        NEEDLESS,
    ),
)


def _changed(change: tuple[float, float, Table]) -> Cell:
    """A change after 30 s to a rate (Mbit/s) and a base RTT (ms), by keys of the bottleneck."""
    rate, rtt, link = change
    window = f"since=30s, until={30000 + 20 * rtt:g}ms"
    reached = f"rate={0.8 * PAYLOAD * rate:.4g}Mbit/s, timescale={max(100.0, 2.0 * rtt):g}ms"
    cell = dumbbell(
        40 if "rate" in link else 20,
        40,
        1,
        seconds=60,
        warmup=0,
        samples="10ms",
        responses=(
            {"name": "queue", "metric": f"queue_delay_between.p95({window})"},
            {"name": "lost", "metric": f"dropped_between({window})"},
            {"name": "reached", "metric": f"rate_reached_time(since=30s, {reached})"},
        ),
        link=link,
    )
    return replace(cell, base_rtt=rtt / 1000.0, rate=rate * 1e6)


def _at_30s(before: str, after: str) -> Table:
    return {"schedule": [["0s", before], ["30s", after]]}


_SHORTER = [["1ms", "80ms"], ["30s", "20ms"]]
_E38 = Row(
    "E38",
    "7.9",
    "MUST",
    "Sudden changes of the path",
    demand="Sudden changes of the path must be looked at.",
    choice="""
    One flow; after 30 s the rate changes tenfold (4 and 40 Mbit/s), the base RTT or the buffer
    changes (20 Mbit/s; 40 and 160 ms; 0.25 and 2 BDP), once so that packets overtake. In the next
    20 RTT: 95th percentile of the queueing delay by half, and max(5 ms, 25 % of the RTT); packets
    dropped, twice, and 0.1 BDP. Time until the goodput is 80 % of the new rate: half as long again,
    and 10 RTT or 0.5 s.""",
    grid=grid(
        _changed,
        {
            "change": {
                "rate x 10": (40, 40, {"rate": _at_30s("4Mbit/s", "40Mbit/s")}),
                "rate / 10": (4, 40, {"rate": _at_30s("40Mbit/s", "4Mbit/s")}),
                "RTT x 4": (20, 160, {"delay_schedule": [["30s", "80ms"]]}),
                "RTT / 4": (20, 40, {"delay_schedule": _SHORTER}),
                "buffer x 8": (20, 40, {"limit": _at_30s("17 packets", "134 packets")}),
                "buffer / 8": (20, 40, {"limit": _at_30s("134 packets", "17 packets")}),
                "RTT / 4 with reordering": (
                    20,
                    40,
                    {"delay_schedule": {"steps": _SHORTER, "reorder": True}},
                ),
            }
        },
    ),
    measures=(
        Measure(
            "queueing delay, 95th percentile, next 20 RTT", "queue", QUEUE_AFTER_EVENT, unit="s"
        ),
        Measure("packets dropped in the next 20 RTT", "lost", LOST_PACKETS, unit="packets"),
        Measure("time to 80 % of the new rate", "reached", TIME, worst=30.0, unit="s"),
    ),
    kernel=("rate / 10",),
)


def _burst(before: tuple[int, list[list[str]]], buffer: float) -> Cell:
    event, writes = before
    # The flow starts at 0.5 s, not at random: the windows after an event count from its own clock.
    since = 1000 * event + 500
    return dumbbell(
        20,
        40,
        buffer,
        [
            flow(
                start="0.5s",
                access={"delay": "uniform(0ms, 0.5ms)"},
                app={"kind": "writes", "writes": writes},
            )
        ],
        seconds=event + 20,
        warmup=0,
        samples="5ms",
        responses=(
            {"name": "lost", "metric": f"lost_between(since={since}ms, until={since + 200}ms)"},
            {"name": "burst", "metric": f"burst_packets(since={since}ms, within=200ms)"},
            {"name": "window", "metric": f"cwnd_over_used(at={since}ms, within=1s)"},
        ),
    )


_E42 = Row(
    "E42",
    "7.8",
    "SHOULD",
    "Idle or limited by the application, then bulk",
    sections=("5.1.1",),
    demand="A flow that did not use its window should not send it at once.",
    choice="""
    One flow on 20 Mbit/s, 40 ms, 0.25 and 1 BDP. The application writes 10 % of the rate for 30 s,
    or nothing for 10 s and more, then 40 MB. Largest queue in the next 5 RTT: by half, and 0.25
    BDP. Packets lost in them: twice, and 0.1 BDP. Window over the largest inflight of the second
    before: twice (BBR's cases 2, 7 and 22).""",
    grid=grid(
        _burst,
        {
            "before": {
                "limited to 10 %": (
                    30,
                    [*([f"{20 * at}ms", "5000 bytes"] for at in range(1500)), ["30s", "40MB"]],
                ),
                "idle": (20, [["0s", "12MB"], ["20s", "40MB"]]),
            },
            "buffer": (0.25, 1),
        },
    ),
    measures=(
        Measure("packets lost in 5 RTT", "lost", LOST_PACKETS, unit="packets"),
        Measure(
            "largest queue in 5 RTT", "burst", Line(0.5, bdps=0.25, says="0.25 BDP"), unit="packets"
        ),
        Measure("window over inflight", "window", Line(1.0, 1.0), of={"before": "limited to 10 %"}),
    ),
)

ROWS = (_E36, _E37, _E38, _E42)
