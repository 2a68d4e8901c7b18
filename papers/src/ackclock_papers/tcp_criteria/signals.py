"""P4's T1/2 where its premise holds: a loss in each round trip."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from ackclock.theory import scalable_halving_time
from ackclock_papers.builders import agreement
from ackclock_papers.tcp_criteria.times import ROWS, RTT_S, Row

if TYPE_CHECKING:
    from ackclock.results import Result
    from ackclock.studies.results import Results

_START = 8000
"""Packets of slow start, of the 24,000 that the path holds: no queue."""
_CUTS = 6
_NOTICED = 40
"""Packets between one loss being noticed and the next, so that they are two episodes."""


def _losses(row: Row) -> list[int]:
    lost, left = [3 * _START], _START * (1 + row.a) ** 2
    for _ in range(_CUTS - 1):
        lost.append(lost[-1] + int(left) + _NOTICED)
        left *= 1 - row.b
    return lost


VARIANTS = {
    f"b, a = {row.label}": {
        "flows.cc": f"scalable(a={row.a:g}, b={row.b:g})",
        "network.bottleneck.loss": {"kind": "list", "packets": _losses(row)},
    }
    for row in ROWS
}


def _halving(run: Result) -> float:
    """T1/2 from the first cut to the last."""
    seen = run.samples.flows
    time, ssthresh = seen["time"].to_numpy(), seen["ssthresh"].to_numpy()
    at = np.flatnonzero(np.diff(ssthresh)) + 1
    return float(
        (time[at[-1]] - time[at[0]]) * math.log(0.5) / math.log(ssthresh[at[-1]] / ssthresh[at[0]])
    )


@agreement(
    "T½ of a run with one loss in each of six round trips against the formula",
    0.05,
    "signals",
    unit="s",
)
def halving(results: Results) -> list[tuple[str, float, float]]:
    values = results.recorded("signals", "halving_time", lambda run, _: _halving(run))
    rows = dict(zip(VARIANTS, ROWS, strict=True))
    return [
        (name, values[name][0], scalable_halving_time(RTT_S, row.b))
        for name, row in rows.items()
        if name in values
    ]
