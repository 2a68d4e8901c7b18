"""A comparison as tables of text and sentences: for the terminal, the notebook and the report."""

from __future__ import annotations

import math
from collections import Counter
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.chance import why_same
from ackclock.metrics import range_of
from ackclock.results.interval_text import EACH, Column, decimals, rounded, signed
from ackclock.results.text import MISSING, column_unit, spoken

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    import polars as pl

    from ackclock.metrics import Metric
    from ackclock.results.comparison import Comparison, Setting

__all__ = ["Grid", "changes", "grid", "in_rows", "means", "note", "notes"]

_SPELT = {"rtt": "RTT", "fct": "FCT", "jain": "Jain's"}
_METHODS = {"t": "Student's t", "bootstrap-t": "studentised bootstrap", "BCa": "bootstrap BCa"}

Row = dict[str, Any]


class Grid(NamedTuple):
    """A table of text."""

    title: str
    header: list[str]
    rows: list[list[str]]
    note: str


class _Unit(NamedTuple):
    factor: float
    name: str

    def titled(self, figure: Metric) -> str:
        """`queue delay p95 (ms)`; a count of packets says so itself."""
        name = _name(figure)
        return name if self.name in {"", "packets"} else f"{name} ({self.name})"


def _name(figure: Metric) -> str:
    """A metric's name in a heading."""
    first, space, rest = spoken(figure.name).partition(" ")
    return f"{_SPELT.get(first, first)}{space}{rest}"


def grid(comparison: Comparison, figure: Metric) -> Grid:
    """One metric: a row per setting, a column per variant, and the differences from the first variant."""
    frame, apart = comparison.table(figure.name), comparison.difference(figure.name)
    cells, differences = _cells(comparison, frame), _cells(comparison, apart)
    base = comparison.variants[0]
    unit = _Unit(*column_unit(figure.name, figure.unit, (row["mean"] for row in cells.values())))
    header = [
        *(comparison.along or ["setting"]),
        *comparison.variants,
        *(f"{variant} − {base}" if len(comparison.variants) > 2 else f"difference from {base}" for variant in comparison.variants[1:]),
    ]
    column, beside = Column(unit.factor), Column(unit.factor)
    rows = []
    for setting in comparison.settings:
        of_means = [_text(column, cells[setting, variant]) for variant in comparison.variants]
        of_differences = [_difference(beside, differences[setting, variant]) for variant in comparison.variants[1:]]
        rows.append([*([str(value) for value in setting] or ["all"]), *of_means, *of_differences])
    return Grid(unit.titled(figure), header, rows, note(comparison, [figure], [frame, apart], _text_of(rows)))


def in_rows(comparison: Comparison, figure: Metric) -> Grid:
    """One metric as `grid` shows it, with a row per variant where there is no room for a column of each."""
    wide = grid(comparison, figure)
    depth, count = max(len(comparison.along), 1), len(comparison.variants)
    base = comparison.variants[0]
    header = [*wide.header[:depth], "variant", wide.title, *([f"difference from {base}"] if count > 1 else [])]
    rows = []
    for row in wide.rows:
        for at, variant in enumerate(comparison.variants):
            apart = [row[depth + count + at - 1] if at else ""] if count > 1 else []
            rows.append([*row[:depth], variant, row[depth + at], *apart])
    return Grid(wide.title, header, rows, wide.note)


def means(comparison: Comparison, figures: Sequence[Metric]) -> Grid:
    """A row per setting and variant, a column per metric: means with their intervals."""
    header = [*comparison.along, "variant"]
    columns = []
    frames = []
    for figure in figures:
        frame = comparison.table(figure.name)
        cells = _cells(comparison, frame)
        unit = _Unit(*column_unit(figure.name, figure.unit, (row["mean"] for row in cells.values())))
        columns.append((cells, Column(unit.factor)))
        header.append(unit.titled(figure))
        frames.append(frame)
    rows = [
        [*map(str, setting), variant, *(_text(column, cells[setting, variant]) for cells, column in columns)]
        for setting in comparison.settings
        for variant in comparison.variants
    ]
    return Grid("means", header, rows, note(comparison, figures, frames, _text_of(rows)))


def changes(comparison: Comparison, figures: Sequence[Metric]) -> Grid:
    """How far each variant is from the first: shares in percentage points, all else in percent of the first's mean."""
    header = [*comparison.along, "variant"]
    columns = []
    frames = []
    for figure in figures:
        frame = comparison.difference(figure.name)
        cells = _cells(comparison, frame)
        factor, unit = column_unit(figure.name, figure.unit, ())
        if unit == "%":
            columns.append((cells, Column(factor)))
            header.append(f"{_name(figure)} (points)")
        elif figure.unit == "1" or all(row["relative"] is None for row in cells.values()):
            columns.append((cells, Column(1.0)))
            header.append(_name(figure))
        else:
            relative = {where: _relative_row(row) for where, row in cells.items()}
            columns.append((relative, Column(100.0)))
            header.append(f"{_name(figure)} (%)")
        frames.append(frame)
    rows = [
        [*map(str, setting), variant, *(_signed(column, cells[setting, variant]) for cells, column in columns)]
        for setting in comparison.settings
        for variant in comparison.variants[1:]
    ]
    base = comparison.variants[0]
    return Grid(f"difference from {base}, seed by seed", header, rows, note(comparison, figures, frames, _text_of(rows)))


