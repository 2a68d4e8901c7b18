"""The window of flows that reduce it on loss, in the steady part."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ackclock.algorithms import is_whole
from ackclock.results.schema import STATES
from ackclock.validation.measures.base import Measure, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.observed import Floats, Observed, ObservedFlow

__all__ = ["MEASURES", "REDUCED", "Teeth", "teeth"]

REDUCED = tuple(STATES.index(state) for state in ("cwr", "recovery", "loss"))

FEWEST = 2
"""Fewest periods for a mean: with fewer, the begin and end of the run decide."""


@dataclass(frozen=True)
class Teeth:
    """Reductions of one flow."""

    peaks: Floats
    """Packets, in the last sample before each."""
    troughs: Floats
    """Packets, in the first sample after each."""
    periods: Floats
    """From reduction to reduction, s."""


def teeth(run: Observed, flow: ObservedFlow) -> Teeth:
    """Reductions that begin in the steady part."""
    reduced = np.isin(flow.state, REDUCED)
    begins = np.flatnonzero(reduced[1:] & ~reduced[:-1]) + 1
    ends = np.flatnonzero(~reduced[1:] & reduced[:-1]) + 1
    begins = begins[(flow.time[begins] >= run.warmup) & (flow.time[begins] < run.duration)]
    ends = ends[(flow.time[ends] >= run.warmup) & (flow.time[ends] < run.duration)]
    return Teeth(flow.cwnd[begins - 1], flow.cwnd[ends], np.diff(flow.time[begins]))


def _windowed(flows: Sequence[ObservedFlow]) -> list[ObservedFlow]:
    return [flow for flow in flows if not is_whole(flow.cc) and not flow.is_file and len(flow.time)]


def _mean(parts: Sequence[Floats]) -> Value:
    together = np.concatenate(parts) if parts else np.empty(0)
    return float(together.mean()) if len(together) else None


def _peak(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    return _mean([teeth(run, flow).peaks for flow in _windowed(flows)])


def _trough(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    return _mean([teeth(run, flow).troughs for flow in _windowed(flows)])


def _period(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    periods = [teeth(run, flow).periods for flow in _windowed(flows)]
    return _mean(periods) if sum(map(len, periods)) >= FEWEST else None


def _window(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    return _mean(
        [
            flow.cwnd[(flow.time >= run.warmup) & (flow.time < run.duration)]
            for flow in _windowed(flows)
        ]
    )


MEASURES = (
    Measure("cwnd_peak", "cwnd, peak", "packets", _peak, per_algorithm=True),
    Measure("cwnd_trough", "cwnd, trough", "packets", _trough, per_algorithm=True),
    Measure("period", "period", "s", _period, per_algorithm=True),
    Measure("cwnd_mean", "cwnd, mean", "packets", _window, per_algorithm=True),
)
