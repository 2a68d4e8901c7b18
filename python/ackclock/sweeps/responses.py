"""Responses of a sweep: named figures of a run, perhaps over one group of its flows."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from ackclock.metrics import find_metric
from ackclock.metrics.statistics import mean_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ackclock.metrics import Metric
    from ackclock.metrics.registry import Need
    from ackclock.results import Result

__all__ = ["DEFAULT_RESPONSES", "Over", "Response", "members"]

Over = Literal["own", "total", "mean", "min", "max"]
"""How figures of flows become one; "own": as the metric itself does it."""

DEFAULT_RESPONSES = ("utilisation", "queue_delay.p95", "goodput", "loss_rate")
"""What a sweep looks at that names no responses."""

_TOGETHER: Mapping[str, Callable[[list[float]], float | None]] = {"total": sum, "mean": mean_of, "min": min, "max": max}


@dataclass(frozen=True)
class Response:
    """A named figure of a run. It is picklable: the metric is found by its name wherever the run is made."""

    name: str
    """What tables call it."""
    metric: str
    """Metric, as `find_metric` takes it."""
    flows: str | None = None
    """Group of flows: the name of an entry of flows, of a flow, or a congestion control; None: all."""
    over: Over = "own"
    """How the figures of the flows become one."""
    folder: str | None = None
    """Where a metric of the user's own is looked for first."""

    @property
    def figure(self) -> Metric:
        """The metric."""
        return _metric(self.metric, self.folder) if not self.metric.startswith("python:") else find_metric(self.metric, self.folder)

    @property
    def unit(self) -> str:
        """Its unit, as the metric's."""
        return self.figure.unit

    @property
    def needs(self) -> tuple[Need, ...]:
        """What the run must record for it."""
        return self.figure.needs

    @property
    def from_summary(self) -> bool:
        """Whether summary.json is enough."""
        return self.figure.from_summary

    def value(self, run: Result | Mapping[str, Any]) -> float | None:
        """The figure of one run; of its summary, if the metric is made from that.

        None if the run has nothing to measure it from, such as no flow of the group.
        """
        figure = self.figure
        if self.flows is None and self.over == "own":
            return figure.value(run)
        summary: Mapping[str, Any] = run if not hasattr(run, "summary") else run.summary()
        names = _whole_flows(summary["flows"]) if self.flows is None else members(summary["flows"], self.flows)
        if not names:
            return None
        if self.over == "own" and figure.over == "all" and figure.from_summary:
            # The metric pools what it counts, here over these flows alone.
            return figure.value({**summary, "flows": [row for row in summary["flows"] if row["name"] in names]})
        together = {"sum": "total"}.get(figure.over, figure.over) if self.over == "own" else self.over
        parts = [value for name in names if (value := _metric_of(figure, name).value(run)) is not None]
        return _TOGETHER[together](parts) if parts else None


@lru_cache(maxsize=256)
def _metric(name: str, folder: str | None) -> Metric:
    return find_metric(name, folder)


def _metric_of(figure: Metric, element: str) -> Metric:
    from dataclasses import replace

    return replace(figure, name=f"{figure.name}@{element}", element=element)


def _whole_flows(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [row["name"] for row in rows if row["part_of"] is None]


def members(rows: Sequence[Mapping[str, Any]], group: str) -> list[str]:
    """Names of the flows of a group; a flow of several connections is one.

    The group is an entry's if one has that name, else the flow, else all of a congestion control with whatever options.
    """
    whole = [row for row in rows if row["part_of"] is None]
    of_entry = re.compile(re.escape(group) + r"(?:\.[0-9]+)?")
    named = [row["name"] for row in whole if of_entry.fullmatch(row["name"])]
    if named:
        return named
    connection = [row["name"] for row in rows if row["name"] == group]
    return connection or [row["name"] for row in whole if group in {row["cc"], row["cc"].partition("(")[0]}]
