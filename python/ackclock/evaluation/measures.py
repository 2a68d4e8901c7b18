"""Measures that several rows have."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.evaluation.grid import PAYLOAD, goodput
from ackclock.evaluation.lines import HARM, LOSS, QUEUE, SHARE
from ackclock.evaluation.row import Measure

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.evaluation.cell import Cell, Figures

__all__ = [
    "DROP_RATE",
    "GOODPUT",
    "LOSS_OF_VICTIM",
    "LOSS_RATE",
    "NEEDLESS",
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


UTILISATION = Measure("utilisation", "1", "utilisation", SHARE, more_is_better=True)
QUEUE_DELAY = Measure("queueing delay, 95th percentile", "s", "queue_delay.p95", QUEUE)
DROP_RATE = Measure("drop rate", "1", "drop_rate", LOSS)
NEEDLESS = Measure("needless retransmissions", "1", "needless_retransmit_rate", LOSS)
LOSS_RATE = Measure("loss rate", "1", "loss_rate")
TIMEOUTS = Measure("timeouts", "1", "timeouts")
GOODPUT = Measure("goodput of the subject", "bit/s", "good s", more_is_better=True)

# The subject's flows are "s" and the victim's "v".
SHARES = (goodput("v"), goodput("s"), {"name": "loss v", "metric": "loss_rate", "flows": "v"})
SHARE_OF_VICTIM = Measure(
    "victim's share of the link", "1", share_of_link("good v"), HARM, more_is_better=True
)
SHARE_OF_SUBJECT = Measure(
    "subject's share of the link", "1", share_of_link("good s"), more_is_better=True
)
LOSS_OF_VICTIM = Measure("loss rate of the victim", "1", "loss v", LOSS)
