"""A sweep as tables for the page, the terminal and the notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.console import RenderableType

    from ackclock.sweeps.result import SweepResult

__all__ = ["sweep_html", "sweep_view"]


def sweep_view(result: SweepResult) -> RenderableType:
    """The sweep's tables in a terminal."""
    from ackclock.pages.run.sweep.terminal import whole_view

    return whole_view(result)


def sweep_html(result: SweepResult) -> str:
    """The sweep's tables in a notebook."""
    from ackclock.pages.run.page import render
    from ackclock.pages.run.sweep import tables, words

    comparisons = [
        tables.differences(result, response, axis)
        for axis in tables.compared(result)
        for response in result.shown[:1]
    ]
    return render(
        "notebook.html",
        title=result.design.name,
        note=" · ".join([words.facts(result), *words.notes(result)]),
        tables=[(table.title, table) for table in (tables.overview(result), *comparisons)],
        diagnosis=[],
        warnings=words.warnings(result),
    )
