"""Section 7.4: constrained nodes and very slow links."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import PAYLOAD, dumbbell, flow, flows_label
from ackclock.evaluation.row import Cell, Context, Figures, Measure, Row, loss_line, share_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]


def _cells(context: Context) -> Sequence[Cell]:
    return [
        Cell(
            labels={"rate": f"{1000 * rate:g} kbit/s", "flows": flows_label(count)},
            scenario=dumbbell(
                rate,
                200.0,
                4,
                [flow(count=count)],
                seconds=60.0 if context.quick else 120.0,
                warmup=10.0,
            ),
            responses=("drop_rate", "goodput", "timeouts"),
            base_rtt=0.2,
            rate=rate * 1e6,
        )
        for rate in (0.064, 0.128, 0.25)
        for count in (1, 4)
    ]


def _share(figures: Figures, cell: Cell) -> float | None:
    good = figures["goodput"]
    return None if good is None else good / (cell.rate * PAYLOAD)


_E31 = Row(
    id="E31",
    section="7.4",
    strength="consider",
    title="Constrained nodes",
    demand="Constrained nodes and links of a very small BDP should be considered.",
    choice=(
        "1 and 4 flows on 64, 128 and 250 kbit/s, 200 ms, with a buffer of 4 packets: the BDP is "
        "1 to 4 packets. Drop rate, and goodput over the link's rate, by rule R1."
    ),
    cells=_cells,
    measures=(
        Measure("drop rate", "1", "drop_rate", line=loss_line()),
        Measure(
            "goodput over the link's rate", "1", _share, line=share_line(), more_is_better=True
        ),
        Measure("timeouts", "1", "timeouts"),
    ),
)

ROWS = (_E31,)
