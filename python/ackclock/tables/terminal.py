"""Draws tables in a terminal; the only module that builds tables of rich."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from rich import box
from rich.measure import Measurement
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from ackclock.messages import visible
from ackclock.tables.table import Styled, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from rich.box import Box
    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

__all__ = [
    "BARE",
    "FACTS",
    "FOLDED",
    "GRID",
    "KEPT",
    "REST",
    "RULED",
    "WIDE",
    "WRAPPED",
    "Fit",
    "Fitting",
    "Look",
    "drawn",
    "facts",
    "is_room",
    "text_of",
]


class Fit(NamedTuple):
    """How a column gives way where the terminal is narrow."""

    wraps: bool = True
    """Whether a cell takes several lines, broken between words."""
    folds: bool = False
    """Whether a word that is too long is broken; it is cut otherwise."""
    is_rest: bool = False
    """Whether the column takes the width that others leave."""
    least: int | None = None
    most: int | None = None
    """Widths, in characters."""


KEPT = Fit(wraps=False)
"""Never broken: a number, a short name. Without room it is cut, and ends in an ellipsis."""
WRAPPED = Fit()
FOLDED = Fit(folds=True)
REST = Fit(folds=True, is_rest=True)


class Look(NamedTuple):
    """Rules and distances of a table."""

    box: Box | None = None
    padding: tuple[int, int] = (0, 1)
    """Spaces left and right of each cell."""
    has_edge: bool = False
    """Whether the spaces at the table's own edges are drawn."""
    head: str | None = ""
    """Style of the header; None: no header."""
    vertical: Literal["top", "bottom"] = "top"
    """Line of a row in which shorter cells stand."""
    fit: Fit = WRAPPED
    """Fit of a column without one of its own."""
    rules_rows: bool = False


RULED = Look(box.SIMPLE_HEAD, vertical="bottom", fit=KEPT)
"""A rule below the header."""
BARE = Look(head="bold")
"""No rules, a bold header."""
WIDE = Look(padding=(0, 3), head="dim")
FACTS = Look(padding=(0, 2), head=None)
"""Names and facts, without a header."""
GRID = Look(box.HEAVY_HEAD, padding=(1, 1), has_edge=True, rules_rows=True)


def drawn(
    table: Table, look: Look = RULED, fits: Sequence[Fit | None] = (), *, indent: int = 0
) -> RenderableType:
    """Return a table for a terminal.

    Parameters
    ----------
    table
        The table; a title stands above it.
    look
        Rules and distances.
    fits
        Fits of the first columns; None: the look's.
    indent
        Spaces before each line.
    """
    made = _made(table, look, fits)
    return Padding(made, (0, 0, 0, indent)) if indent else made


def _made(table: Table, look: Look, fits: Sequence[Fit | None]) -> RichTable:
    left, right = look.padding
    made = RichTable(
        title=table.title or None,
        title_justify="left",
        box=look.box,
        padding=(0, right, 0, left),
        pad_edge=look.has_edge,
        show_edge=not look.rules_rows,
        show_lines=look.rules_rows,
        show_header=look.head is not None,
        header_style=look.head or "table.header",
    )
    for index, (heading, is_left) in enumerate(zip(table.header, table.lefts, strict=True)):
        fit = (fits[index] if index < len(fits) else None) or look.fit
        made.add_column(
            text_of(heading),
            justify="left" if is_left else "right",
            no_wrap=not fit.wraps,
            overflow="fold" if fit.folds else "ellipsis",
            vertical=look.vertical,
            ratio=1 if fit.is_rest else None,
            min_width=fit.least,
            max_width=fit.most,
        )
    for row in table.rows:
        made.add_row(*map(text_of, row))
    if table.more:
        noun = f" {table.things}" if table.things else ""
        made.add_row(Text(f"… {table.more} more{noun}", "dim"))
    return made


def text_of(cell: str) -> Text:
    """Return a cell as rich's text, its parts in their styles."""
    parts = cell.parts if isinstance(cell, Styled) else ((cell, ""),)
    if len(parts) == 1:
        return Text(visible(parts[0][0]), parts[0][1])
    return Text.assemble(*((visible(text), style) for text, style in parts))


def facts(rows: Iterable[tuple[str, str]], look: Look = FACTS) -> RenderableType:
    """Return names, each with its fact beside it, which wraps."""
    return drawn(Table(("", ""), [*rows], 2), look, (KEPT,))


class Fitting:
    """The first of several tables that fits the terminal: a cut number would be a wrong one."""

    def __init__(self, *forms: Callable[[], RenderableType]) -> None:
        self._forms = forms

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """The first table that fits, or the last one."""
        for form in self._forms:
            made = form()
            if is_room(made, console, options):
                break
        yield made


def is_room(made: RenderableType, console: Console, options: ConsoleOptions) -> bool:
    """Return whether the terminal is wide enough for something without line breaks."""
    wanted = Measurement.get(console, options.update(max_width=1000), made).maximum
    return wanted <= options.max_width
