"""A polars frame that knows its units, and writes itself as other tables do."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import polars as pl

from ackclock.tables.pandas import pandas_frame
from ackclock.tables.quantities import spoken
from ackclock.tables.table import Column, Table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

__all__ = ["About", "Frame"]

_SHARES = frozenset({"loss_rate", "retransmit_rate", "utilisation"})
"""Columns of shares, which people read in percent."""


@dataclass(frozen=True)
class About:
    """Facts on a frame's columns.

    Attributes
    ----------
    name
        Name of the table, as in docs/results.md.
    units
        Unit of each column; "1" or "" without one.
    brief
        Columns for people, if the frame has many; empty: all.
    make
        Function that makes the table for people from the frame, where the columns alone do not
        tell how, such as means with intervals.
    """

    name: str = ""
    units: Mapping[str, str] = field(default_factory=dict)
    brief: tuple[str, ...] = ()
    make: Callable[[Frame], Table] | None = None


class Frame(pl.DataFrame):
    """A polars frame with units, which also writes CSV, Markdown, LaTeX, and gives pandas' frames.

    Rows and columns that are chosen by `filter`, `select`, `sort`, `head` and their like keep this;
    the result of another operation is a plain polars frame.
    """

    about: About = About()

    if TYPE_CHECKING:
        # Made by `_keeping` below.
        select: Callable[..., Frame]
        filter: Callable[..., Frame]

    @classmethod
    def of(cls, frame: pl.DataFrame, about: About) -> Frame:
        """Return a frame that shares its columns with a polars frame."""
        made = cls(frame.get_columns())
        made.about = about
        return made

    def table(self, columns: Sequence[str] | None = None) -> Table:
        """Return the frame as a table with exact and rounded figures.

        Parameters
        ----------
        columns
            Names of the columns; by default those that the terminal shows, or all of a frame that
            was made by `select`.
        """
        if self.about.make is not None and columns is None:
            return self.about.make(self)
        chosen = list(columns or self.about.brief or self.columns)
        if not columns:
            chosen = [
                name for name in chosen if name in self.columns and not self._is_idle(name)
            ] or self.columns
        made = [
            Column(_spoken(name), self[name].to_list(), self._unit(name))
            for name in self.select(chosen).columns
        ]
        names = 0
        while names < len(chosen) and not self[chosen[names]].dtype.is_numeric():
            names += 1
        return Table.of(self.about.name, spoken(self.about.name), made, names=max(names, 1))

    def _is_idle(self, name: str) -> bool:
        """Return whether a column of the short form has nothing to tell."""
        if name in {"fct", "marked_packets"} and self.about.brief:
            return not any(self[name].drop_nulls().to_list())
        return False

    def _unit(self, name: str) -> str:
        unit = self.about.units.get(name, "")
        return "%" if name in _SHARES and unit == "1" else unit

    def to_csv(self) -> str:
        """Return all columns as CSV: exact figures in base units, with the units in the header."""
        columns = [Column(name, self[name].to_list(), self._unit(name)) for name in self.columns]
        return Table.of(self.about.name, "", columns).to_csv()

    def to_markdown(self, columns: Sequence[str] | None = None) -> str:
        """Return rounded figures as a table in Markdown; `columns` as for `table`."""
        return self.table(columns).to_markdown()

    def to_latex(
        self, columns: Sequence[str] | None = None, *, caption: str = "", label: str = ""
    ) -> str:
        """Return rounded figures as a LaTeX table with booktabs' rules; arguments as in `Table`."""
        return self.table(columns).to_latex(caption=caption, label=label)

    def to_pandas(self, *, use_pyarrow_extension_array: bool = False, **kwargs: Any) -> Any:
        """Return a pandas.DataFrame with units in `attrs["units"]`; pyarrow is not needed.

        With `use_pyarrow_extension_array` or further arguments polars makes the frame, which needs
        pyarrow.

        Raises
        ------
        ackclock.Error
            If pandas is not installed.
        """
        if use_pyarrow_extension_array or kwargs:
            return super().to_pandas(
                use_pyarrow_extension_array=use_pyarrow_extension_array, **kwargs
            )
        return pandas_frame(self, self.about.units)


def _spoken(name: str) -> str:
    """A column's name in words: `RTT mean`."""
    return re.sub(r"\b(rtt|fct|cdf)\b", lambda match: match[0].upper(), spoken(name))


def _keeping(name: str) -> Callable[..., Frame]:
    """A method of polars whose result keeps the units."""
    method = getattr(pl.DataFrame, name)

    def kept(self: Frame, *args: Any, **kwargs: Any) -> Frame:
        # Chosen columns are all shown; chosen rows leave the columns as they are.
        about = self.about
        if name in {"select", "drop", "rename", "with_columns"}:
            about = replace(about, brief=(), make=None)
        return Frame.of(method(self, *args, **kwargs), about)

    kept.__doc__ = method.__doc__
    return kept


_KEPT = (
    *("select", "drop", "rename", "with_columns"),
    *("filter", "sort", "head", "tail", "limit", "slice", "drop_nulls", "unique"),
)
for _name in _KEPT:
    setattr(Frame, _name, _keeping(_name))
