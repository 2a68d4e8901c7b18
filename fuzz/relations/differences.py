"""Compares the counters of two runs, row by row."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Collection, Iterator

__all__ = ["TABLES", "Row", "of_rows", "of_runs"]

Row = dict[str, Any]
Same = Callable[[str, Row, Row], bool]
"""Takes a column and its two rows: whether their values count as equal."""

TABLES = ("flows", "links", "streams", "sessions")
"""Methods of a run that return counters, a row for each thing with a name."""


def _same(key: str, row: Row, other: Row) -> bool:
    return bool(row[key] == other[key])


def of_rows(rows: list[Row], others: list[Row], same: Same = _same) -> Iterator[str]:
    """Yield a sentence for each row that differs, or is missing, in the other table.

    Parameters
    ----------
    rows, others
        Rows with a `name`. Their order does not matter.
    same
        Takes a column and its two rows; whether their values count as equal.
    """
    by_name = {row["name"]: row for row in others}
    for row in rows:
        other = by_name.pop(row["name"], None)
        if other is None:
            yield f"{row['name']}: missing in the other run"
            continue
        unlike = [key for key in row if not same(key, row, other)]
        if unlike:
            key = unlike[0]
            more = f" and {len(unlike) - 1} more columns differ" if len(unlike) > 1 else ""
            yield f"{row['name']}: {key} is {row[key]!r}, then {other[key]!r};{more}"
    for name in by_name:
        yield f"{name}: only in the other run"


def of_runs(
    run: Any, other: Any, *, same: Same = _same, without: Collection[str] = ()
) -> Iterator[str]:
    """Yield a sentence for each counter that differs between two runs.

    Parameters
    ----------
    run, other
        Runs as the engine returns them.
    same
        Takes a column and its two rows; whether their values count as equal.
    without
        Names of rows of the other run that are left out.
    """
    if not same("end_time", {"end_time": run.end_time}, {"end_time": other.end_time}):
        yield f"the run ends at {run.end_time!r} s, then at {other.end_time!r} s"
    for table in TABLES:
        rows = [dict(row) for row in getattr(run, table)()]
        others = [dict(row) for row in getattr(other, table)() if row["name"] not in without]
        yield from of_rows(rows, others, same)
