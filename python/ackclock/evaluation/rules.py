"""The rules R1 and R2: lines between a difference to a reference and a concern.

RFC 9743 gives no thresholds. docs/evaluate.md says how these were chosen and tried.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.verdicts.margin import Margin

if TYPE_CHECKING:
    from ackclock.evaluation.row import Cell

__all__ = [
    "AQM_FLOOR_S",
    "Line",
    "fct_line",
    "harm_line",
    "jain_line",
    "loss_line",
    "lost_packets_line",
    "queue_delay_line",
    "share_line",
    "time_line",
]

Floor = float | Callable[["Cell"], float]

AQM_FLOOR_S = 0.005
"""Smallest difference of queueing delay that counts under an AQM, s."""


@dataclass(frozen=True)
class Line:
    """The difference to a reference that is still no concern: a share of it, and a floor."""

    relative: float = 0.0
    """Share of the reference's mean."""
    floor: Floor = 0.0
    """Smallest line, in the figure's unit."""
    limit: float | None = None
    """Value that the subject may reach, however good the reference is."""

    def margin(self, cell: Cell) -> Margin:
        """The line in a cell."""
        floor = self.floor(cell) if callable(self.floor) else self.floor
        return Margin(self.relative, floor, self.limit)

    def describe(self) -> str:
        """The line in words."""
        parts = []
        if self.relative:
            parts.append(
                f"{self.relative:g} times the worse reference"
                if self.relative > 1.0
                else f"{100.0 * self.relative:g} % of the worse reference"
            )
        if self.limit is not None:
            parts.append(f"the value {self.limit:.3g}")
        if callable(self.floor):
            parts.append((self.floor.__doc__ or "a floor of the cell").strip().rstrip("."))
        elif self.floor:
            parts.append(f"{self.floor:g}")
        return " and ".join(parts) or "0"


def share_line(relative: float = 0.1, floor: float = 0.02) -> Line:
    """R1 for utilisation, and for goodput as a share of the link's rate."""
    return Line(relative, floor)


def loss_line() -> Line:
    """R1 for loss rates and retransmitted shares: twice, and one point."""
    return Line(1.0, 0.01)


def jain_line(floor: float = 0.05) -> Line:
    """R1 for Jain's index."""
    return Line(0.0, floor)


def harm_line(of_fair_share: bool = False) -> Line:
    """R2 for the share that others get: 0.1 of the link's rate, or 0.2 of their fair share."""
    return Line(0.0, 0.2 if of_fair_share else 0.1)


def queue_delay_line(relative: float = 0.1, *, aqm: bool = False, event: bool = False) -> Line:
    """R1 for queueing delay; after an event half of it, with a larger floor."""

    def floor(cell: Cell) -> float:
        """10 % of the base RTT, at least 1 ms."""
        return max(0.001, 0.1 * cell.base_rtt)

    def aqm_floor(cell: Cell) -> float:
        """10 % of the base RTT, at least 5 ms."""
        return max(AQM_FLOOR_S, 0.1 * cell.base_rtt)

    def event_floor(cell: Cell) -> float:
        """25 % of the base RTT, at least 5 ms."""
        return max(0.005, 0.25 * cell.base_rtt)

    if event:
        return Line(0.5, event_floor)
    return Line(relative, aqm_floor if aqm else floor)


def lost_packets_line() -> Line:
    """R1 for packets lost in a start or after an event."""

    def floor(cell: Cell) -> float:
        """0.1 BDP, at least 10 packets."""
        return max(10.0, 0.1 * cell.rate * cell.base_rtt / 12000.0)

    return Line(1.0, floor)


def time_line(relative: float = 0.5) -> Line:
    """R1 for the time to reach a rate."""

    def floor(cell: Cell) -> float:
        """10 RTT, at least 0.5 s."""
        return max(0.5, 10.0 * cell.base_rtt)

    return Line(relative, floor)


def fct_line(relative: float) -> Line:
    """R1 for slowdowns of short flows."""
    return Line(relative, 0.5)


LN2 = math.log(2.0)
"""Line of a ratio of rates, on a logarithmic scale: twice."""
