"""Section 6: several bottlenecks on one path."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import PAYLOAD, flow, packets_of
from ackclock.evaluation.row import Cell, Context, Figures, Line, Measure, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_RATE = 100.0


def _cells(context: Context) -> Sequence[Cell]:
    found = []
    for bdp in (0.25, 1.0):
        hop = {
            "rate": f"{_RATE:g}Mbit/s",
            "delay": "10ms",
            "limit": f"{packets_of(_RATE, 60.0, bdp)} packets",
        }
        crossing = [
            flow(
                name=f"cross{at}",
                access={"delay": "10ms"},
                **{"from": f"r{at}", "to": f"r{at + 1}"},
            )
            for at in (1, 2, 3)
        ]
        seconds = 30.0 if context.quick else 60.0
        found.append(
            Cell(
                labels={"buffer": f"{bdp:g} BDP"},
                scenario={
                    "duration": f"{20.0 + seconds:g}s",
                    "warmup": "20s",
                    "network": {"kind": "parking-lot", "bottlenecks": [hop, hop, hop]},
                    "flows": [flow(name="long"), *crossing],
                    "record": {"samples": "off"},
                },
                responses=(
                    {"name": "long", "metric": "goodput", "flows": "long"},
                    "max_min_fairness",
                ),
                base_rtt=0.06,
                rate=_RATE * 1e6,
                slots=("long", "cross1", "cross2", "cross3"),
            )
        )
    return found


def _share(figures: Figures, cell: Cell) -> float | None:
    good = figures["long"]
    return None if good is None else good / (cell.rate * PAYLOAD)


_E41 = Row(
    id="E41",
    section="6",
    strength="SHOULD",
    title="Three bottlenecks",
    demand="A representative range of paths should be looked at.",
    choice=(
        "A parking lot of three hops of 100 Mbit/s, one flow over all and one over each, all of "
        "60 ms; buffers of 0.25 and 1 BDP. The long flow's share of a link is less than half of "
        "that of the worse reference, and by more than 0.02."
    ),
    cells=_cells,
    measures=(
        Measure(
            "long flow's share of a link", "1", _share, line=Line(0.5, 0.02), more_is_better=True
        ),
        Measure("max-min fairness", "1", "max_min_fairness", more_is_better=True),
    ),
    competing=True,
)

ROWS = (_E41,)
