"""Section 7.3: delays that vary."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.evaluation.grid import dumbbell, flow, packets_of
from ackclock.evaluation.row import Cell, Context, Measure, Row, loss_line, share_line

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["ROWS"]

_RATE = 20.0


def _ramp(first_ms: float, seconds: float) -> list[list[str]]:
    """A base RTT that grows by 1 ms per second, in steps of the one-way delay every 100 ms."""
    return [
        [f"{100 * step}ms", f"{first_ms / 2.0 + 0.05 * step:g}ms"]
        for step in range(1, int(seconds * 10))
    ]


def _cells(context: Context) -> Sequence[Cell]:
    seconds = 60.0 if context.quick else 120.0
    paths = {
        "steps of 20, 35 and 27 ms": (
            20.0,
            [[f"{15 * at}s", f"{(20.0, 35.0, 27.0)[at % 3] / 2.0:g}ms"] for at in range(1, 8)],
        ),
        "100 ms more from 30 to 60 s": (40.0, [["30s", "120ms"], ["60s", "20ms"]]),
        "ramp of 1 ms/s": (40.0, _ramp(40.0, seconds)),
    }
    return [
        Cell(
            labels={"RTT": name},
            scenario=dumbbell(
                _RATE,
                rtt,
                packets_of(_RATE, rtt, 1.0),
                [flow()],
                seconds=seconds - 10.0,
                warmup=10.0,
                delay_schedule=steps,
            ),
            responses=("utilisation", "needless_retransmit_rate", "queue_delay.p95"),
            base_rtt=rtt / 1000.0,
            rate=_RATE * 1e6,
        )
        for name, (rtt, steps) in paths.items()
    ]


_E30 = Row(
    id="E30",
    section="7.3",
    strength="SHOULD",
    title="Delays that vary",
    demand="Paths of varying delay should be looked at.",
    choice=(
        "One flow on 20 Mbit/s, 1 BDP. The base RTT is 20, 35 and 27 ms in turn, each for 15 s; or "
        "100 ms longer one way from 30 to 60 s; or it grows by 1 ms per second. Utilisation, and "
        "retransmissions of data that had arrived, by rule R1."
    ),
    cells=_cells,
    measures=(
        Measure("utilisation", "1", "utilisation", line=share_line(), more_is_better=True),
        Measure("needless retransmissions", "1", "needless_retransmit_rate", line=loss_line()),
        Measure("queueing delay, 95th percentile", "s", "queue_delay.p95"),
    ),
    kernel=("steps of 20, 35 and 27 ms",),
)

ROWS = (_E30,)
