"""Measures that several rows have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.evaluation.grid import PAYLOAD, goodput
from ackclock.evaluation.lines import HARM, LOSS, QUEUE, SHARE, SLOWDOWN, SLOWDOWN_P99
from ackclock.evaluation.row import Measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.evaluation.cell import Cell, Figures

__all__ = [
    "DROP_RATE",
    "GOODPUT",
    "LOSS_OF_VICTIM",
    "LOSS_RATE",
    "MEDIAN_SLOWDOWN",
    "NEEDLESS",
    "P99_SLOWDOWN",
    "QUEUE_DELAY",
    "SHARES",
    "SHARE_OF_SUBJECT",
    "SHARE_OF_VICTIM",
    "TIMEOUTS",
    "UTILISATION",
    "share_of_link",
    "shown",
]


def share_of_link(name: str) -> Callable[[Figures, Cell], float | None]:
    """A goodput by its response's name, as a share of the link's payload rate."""

    def share(figures: Figures, cell: Cell) -> float | None:
        rate = figures[name]
        return None if rate is None else rate / (cell.rate * PAYLOAD)

    return share


def shown(measure: Measure) -> Measure:
    """The measure without its line: it is not judged."""
    return replace(measure, line=None)


UTILISATION = Measure("utilisation", "utilisation", SHARE, more_is_better=True)
QUEUE_DELAY = Measure("queueing delay, 95th percentile", "queue_delay.p95", QUEUE, unit="s")
DROP_RATE = Measure("drop rate", "drop_rate", LOSS)
NEEDLESS = Measure("needless retransmissions", "needless_retransmit_rate", LOSS)
MEDIAN_SLOWDOWN = Measure("slowdown, median", "fct_slowdown.p50", SLOWDOWN, worst="duration")
P99_SLOWDOWN = Measure(
    "slowdown, 99th percentile", "fct_slowdown.p99", SLOWDOWN_P99, worst="duration"
)
LOSS_RATE = Measure("loss rate", "loss_rate")
TIMEOUTS = Measure("timeouts", "timeouts")
GOODPUT = Measure("goodput of the subject", "good s", more_is_better=True, unit="bit/s")

# The subject's flows are "s" and the victim's "v".
SHARES = (goodput("v"), goodput("s"), {"name": "loss v", "metric": "loss_rate", "flows": "v"})
SHARE_OF_VICTIM = Measure(
    "victim's share of the link", share_of_link("good v"), HARM, more_is_better=True
)
SHARE_OF_SUBJECT = Measure(
    "subject's share of the link", share_of_link("good s"), more_is_better=True
)
LOSS_OF_VICTIM = Measure("loss rate of the victim", "loss v", LOSS)
