"""A row of the dossier: a demand of RFC 9743, its cells, and the figures that are judged."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

from ackclock.verdicts.margin import Margin

__all__ = [
    "AQM_FLOOR_S",
    "Cell",
    "Context",
    "Figures",
    "Line",
    "Measure",
    "Row",
    "Strength",
    "Table",
    "fct_line",
    "harm_line",
    "jain_line",
    "loss_line",
    "lost_packets_line",
    "queue_delay_line",
    "share_line",
    "time_line",
]

Strength = Literal["MUST", "SHOULD", "consider"]
"""Strength of a demand in RFC 9743; "consider" stands for every weaker word."""

Table = dict[str, Any]
"""A scenario, with the keys of its TOML file."""

Figures = Mapping[str, float | None]
"""Figures of a run by the name of the response."""


@dataclass(frozen=True)
class Context:
    """The choices of a user that decide which cells a row has."""

    subject: str
    """Congestion control under test, as `cc` takes it."""
    quick: bool = False
    """Fewer cells, half the time."""
    ecn: str = "off"
    """`transport.ecn` of the subject's flows: its own, or the user's `--ecn`."""
    implies_ecn: bool = False
    """Whether the subject always has ECN, as Prague has."""
    claims: frozenset[str] = frozenset()
    """Special cases that the subject claims: "data-centre"."""


@dataclass(frozen=True)
class Cell:
    """One scenario with an empty seat for the subject or a reference."""

    labels: Mapping[str, str]
    """Place of the cell in its row: quantity and value, such as "buffer": "0.25 BDP"."""
    scenario: Table
    """The scenario; `slots` say which flows the seat's algorithm gets."""
    responses: tuple[str | Mapping[str, Any], ...]
    """Figures that a run gives, as the table `sweep.responses` takes them."""
    base_rtt: float
    """Base round-trip time of the subject's path, s; floors of rules refer to it."""
    rate: float
    """Rate of the bottleneck, bit/s."""
    slots: tuple[str, ...] = ("s",)
    """Names of the entries of flows in the seat."""
    numbers: Mapping[str, float] = field(default_factory=dict)
    """Further numbers that rules and figures of the row refer to, in base units."""
    seats: Mapping[str, Callable[[Table], Table]] | None = None
    """References with other scenarios than the cell's own, by name; None: the row's references."""

    @property
    def id(self) -> str:
        """Name of the cell in its row, for `--cell`."""
        return ", ".join(self.labels.values()) or "whole"

    @property
    def duration(self) -> float:
        """Length of the run, s."""
        text = str(self.scenario["duration"])
        return float(text.removesuffix("s"))


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


@dataclass(frozen=True)
class Measure:
    """A figure of a cell that is judged, or only shown."""

    name: str
    """Name in tables."""
    unit: str
    """Unit as for a metric: "1", "s", "bit/s", "packets"."""
    figure: str | Callable[[Figures, Cell], float | None]
    """Name of a response, or a function of a run's figures."""
    line: Line | None = None
    """Largest difference to the worse reference that is no concern; None: the figure is only shown.
    """
    more_is_better: bool = False
    of: Callable[[Cell], bool] = lambda _cell: True
    """Cells that have the measure."""
    judged: Callable[[Cell], bool] = lambda _cell: True
    """Cells in which it is judged and not only shown."""
    worst: Callable[[Cell], float] | None = None
    """Value that takes the place of a missing one; None: a run without it is left out."""
    starving: bool = False
    """Whether rule R3 judges: the figure is a time of starvation, and seeds are counted."""
    own: bool = False
    """Whether it tells what the subject itself suffers: reported, and never a concern."""

    def value(self, figures: Figures, cell: Cell) -> float | None:
        """The figure of a run."""
        found = (
            figures.get(self.figure) if isinstance(self.figure, str) else self.figure(figures, cell)
        )
        return self.worst(cell) if found is None and self.worst is not None else found


@dataclass(frozen=True)
class Row:
    """A demand of RFC 9743 with the cells that answer it."""

    id: str
    """`E06`."""
    section: str
    """Section of RFC 9743, the first one if several ask for it: `5.1.3`."""
    strength: Strength
    title: str
    demand: str
    """The RFC's demand, restated in a sentence."""
    choice: str
    """Scenario, figures and rule, which ackclock chose and the RFC does not give."""
    cells: Callable[[Context], Sequence[Cell]]
    measures: tuple[Measure, ...]
    references: tuple[str, ...] = ("reno", "cubic")
    """Algorithms in the subject's seat."""
    competing: bool = False
    """Whether flows compete: quick runs then have 10 seeds instead of 5."""
    applies: Callable[[Context], str | None] = lambda _context: None
    """Why the row does not apply, in a sentence; None: it does."""
    sections: tuple[str, ...] = ()
    """Further sections that the row answers."""
    family: str | None = None
    """Label by which the cells are divided before Holm's adjustment: the victim."""
    joint: bool = False
    """Whether a cell is a concern only if all its measures are."""
    informative: bool = False
    """Whether the row never counts as a concern."""
    kernel: tuple[str, ...] = ()
    """Ids of the cells that `--on linux` runs, of the quick ones."""
    sources: tuple[str, ...] = ()
    """Published facts about known algorithms in this row: a sentence with its source each."""
