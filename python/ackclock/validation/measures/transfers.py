"""Times of files, SYN to last byte acknowledged, and of pages and responses of sessions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ackclock.validation.measures.base import Measure, Value

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.validation.observed import Observed, ObservedFlow

__all__ = ["MEASURES"]


def _figure(
    of: Callable[[list[float]], float], _run: Observed, flows: Sequence[ObservedFlow]
) -> Value:
    times = _times(flows)
    return float(of(times)) if times else None


def _finished(_run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    return float(len(_times(flows))) if any(flow.is_file for flow in flows) else None


def _times(flows: Sequence[ObservedFlow]) -> list[float]:
    files = [flow.fct for flow in flows if flow.is_file and flow.fct is not None]
    return files + [time for flow in flows for time in flow.transfers.tolist()]


MEASURES = (
    Measure("fct_mean", "completion time, mean", "s", partial(_figure, np.mean)),
    Measure("fct_p50", "completion time, median", "s", partial(_figure, np.median)),
    Measure(
        "fct_p95",
        "completion time, p95",
        "s",
        partial(_figure, lambda times: float(np.quantile(times, 0.95))),
    ),
    Measure("finished", "files that arrived", "1", _finished),
)
