"""Sections 6 and 6.1: tail-drop queues over a range of rates, delays and queues."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import (
    dumbbell,
    flow,
    grid,
    packets_of,
    plain_number,
    seconds_of,
    warmup_of,
)
from ackclock.evaluation.row import (
    Cell,
    Context,
    Measure,
    Row,
    loss_line,
    queue_delay_line,
    share_line,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]


def _cells(context: Context) -> Sequence[Cell]:
    return [
        Cell(
            labels={
                "rate": f"{rate:g} Mbit/s",
                "RTT": f"{rtt:g} ms",
                "buffer": f"{plain_number(bdp)} BDP",
            },
            scenario=dumbbell(
                rate,
                rtt,
                packets_of(rate, rtt, bdp),
                [flow()],
                seconds=seconds_of(context, rate, rtt),
                warmup=warmup_of(rtt),
            ),
            responses=("utilisation", "queue_delay.p95", "drop_rate"),
            base_rtt=rtt / 1000.0,
            rate=rate * 1e6,
        )
        for rate, rtt, bdp in grid(context)
    ]


_E21 = Row(
    id="E21",
    section="6.1",
    sections=("6",),
    strength="MUST",
    title="One flow behind a tail-drop queue",
    demand=(
        "Tail-drop queues must be looked at, over a representative range of bandwidth, delay and "
        "queue depth."
    ),
    choice=(
        "One flow on grid G (4, 20, 100 Mbit/s; 10, 40, 160 ms; 0.25, 1, 4 BDP). Utilisation, "
        "95th percentile of the queueing delay, and loss, by rule R1."
    ),
    cells=_cells,
    measures=(
        Measure("utilisation", "1", "utilisation", line=share_line(), more_is_better=True),
        Measure("queueing delay, 95th percentile", "s", "queue_delay.p95", line=queue_delay_line()),
        Measure("drop rate", "1", "drop_rate", line=loss_line()),
    ),
    kernel=("20 Mbit/s, 40 ms, 1 BDP",),
)

ROWS = (_E21,)
