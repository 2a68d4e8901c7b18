"""Rows and cells by the names that a user gives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.errors import UnknownNameError
from ackclock.evaluation.rows import ROWS
from ackclock.messages import did_you_mean, nearest_or_all

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from ackclock.evaluation.cell import Cell
    from ackclock.evaluation.row import Row

__all__ = ["chosen_cells", "chosen_rows"]


def chosen_rows(only: Sequence[str] | None) -> tuple[Row, ...]:
    """Rows by id or section; a section stands for all below it.

    Raises
    ------
    UnknownNameError
        With the nearest name that exists.
    """
    if not only:
        return ROWS
    found: list[Row] = []
    for name in only:
        hits = [row for row in ROWS if _has(row, name)]
        if not hits:
            sections = dict.fromkeys(row.section for row in ROWS)
            known = [*(row.id for row in ROWS), *sections]
            raise UnknownNameError(
                f"there is no row or section '{name}': rows are {ROWS[0].id} to {ROWS[-1].id}, "
                f"sections {', '.join(sorted(sections, key=section_order))}"
                f"{did_you_mean(name, known)}"
            )
        found += hits
    return tuple(row for row in ROWS if row in found)


def section_order(section: str) -> tuple[int, ...]:
    """Sort key of a section's number."""
    return tuple(int(part) for part in section.split("."))


def _has(row: Row, name: str) -> bool:
    return row.id.lower() == name.lower() or any(
        section == name or section.startswith(f"{name}.")
        for section in (row.section, *row.sections)
    )


def chosen_cells(
    rows: Sequence[Row], cells: Mapping[str, Sequence[Cell]], name: str
) -> dict[str, list[Cell]]:
    """One cell of one row.

    Raises
    ------
    UnknownNameError
        If several rows are chosen, or the row has no such cell.
    """
    if len(rows) != 1:
        raise UnknownNameError(
            f"the cell '{name}' needs one row to look in, and {len(rows)} are chosen"
        )
    (row,) = rows
    there = list(cells.get(row.id, ()))
    hits = [one for one in there if one.id == name]
    if not hits:
        known = [one.id for one in there]
        raise UnknownNameError(
            f"row {row.id} has no cell '{name}'{nearest_or_all(name, known) or ' and no other'}"
        )
    return {row.id: hits}
