"""Section 6.3: fast wired paths."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import dumbbell, flow, packets_of, plain_number
from ackclock.evaluation.row import Cell, Context, Measure, Row, loss_line, share_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_RATE = 1000.0


def _cells(context: Context) -> Sequence[Cell]:
    return [
        Cell(
            labels={"RTT": f"{rtt:g} ms", "buffer": f"{plain_number(bdp)} BDP"},
            scenario=dumbbell(
                _RATE,
                rtt,
                packets_of(_RATE, rtt, bdp),
                [flow()],
                seconds=10.0 if context.quick else 30.0,
                warmup=5.0,
            ),
            responses=("utilisation", "drop_rate", "queue_delay.p95"),
            base_rtt=rtt / 1000.0,
            rate=_RATE * 1e6,
        )
        for rtt in ((20.0,) if context.quick else (1.0, 20.0, 100.0))
        for bdp in (0.1, 1.0)
    ]


_E23 = Row(
    id="E23",
    section="6.3",
    strength="consider",
    title="Wired paths of 1 Gbit/s",
    demand="Wired paths are the baseline.",
    choice=(
        "One flow on 1 Gbit/s; RTT 1, 20 and 100 ms; buffers of 0.1 and 1 BDP; 30 s after a "
        "warm-up of 5 s. Utilisation and loss by rule R1."
    ),
    cells=_cells,
    measures=(
        Measure("utilisation", "1", "utilisation", line=share_line(), more_is_better=True),
        Measure("drop rate", "1", "drop_rate", line=loss_line()),
        Measure("queueing delay, 95th percentile", "s", "queue_delay.p95"),
    ),
)

ROWS = (_E23,)
