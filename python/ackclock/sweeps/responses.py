"""Responses of a sweep: named figures of a run, perhaps over one group of its flows."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any, Literal

from ackclock.formulas.statistics import mean_of
from ackclock.metrics import find_metric

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ackclock.metrics import Metric
    from ackclock.metrics.registry import Need
    from ackclock.results import Result

__all__ = ["DEFAULT_RESPONSES", "Over", "Response", "members"]

Over = Literal["own", "total", "mean", "min", "max"]
"""Rule that makes one figure of the flows' figures; "own": the metric's rule."""

DEFAULT_RESPONSES = ("utilisation", "queue_delay.p95", "goodput", "loss_rate")
"""Responses of a sweep that names none."""

_TOGETHER: Mapping[str, Callable[[list[float]], float | None]] = {
    "total": sum,
    "mean": mean_of,
    "min": min,
    "max": max,
}


@dataclass(frozen=True)
class Response:
    """A named figure of a run.

    It can be pickled: the process that makes the run finds the metric by its name.
    """

    name: str
    """The response's name in tables."""
    metric: str
    """Metric, as `find_metric` takes it."""
    flows: str | None = None
    """Entry of flows, flow or congestion control whose flows count; None: all flows."""
    over: Over = "own"
    """Rule that makes one figure of the flows' figures."""
    folder: str | None = None
    """Folder in which a metric of the user is looked for first."""
    read: Metric | None = field(default=None, compare=False)
    """The metric as a folder of results describes it, if its function does not exist here."""

    @property
    def figure(self) -> Metric:
        """The metric."""
        if self.read is not None:
            return self.read
        find = find_metric if self.metric.startswith("python:") else _metric
        return find(self.metric, self.folder)

    @property
    def unit(self) -> str:
        """The metric's unit."""
        return self.figure.unit

    @property
    def needs(self) -> tuple[Need, ...]:
        """Tables that a run must record for the metric."""
        return self.figure.needs

    @property
    def from_summary(self) -> bool:
        """Whether the metric needs no more than summary.json."""
        return self.figure.from_summary

    def value(self, run: Result | Mapping[str, Any]) -> float | None:
        """The figure of a run, or of its summary if the metric needs no more.

        None if the run has no data for it, such as no flow of the group.
        """
        figure = self.figure
        if self.flows is None and self.over == "own":
            return figure.value(run)
        summary: Mapping[str, Any] = run if not hasattr(run, "summary") else run.summary()
        names = (
            _whole_flows(summary["flows"])
            if self.flows is None
            else members(summary["flows"], self.flows)
        )
        if not names:
            return None
        if self.over == "own" and figure.over == "all" and figure.from_summary:
            # The metric adds up its counters itself, here over these flows only.
            return figure.value(
                {**summary, "flows": [row for row in summary["flows"] if row["name"] in names]}
            )
        together = (
            {"sum": "total"}.get(figure.over, figure.over) if self.over == "own" else self.over
        )
        parts = [
            value for name in names if (value := _metric_of(figure, name).value(run)) is not None
        ]
        return _TOGETHER[together](parts) if parts else None


@lru_cache(maxsize=256)
def _metric(name: str, folder: str | None) -> Metric:
    return find_metric(name, folder)


def _metric_of(figure: Metric, element: str) -> Metric:
    return replace(figure, name=f"{figure.name}@{element}", element=element)


def _whole_flows(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    return [row["name"] for row in rows if row["part_of"] is None]


def members(rows: Sequence[Mapping[str, Any]], group: str) -> list[str]:
    """Names of the flows of a group; a parallel transfer is one flow.

    `group` is looked up as an entry of flows, then as a flow, then as a congestion control with any
    options.
    """
    whole = [row for row in rows if row["part_of"] is None]
    of_entry = re.compile(re.escape(group) + r"(?:\.[0-9]+)?")
    named = [row["name"] for row in whole if of_entry.fullmatch(row["name"])]
    if named:
        return named
    connection = [row["name"] for row in rows if row["name"] == group]
    return connection or [
        row["name"] for row in whole if group in {row["cc"], row["cc"].partition("(")[0]}
    ]
