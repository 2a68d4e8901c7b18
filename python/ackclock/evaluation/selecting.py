"""Rows and cells by the names that a user gives, and those for the kernel."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

from ackclock.errors import UnknownNameError
from ackclock.evaluation.row import section_order
from ackclock.evaluation.rows import ROWS
from ackclock.messages import did_you_mean, nearest_or_all

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.evaluation.cell import Cell, Context
    from ackclock.evaluation.row import Row

__all__ = ["KERNEL_RUNS", "chosen_cells", "chosen_rows", "kernel_cells"]

KERNEL_RUNS = 3
"""Repetitions on the kernel: a run takes as long as the scenario says."""

_KERNEL_SECONDS = 15.0
"""Measured time of a run on the kernel whose scenario has a warm-up, s."""


def chosen_rows(only: Sequence[str] | None) -> tuple[Row, ...]:
    """Rows by id or section; a section stands for all below it.

    Raises
    ------
    UnknownNameError
        With the nearest name that exists.
    """
    if not only:
        return ROWS
    for name in only:
        if not any(_has(row, name) for row in ROWS):
            sections = dict.fromkeys(row.section for row in ROWS)
            raise UnknownNameError(
                f"there is no row or section '{name}': rows are {ROWS[0].id} to {ROWS[-1].id}, "
                f"sections {', '.join(sorted(sections, key=section_order))}"
                f"{did_you_mean(name, [*(row.id for row in ROWS), *sections])}"
            )
    return tuple(row for row in ROWS if any(_has(row, name) for name in only))


def _has(row: Row, name: str) -> bool:
    return row.id.lower() == name.lower() or any(
        section == name or section.startswith(f"{name}.")
        for section in (row.section, *row.sections)
    )


def chosen_cells(
    rows: Sequence[Row], context: Context, name: str | None = None
) -> dict[str, list[Cell]]:
    """The cells of the rows that apply, by row; with a name, that cell of the one row.

    Raises
    ------
    UnknownNameError
        If a cell is named and several rows are chosen, or the row has no such cell.
    """
    cells = {row.id: row.cells(context) for row in rows if row.applies(context) is None}
    if name is None:
        return cells
    if len(rows) != 1:
        raise UnknownNameError(
            f"the cell '{name}' needs one row to look in, and {len(rows)} are chosen"
        )
    (row,) = rows
    names = [cell.id for cell in cells.get(row.id, ())]
    if name not in names:
        raise UnknownNameError(
            f"row {row.id} has no cell '{name}'{nearest_or_all(name, names) or ' and no other'}"
        )
    return {row.id: [cells[row.id][names.index(name)]]}


def kernel_cells(rows: Sequence[Row], context: Context) -> dict[str, list[Cell]]:
    """The cells that `--on linux` runs, by row: quick ones, shortened."""
    cells = chosen_cells([row for row in rows if row.kernel], replace(context, quick=True))
    return {
        row.id: [_short(cell) for cell in cells[row.id] if cell.id in row.kernel]
        for row in rows
        if row.id in cells
    }


def _short(cell: Cell) -> Cell:
    warmup = cell.scenario.get("warmup")
    if warmup is None or "schedule" in str(cell.scenario):
        return cell
    table = copy.deepcopy(cell.scenario)
    table["duration"] = f"{float(str(warmup).removesuffix('s')) + _KERNEL_SECONDS:g}s"
    return replace(cell, scenario=table)
