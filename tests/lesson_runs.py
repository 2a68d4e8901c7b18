"""The lessons' scenarios, their runs, and the figures of a run that lessons speak of."""

import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import polars as pl

import ackclock
from ackclock.results import Result
from ackclock.scenario import Scenario, load

WEB = Path(__file__).parents[1] / "web"
PRESETS = WEB / "presets"
MSS = 1448
NAMES = [
    "slow-start",
    "aimd-fairness",
    "cubic",
    "bufferbloat-codel",
    "bbr-probes",
    "bbr-beside-cubic",
    "unequal-rtts",
    "cos-slow-start",
]


def front(name: str) -> dict[str, Any]:
    return tomllib.loads((PRESETS / f"{name}.md").read_text().split("+++\n")[1])


def body(name: str) -> str:
    return " ".join((PRESETS / f"{name}.md").read_text().split("+++\n", 2)[2].split())


def scenario(name: str, thing: int | None = None, *more: str) -> Scenario:
    """The lesson's scenario, or that of one of its things to try (from 1); `more` are settings."""
    found = load(PRESETS / f"{name}.toml")
    if thing is not None:
        found = found.replace(front(name)["try"][thing - 1]["set"])
    if more:
        found = found.replace(dict(setting.split("=", 1) for setting in more))
    return found


@cache
def run(name: str, thing: int | None = None, *more: str) -> Result:
    """The simulated run of `scenario(name, thing, *more)`."""
    return ackclock.run(scenario(name, thing, *more))


def flow(result: Result, name: str) -> dict[str, Any]:
    return result.flows.row(by_predicate=pl.col("name") == name, named=True)


def mbit(result: Result, name: str) -> float:
    return float(flow(result, name)["goodput"]) / 1e6


def samples(result: Result, name: str) -> pl.DataFrame:
    return result.samples.flows.filter(pl.col("flow").cast(str) == name)


def window(result: Result, name: str, time: float) -> float:
    """The window at a time, packets."""
    before = samples(result, name).filter(pl.col("time") <= time + 1e-9)
    return float(before["cwnd"][-1]) / MSS


def queue(result: Result) -> pl.DataFrame:
    return result.samples.links.filter(pl.col("link").cast(str) == "bottleneck")


def first_drop(result: Result) -> float:
    return float(queue(result).filter(pl.col("dropped") > 0)["time"][0])


def cuts(result: Result, name: str) -> list[tuple[float, float, float]]:
    """Time at which the flow learned of each loss, window before, ssthresh after, packets."""
    rows = samples(result, name).select("time", "cwnd", "ssthresh", "state").rows()
    found = []
    for index in range(1, len(rows)):
        if rows[index][3] == "recovery" and rows[index - 1][3] != "recovery":
            before = max(row[1] for row in rows[max(0, index - 4) : index] if row[1] is not None)
            found.append((rows[index][0], before / MSS, rows[index][2] / MSS))
    return found


def share(result: Result, name: str, begin: float, end: float) -> float:
    """Rate of acknowledged data between two times, Mbit/s."""
    rows = samples(result, name)
    at = [
        rows.filter(pl.col("time") <= time + 1e-9)["delivered"].max() or 0 for time in (begin, end)
    ]
    return float(at[1] - at[0]) * 8 / (end - begin) / 1e6  # type: ignore[operator]
