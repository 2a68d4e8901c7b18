"""A row of the dossier: a demand of RFC 9743, its cells, and the figures that are judged."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from ackclock.evaluation.cell import Cell, Context, Figures, Response
    from ackclock.evaluation.lines import Line

__all__ = ["STRENGTHS", "Measure", "Row", "Strength", "Where", "section_order"]

Strength = Literal["MUST", "SHOULD", "consider"]
"""Strength of a demand in RFC 9743; "consider" stands for every weaker word."""

STRENGTHS: Mapping[Strength, str] = {"MUST": "MUST", "SHOULD": "SHOULD", "consider": "other"}
"""Strengths, the strongest first, with their names in tables."""

Where = Mapping[str, str | tuple[str, ...] | None]
"""Some cells of a row by their labels: one label, one of several, or None for cells without."""


@dataclass(frozen=True)
class Measure:
    """A figure of a cell that is judged, or only shown."""

    name: str
    """Name in tables."""
    figure: str | Callable[[Figures, Cell], float | None]
    """Name of a response, or a function of a run's figures."""
    line: Line | None = None
    """Largest difference to the worse reference that is no concern; None: the figure is only shown.
    """
    unit: str = "1"
    """Unit as for a metric: "1", "s", "bit/s", "packets"."""
    more_is_better: bool = False
    of: Where | None = None
    """Cells that have the measure; None: all."""
    judged: Where | None = None
    """Cells in which it is judged and not only shown; None: all."""
    worst: float | Literal["duration"] | None = None
    """Value that takes the place of a missing one; None: a run without it is left out."""
    starving: bool = False
    """Whether rule R3 judges: the figure is a time of starvation, and seeds are counted."""
    own: bool = False
    """Whether it tells what the subject itself suffers: reported, and never a concern."""

    def is_of(self, cell: Cell) -> bool:
        """Whether a cell has the measure."""
        return _is_there(cell, self.of)

    def is_judged(self, cell: Cell) -> bool:
        """Whether the measure is judged in a cell."""
        return _is_there(cell, self.judged)

    def value(self, figures: Figures, cell: Cell) -> float | None:
        """The figure of a run."""
        figure = self.figure
        value = figures.get(figure) if isinstance(figure, str) else figure(figures, cell)
        if value is not None:
            return value
        return cell.duration if self.worst == "duration" else self.worst


def _is_there(cell: Cell, where: Where | None) -> bool:
    return all(
        cell.labels.get(name) in (labels if isinstance(labels, tuple) else (labels,))
        for name, labels in (where or {}).items()
    )


@dataclass(frozen=True)
class Row:
    """A demand of RFC 9743 with the cells that answer it.

    Texts may be broken into lines anywhere.
    """

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
    grid: Callable[[Context], Sequence[Cell]] = lambda _context: ()
    """The cells, as `ackclock.evaluation.grid.grid` makes them."""
    responses: tuple[Response, ...] = ()
    """Figures that a run gives; by default those that the measures name."""
    measures: tuple[Measure, ...] = ()
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

    def __post_init__(self) -> None:
        """Join the lines of texts."""
        for name in ("demand", "choice"):
            object.__setattr__(self, name, _joined(getattr(self, name)))
        object.__setattr__(self, "sources", tuple(map(_joined, self.sources)))

    @property
    def order(self) -> tuple[tuple[int, ...], str]:
        """Sort key for the order of RFC 9743."""
        return section_order(self.section), self.id

    def cells(self, context: Context) -> list[Cell]:
        """The cells with the figures that their runs give."""
        named = tuple(
            name for name in (measure.figure for measure in self.measures) if isinstance(name, str)
        )
        return [
            replace(cell, responses=cell.responses or self.responses or named)
            for cell in self.grid(context)
        ]


def section_order(section: str) -> tuple[int, ...]:
    """Sort key of a section's number."""
    return tuple(int(part) for part in section.split("."))


def _joined(text: str) -> str:
    return " ".join(text.split())
