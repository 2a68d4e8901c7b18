"""Tables of golden cells for a terminal."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from rich.console import Group
from rich.text import Text

from ackclock.golden.result import Check, shown
from ackclock.tables.intervals import p_value
from ackclock.tables.table import Table, styled
from ackclock.tables.terminal import BARE, drawn

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from ackclock.golden.result import GoldenResult, Recorded, Tested

__all__ = ["checks_table", "moved_table"]

_LOOK = BARE._replace(padding=(1, 1))
_STYLES = {"ok": "green", "changed": "bold red", "outside": "bold red", "not judged": "yellow"}


def checks_table(result: GoldenResult) -> RenderableType:
    """A row for each check, and a line for each that does not pass or is not judged."""
    is_paired = any(check.kind == "paired" for check in result.checks)
    headings = ("before", "now", "change", "p") if is_paired else ("expected", "now", "change")
    cells = {cell.name: cell for cell in result.cells}
    rows: list[Sequence[str]] = []
    for name, checks in groupby(result.checks, key=lambda check: check.cell):
        blank = [""] * len(headings)
        rows.append([styled((name, "bold")), styled((_same(cells[name]), "dim")), *blank])
        for check in checks:
            outcome = styled((check.outcome, _STYLES[check.outcome]))
            figures = _paired(check) if is_paired else _compared(check)
            rows.append([f"  {check.metric}", *figures, outcome])
    lines = [Text(line) for line in result.lines]
    lines += [Text(str(each)) for each in result.checks if each.outcome == "not judged"]
    parts: list[RenderableType] = ["", *lines] if lines else []
    return Group(_drawn(headings, rows, "result"), *parts, "", Text(f"{result.headline}.", "bold"))


def _same(cell: Tested) -> str:
    """Number of runs that are as they were before."""
    return "" if cell.same is None else f"{cell.same} of {cell.common} runs as before"


def _compared(check: Check) -> tuple[str, str, str]:
    expected = check.allowed or ("" if check.before is None else shown(check.before, check.unit))
    return expected, shown(check.now, check.unit), check.change


def _paired(check: Check) -> tuple[str, str, str, str]:
    before, now = shown(check.before, check.unit), shown(check.now, check.unit)
    return before, now, check.change, "" if check.p is None else p_value(check.p)


def moved_table(result: Recorded) -> RenderableType:
    """A row for each figure that moved, and the headline."""
    headline = Text(f"{result.headline}.", "bold")
    if not result.moved:
        return headline
    rows: list[Sequence[str]] = []
    for name, figures in groupby(result.moved, key=lambda one: one.cell):
        rows.append([styled((name, "bold")), "", "", "", ""])
        for one in figures:
            check = Check(
                name, one.metric, one.unit, "recorded", "ok", before=one.before, now=one.now
            )
            before, now = shown(one.before, one.unit), shown(one.now, one.unit)
            rows.append([f"  {one.metric}", before, now, check.change, check.share])
    return Group(_drawn(("before", "now", "change"), rows, ""), "", headline)


def _drawn(headings: Sequence[str], rows: Sequence[Sequence[str]], last: str) -> RenderableType:
    header = ("metric", *headings, last)
    return drawn(Table(header, rows, align="l" + "r" * len(headings) + "l"), _LOOK)
