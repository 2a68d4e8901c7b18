"""Metrics of BBR's phases in a recorded run, from its pacing gain, window gain and estimate."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from ackclock.catalogue.algorithms import traits
from ackclock.metrics.of_recorded_runs import lasting, mean, of_recorded_flows
from ackclock.metrics.of_reductions import spans

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from ackclock.metrics.recorded_run import Floats, RecordedFlow, RecordedRun

_STARTUP = 2.0
"""Gains above this are those of STARTUP (739/256)."""
_DRAIN = 0.5
"""Gains below this are those of DRAIN (88/256)."""
_PROBE_RTT_WINDOW = 4
"""Packets in PROBE_RTT.

A path of few packets has this window in PROBE_BW too, where the cwnd gain is 2 and not 1.
"""
_BBR = "Cardwell et al., BBR, ACM Queue 14(5), 2016; Linux net/ipv4/tcp_bbr.c"


def _cruising(flow: RecordedFlow) -> NDArray[np.bool_]:
    return (flow.gain > _DRAIN) & (flow.gain < _STARTUP)


def _probe_rtts(flow: RecordedFlow) -> tuple[Floats, Floats]:
    """Return beginnings (s after the SYN) and lengths (s) of those that also end."""
    inside = _cruising(flow) & (np.abs(flow.gain - 1.0) < 0.01)
    if np.isfinite(flow.window_gain).any():
        inside &= np.abs(flow.window_gain - 1.0) < 0.01
    else:
        # A recording of an earlier version does not have the gain; the paths of those hold more
        # than eight packets.
        inside &= flow.cwnd <= _PROBE_RTT_WINDOW + 1e-6
    # Before its first sample of the bandwidth the kernel's gains are 1 as well.
    inside &= flow.bandwidth != 0.0
    begins, ends = spans(inside)
    ends = ends[ends > begins[0]] if len(begins) else ends
    count = min(len(begins), len(ends))
    times = flow.time[begins[:count]]
    return times - flow.start, flow.time[ends[:count]] - times


def _cycles(run: RecordedRun, flows: Sequence[RecordedFlow]) -> Iterator[tuple[float, float]]:
    """Yield steady times from one rise of a gain above 1 to the next, s, without PROBE_RTT."""
    for flow in _of_bbr(flows):
        rises = flow.time[spans((flow.gain > 1.01) & _cruising(flow))[0]]
        dips = _probe_rtts(flow)[0] + flow.start
        for begin, end in pairwise(rises[run.steady(rises)]):
            if not ((dips >= begin) & (dips < end)).any():
                yield float(begin), float(end)


def _of_bbr(flows: Sequence[RecordedFlow]) -> list[RecordedFlow]:
    """Return the flows whose algorithm has such phases."""
    return [flow for flow in lasting(flows) if traits(flow.cc)["phases"] is not None]


@of_recorded_flows("startup_end", "s", _BBR)
def _startup(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Time from a flow's SYN until its pacing gain is that of DRAIN, mean over the flows."""
    drains = [(flow, np.flatnonzero(flow.gain < _DRAIN)) for flow in _of_bbr(flows)]
    return mean([float(flow.time[at[0]] - flow.start) for flow, at in drains if len(at)])


@of_recorded_flows("gain_cycle", "s", _BBR)
def _cycle(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Mean time after the warm-up from one rise of the pacing gain above 1 to the next, without
    those with a PROBE_RTT, of all flows.
    """
    return mean([end - begin for begin, end in _cycles(run, flows)])


def _extreme(
    run: RecordedRun,
    flows: Sequence[RecordedFlow],
    trips: Floats,
    extreme: Callable[[Floats], float],
) -> float | None:
    parts = [
        trips[(run.path.time >= begin) & (run.path.time < end)]
        for begin, end in _cycles(run, flows)
    ]
    return mean([extreme(part) for part in parts if not np.isnan(part).all()])


@of_recorded_flows("cycle_rtt_peak", "s", _BBR, "packets")
def _peak(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Longest round-trip time at the bottleneck (path_rtt.mean) in a cycle of gain_cycle, mean over
    the cycles.
    """
    return _extreme(run, flows, run.path.rtt_max, np.nanmax)


@of_recorded_flows("cycle_rtt_trough", "s", _BBR, "packets")
def _trough(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Shortest round-trip time at the bottleneck in a cycle of gain_cycle, mean over the cycles."""
    return _extreme(run, flows, run.path.rtt_min, np.nanmin)


@of_recorded_flows("bandwidth_estimate", "bit/s", _BBR)
def _bandwidth(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Mean of the samples of BBR's estimate of its bandwidth after the warm-up, all flows
    together.
    """
    parts = [flow.bandwidth[run.steady(flow.time)] for flow in _of_bbr(flows)]
    together = np.concatenate(parts or [np.empty(0)])
    return float(np.nanmean(together)) if np.isfinite(together).any() else None


@of_recorded_flows("probe_rtt_count", "1", _BBR)
def _probe_count(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Number of PROBE_RTTs in the whole run, mean over the flows."""
    return mean([len(_probe_rtts(flow)[0]) for flow in _of_bbr(flows)])


@of_recorded_flows("probe_rtt_first", "s", _BBR)
def _probe_first(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Time from a flow's SYN to its first PROBE_RTT, mean over the flows that have one."""
    probes = [_probe_rtts(flow)[0] for flow in _of_bbr(flows)]
    return mean([float(begins[0]) for begins in probes if len(begins)])


@of_recorded_flows("probe_rtt_length", "s", _BBR)
def _probe_length(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Mean length of a flow's PROBE_RTTs, mean over the flows that have one."""
    probes = [_probe_rtts(flow)[1] for flow in _of_bbr(flows)]
    return mean([float(lengths.mean()) for lengths in probes if len(lengths)])
