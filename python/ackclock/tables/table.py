"""A table: text as people read it, and exact figures for programs."""

from __future__ import annotations

import csv
import io
import json
import math
import re
from dataclasses import KW_ONLY, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.errors import Error
from ackclock.tables.latex import latex_table
from ackclock.tables.markdown import markdown_table
from ackclock.tables.quantities import MISSING, split_unit

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import polars as pl

__all__ = ["SUFFIXES", "Column", "Styled", "Table", "TableFileError", "heading_of", "styled"]

SUFFIXES = {".csv": "csv", ".md": "markdown", ".tex": "latex", ".json": "json"}
"""Format of a table's file by its suffix."""

_NO_UNIT = ("", "1", "–", "%")
"""Units without a word; an exact share is shown without one, too."""


class TableFileError(Error, ValueError):
    """A file of a table whose suffix names no format."""


@dataclass(frozen=True)
class Column:
    """One column: exact values, and how they are shown.

    Attributes
    ----------
    name
        Heading, without the unit.
    values
        Numbers in the base unit, texts, or None where there is no value.
    unit
        "s", "bit/s", "bytes", "packets"; "1" or "" without a unit; "%" for a share from 0 to 1 that
        is shown in percent.
    """

    name: str
    values: Sequence[Any]
    unit: str = ""

    @property
    def heading(self) -> str:
        """Return the name with the unit of the exact values: `goodput (bit/s)`."""
        return heading_of(self.name, self.unit)


def _shown(columns: Sequence[Column]) -> list[tuple[str, list[str]]]:
    """Heading and cells of each column as people read them, in a unit that keeps numbers short.

    Columns of one quantity, such as `queue mean` and `queue p95`, share a unit.
    """
    cells: dict[int, tuple[str, list[str]]] = {}
    alike: dict[tuple[str, str], list[int]] = {}
    for index, column in enumerate(columns):
        if any(isinstance(value, str | bool) for value in column.values):
            cells[index] = (column.name, [_text(value) for value in column.values])
        else:
            alike.setdefault((column.name.split()[0], column.unit), []).append(index)
    for (_, unit), members in alike.items():
        texts, symbol = split_unit(
            [value for index in members for value in columns[index].values], unit or "1"
        )
        for place, index in enumerate(members):
            count = len(columns[index].values)
            cells[index] = (
                heading_of(columns[index].name, symbol, shows_percent=True),
                texts[place * count : (place + 1) * count],
            )
    return [cells[index] for index in range(len(columns))]


def heading_of(name: str, unit: str, *, shows_percent: bool = False) -> str:
    """Return a heading with its unit in brackets, unless it has none or names it: lost packets.

    With `shows_percent` the column's numbers are in percent; exact shares run from 0 to 1.
    """
    if unit == "%":
        return f"{name} (%)" if shows_percent else name
    return name if unit in _NO_UNIT or unit in re.split(r"[ _]", name) else f"{name} ({unit})"


class Styled(str):
    """Text of a cell with parts in a style; only a terminal shows it."""

    __slots__ = ("parts",)
    parts: tuple[tuple[str, str], ...]
    """Texts with their styles as rich names them, such as "bold red"; "" without one."""


def styled(*parts: str | tuple[str, str]) -> Styled:
    """Return text made of parts, each alone or with a style.

    Examples
    --------
    >>> styled(("reno", "bold"), " on 2 links")
    'reno on 2 links'
    """
    pairs = tuple((part, "") if isinstance(part, str) else part for part in parts)
    made = Styled("".join(text for text, _ in pairs))
    made.parts = pairs
    return made


