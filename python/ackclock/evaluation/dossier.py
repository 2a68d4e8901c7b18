"""The result of an evaluation: rows with their verdicts, and the files made of them."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from ackclock.evaluation.judging import WORDS, deciding
from ackclock.verdicts.result import Verdicts
from ackclock.views import view

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from ackclock.evaluation.cell import Cell, Context
    from ackclock.evaluation.judging import Kind
    from ackclock.evaluation.row import Row, Strength
    from ackclock.evaluation.running import RowFigures, Seeds
    from ackclock.verdicts.judgement import Judgement

__all__ = ["Dossier", "RowResult"]


@dataclass(frozen=True)
class RowResult:
    """A row with its verdict."""

    row: Row
    kind: Kind
    """The verdict: that of the worst cell."""
    cells: tuple[Cell, ...] = ()
    judged: tuple[Judgement, ...] = ()
    """A verdict for each measure in each cell."""
    why_not: str | None = None
    """Why the row does not apply to the subject; None: it does."""
    kernels: Mapping[str, RowResult] = field(default_factory=dict)
    """The row on each kernel that was asked for, by the engine's label: "linux", "virtual 7.3"."""
    simulated: RowResult | None = None
    """The cells of `kernels` on the simulator, with the seeds of a simulated row."""
    answers: tuple[tuple[str, str], ...] = ()
    """Headings of the RFC with the text that answers them, "" if nothing does."""

    @property
    def counts(self) -> dict[str, int]:
        """Number of verdicts of each kind, without those that do not decide."""
        return dict(Counter(WORDS.of(judgement) for judgement in deciding(self.judged)))

    @property
    def is_concern(self) -> bool:
        """Whether the row counts as a concern."""
        return self.kind == "concern" and not self.row.informative

    @property
    def concerns(self) -> list[Judgement]:
        """Verdicts that are a concern to others, the farthest beyond its line first."""
        beyond = [verdict for verdict in self.judged if not verdict.is_ok and not verdict.own]
        return sorted(beyond, key=lambda judgement: -judgement.excess)

    @property
    def worst(self) -> Judgement | None:
        """The verdict that is farthest beyond its line, if any is a concern."""
        return max(self.concerns, key=_excess, default=None)

    @property
    def farthest(self) -> Judgement | None:
        """The verdict that is nearest to its line, or farthest beyond it."""
        ruled = [verdict for verdict in self.judged if verdict.difference and not verdict.own]
        return max(ruled, key=_excess, default=None)

    @property
    def starves(self) -> tuple[Judgement, ...]:
        """Cells in which the subject's own flows starve."""
        return tuple(verdict for verdict in self.judged if verdict.own and not verdict.is_ok)


def _excess(judgement: Judgement) -> tuple[float, str]:
    return judgement.excess, judgement.case


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
    def ordered(self) -> list[RowResult]:
        """The rows in the order of RFC 9743."""
        return sorted(self.rows, key=lambda result: result.row.order)

    @property
    def concerns(self) -> tuple[RowResult, ...]:
        """Rows with a concern."""
        return tuple(result for result in self.rows if result.is_concern)

    def concerns_of(self, strength: Strength) -> tuple[RowResult, ...]:
        """Rows with a concern, of one strength of demand."""
        return tuple(result for result in self.concerns if result.row.strength == strength)

    @property
    def verdicts(self) -> Verdicts:
        """The verdicts of all rows that are no information only, a case for each row and cell."""
        return Verdicts(
            self.subject,
            "RFC 9743",
            tuple(
                replace(judgement, case=f"{result.row.id} {judgement.case}")
                for result in self.rows
                if not result.row.informative
                for judgement in deciding(result.judged)
            ),
            WORDS,
        )

    def to_dict(self) -> dict[str, Any]:
        """The dossier for programs, as in dossier.json."""
        data: dict[str, Any] = view("dossier.data")(self)
        return data

    def write(self, folder: str | Path) -> Path:
        """Write index.html, dossier.json and dossier.md.

        Returns
        -------
        Path
            The page.
        """
        page: Path = view("dossier.page")(self, folder)
        return page
