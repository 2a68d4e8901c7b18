"""Losses and retransmissions."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from ackclock.metrics import congestion_epochs, retransmit_rate
from ackclock.validation.measures.base import Measure, Value
from ackclock.validation.measures.delays import longest

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.validation.observed import Floats, Observed, ObservedFlow

__all__ = ["MEASURES", "STEADY"]

STEADY = ("retransmit_share", "retransmitted", "sent")
"""Measures of the steady part; the others are of the whole run."""


def _more(counter: Floats, flow: ObservedFlow, begin: float, end: float) -> float:
    before, after = np.interp((begin, end), flow.time, counter) if len(flow.time) else (0.0, 0.0)
    return float(after - before)


def _retransmitted(since_start: bool, run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    begin = 0.0 if since_start else run.warmup
    return sum(_more(flow.retransmitted, flow, begin, run.duration) for flow in flows)


def _sent(since_start: bool, run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    begin = 0.0 if since_start else run.warmup
    new = sum(_more(flow.acked, flow, begin, run.duration) / flow.mss for flow in flows)
    return new + (_retransmitted(since_start, run, flows) or 0.0)


def _share(since_start: bool, run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    return retransmit_rate(
        round(_retransmitted(since_start, run, flows) or 0.0),
        round(_sent(since_start, run, flows) or 0.0),
    )


def _drops(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    return float(sum(_inside(run, flow).size for flow in flows))


def _inside(run: Observed, flow: ObservedFlow) -> Floats:
    return flow.drops[(flow.drops >= run.warmup) & (flow.drops < run.duration)]


def _episodes(run: Observed, flows: Sequence[ObservedFlow]) -> Value:
    # Two round trips of a full queue: one until a loss is noticed, one until the queue sees it.
    return float(len(congestion_epochs([_inside(run, flow) for flow in flows], 2 * longest(run))))


MEASURES = (
    Measure("retransmit_share", "retransmitted", "%", partial(_share, False), per_algorithm=True),
    Measure(
        "retransmit_share_in_all",
        "retransmitted, in all",
        "%",
        partial(_share, True),
        per_algorithm=True,
    ),
    Measure(
        "retransmitted",
        "retransmitted",
        "packets",
        partial(_retransmitted, False),
        per_algorithm=True,
    ),
    Measure(
        "retransmitted_in_all",
        "retransmitted, in all",
        "packets",
        partial(_retransmitted, True),
        per_algorithm=True,
    ),
    Measure("sent", "sent", "packets", partial(_sent, False), per_algorithm=True),
    Measure("sent_in_all", "sent, in all", "packets", partial(_sent, True), per_algorithm=True),
    Measure("drops", "dropped", "packets", _drops),
    Measure("episodes", "loss episodes", "1", _episodes),
)
