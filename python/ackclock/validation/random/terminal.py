"""The report in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

if TYPE_CHECKING:
    from ackclock.validation.random.report import CcResult, RandomReport

__all__ = ["view"]


def view(report: RandomReport) -> RenderableType:
    """Return the agreement of scripts, and the classes of difference of each congestion control."""
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    for index, column in enumerate(("", "scripts", "agree", "share", "bar", "")):
        table.add_column(column, justify="left" if index == 0 else "right")
    for one in report.results:
        verdict = Text("holds", "green") if one.holds else Text("missed", "bold red")
        table.add_row(
            one.cc,
            f"{one.scripts:,}",
            f"{one.agreed:,}",
            f"{one.share:.2%}",
            f"{one.bar:.0%}",
            verdict,
        )
    parts: list[RenderableType] = [
        Text(f"Random scripts of seed {report.seed} on kernel {report.kernel}", "bold"),
        table,
    ]
    for one in report.results:
        parts += _asides(one)
        if one.differences:
            parts.append(_classes(one))
    return Group(*parts)


def _asides(one: CcResult) -> list[Text]:
    asides = []
    if one.agreed_again:
        asides.append(
            Text(
                f"{one.cc}: {one.agreed_again:,} of the agreeing scripts differed when played "
                "first, and not when repeated"
            )
        )
    if one.disturbed:
        asides.append(
            Text(
                f"{one.cc}: {one.disturbed:,} scripts were disturbed each time they were played, "
                "and do not count",
                "yellow",
            )
        )
    return asides


def _classes(one: CcResult) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("scripts", justify="right")
    table.add_column(f"first difference ({one.cc})", no_wrap=False)
    table.add_column("events", justify="right")
    table.add_column("shortest example")
    for other in one.differences:
        table.add_row(f"{other.scripts:,}", other.name, str(other.events), other.detail)
    return table