@dataclass(frozen=True)
class Table:
    """A table that writes itself as CSV, Markdown, LaTeX, JSON or HTML, or gives a frame.

    CSV, JSON and frames have the exact figures in base units; Markdown, LaTeX, HTML and a terminal
    show the rounded ones.

    Attributes
    ----------
    header, rows
        Text as people read it.
    names
        Number of leading columns that are names, aligned left; the others are figures.
    align
        "l" or "r" for each column, where names do not lead.
    name
        Short name, by which the command line asks for the table: "flows".
    title
        Title in words.
    columns
        Exact columns; empty: the text is all there is.
    note
        A remark for the reader, such as the kind of interval.
    more
        Number of rows that are left out.
    things
        What a row is of, in the plural: "flows".
    where
        File that has the rows that are left out.
    """

    header: Sequence[str]
    rows: Sequence[Sequence[str]]
    names: int = 1
    _: KW_ONLY
    align: str = ""
    name: str = ""
    title: str = ""
    columns: tuple[Column, ...] = ()
    note: str = ""
    more: int = 0
    things: str = ""
    where: str = ""

    @classmethod
    def of(
        cls, name: str, title: str, columns: Iterable[Column], *, names: int = 1, note: str = ""
    ) -> Table:
        """Make a table whose text follows from its exact columns."""
        every = tuple(columns)
        shown = _shown(every)
        return cls(
            tuple(heading for heading, _ in shown),
            tuple(zip(*(cells for _, cells in shown), strict=True)) if shown else (),
            names,
            name=name,
            title=title,
            columns=every,
            note=note,
        )

    @property
    def lefts(self) -> tuple[bool, ...]:
        """Return for each column whether it is aligned left."""
        align = self.align or "l" * self.names + "r" * (len(self.header) - self.names)
        return tuple(letter == "l" for letter in align)

    @property
    def exact(self) -> tuple[Column, ...]:
        """Return the exact columns, or the text's."""
        return self.columns or tuple(
            Column(heading, [row[index] for row in self.rows])
            for index, heading in enumerate(self.header)
        )

    def first(self, most: int | None, things: str = "", where: str = "") -> Table:
        """Return the table with its first rows only, and the number of those left out."""
        if most is None or len(self.rows) <= most:
            return self
        more = len(self.rows) - most
        return replace(self, rows=self.rows[:most], more=more, things=things, where=where)

    def to_csv(self) -> str:
        """Return the exact figures as CSV (RFC 4180, lines ending in a line feed).

        Headings carry the unit; a missing value is an empty cell.
        """
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow([column.heading for column in self.exact])
        writer.writerows(
            [_exact(value) for value in row]
            for row in zip(*(column.values for column in self.exact), strict=True)
        )
        return text.getvalue()

    def to_markdown(self) -> str:
        """Return the rounded figures as a table in Markdown."""
        return markdown_table(self.header, self.rows, self.lefts)

    def to_latex(self, *, caption: str = "", label: str = "") -> str:
        r"""Return the rounded figures as a LaTeX table with booktabs' rules.

        Parameters
        ----------
        caption, label
            With one of them the table stands in a `table` environment; `caption` is plain text.
            Without them it is a bare `tabular`, to be read by ``\input``. More than 40 rows make a
            `longtable`.
        """
        notes = [self.title, *([self.note] if self.note else [])]
        return latex_table(
            self.header, self.rows, self.lefts, notes=notes, caption=caption, label=label
        )

    def to_html(self, caption: str = "") -> str:
        """Return the rounded figures as a table in HTML; `caption` is for who cannot see it."""
        from ackclock.tables.html import html_table

        return html_table(
            self.header,
            self.rows,
            self.lefts,
            caption or self.title,
            more=self.more,
            where=self.where,
        )

    def to_dict(self) -> dict[str, Any]:
        """Return name, title, units and exact rows, ready for JSON."""
        return {
            "name": self.name,
            "title": self.title,
            "units": {
                column.name: column.unit for column in self.exact if column.unit not in _NO_UNIT
            },
            "rows": [
                dict(zip((column.name for column in self.exact), map(_plain, row), strict=True))
                for row in zip(*(column.values for column in self.exact), strict=True)
            ],
        }

    def to_json(self) -> str:
        """Return `to_dict` as JSON; a number that is not finite is null."""
        return json.dumps(self.to_dict(), indent=2, allow_nan=False, ensure_ascii=False) + "\n"

    def to_polars(self) -> pl.DataFrame:
        """Return the exact figures as a polars frame; columns are named without units."""
        import polars as pl

        return pl.DataFrame(
            {column.name: pl.Series(column.name, list(column.values)) for column in self.exact},
            strict=False,
        )

    def to_pandas(self) -> Any:
        """Return the exact figures as a pandas.DataFrame with units in `attrs["units"]`.

        Raises
        ------
        ackclock.Error
            If pandas is not installed.
        """
        from ackclock.tables.pandas import pandas_frame

        return pandas_frame(self.to_polars(), {column.name: column.unit for column in self.exact})

    def text(self, form: str) -> str:
        """Return the table in a format: "csv", "markdown", "latex" or "json"."""
        writers = {
            "csv": self.to_csv,
            "markdown": self.to_markdown,
            "latex": self.to_latex,
            "json": self.to_json,
        }
        return writers[form]()

    def write(self, path: str | Path) -> Path:
        """Write the table into a file, by the suffix: .csv, .md, .tex or .json.

        Raises
        ------
        ackclock.Error
            If the suffix is another one.
        ackclock.WriteError
            If the file cannot be written.
        """
        from ackclock.atomic_io import write_text

        target = Path(path)
        if target.suffix not in SUFFIXES:
            raise TableFileError(f"{target}: a table is written as {', '.join(SUFFIXES)}")
        write_text(target, self.text(SUFFIXES[target.suffix]))
        return target

    def _repr_markdown_(self) -> str:
        return self.to_markdown()


def _text(value: Any) -> str:
    if value is None:
        return MISSING
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _exact(value: Any) -> Any:
    """Return a value for CSV; missing ones are empty, and truth is `true` or `false`."""
    if value is None or (isinstance(value, float) and math.isnan(value)):
        return ""
    return str(value).lower() if isinstance(value, bool) else value


def _plain(value: Any) -> Any:
    return None if isinstance(value, float) and not math.isfinite(value) else value
