"""The figures that have bars, as a small table in the repository: validation/outcome.csv."""

from __future__ import annotations

import csv
import io
from typing import TYPE_CHECKING

from ackclock.validation.figures import FIGURES
from ackclock.validation.judging import KERNEL, Comparison, Row
from ackclock.verdicts.judgement import Judgement, Span
from ackclock.verdicts.recorded import decided

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["FILE", "as_csv", "of_csv"]

FILE = "outcome.csv"
_NAMES = ("scenario", "measure", "of", "kernel", "simulator", "low", "high", "interval", "room")
_DIGITS = 9
_FIGURES = {figure.name: figure for figure in FIGURES}


def as_csv(comparisons: Sequence[Comparison]) -> str:
    """Return a line for each figure that has a bar, in base units.

    Values of several runs stand in one cell, with spaces between them.
    """
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_NAMES)
    for comparison in comparisons:
        for row in comparison.barred:
            values = (
                row.kernel,
                row.simulated,
                (row.judgement.low or 0.0,),
                (row.judgement.high or 0.0,),
                row.interval or (),
                (row.judgement.margin or 0.0,),
            )
            cells = (" ".join(f"{value:.{_DIGITS}g}" for value in cell) for cell in values)
            table.writerow((comparison.name, row.key.measure, row.key.of, *cells))
    return text.getvalue()


def of_csv(text: str) -> list[Comparison]:
    """Return the comparisons behind such a table: their rows that have bars, and no runs."""
    rows: dict[str, list[Row]] = {}
    for cells in csv.DictReader(io.StringIO(text)):
        values = {name: tuple(map(float, cells[name].split())) for name in _NAMES[3:]}
        key, interval = _FIGURES[cells["measure"]].key(cells["of"]), values["interval"]
        judgement = Judgement(
            case=cells["scenario"],
            figure=key.title,
            unit=key.unit,
            kind="shown",
            values=values["simulator"],
            references={KERNEL: values["kernel"]},
            against=KERNEL,
            low=values["low"][0],
            high=values["high"][0],
            margin=values["room"][0],
            difference=Span(sum(interval) / 2, *interval) if interval else None,
        )
        rows.setdefault(judgement.case, []).append(Row(key, decided(judgement)))
    return [Comparison(name, "", (), (), tuple(these)) for name, these in rows.items()]
