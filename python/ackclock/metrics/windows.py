"""Windows of a run's absolute time, and counters in them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ackclock.formulas.windows import gained
from ackclock.metrics.of_counters import planned
from ackclock.metrics.of_samples import counted
from ackclock.metrics.registry import MetricError

if TYPE_CHECKING:
    from ackclock.results.result import Result
    from ackclock.results.series import Floats, FlowSeries


@dataclass(frozen=True)
class Window:
    """Part of a run.

    Attributes
    ----------
    since, until : float
        Absolute time of the run, s; `until` is later.
    """

    since: float
    until: float

    @property
    def length(self) -> float:
        """Length, s."""
        return self.until - self.since

    def cut(self, begin: float, end: float) -> Window | None:
        """Return the part between two moments; None if there is none."""
        since, until = max(self.since, begin), min(self.until, end)
        return Window(since, until) if since < until else None


def window_of(result: Result, since: float, until: float | None) -> Window | None:
    """Return the window that a metric's parameters ask for, up to the end of the run.

    None if the run ended before the window begins.

    Raises
    ------
    MetricError
        If the window has no length, or begins before the run.
    """
    if since < 0.0:
        raise MetricError(f"since = {since:g} s is before the run's start: at least 0 s")
    if until is not None and not until > since:
        raise MetricError(
            f"until = {until:g} s is too early: it must be later than since = {since:g} s"
        )
    end = result.end_time if until is None else until
    return Window(since, end).cut(0.0, result.end_time)


def positive(value: float, key: str, example: str) -> float:
    """Return a parameter that must be above zero."""
    if not value > 0.0:
        raise MetricError(f"{key} = {value:g} is too small: more than 0, for instance {example}")
    return value


def life(result: Result, series: FlowSeries) -> Window | None:
    """Return the time from a flow's planned start to its finish, its stop or the run's end."""
    stop = planned(result, series.name)["stop_ps"]
    end = series.end if stop is None else min(series.end, stop / 1e12)
    return Window(series.start, end) if series.start < end else None


def counter(series: FlowSeries, column: str) -> tuple[Floats, Floats]:
    """Return times and a counter of a flow: zero at its start, and never reset."""
    time, count = series.time, counted(series, column)
    if time[0] > series.start:
        time, count = np.append(series.start, time), np.append(0.0, count)
    return time, count


def gained_in(series: FlowSeries, column: str, window: Window) -> float:
    """Return a counter's growth in a window, interpolated between samples."""
    return gained(*counter(series, column), window.since, window.until)


def payload_share(result: Result, flow: str) -> float:
    """Return the payload of a flow's full packets over the bytes that they occupy on a link."""
    transport = planned(result, flow)["transport"]
    return float(transport["mss"] / (transport["mss"] + transport["header_bytes"]))
