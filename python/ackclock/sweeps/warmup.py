"""One warm-up for a whole sweep, found by MSER-5 on a pilot run of every setting.

``pilots`` gives a design of one replication whose responses are times of truncation; it runs like
any other design. ``agreed`` turns its figures into the warm-up of the sweep's tasks:
``design.task(setting, replication, warmup_ps=agreed(design, figures))``.
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
"""Number of pieces of equal length into which a run is cut."""

_BATCHES = (5, 10)
"""Numbers of pieces per batch that are tried in order.

The last part of a saw-tooth, or the time between two of BBR's RTT probes, looks steadier than the
whole if it has many batches. If batches of five pieces show no steady state, batches of ten decide;
a run then has at least about three cycles.
"""


@dataclass(frozen=True)
class Truncation(Response):
    """A response of a pilot run: time after which the series of another response are steady, s."""

    @classmethod
    def behind(cls, response: Response) -> Truncation:
        """Make the truncation of a response."""
        name = f"steady: {response.name}"
        return cls(name, response.metric, response.flows, response.over, response.folder)

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
        """Time up to which MSER-5 truncates the slowest series, s; None without any series."""
        from ackclock.results import Result

        if not isinstance(run, Result):
            raise TypeError("times of truncation are made from a run's time series")
        duration = run.plan["duration_ps"] / PS_PER_S
        truncations = [_truncation(series) for series in series_behind(self, run).values()]
        return max(truncations) / OBSERVATIONS * duration if truncations else None


def _truncation(series: Floats) -> int:
    for batch in _BATCHES:
        cut = truncation(series, batch)
        if cut <= OBSERVATIONS / 2:
            break
    return cut


def series_behind(response: Response, result: Result) -> dict[str, Floats]:
    """Time series that decide whether a response is steady, by name: means of 500 pieces.

    The series are states instead of rates: the rate of a full link is constant but for a gap at
    each loss, and MSER would call it steady after the last gap. For a metric of links the series is
    the link's queueing delay; for a metric of flows it is the sum of inflight over the response's
    flows. A metric of the whole run may depend on how the flows share: it has the inflight of each
    entry and the first link's queueing delay.
    """
    figure = response.figure
    duration = result.plan["duration_ps"] / PS_PER_S
    edges = np.linspace(0.0, duration, OBSERVATIONS + 1)
    flows, links = result.summary()["flows"], result.summary()["links"]
    series: dict[str, Floats] = {}
    if figure.of != "flows":
        link = figure.element if figure.of == "links" and figure.element else links[0]["name"]
        rows = _rows(result.samples.links, "link", link)
        if rows is not None:
            series[f"queue_delay of {link}"] = _held_mean(rows, "queue_delay", edges)
    if figure.of != "links":
        for group, names in _groups(response, flows):
            parts = [
                rows
                for name in names
                if (rows := _rows(result.samples.flows, "flow", name)) is not None
            ]
            if parts:
                series[f"inflight of {group}"] = np.sum(
                    [_held_mean(rows, "inflight", edges) for rows in parts], axis=0
                )
    return series


def _groups(response: Response, rows: list[Any]) -> Iterator[tuple[str, list[str]]]:
    """Names of connections, by the group that they belong to."""
    parts: dict[str, list[str]] = {}
    for row in rows:
        if row["part_of"] is not None:
            parts.setdefault(row["part_of"], []).append(row["name"])
    whole = [row["name"] for row in rows if row["part_of"] is None]

    def connections(names: list[str]) -> list[str]:
        return [connection for name in names for connection in parts.get(name, [name])]

    figure = response.figure
    if figure.of == "flows":
        names = (
            [figure.element]
            if figure.element
            else whole
            if response.flows is None
            else members(rows, response.flows)
        )
        yield figure.element or response.flows or "all flows", connections(names)
        return
    entries: dict[str, list[str]] = {}
    for name in whole:
        entries.setdefault(_entry(name), []).append(name)
    for entry, names in entries.items():
        yield entry, connections(names)


def _entry(flow: str) -> str:
    """The entry of [[flows]] that a flow comes from; flows of one entry are `NAME.1`, `NAME.2`."""
    entry, dot, number = flow.rpartition(".")
    return entry if dot and number.isdigit() else flow


def _rows(samples: pl.DataFrame, column: str, name: str) -> pl.DataFrame | None:
    import polars as pl

    rows = samples.filter(pl.col(column) == name)
    return rows if rows.height else None


def _held_mean(rows: pl.DataFrame, column: str, edges: Floats) -> Floats:
    """Time average in each piece of a quantity that is constant between samples."""
    time, value = rows["time"].to_numpy(), rows[column].cast(float).fill_null(0.0).to_numpy()
    area = np.concatenate([[0.0], np.cumsum(value[:-1] * np.diff(time))])
    latest = np.searchsorted(time, edges, side="right") - 1
    held = np.maximum(latest, 0)
    up_to = np.where(latest >= 0, area[held] + value[held] * (edges - time[held]), 0.0)
    return np.diff(up_to) / np.diff(edges)


def pilots(design: Design) -> Design:
    """The pilots of a design: one replication of its settings, with truncations as responses."""
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

    `design` is the sweep's, `figures` are the pilots'.

    Raises
    ------
    ScenarioError
        If a setting has no steady state, or too little time is left after the warm-up.
    """
    longest, slowest = 0.0, 0
    for index in range(len(design.settings)):
        duration = _duration(design, index)
        for response in design.responses:
            begin = figures[index, 0][Truncation.behind(response).name]
            if begin is not None and begin > duration / 2:
                raise ScenarioError(
                    f"{design.where(index)} has no steady state within its {duration:g} s: the "
                    f"best that MSER-5 finds for {response.name} begins at {begin:g} s, in the "
                    "second half; write a longer duration, or a warmup of your own",
                    key="sweep.warmup",
                    value="auto",
                    file=design.scenario.file,
                )
            if begin is not None and begin > longest:
                longest, slowest = begin, index
    warmup = _rounded_up(longest)
    for index in range(len(design.settings)):
        duration = _duration(design, index)
        if warmup > duration / 2:
            raise ScenarioError(
                f"{design.where(slowest)} is steady from {longest:g} s on, and the same warm-up "
                f"would leave less than half of the {duration:g} s of {design.where(index)}; write "
                "a longer duration",
                key="sweep.warmup",
                value="auto",
                file=design.scenario.file,
            )
    return round(warmup * PS_PER_S)


def _duration(design: Design, setting: int) -> float:
    return time_ps(design.scenario_at(setting).duration) / PS_PER_S


def _rounded_up(seconds: float) -> float:
    """Round up to two digits, for a warm-up that is easy to write."""
    if seconds == 0.0:
        return 0.0
    digits = 1 - math.floor(math.log10(seconds))
    return math.ceil(round(seconds * 10.0**digits, 6)) / 10.0**digits
