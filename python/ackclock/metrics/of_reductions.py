"""Metrics of cwnd in a recorded run: its reductions, and the end of slow start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ackclock.catalogue.algorithms import is_whole
from ackclock.metrics.of_recorded_runs import lasting, mean, of_recorded_flows
from ackclock.metrics.of_samples import REDUCED
from ackclock.results.schema import STATES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from ackclock.metrics.recorded_run import Floats, RecordedFlow, RecordedRun

__all__ = ["spans"]

_REDUCED = tuple(map(STATES.index, REDUCED))
_FEWEST = 2
"""Fewest periods for a mean: with fewer, the begin and end of the run decide."""
_SAWTOOTH = "Mathis et al., CCR 27(3), 1997, figure 1"
_SLOW_START = "RFC 5681 section 3.1; RFC 9406"


def spans(inside: NDArray[np.bool_]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return the places where spans of true begin, and those after their ends."""
    begins = np.flatnonzero(inside[1:] & ~inside[:-1]) + 1
    return begins, np.flatnonzero(~inside[1:] & inside[:-1]) + 1


@dataclass(frozen=True)
class _Teeth:
    """Reductions of one flow that begin in the steady part."""

    peaks: Floats
    """Packets, in the last sample before each."""
    troughs: Floats
    """Packets, in the first sample after each."""
    periods: Floats
    """From reduction to reduction, s."""


def _windowed(flows: Sequence[RecordedFlow]) -> list[RecordedFlow]:
    """Return the flows whose window ssthresh limits."""
    return [flow for flow in lasting(flows) if not is_whole(flow.cc) and len(flow.time)]


def _teeth(run: RecordedRun, flows: Sequence[RecordedFlow]) -> _Teeth:
    peaks, troughs, periods = [], [], []
    for flow in _windowed(flows):
        begins, ends = spans(np.isin(flow.state, _REDUCED))
        begins, ends = (at[run.steady(flow.time[at])] for at in (begins, ends))
        peaks.append(flow.cwnd[begins - 1])
        troughs.append(flow.cwnd[ends])
        periods.append(np.diff(flow.time[begins]))
    return _Teeth(*(np.concatenate(parts or [np.empty(0)]) for parts in (peaks, troughs, periods)))


@of_recorded_flows("cwnd_peak", "packets", _SAWTOOTH)
def _peak(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Mean cwnd in the last sample before a reduction (fast recovery, timeout, ECN), of the
    reductions of all flows after the warm-up; none of whole controllers.
    """
    return mean(_teeth(run, flows).peaks)


@of_recorded_flows("cwnd_trough", "packets", _SAWTOOTH)
def _trough(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Mean cwnd in the first sample after a reduction, of those of cwnd_peak."""
    return mean(_teeth(run, flows).troughs)


@of_recorded_flows("reduction_period", "s", _SAWTOOTH)
def _period(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Mean time from one reduction of a flow to its next, of those of cwnd_peak; none of a single
    one.
    """
    periods = _teeth(run, flows).periods
    return mean(periods) if len(periods) >= _FEWEST else None


@of_recorded_flows("cwnd_samples.mean", "packets", _SAWTOOTH)
def _window(run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Mean of the samples of cwnd after the warm-up, all flows together; none of whole
    controllers. window.mean is what a flow sends per round-trip time.
    """
    steady = [flow.cwnd[run.steady(flow.time)] for flow in _windowed(flows)]
    return mean(np.concatenate(steady or [np.empty(0)]))


def _exits(flows: Sequence[RecordedFlow]) -> list[tuple[float, float]]:
    """Return time (s after the SYN) and window (packets) at the end of slow start."""
    exits = []
    for flow in _windowed(flows):
        known = np.flatnonzero(np.isfinite(flow.ssthresh))
        if len(known):
            at = int(known[0])
            # A loss has reduced the window already; HyStart leaves it, and the threshold is what
            # it was.
            is_reduced = flow.state[at] in _REDUCED
            window = flow.cwnd[max(at - 1, 0)] if is_reduced else flow.ssthresh[at]
            exits.append((float(flow.time[at] - flow.start), float(window)))
    return exits


@of_recorded_flows("slow_start_time", "s", _SLOW_START)
def _time(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """Time from a flow's SYN to the first sample with an ssthresh, mean over the flows; none of
    whole controllers.
    """
    return mean([time for time, _ in _exits(flows)])


@of_recorded_flows("slow_start_cwnd", "packets", _SLOW_START)
def _exit_window(_run: RecordedRun, flows: list[RecordedFlow]) -> float | None:
    """The ssthresh at the time of slow_start_time, and where a loss ended slow start the cwnd in
    the sample before it, mean over the flows.
    """
    return mean([window for _, window in _exits(flows)])
