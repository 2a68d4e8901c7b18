"""Runs of the lessons in ns-2 2.35: its TCP, and Linux's own Vegas in its TCP/Linux."""

import subprocess
from pathlib import Path
from typing import Any

import polars as pl
from seen import Seen, Setting
from settings import setting

NAME = "ns-2.35"
SCRIPT = Path(__file__).parents[2] / "theory/ns2/criteria/dumbbell.tcl"
CASES = {
    "aimd-fairness": ["base", "try 1", "try 2", "try 3"],
    "cos-slow-start": ["base", "try 1", "try 2", "try 3"],
}
KINDS = {"reno": "reno", "aimd(b=0.1)": "aimd:1:0.1", "vegas": "linux:vegas", "cos+reno": "cos"}


def run(plugin: Path, scenario: Any, name: str) -> Seen:
    """One run; `plugin` is the COS-Slow-Start of tests/theory/ns2/cos.cc."""
    given = setting(scenario)
    agents = " ".join(
        f"{{{_kind(flow.cc, name)} {flow.start} {flow.ssthresh}}}" for flow in given.flows
    )
    options = {
        "cos": plugin.resolve(),
        "rate": f"{given.rate:.0f}",
        "delay": given.delay,
        # ns-2's DropTail lets one less wait.
        "limit": given.limit + 1,
        "duration": given.end,
        "minrto": 0.2,
        "sample": given.period,
        "queue": given.period,
        "agents": agents,
    }
    printed = subprocess.run(
        [
            "ns",
            str(SCRIPT),
            *(word for key, value in options.items() for word in (f"-{key}", str(value))),
        ],
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    return _seen(given, printed, name)


def _kind(cc: str, lesson: str) -> str:
    # The plug-in is a Reno without SACK: the flow beside it in a comparison must be one as well.
    return "plain" if lesson == "cos-slow-start" and cc == "reno" else KINDS[cc]


def _seen(given: Setting, printed: str, lesson: str) -> Seen:
    lines = [line.split() for line in printed.splitlines()]
    acked = {line[1]: line[2:] for line in lines if line[0] == "ack"}
    flows = []
    for index, flow in enumerate(given.flows):
        before = 0.0
        for line in lines:
            if line[0] != "cwnd":
                continue
            window = float(line[2 + index])
            flows.append(
                {
                    "time": float(line[1]),
                    "flow": flow.name,
                    "cwnd": window * 1448,
                    "ssthresh": window * 1448,
                    "state": "recovery" if window < 0.95 * before else "open",
                    "delivered": max(0, int(acked[line[1]][index])) * 1448,
                }
            )
            before = window
    links = [
        {"time": float(line[1]), "queue_packets": int(line[2]), "dropped": int(line[3])}
        for line in lines
        if line[0] == "queue"
    ]
    seen = Seen(given, pl.DataFrame(flows), pl.DataFrame(links))
    if lesson == "cos-slow-start":
        # Without SACK a burst of losses costs timeouts: the rate over the run is another matter.
        seen.flows = seen.flows.drop("goodput")
    return seen
