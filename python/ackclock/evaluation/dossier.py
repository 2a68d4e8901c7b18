"""The result of an evaluation: rows with their verdicts, and the files made of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ackclock.evaluation.judging import Judged, Kind
    from ackclock.evaluation.row import Cell, Context, Row, Strength
    from ackclock.evaluation.running import RowFigures, Seeds

__all__ = ["Dossier", "RowResult"]


@dataclass(frozen=True)
class RowResult:
    """A row with its verdict."""

    row: Row
    kind: Kind
    """The verdict: that of the worst cell."""
    cells: tuple[Cell, ...]
    judged: tuple[Judged, ...]
    """A verdict for each measure in each cell."""
    why_not: str | None
    """Why the row does not apply to the subject; None: it does."""
    kernel: RowResult | None = None
    """The row on the kernel of this machine, if it was asked for."""
    simulated: RowResult | None = None
    """The cells of `kernel` on the simulator, with as many seeds as the kernel had runs."""
    answers: tuple[tuple[str, str], ...] = ()
    """Headings of the RFC with the text that answers them, "" if nothing does."""

    @property
    def counts(self) -> dict[Kind, int]:
        """Number of verdicts of each kind, without those that are only shown."""
        found: dict[Kind, int] = {}
        for one in self.judged:
            if one.kind != "shown" and not one.own:
                found[one.kind] = found.get(one.kind, 0) + 1
        return found

    @property
    def is_concern(self) -> bool:
        """Whether the row counts as a concern."""
        return self.kind == "concern" and not self.row.informative

    @property
    def worst(self) -> Judged | None:
        """The verdict that is farthest beyond its line, if any is a concern."""
        concerns = [one for one in self.judged if one.kind == "concern" and not one.own]
        return max(concerns, key=lambda one: (one.excess, one.cell), default=None)

    @property
    def farthest(self) -> Judged | None:
        """The verdict that is nearest to its line, or farthest beyond it."""
        ruled = [one for one in self.judged if one.difference is not None and not one.own]
        return max(ruled, key=lambda one: (one.excess, one.cell), default=None)

    @property
    def starves(self) -> tuple[Judged, ...]:
        """Cells in which the subject's own flows starve."""
        return tuple(one for one in self.judged if one.own and one.kind == "concern")


@dataclass(frozen=True)
class Dossier:
    """An evaluation by RFC 9743.

    Examples
    --------
    >>> import ackclock as ac
    >>> [name for name in ("concerns", "write") if hasattr(ac.Dossier, name)]
    ['concerns', 'write']
    """

    context: Context
    seeds: Seeds
    rows: tuple[RowResult, ...]
    made: int = 0
    """Number of runs that were made."""
    reused: int = 0
    """Number of runs that the store had."""
    against: Sequence[str] | None = None
    """References in place of the rows' own."""
    ecn_given: str | None = None
    """`--ecn` as the user gave it."""
    seeds_given: int | None = None
    """`--seeds` as the user gave it."""
    folder: Path | None = None
    """Folder in which the subject's class was looked for."""
    figures: Mapping[str, RowFigures] = field(default_factory=dict, repr=False)
    """Figures of every run by row, cell and seat."""

    @property
    def subject(self) -> str:
        """The congestion control under test."""
        return self.context.subject

    @property
    def concerns(self) -> tuple[RowResult, ...]:
        """Rows with a concern."""
        return tuple(one for one in self.rows if one.is_concern)

    def concerns_of(self, strength: Strength) -> tuple[RowResult, ...]:
        """Rows with a concern, of one strength of demand."""
        return tuple(one for one in self.concerns if one.row.strength == strength)

    def to_dict(self) -> dict[str, Any]:
        """The dossier for programs, as in dossier.json."""
        from ackclock.evaluation.output.data import data_of

        return data_of(self)

    def write(self, folder: str | Path) -> Path:
        """Write index.html, dossier.json and dossier.md.

        Returns
        -------
        Path
            The page.
        """
        from ackclock.evaluation.output.writing import write_dossier

        return write_dossier(self, folder)
