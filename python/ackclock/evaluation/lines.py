"""Lines: how much worse than the worse reference a figure may be. Rules R1 and R2."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ackclock.evaluation.grid import PACKET_BITS
from ackclock.verdicts.margin import Margin

if TYPE_CHECKING:
    from ackclock.evaluation.cell import Cell

__all__ = [
    "HARM",
    "HARM_TO_SEVERAL",
    "JAIN",
    "LN2",
    "LOSS",
    "LOST_PACKETS",
    "QUEUE",
    "QUEUE_AFTER_EVENT",
    "QUEUE_UNDER_AQM",
    "SHARE",
    "SLOWDOWN",
    "SLOWDOWN_P99",
    "TIME",
    "Line",
]


@dataclass(frozen=True)
class Line:
    """The difference to a reference that is still no concern: a share of it, and a floor."""

    relative: float = 0.0
    """Share of the reference's mean."""
    floor: float = 0.0
    """Smallest line, in the figure's unit."""
    limit: float | None = None
    """Value that the subject may reach, however good the reference is."""
    rtts: float = 0.0
    """Smallest line in base RTTs, if that is more than `floor`."""
    bdps: float = 0.0
    """Smallest line in BDPs, in packets, if that is more than `floor`."""
    says: str = ""
    """The floor in words, if it depends on the path."""

    def margin(self, cell: Cell) -> Margin:
        """The line in a cell."""
        bdp = self.bdps * cell.rate * cell.base_rtt / PACKET_BITS
        return Margin(self.relative, max(self.floor, self.rtts * cell.base_rtt, bdp), self.limit)

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
        if self.says or self.floor:
            parts.append(self.says or f"{self.floor:g}")
        return " and ".join(parts) or "0"


SHARE = Line(0.1, 0.02)
"""R1 for utilisation, and for goodput as a share of the link's rate."""
LOSS = Line(1.0, 0.01)
"""R1 for loss rates and retransmitted shares: twice, and one point."""
JAIN = Line(floor=0.05)
"""R1 for Jain's index."""
QUEUE = Line(0.1, 0.001, rtts=0.1, says="10 % of the base RTT, at least 1 ms")
"""R1 for queueing delay."""
QUEUE_UNDER_AQM = Line(0.1, 0.005, rtts=0.1, says="10 % of the base RTT, at least 5 ms")
QUEUE_AFTER_EVENT = Line(0.5, 0.005, rtts=0.25, says="25 % of the base RTT, at least 5 ms")
LOST_PACKETS = Line(1.0, 10.0, bdps=0.1, says="0.1 BDP, at least 10 packets")
"""R1 for packets lost in a start or after an event."""
TIME = Line(0.5, 0.5, rtts=10.0, says="10 RTT, at least 0.5 s")
"""R1 for the time to reach a rate."""
SLOWDOWN, SLOWDOWN_P99 = Line(0.1, 0.5), Line(0.25, 0.5)
"""R1 for slowdowns of short flows: their median, their 99th percentile."""
HARM = Line(floor=0.1)
"""R2 for the share of the link that another flow gets."""
HARM_TO_SEVERAL = Line(floor=0.2)
"""R2 for the goodput of several flows over their fair share."""
LN2 = math.log(2.0)
"""Line of a ratio of rates, on a logarithmic scale: twice."""
