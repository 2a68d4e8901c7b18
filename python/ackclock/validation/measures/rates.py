"""Rates and shares of the flows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ackclock.metrics import jain_index
from ackclock.validation.measures.base import Measure, Value

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.observed import Observed, ObservedFlow

__all__ = ["MEASURES", "goodput_of", "shares"]

LATE = 0.1
"""s"""


def goodput_of(run: Observed, flow: ObservedFlow) -> float:
    """Payload acknowledged in the steady part, bit/s."""
    if len(flow.time) == 0:
        return 0.0
    # Sampling may end a little early: the counter must not seem to stand still.
    end = (
        float(flow.time[-1]) if run.duration - LATE < flow.time[-1] < run.duration else run.duration
    )
    before, after = np.interp((run.warmup, end), flow.time, flow.acked)
    return float(8 * (after - before) / (end - run.warmup))


def _lasting(flows: Sequence[ObservedFlow]) -> list[ObservedFlow]:
    return [flow for flow in flows if not flow.is_file]


def _goodput(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    lasting = _lasting(flows)
    return sum(goodput_of(run, flow) for flow in lasting) if lasting else None


def shares(run: Observed) -> dict[str, float]:
    """Shares of the sum, by name: of the first of two flows, else of the algorithms.

    Flows of one algorithm that are more than two have no names to compare: Jain's index says how
    equal they are.
    """
    lasting = _lasting(run.flows)
    rates = [goodput_of(run, flow) for flow in lasting]
    total = sum(rates)
    algorithms = list(dict.fromkeys(flow.cc for flow in lasting))
    if len(lasting) < 2 or total <= 0:
        return {}
    if len(lasting) == 2:
        return {lasting[0].name: rates[0] / total}
    if len(algorithms) < 2:
        return {}
    return {
        cc: sum(rate for rate, flow in zip(rates, lasting, strict=True) if flow.cc == cc) / total
        for cc in algorithms[:-1]
    }


def _jain(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    lasting = _lasting(flows)
    return jain_index([goodput_of(run, flow) for flow in lasting]) if len(lasting) > 1 else None


MEASURES = (
    Measure("goodput", "goodput", "bit/s", _goodput),
    Measure("jain", "Jain's index", "1", _jain),
)
