"""The scenario of a golden cell, from the place that the cell names.

A further kind of place (a row of a collection of scenarios, say) is one more function here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.scenario import Scenario, load
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.paths import seen_from_here
from ackclock.wording import nearest_file

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.golden.tables import Cell

__all__ = ["scenario_of"]


def scenario_of(cell: Cell, where: str, file: str, folder: Path) -> Scenario:
    """The scenario of a cell, with the cell's changes and without comparison and sweep.

    `where` is the key of the cell in the file of cells, `folder` the folder of that file.

    Raises
    ------
    ScenarioError
        If there is no such scenario, or something in it is wrong.
    """
    source = cell.scenario
    found = (
        _from_file(source, where, file, folder)
        if isinstance(source, str)
        else _from_table(source, cell.name, where, file, folder)
    )
    try:
        return found.without("compare", "sweep").replace(cell.changes)
    except ScenarioError as error:
        raise _located(error, f"{where}.set", file) from None


def _from_file(name: str, where: str, file: str, folder: Path) -> Scenario:
    path = folder / name
    there = seen_from_here(name, folder)
    if not path.is_file():
        raise ScenarioError(
            f"there is no file {there}{nearest_file(path, suffix='.toml')}",
            key=f"{where}.scenario",
            value=name,
            file=file,
            kind="unreadable",
        )
    return load(there)


def _from_table(table: dict[str, Any], name: str, where: str, file: str, folder: Path) -> Scenario:
    try:
        return Scenario.parse({"name": name, **table}, folder=folder)
    except ScenarioError as error:
        raise _located(error, f"{where}.scenario", file) from None


def _located(error: ScenarioError, where: str, file: str) -> ScenarioError:
    key = f"{where}.{error.key}" if error.key else where
    return ScenarioError(error.message, key=key, value=error.value, file=file, kind=error.kind)
