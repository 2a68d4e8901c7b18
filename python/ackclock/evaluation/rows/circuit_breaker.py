"""Section 7.2: circuit breakers."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import dumbbell, flow, packets_of
from ackclock.evaluation.row import Cell, Context, Line, Measure, Row

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]


def _cells(context: Context) -> Sequence[Cell]:
    return [
        Cell(
            labels={"loss": f"{percent} % loss"},
            scenario=dumbbell(
                2.0,
                100.0,
                packets_of(2.0, 100.0, 1.0),
                [flow()],
                seconds=60.0 if context.quick else 120.0,
                warmup=10.0,
                samples="100ms",
                link_samples=False,
                loss={"kind": "bernoulli", "p": percent / 100.0},
            ),
            responses=(
                {"name": "breaker", "metric": "breaker_ratio(report=5s, reports=3)"},
                "loss_rate",
                "utilisation",
            ),
            base_rtt=0.1,
            rate=2e6,
        )
        for percent in ((5, 20) if context.quick else (2, 5, 10, 20))
    ]


_E29 = Row(
    id="E29",
    section="7.2",
    strength="consider",
    title="Circuit breakers",
    demand="A flow should stay below what triggers a circuit breaker (RFC 8083, RFC 8084).",
    choice=(
        "One flow on 2 Mbit/s, 100 ms; 2 to 20 % of the packets are lost at random for 120 s. Rate "
        "over that of TFRC's equation (RFC 5348), the least of three running reports of 5 s, the "
        "largest of the run. RFC 8083 section 4.3 breaks at 10; a concern is a mean above 10."
    ),
    cells=_cells,
    measures=(
        Measure("rate over TFRC's", "1", "breaker", line=Line(0.0, 1.0, limit=10.0)),
        Measure("loss rate", "1", "loss_rate"),
        Measure("utilisation", "1", "utilisation", more_is_better=True),
    ),
)

ROWS = (_E29,)
