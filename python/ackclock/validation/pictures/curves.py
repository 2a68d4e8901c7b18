"""From a run to the lines that are drawn of it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ackclock.plot_data.series import minmax

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.metrics.recorded_run import Floats, RecordedFlow, RecordedRun

__all__ = ["Curve", "goodputs", "labels", "queue", "windows"]

BUCKETS = 40
"""Spans of time that a line is thinned to; each keeps its extremes."""
GRID = 0.020
"""Step of time at which windows of several flows are added up, s."""


@dataclass(frozen=True)
class Curve:
    """A line, and what it is of."""

    label: str
    time: Floats
    value: Floats


def _groups(run: RecordedRun) -> list[tuple[str, list[RecordedFlow]]]:
    """Groups of flows for one line each: two flows alone, more by algorithm, files together."""
    lasting = [flow for flow in run.flows if not flow.is_file]
    files = [flow for flow in run.flows if flow.is_file]
    lines = [("all files", files)] if files else []
    if len(lasting) <= 2:
        return [(flow.name, [flow]) for flow in lasting] + lines
    algorithms = dict.fromkeys(flow.cc for flow in lasting)
    return [
        (f"{cc}, all flows", [flow for flow in lasting if flow.cc == cc]) for cc in algorithms
    ] + lines


def labels(run: RecordedRun) -> list[str]:
    """Return the labels of the lines."""
    return [label for label, _ in _groups(run)]


def windows(run: RecordedRun, begin: float, end: float) -> list[Curve]:
    """Windows in packets, of files not: there is no one window of them."""
    return [
        Curve(label, *_thin(*_sum(run, flows), begin, end))
        for label, flows in _groups(run)
        if not flows[0].is_file
    ]


def _sum(run: RecordedRun, flows: Sequence[RecordedFlow]) -> tuple[Floats, Floats]:
    if len(flows) == 1:
        return flows[0].time, flows[0].cwnd
    grid = np.arange(0.0, run.duration, GRID)
    return grid, np.sum([_held(flow.time, flow.cwnd, grid) for flow in flows], axis=0)


def _held(time: Floats, value: Floats, grid: Floats) -> Floats:
    at = np.searchsorted(time, grid, side="right") - 1
    held: Floats = (
        np.where(at >= 0, value[np.maximum(at, 0)], 0.0) if len(time) else np.zeros(len(grid))
    )
    return held


def queue(run: RecordedRun, begin: float, end: float) -> list[Curve]:
    """Packets waiting."""
    return [Curve("queue", *_thin(run.path.time, run.path.queue, begin, end))]


def _rate_step(span: float, rtt: float) -> float:
    """Averaging interval of goodput: 1, 2 or 5 times a power of ten, and a round trip at least.

    A span has about a hundred of them.
    """
    least = max(span / 120, rtt)
    power = 10.0 ** np.floor(np.log10(least))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= least * (1 - 1e-9)))


def goodputs(run: RecordedRun, begin: float, end: float) -> list[Curve]:
    """Payload acknowledged per time, Mbit/s."""
    shortest = float(np.nanmin(run.path.rtt)) if np.isfinite(run.path.rtt).any() else 0.0
    step = _rate_step(end - begin, shortest)
    edges = np.arange(begin, end + step / 2, step)
    lines = []
    for label, flows in _groups(run):
        acked = np.sum([_acked(flow, edges) for flow in flows], axis=0)
        lines.append(Curve(label, (edges[:-1] + edges[1:]) / 2, 8e-6 * np.diff(acked) / step))
    return lines


def _acked(flow: RecordedFlow, edges: Floats) -> Floats:
    if len(flow.time) == 0:
        return np.zeros(len(edges))
    return np.interp(edges, flow.time, flow.acked, left=0.0)


def _thin(time: Floats, value: Floats, begin: float, end: float) -> tuple[Floats, Floats]:
    inside = (time >= begin) & (time <= end)
    return minmax(time[inside], value[inside], BUCKETS)
