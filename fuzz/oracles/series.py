"""Time series: time never goes back, totals never fall, nothing is infinite."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from fuzz.oracles.near import above

if TYPE_CHECKING:
    from collections.abc import Iterator

    from fuzz.trial import Trial

__all__ = ["time_series"]

_FLOW = (
    ("cwnd", 0.0),
    ("inflight", 0.0),
    ("srtt", 0.0),
    ("rtt_sample", 0.0),
    ("pacing_rate", 0.0),
    ("delivery_rate", 0.0),
)
_LINK = (("queue_packets", 0.0), ("queue_bytes", 0.0), ("queue_delay", 0.0), ("red_average", 0.0))
_FLOW_TOTALS = ("delivered", "acked")
_FLOW_COUNTERS = ("retransmitted", "lost")
_LINK_COUNTERS = ("dropped", "dropped_forced", "dropped_early", "marked", "delivered_bytes")


def time_series(trial: Trial) -> Iterator[str]:
    """Judge the series of flows, links and algorithms."""
    if trial.plan["record"]["samples"]["kind"] == "off":
        return
    flows = trial.core.flow_samples()
    yield from _table(trial, flows, "flow", _FLOW, _FLOW_TOTALS, _FLOW_COUNTERS)
    links = trial.core.link_samples()
    yield from _table(trial, links, "link", _LINK, (), _LINK_COUNTERS)
    if len(links["time"]) and (links["queue_bytes"] < links["queue_packets"]).any():
        yield "links: packets of less than a byte wait"
    internals = trial.core.internals()
    endless = np.flatnonzero(np.isinf(np.asarray(internals["value"], dtype=float)))
    if len(endless):
        name = internals["names"][internals["name"][endless[0]]]
        yield f"internals: {name} is infinite at {internals['time'][endless[0]]} s"


def _table(
    trial: Trial,
    columns: dict[str, Any],
    key: str,
    ranges: tuple[tuple[str, float], ...],
    totals: tuple[str, ...],
    counters: tuple[str, ...],
) -> Iterator[str]:
    time, of = np.asarray(columns["time"]), np.asarray(columns[key])
    if not len(time):
        return
    if time[0] < 0 or above(float(time.max()), trial.core.end_time):
        yield f"{key}s: times from {time[0]} to {time.max()} s in a run of {trial.core.end_time} s"
    for name, least in ranges:
        values = np.asarray(columns[name], dtype=float)
        if np.isinf(values).any():
            yield f"{key}s: {name} is infinite"
        if (values < least).any():
            yield f"{key}s: {name} is {np.nanmin(values)}"
    order = np.argsort(of, kind="stable")
    same = np.diff(of[order]) == 0
    if (same & (np.diff(time[order]) < 0)).any():
        yield f"{key}s: time goes back"
    for name in totals:
        fell = np.diff(np.asarray(columns[name])[order].astype(np.int64)) < 0
        if (fell & same).any():
            yield f"{key}s: {name} falls"
    # Counters restart when the warm-up ends, after all other events of that instant.
    later = time[order][:-1] > trial.warmup
    for name in counters:
        fell = np.diff(np.asarray(columns[name])[order].astype(np.int64)) < 0
        if (fell & same & later).any():
            yield f"{key}s: {name} falls"
