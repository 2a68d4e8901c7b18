"""Tables of golden cells for a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from ackclock.golden.judging import PAIRED, RECORDED, WORDS
from ackclock.golden.result import before_and_now
from ackclock.tables.intervals import p_value
from ackclock.tables.table import Table, styled
from ackclock.tables.terminal import BARE, drawn
from ackclock.verdicts.judgement import Judgement
from ackclock.verdicts.text import change, compared, sentence, share, shown

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from ackclock.golden.result import GoldenResult, Recorded, Tested

__all__ = ["checks_table", "moved_table"]

_LOOK = BARE._replace(padding=(1, 1))
_STYLES = {"ok": "green", "changed": "bold red", "outside": "bold red", "not judged": "yellow"}


def checks_table(result: GoldenResult) -> RenderableType:
    """A row for each check, and a line for each that does not pass or is not judged."""
    is_paired = any(check.rule == PAIRED for check in result.checks)
    headings = ("before", "now", "change", "p") if is_paired else ("expected", "now", "change")
    cells = {cell.name: cell for cell in result.cells}
    rows: list[Sequence[str]] = []
    for name, checks in groupby(result.checks, key=lambda check: check.case):
        blank = [""] * len(headings)
        rows.append([styled((name, "bold")), styled((_same(cells[name]), "dim")), *blank])
        for check in checks:
            outcome = styled((WORDS.of(check), _STYLES[WORDS.of(check)]))
            figures = _paired(check) if is_paired else compared(check)
            rows.append([f"  {check.figure}", *figures, outcome])
    lines = [Text(line) for line in result.lines]
    lines += [Text(sentence(check, WORDS)) for check in result.checks if check.kind == "undecided"]
    parts: list[RenderableType] = ["", *lines] if lines else []
    return Group(_drawn(headings, rows, "result"), *parts, "", Text(f"{result.headline}.", "bold"))


def _same(cell: Tested) -> str:
    """Number of runs that are as they were before."""
    return "" if cell.same is None else f"{cell.same} of {cell.common} runs as before"


def _paired(check: Judgement) -> tuple[str, str, str, str]:
    before, now = (shown(value, check.unit) for value in before_and_now(check))
    return before, now, compared(check)[2], "" if check.p is None else p_value(check.p)


def moved_table(result: Recorded) -> RenderableType:
    """A row for each figure that moved, and the headline."""
    headline = Text(f"{result.headline}.", "bold")
    if not result.moved:
        return headline
    rows: list[Sequence[str]] = []
    for name, figures in groupby(result.moved, key=lambda figure: figure.cell):
        rows.append([styled((name, "bold")), "", "", "", ""])
        for figure in figures:
            move = Judgement(
                case=name,
                figure=figure.metric,
                unit=figure.unit,
                kind="shown",
                values=() if figure.now is None else (figure.now,),
                references={} if figure.before is None else {RECORDED: (figure.before,)},
                against=RECORDED,
            )
            before, now = shown(figure.before, figure.unit), shown(figure.now, figure.unit)
            rows.append([f"  {figure.metric}", before, now, change(move), share(move)])
    return Group(_drawn(("before", "now", "change"), rows, ""), "", headline)


def _drawn(headings: Sequence[str], rows: Sequence[Sequence[str]], last: str) -> RenderableType:
    header = ("metric", *headings, last)
    return drawn(Table(header, rows, align="l" + "r" * len(headings) + "l"), _LOOK)
