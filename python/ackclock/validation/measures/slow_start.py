"""End of slow start: the time when a threshold first exists, and the window then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.algorithms import is_whole
from ackclock.validation.measures.base import Measure, Value
from ackclock.validation.measures.sawtooth import REDUCED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.observed import Observed, ObservedFlow

__all__ = ["MEASURES", "slow_start_exit"]


def slow_start_exit(flow: ObservedFlow) -> tuple[float, float] | None:
    """Time (s after the SYN) and window (packets) at the end of slow start, or None."""
    known = np.flatnonzero(np.isfinite(flow.ssthresh))
    if len(known) == 0:
        return None
    at = int(known[0])
    # A loss has reduced the window already; HyStart leaves it, and the threshold is what it was.
    window = flow.cwnd[max(at - 1, 0)] if flow.state[at] in REDUCED else flow.ssthresh[at]
    return float(flow.time[at] - flow.start), float(window)


def _exits(flows: Sequence[ObservedFlow]) -> list[tuple[float, float]]:
    own = [flow for flow in flows if not is_whole(flow.cc) and not flow.is_file]
    return [found for flow in own if (found := slow_start_exit(flow)) is not None]


def _time(_run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    exits = _exits(flows)
    return float(np.mean([time for time, _ in exits])) if exits else None


def _window(_run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    exits = _exits(flows)
    return float(np.mean([window for _, window in exits])) if exits else None


MEASURES = (
    Measure("slow_start_time", "slow start ends after", "s", _time, per_algorithm=True),
    Measure("slow_start_cwnd", "cwnd at its end", "packets", _window, per_algorithm=True),
)
