"""BBR's phases, read from what a kernel shows of it: pacing gain, window, estimate."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ackclock.algorithms import traits
from ackclock.validation.measures.base import Measure, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.validation.observed import Floats, Observed, ObservedFlow

__all__ = ["MEASURES", "cycles", "probe_rtts"]

STARTUP = 2.0
"""Gains above this are those of STARTUP (739/256)."""
DRAIN = 0.5
"""Gains below this are those of DRAIN (88/256)."""
PROBE_RTT_WINDOW = 4
"""Packets in PROBE_RTT.

A path of few packets has this window in PROBE_BW too, where the cwnd gain is 2 and not 1.
"""


def _cruising(flow: ObservedFlow) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    return (flow.gain > DRAIN) & (flow.gain < STARTUP)


def probe_rtts(flow: ObservedFlow) -> tuple[Floats, Floats]:
    """Beginnings (s after the SYN) and lengths (s) of those that also end."""
    if len(flow.time) == 0:
        return np.empty(0), np.empty(0)
    inside = _cruising(flow) & (np.abs(flow.gain - 1.0) < 0.01)
    if np.isfinite(flow.window_gain).any():
        inside &= np.abs(flow.window_gain - 1.0) < 0.01
    else:
        # A recording of an earlier version does not have the gain; the paths of those hold more
        # than eight packets.
        inside &= flow.cwnd <= PROBE_RTT_WINDOW + 1e-6
    # Before its first sample of the bandwidth the kernel's gains are 1 as well.
    inside &= flow.bandwidth != 0.0
    begins = np.flatnonzero(inside[1:] & ~inside[:-1]) + 1
    ends = np.flatnonzero(~inside[1:] & inside[:-1]) + 1
    ends = ends[ends > begins[0]] if len(begins) else ends
    count = min(len(begins), len(ends))
    return flow.time[begins[:count]] - flow.start, flow.time[ends[:count]] - flow.time[
        begins[:count]
    ]


def cycles(run: Observed, flow: ObservedFlow) -> list[tuple[float, float]]:
    """Steady times from one rise of the gain above 1 to the next, s, without PROBE_RTT."""
    if len(flow.time) == 0:
        return []
    up = (flow.gain > 1.01) & _cruising(flow)
    rises = flow.time[np.flatnonzero(up[1:] & ~up[:-1]) + 1]
    rises = rises[(rises >= run.warmup) & (rises < run.duration)]
    dips = probe_rtts(flow)[0] + flow.start
    return [
        (float(a), float(b)) for a, b in pairwise(rises) if not ((dips >= a) & (dips < b)).any()
    ]


def _of_bbr(flows: Sequence[ObservedFlow]) -> list[ObservedFlow]:
    return [flow for flow in flows if traits(flow.cc)["phases"] is not None and not flow.is_file]


def _cycle(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    lengths = [b - a for flow in _of_bbr(flows) for a, b in cycles(run, flow)]
    return float(np.mean(lengths)) if lengths else None


def _extreme(
    of: Callable[[Floats], float], column: str
) -> Callable[[Observed, Sequence[ObservedFlow]], Value]:
    def extreme(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
        trips: Floats = getattr(run.path, column)
        found = []
        for flow in _of_bbr(flows):
            for begin, end in cycles(run, flow):
                part = trips[(run.path.time >= begin) & (run.path.time < end)]
                if not np.isnan(part).all():
                    found.append(of(part))
        return float(np.mean(found)) if found else None

    return extreme


def _bandwidth(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    parts = [
        flow.bandwidth[(flow.time >= run.warmup) & (flow.time < run.duration)]
        for flow in _of_bbr(flows)
    ]
    together = np.concatenate(parts) if parts else np.empty(0)
    return float(np.nanmean(together)) if np.isfinite(together).any() else None


def _startup(_run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    ends = [
        float(flow.time[out[0]] - flow.start)
        for flow in _of_bbr(flows)
        if len(out := np.flatnonzero(flow.gain < DRAIN))
    ]
    return float(np.mean(ends)) if ends else None


def _probe_count(_run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    own = _of_bbr(flows)
    return float(np.mean([len(probe_rtts(flow)[0]) for flow in own])) if own else None


def _probe(
    which: Callable[[Floats, Floats], float],
) -> Callable[[Observed, Sequence[ObservedFlow]], Value]:
    def probe(_run: Observed, flows: Sequence[ObservedFlow]) -> Value:
        found = [
            which(begins, lengths)
            for begins, lengths in map(probe_rtts, _of_bbr(flows))
            if len(begins)
        ]
        return float(np.mean(found)) if found else None

    return probe


def _first(begins: Floats, _lengths: Floats) -> float:
    return float(begins[0])


def _length(_begins: Floats, lengths: Floats) -> float:
    return float(lengths.mean())


MEASURES = (
    Measure("startup_end", "STARTUP ends after", "s", _startup, per_algorithm=True),
    Measure("cycle", "gain cycle", "s", _cycle, per_algorithm=True),
    Measure(
        "cycle_rtt_peak",
        "RTT, peak of a cycle",
        "s",
        _extreme(np.nanmax, "rtt_max"),
        per_algorithm=True,
    ),
    Measure(
        "cycle_rtt_trough",
        "RTT, trough of a cycle",
        "s",
        _extreme(np.nanmin, "rtt_min"),
        per_algorithm=True,
    ),
    Measure("bandwidth", "bandwidth estimate", "bit/s", _bandwidth, per_algorithm=True),
    Measure("probe_rtt_count", "PROBE_RTTs of a flow", "1", _probe_count, per_algorithm=True),
    Measure("probe_rtt_first", "first PROBE_RTT after", "s", _probe(_first), per_algorithm=True),
    Measure("probe_rtt_length", "length of a PROBE_RTT", "s", _probe(_length), per_algorithm=True),
)
