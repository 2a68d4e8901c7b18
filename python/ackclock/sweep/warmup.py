"""One warm-up for a whole sweep, found by MSER-5 on a pilot run of every setting.

``pilots`` gives a design of one replication whose responses are times of truncation; it is run like any other. ``agreed`` makes of its
figures the warm-up that the sweep's own tasks get: ``design.task(setting, replication, warmup_ps=agreed(design, figures))``.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.quantities import PS_PER_S, time_ps
from ackclock.stats import truncation
from ackclock.sweep.responses import Response, members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from ackclock.metrics.registry import Need
    from ackclock.results import Result
    from ackclock.stats.resampling import Floats
    from ackclock.sweep.design import Design
    from ackclock.sweep.sequential import Figures

__all__ = ["OBSERVATIONS", "Truncation", "agreed", "pilots", "series_behind"]

OBSERVATIONS = 500
"""A run is cut into so many pieces of equal length, a hundred batches of five: a saw-tooth of up to a fifth of the run is steady."""


@dataclass(frozen=True)
class Truncation(Response):
    """A response of a pilot run: from when on the series behind another response are steady, s."""

    @classmethod
    def of(cls, response: Response) -> Truncation:
        """That of a response."""
        return cls(f"steady: {response.name}", response.metric, response.flows, response.over, response.folder)

    @property
    def unit(self) -> str:
        """Seconds."""
        return "s"

    @property
    def needs(self) -> tuple[Need, ...]:
        """Time series."""
        return ("samples",)

    @property
    def from_summary(self) -> bool:
        """Never."""
        return False

    def value(self, run: Result | Mapping[str, Any]) -> float | None:
        """The time, s, before which MSER-5 truncates the slowest of the series; None if there is none."""
        if not hasattr(run, "samples"):
            raise TypeError("times of truncation are made from a run's time series")
        duration = run.plan["duration_ps"] / PS_PER_S
        found = [truncation(series) for series in series_behind(self, run).values()]
        return max(found) / OBSERVATIONS * duration if found else None


def series_behind(response: Response, result: Result) -> dict[str, Floats]:
    """The time series that decide whether a response is steady, by what they are of: the means of 500 pieces of the run.

    Of a metric of flows it is the goodput of the response's flows, all together; of the delay of a queue that delay, of any other metric
    of links what the link delivers; of one of the whole run, which may depend on how the flows share, the goodput of each entry.
    """
    figure = response.figure
    duration = result.plan["duration_ps"] / PS_PER_S
    edges = np.linspace(0.0, duration, OBSERVATIONS + 1)
    flows, links = result.summary()["flows"], result.summary()["links"]
    found: dict[str, Floats] = {}
    if figure.of == "links":
        link = figure.element or links[0]["name"]
        rows = _rows(result.samples.links, "link", link)
        name = "queue_delay" if "delay" in figure.name else "delivered_bytes"
        if rows is not None:
            series = _held_mean(rows, name, edges) if name == "queue_delay" else _increase(rows, name, edges)
            found[f"{name} of {link}"] = series
        return found
    for group, names in _groups(response, flows):
        parts = [rows for name in names if (rows := _rows(result.samples.flows, "flow", name)) is not None]
        if parts:
            found[f"goodput of {group}"] = np.sum([_increase(rows, "delivered", edges) for rows in parts], axis=0)
    return found


def _groups(response: Response, rows: list[Any]) -> Iterator[tuple[str, list[str]]]:
    """Names of connections by what they belong to."""
    parts: dict[str, list[str]] = {}
    for row in rows:
        if row["part_of"] is not None:
            parts.setdefault(row["part_of"], []).append(row["name"])
    whole = [row["name"] for row in rows if row["part_of"] is None]

    def connections(names: list[str]) -> list[str]:
        return [connection for name in names for connection in parts.get(name, [name])]

    figure = response.figure
    if figure.of == "flows":
        names = [figure.element] if figure.element else whole if response.flows is None else members(rows, response.flows)
        yield figure.element or response.flows or "all flows", connections(names)
        return
    entries: dict[str, list[str]] = {}
    for name in whole:
        entries.setdefault(_entry(name), []).append(name)
    for entry, names in entries.items():
        yield entry, connections(names)


def _entry(flow: str) -> str:
    """The name of the entry of [[flows]] that a flow comes from: several are `NAME.1`, `NAME.2`, ..."""
    entry, dot, number = flow.rpartition(".")
    return entry if dot and number.isdigit() else flow


def _rows(samples: pl.DataFrame, column: str, name: str) -> pl.DataFrame | None:
    import polars as pl

    rows = samples.filter(pl.col(column) == name)
    return rows if rows.height else None


def _increase(rows: pl.DataFrame, counter: str, edges: Floats) -> Floats:
    """How far a counter rises in each piece."""
    time, value = rows["time"].to_numpy(), rows[counter].cast(float).fill_null(0.0).to_numpy()
    latest = np.searchsorted(time, edges, side="right") - 1
    return np.diff(np.where(latest >= 0, value[np.maximum(latest, 0)], 0.0))


def _held_mean(rows: pl.DataFrame, column: str, edges: Floats) -> Floats:
    """The time average in each piece of what holds from one sample to the next."""
    time, value = rows["time"].to_numpy(), rows[column].cast(float).fill_null(0.0).to_numpy()
    area = np.concatenate([[0.0], np.cumsum(value[:-1] * np.diff(time))])
    latest = np.searchsorted(time, edges, side="right") - 1
    held = np.maximum(latest, 0)
    up_to = np.where(latest >= 0, area[held] + value[held] * (edges - time[held]), 0.0)
    return np.diff(up_to) / np.diff(edges)


def pilots(design: Design) -> Design:
    """The same settings, one replication, and times of truncation for responses."""
    return replace(
        design,
        responses=tuple(Truncation.of(response) for response in design.responses),
        comparisons=(),
        replications=1,
        stop=None,
        warmup=None,
    )


def agreed(design: Design, figures: Figures) -> int:
    """The sweep's warm-up, ps: the largest truncation of the pilots, rounded up to two digits.

    Parameters
    ----------
    design
        The sweep, not its pilots.
    figures
        Those of the pilots: of replication 0.

    Raises
    ------
    ScenarioError
        If a setting has no steady state within its duration, or too little of it is left.
    """
    longest, slowest = 0.0, 0
    for index in range(len(design.settings)):
        duration = _duration(design, index)
        for response in design.responses:
            found = figures[index, 0][Truncation.of(response).name]
            if found is not None and found > duration / 2:
                raise ScenarioError(
                    f"{design.where(index)} has no steady state within its {duration:g} s: the best that MSER-5 finds for "
                    f"{response.name} begins at {found:g} s, in the second half; write a longer duration, or a warmup of your own",
                    key="sweep.warmup",
                    value="auto",
                    file=design.scenario.file,
                )
            if found is not None and found > longest:
                longest, slowest = found, index
    warmup = _rounded_up(longest)
    for index in range(len(design.settings)):
        duration = _duration(design, index)
        if warmup > duration / 2:
            raise ScenarioError(
                f"{design.where(slowest)} is steady from {longest:g} s on, and the same warm-up would leave less than half of "
                f"the {duration:g} s of {design.where(index)}; write a longer duration",
                key="sweep.warmup",
                value="auto",
                file=design.scenario.file,
            )
    return round(warmup * PS_PER_S)


def _duration(design: Design, setting: int) -> float:
    return time_ps(design.scenario_at(setting).duration) / PS_PER_S


def _rounded_up(seconds: float) -> float:
    """To two digits: a warm-up that one can write down."""
    if seconds == 0.0:
        return 0.0
    digits = 1 - math.floor(math.log10(seconds))
    return math.ceil(round(seconds * 10.0**digits, 6)) / 10.0**digits
