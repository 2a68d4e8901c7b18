"""Verdicts: a subject's figures against those of the references, cell by cell and seed by seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from ackclock.verdicts.families import ALPHA, settled
from ackclock.verdicts.judgement import Judgement
from ackclock.verdicts.paired import Contrast, beside, common, counted
from ackclock.verdicts.tally import Tally
from ackclock.verdicts.words import Words

if TYPE_CHECKING:
    from collections.abc import Hashable

    from ackclock.evaluation.cell import Cell
    from ackclock.evaluation.row import Measure

__all__ = ["WORDS", "Kind", "deciding", "judge_row", "row_kind", "together", "unsettled"]

Kind = Literal[
    "concern",
    "no concern",
    "better",
    "not judged",
    "shown",
    "answered",
    "not answered",
    "not applicable",
]
"""Verdict of a row, or of a measure in a cell (one of the first five).

"shown": the figure has no rule. A row of text is answered or not.
"""

_OUTCOMES: Mapping[str, Kind] = {
    "beyond": "concern",
    "within": "no concern",
    "better": "better",
    "undecided": "not judged",
    "shown": "shown",
}

WORDS = Words(_OUTCOMES, case="cell", figure="verdict", before="beside")  # type: ignore[arg-type]

Figured = Mapping[tuple[str, str], Sequence[Mapping[str, float | None]]]
"""Figures of each seed, in the same order of seeds, by cell and seat."""

_UNJUDGED_SHARE = 1 / 3


def judge_row(
    measures: Sequence[Measure],
    cells: Sequence[Cell],
    figures: Figured,
    subject: str,
    family: str | None,
) -> list[Judgement]:
    """Judge every measure in every cell.

    Parameters
    ----------
    measures, cells
        Of the row.
    figures
        Figures of each seed, in the same order of seeds, by cell and seat.
    subject
        Name of the subject's seat; every other seat is a reference.
    family
        Label that divides the cells for Holm's adjustment.
    """
    judgements: list[Judgement] = []
    for measure in measures:
        contrasts = [
            _contrast(measure, cell, figures, subject, cell.labels.get(family or ""))
            for cell in cells
        ]
        judgements += settled([contrast for contrast in contrasts if contrast is not None])
    return judgements


def unsettled(
    measures: Sequence[Measure], cells: Sequence[Cell], figures: Figured, subject: str
) -> set[str]:
    """Ids of the cells that need more seeds for a verdict on every measure.

    A cell is looked at twice, so that each look has half of the significance. It is settled if all
    of its measures are far enough from their lines: no concern at ALPHA / 2, or a concern that
    stands Holm's adjustment over all cells.
    """
    names = set()
    for measure in measures:
        for cell in cells:
            contrast = _contrast(measure, cell, figures, subject, None)
            if contrast is None or not measure.is_judged(cell):
                continue
            if not (measure.line or measure.starving):
                continue
            counts = contrast.judgement.counts
            if counts is not None:
                is_settled = contrast.p_beyond < ALPHA / 2 or not any(counts)
            else:
                is_settled = min(contrast.p_within, contrast.p_beyond * len(cells)) < ALPHA / 2
            if not is_settled:
                names.add(cell.id)
    return names


def _contrast(
    measure: Measure, cell: Cell, figures: Figured, subject: str, family: Hashable
) -> Contrast | None:
    """The contrast of a measure in a cell; None if the cell does not have it."""
    if not measure.is_of(cell):
        return None
    rows = {
        seat: [measure.value(run, cell) for run in runs]
        for (name, seat), runs in figures.items()
        if name == cell.id
    }
    if subject not in rows:
        return None
    # Differences are paired by seed: a seed counts if all seats have its figure.
    values = dict(zip(rows, common(*rows.values()), strict=True))
    own = values.pop(subject)
    plain = Judgement(
        case=cell.id,
        figure=measure.name,
        unit=measure.unit,
        kind="shown",
        values=own,
        references=values,
        more_is_better=measure.more_is_better,
        own=measure.own,
    )
    if not measure.is_judged(cell) or not values:
        return Contrast(plain)
    if not own:
        return Contrast(replace(plain, kind="undecided"), family=family)
    if measure.starving:
        return counted(plain, family)
    return (
        Contrast(plain)
        if measure.line is None
        else beside(plain, measure.line.margin(cell), family)
    )


def together(judged: Sequence[Judgement]) -> list[Judgement]:
    """Verdicts of a row whose concern is a cell that is worse by all of its measures."""
    joint = []
    for judgement in judged:
        here = [other for other in deciding(judged) if other.case == judgement.case]
        is_alone = not judgement.is_ok and any(other.is_ok for other in here)
        joint.append(replace(judgement, kind="within") if is_alone else judgement)
    return joint


def deciding(judged: Sequence[Judgement]) -> list[Judgement]:
    """The judgements that decide on a row: not those only shown, nor those of its own harm."""
    return [judgement for judgement in judged if judgement.kind != "shown" and not judgement.own]


def row_kind(judged: Sequence[Judgement]) -> Kind:
    """The verdict of a row: its worst cell decides.

    A row in which more than a third of the cells are not judged is not judged, unless it has a
    concern.
    """
    kinds = [judgement.kind for judgement in deciding(judged)]
    tally = Tally.of(kinds)
    if not kinds:
        return "shown"
    if tally.beyond:
        return "concern"
    if tally.undecided > _UNJUDGED_SHARE * len(kinds):
        return "not judged"
    return "better" if "better" in kinds else "no concern"
