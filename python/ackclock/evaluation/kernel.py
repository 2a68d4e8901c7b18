"""Cells for the kernel of this machine: a second opinion on the simulator's verdicts."""

from __future__ import annotations

import copy
from dataclasses import replace
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from ackclock.evaluation.cell import Cell, Context
    from ackclock.evaluation.row import Row

__all__ = ["KERNEL_RUNS", "kernel_cells"]

KERNEL_RUNS = 3
"""Repetitions on the kernel: a run takes as long as the scenario says."""

_SECONDS = 15.0
"""Measured time of a run on the kernel whose scenario has a warm-up, s."""


def kernel_cells(rows: Sequence[Row], context: Context) -> dict[str, list[Cell]]:
    """The cells that `--on linux` runs, by row: quick ones, shortened."""
    quick = replace(context, quick=True)
    return {
        row.id: [_short(cell) for cell in row.cells(quick) if cell.id in row.kernel]
        for row in rows
        if row.kernel and row.applies(context) is None
    }


def _short(cell: Cell) -> Cell:
    warmup = cell.scenario.get("warmup")
    if warmup is None or "schedule" in str(cell.scenario):
        return cell
    table = copy.deepcopy(cell.scenario)
    table["duration"] = f"{float(str(warmup).removesuffix('s')) + _SECONDS:g}s"
    return replace(cell, scenario=table)
