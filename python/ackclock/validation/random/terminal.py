"""The report in a terminal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group, RenderableType
from rich.text import Text

from ackclock.tables.table import Table, styled
from ackclock.tables.terminal import RULED, WRAPPED, drawn

if TYPE_CHECKING:
    from ackclock.validation.random.report import CcResult, RandomReport

__all__ = ["view"]


_LOOK = RULED._replace(vertical="top", fit=WRAPPED)


def view(report: RandomReport) -> RenderableType:
    """Return the agreement of scripts, and the classes of difference of each congestion control."""
    rows = [
        (
            result.cc,
            f"{result.scripts:,}",
            f"{result.agreed:,}",
            f"{result.share:.2%}",
            f"{result.bar:.0%}",
            styled(("holds", "green") if result.holds else ("missed", "bold red")),
        )
        for result in report.results
    ]
    table = Table(("", "scripts", "agree", "share", "bar", ""), rows)
    parts: list[RenderableType] = [
        Text(f"Random scripts of seed {report.seed} on kernel {report.kernel}", "bold"),
        drawn(table, _LOOK),
    ]
    for result in report.results:
        parts += _asides(result)
        if result.differences:
            parts.append(_classes(result))
    return Group(*parts)


def _asides(result: CcResult) -> list[Text]:
    asides = []
    if result.agreed_again:
        asides.append(
            Text(
                f"{result.cc}: {result.agreed_again:,} of the agreeing scripts differed when "
                "played first, and not when repeated"
            )
        )
    if result.disturbed:
        asides.append(
            Text(
                f"{result.cc}: {result.disturbed:,} scripts were disturbed each time they were "
                "played, and do not count",
                "yellow",
            )
        )
    return asides


def _classes(result: CcResult) -> RenderableType:
    header = ("scripts", f"first difference ({result.cc})", "events", "shortest example")
    rows = [
        (f"{other.scripts:,}", other.name, str(other.events), other.detail)
        for other in result.differences
    ]
    return drawn(Table(header, rows, align="rlrl"), _LOOK)
