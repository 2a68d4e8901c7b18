"""Round-trip times of data packets, and the queue that makes them, in the steady part."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ackclock.metrics import time_quantile
from ackclock.validation.measures.base import Measure, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.observed import Observed, ObservedFlow

__all__ = ["MEASURES", "longest"]


def _mean(run: Observed, _flows: Sequence[ObservedFlow]) -> Value:
    path = run.path
    return float(np.average(path.values, weights=path.counts)) if path.counts.sum() else None


def _quantile(share: float, run: Observed, _flows: Sequence[ObservedFlow]) -> Value:
    return time_quantile(run.path.values, run.path.counts.astype(float), share)


def longest(run: Observed) -> float:
    """The longest round-trip time in the steady part, s, where queues fill that of a full queue."""
    return float(run.path.values.max()) if len(run.path.values) else 0.0


def _queue(run: Observed, _flows: Sequence[ObservedFlow]) -> Value:
    inside = run.path.time >= run.warmup
    return float(np.nanmean(run.path.queue[inside]))


MEASURES = (
    Measure("rtt_mean", "RTT, mean", "s", _mean),
    Measure("rtt_p5", "RTT, p5", "s", partial(_quantile, 0.05)),
    Measure("rtt_p50", "RTT, median", "s", partial(_quantile, 0.50)),
    Measure("rtt_p95", "RTT, p95", "s", partial(_quantile, 0.95)),
    Measure("queue", "queue, mean", "packets", _queue),
)
