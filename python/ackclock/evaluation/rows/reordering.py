"""Section 7.7: extreme reordering."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import dumbbell, flow, packets_of, plain_number
from ackclock.evaluation.row import Cell, Context, Measure, Row, loss_line, share_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]


def _cells(context: Context) -> Sequence[Cell]:
    return [
        Cell(
            labels={"late packets": f"{plain_number(percent)} % late", "by": f"by {late} ms"},
            scenario=dumbbell(
                20.0,
                40.0,
                packets_of(20.0, 40.0, 1.0),
                [flow()],
                seconds=30.0 if context.quick else 60.0,
                warmup=10.0,
                reorder={"p": percent / 100.0, "extra": f"{late}ms"},
            ),
            responses=("utilisation", "needless_retransmit_rate", "timeouts"),
            base_rtt=0.04,
            rate=20e6,
        )
        for percent in ((1.0, 25.0) if context.quick else (0.1, 1.0, 5.0, 25.0))
        for late in ((10,) if context.quick else (1, 10, 50))
    ]


_E35 = Row(
    id="E35",
    section="7.7",
    strength="consider",
    title="Reordering",
    demand="Extreme reordering should be considered (RFC 4653).",
    choice=(
        "One flow on 20 Mbit/s, 40 ms, 1 BDP; 0.1 to 25 % of the packets come 1 to 50 ms late. "
        "Utilisation, and retransmissions of data that had arrived, by rule R1."
    ),
    cells=_cells,
    measures=(
        Measure("utilisation", "1", "utilisation", line=share_line(), more_is_better=True),
        Measure("needless retransmissions", "1", "needless_retransmit_rate", line=loss_line()),
        Measure("timeouts", "1", "timeouts"),
    ),
    kernel=("1 % late, by 10 ms",),
)

ROWS = (_E35,)