def _relative_row(row: Row) -> Row:
    same = row["relative"] is not None and row["relative_low"] is None and row["identical"]
    return {"mean": row["relative"], "low": row["relative_low"], "high": row["relative_high"], "identical": same}


def _cells(comparison: Comparison, frame: pl.DataFrame) -> dict[tuple[Setting, str], Row]:
    depth = len(comparison.along)
    found = {}
    for values in frame.iter_rows():
        found[tuple(values[:depth]), values[depth]] = dict(zip(frame.columns[depth + 1 :], values[depth + 1 :], strict=True))
    return found


def _text(column: Column, row: Row) -> str:
    return column.text(row["mean"], row["low"], row["high"], each=row["identical"])


def _signed(column: Column, row: Row) -> str:
    if row["mean"] == 0.0 and row["low"] is None:
        return "none"
    text = column.text(row["mean"], row["low"], row["high"], sign=True, each=row["identical"])
    return text if row["low"] is None or row["low"] > 0.0 or row["high"] < 0.0 else f"{text} n.s."


def _difference(column: Column, row: Row) -> str:
    """`−22 ± 3 (−67 %)`."""
    if row["mean"] is None:
        return MISSING
    text = _signed(column, row)
    if row["relative"] is None or text == "none":
        return text
    share = f" ({_relative(row)} %)"
    return f"{text.removesuffix(' n.s.')}{share} n.s." if text.endswith(" n.s.") else f"{text}{share}"


def _relative(row: Row) -> str:
    share, low, high = (100 * row[name] if row[name] is not None else None for name in ("relative", "relative_low", "relative_high"))
    assert share is not None
    # Whole percents, but a digit of a share that would read as none at all.
    wanted = max(0, -math.floor(math.log10(abs(share)))) if 0.0 < abs(share) < 0.5 else 0
    places = wanted if low is None or high is None else min(wanted, decimals((high - low) / 2))
    return signed(rounded(abs(share), places), share)


def _text_of(rows: Iterable[Iterable[str]]) -> str:
    return " ".join(text for row in rows for text in row)


def note(comparison: Comparison, figures: Sequence[Metric], frames: Iterable[pl.DataFrame], text: str) -> str:
    """How to read a table, for what is in it."""
    count = len(comparison.seeds)
    seeds = f"{count} seed{'s' if count != 1 else ''}"
    if count < 2:
        return f"{seeds}: one run per cell, so no interval; more seeds show how much of a difference is chance"
    parts = [f"{seeds} ({_listed(comparison.seeds)})"]
    methods = Counter(method for frame in frames for method in frame["method"].to_list())
    made = " or ".join(_METHODS[name] for name in _METHODS if methods[name])
    if made:
        signs = [sign for sign, is_there in (("±", "±" in text), ("[ ]", "[" in text)) if is_there]
        parts.append(f"{' and '.join(signs)}: 95 % confidence interval of the mean ({made}{_scales(figures)})")
    if EACH in text:
        parts.append(f"{EACH}: all runs gave this value, so there is no interval")
    if len(comparison.variants) > 1:
        parts.append("differences are paired by seed" + ("; n.s.: not significant, the interval holds zero" if "n.s." in text else ""))
    return "; ".join(parts)


def _scales(figures: Sequence[Metric]) -> str:
    """On which scale the intervals of means are made."""
    ends = {range_of(figure) for figure in figures}
    found = [name for name, is_there in (("log", (0.0, math.inf) in ends), ("logit", (0.0, 1.0) in ends)) if is_there]
    return f", on a {' or '.join(found)} scale" if found else ""


def _listed(seeds: Sequence[int]) -> str:
    consecutive = list(seeds) == list(range(seeds[0], seeds[0] + len(seeds)))
    return f"{seeds[0]} to {seeds[-1]}" if consecutive and len(seeds) > 3 else ", ".join(map(str, seeds))


def notes(comparison: Comparison) -> list[str]:
    """What to know before one believes the figures: how starts were chosen, and which runs are one."""
    if comparison.said is not None:
        return list(comparison.said)
    said = [comparison.starts.why] if comparison.starts.why else []
    same = comparison.identical
    if not same:
        return said
    count = max(same.values())
    chances = [comparison.chances[where] for where in same if where in comparison.chances]
    because = f": {why_same(chances, comparison.starts)}" if chances else ""
    if len(same) == len(comparison.settings) * len(comparison.variants):
        return [*said, f"{count} runs, one result{because}."]
    every = ", ".join(_place(comparison, *where) for where in list(same)[:3])
    more = f" and {len(same) - 3} more" if len(same) > 3 else ""
    return [*said, f"{count} runs, one result for {every}{more}{because}."]


def _place(comparison: Comparison, setting: Setting, variant: str) -> str:
    values = [f"{key} {value}" for key, value in zip(comparison.along, setting, strict=True)]
    return " at ".join([variant, ", ".join(values)]) if values else variant
