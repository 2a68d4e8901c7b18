"""One flow of each of the kernel's congestion controls, and what a kernel recorded of it."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import TypedDict

import ackclock as ac

RECORD = Path(__file__).parent / "controls.json"
MSS = 1448
STEP = 100
"""Samples of 1 ms from one kept window to the next."""

QDISCS = {
    "dctcp-codel": '{ kind = "codel", ecn = true }',
    "dctcp-red": '{ kind = "red", ecn = true }',
}
CONTROLS = (
    *("reno", "bic", "cdg", "cubic", "dctcp-codel", "dctcp-red", "westwood", "highspeed"),
    *("hybla", "htcp", "vegas", "nv", "veno", "scalable", "lp", "yeah", "illinois"),
)


class Figures(TypedDict):
    """Figures of a run."""

    goodput: float
    """Bit/s."""
    queue_delay: float
    """Mean of the bottleneck, s."""
    drops: int
    marks: int
    cwnd: list[int]
    """Congestion window each 100 ms, packets."""
    ssthresh: list[int]
    """Slow-start threshold each 100 ms, packets; 0: unknown."""


def scenario(name: str) -> ac.Scenario:
    """One flow of a control on 10 Mbit/s. A delay of 29.7 ms makes no tie in milliseconds.

    `lp` has a seed with which it is Reno, as in most connections.
    """
    qdisc = f", qdisc = {QDISCS[name]}" if name in QDISCS else ""
    limit = "200 packets" if name in QDISCS else "50 packets"
    text = f"""
        name = "{name}"
        duration = "12s"
        seed = {2 if name == "lp" else 1}
        [network]
        kind = "dumbbell"
        bottleneck = {{ rate = "10Mbit/s", delay = "29.7ms", limit = "{limit}"{qdisc} }}
        [[flows]]
        name = "f"
        cc = "{name.partition("-")[0]}"
        [record]
        samples = "1ms"
        """
    return ac.Scenario.parse(tomllib.loads(text))


def figures(result: ac.Result) -> Figures:
    """Figures of a run of the kernel or the simulator."""
    windows = result.samples.flows[::STEP]
    queue = result.samples.links.filter(link="bottleneck").tail(1)
    return {
        "goodput": result.value("goodput") or 0.0,
        "queue_delay": result.value("queue_delay.mean") or 0.0,
        "drops": queue["dropped"].item(),
        "marks": queue["marked"].item(),
        "cwnd": [round(cwnd / MSS) for cwnd in windows["cwnd"]],
        "ssthresh": [round((ssthresh or 0) / MSS) for ssthresh in windows["ssthresh"]],
    }


def first_difference(kernel: Figures, simulator: Figures) -> float | None:
    """Time of the first kept window that differs, s."""
    pairs = zip(kernel["cwnd"], simulator["cwnd"], strict=True)
    differing = (index for index, (theirs, ours) in enumerate(pairs) if theirs != ours)
    index = next(differing, None)
    return None if index is None else index * STEP / 1000


def recorded() -> dict[str, Figures]:
    """Figures of the recorded kernel, by control."""
    figures: dict[str, Figures] = json.loads(RECORD.read_text())["controls"]
    return figures
