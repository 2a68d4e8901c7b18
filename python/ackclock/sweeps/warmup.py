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
from ackclock.sweeps.responses import Response, members

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import polars as pl

    from ackclock.metrics.registry import Need
    from ackclock.results import Result
    from ackclock.stats.resampling import Floats
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.sequential import Figures

__all__ = ["OBSERVATIONS", "Truncation", "agreed", "pilots", "series_behind"]

OBSERVATIONS = 500
"""A run is cut into so many pieces of equal length."""

_BATCHES = (5, 10)
"""Pieces in a batch. The last stretch of a saw-tooth, or between two of BBR's probes of the round-trip time, looks steadier than the whole
if it has many batches: where five pieces tell of no steady state, ten have the last word. A run then holds about three cycles at least."""


@dataclass(frozen=True)
class Truncation(Response):
    """A response of a pilot run: from when on the series behind another response are steady, s."""

    @classmethod
    def behind(cls, response: Response) -> Truncation:
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
        from ackclock.results import Result

        if not isinstance(run, Result):
            raise TypeError("times of truncation are made from a run's time series")
        duration = run.plan["duration_ps"] / PS_PER_S
        found = [_truncation(series) for series in series_behind(self, run).values()]
        return max(found) / OBSERVATIONS * duration if found else None


def _truncation(series: Floats) -> int:
    for batch in _BATCHES:
        found = truncation(series, batch)
        if found <= OBSERVATIONS / 2:
            break
    return found


def series_behind(response: Response, result: Result) -> dict[str, Floats]:
    """The time series that decide whether a response is steady, by what they are of: the means of 500 pieces of the run.

    They are states, and not rates: what a full link delivers is constant but for a gap at each loss, and MSER would call it steady after
    the last gap. Of a metric of links it is the link's queueing delay, of one of flows the inflight of the response's flows, all together;
    of one of the whole run, which may depend on how the flows share, the inflight of each entry and the first link's queueing delay.
    """
    figure = response.figure
    duration = result.plan["duration_ps"] / PS_PER_S
    edges = np.linspace(0.0, duration, OBSERVATIONS + 1)
    flows, links = result.summary()["flows"], result.summary()["links"]
    found: dict[str, Floats] = {}
    if figure.of != "flows":
        link = figure.element if figure.of == "links" and figure.element else links[0]["name"]
        rows = _rows(result.samples.links, "link", link)
        if rows is not None:
            found[f"queue_delay of {link}"] = _held_mean(rows, "queue_delay", edges)
    if figure.of != "links":
        for group, names in _groups(response, flows):
            parts = [rows for name in names if (rows := _rows(result.samples.flows, "flow", name)) is not None]
            if parts:
                found[f"inflight of {group}"] = np.sum([_held_mean(rows, "inflight", edges) for rows in parts], axis=0)
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
        responses=tuple(Truncation.behind(response) for response in design.responses),
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
            found = figures[index, 0][Truncation.behind(response).name]
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
