"""The scenario of a golden cell, from the place that the cell names.

A further kind of place is one more function here.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ackclock.messages import did_you_mean
from ackclock.scenario import Scenario
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.loading import hidden_unless_own, load_named

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
    if not isinstance(source, str):
        return _changed(_from_table(source, cell.name, where, file, folder), cell, where, file)
    key = f"{where}.scenario"
    scenario = load_named(source, folder, key, file)
    with hidden_unless_own(folder / source, source, key, file):
        return _changed(scenario, cell, where, file)


def _changed(scenario: Scenario, cell: Cell, where: str, file: str) -> Scenario:
    try:
        return scenario.without("compare", "sweep").replace(cell.changes)
    except ScenarioError as error:
        raise _located(error, f"{where}.set", file) from None


def _from_table(table: dict[str, Any], name: str, where: str, file: str, folder: Path) -> Scenario:
    if "row" in table:
        return _from_row(table, name, where, file, folder)
    try:
        return Scenario.parse({"name": name, **table}, folder=folder)
    except ScenarioError as error:
        raise _located(error, f"{where}.scenario", file) from None


def _from_row(table: dict[str, Any], name: str, where: str, file: str, folder: Path) -> Scenario:
    """A cell of `ackclock evaluate`: its row, its name, the algorithm in its seat."""
    from ackclock.errors import UnknownNameError
    from ackclock.evaluation.evaluating import scenario_of as cell_of

    for key, value in table.items():
        if key not in _ROW_KEYS:
            raise ScenarioError(
                f"unknown key (the keys here are: {', '.join(_ROW_KEYS)})"
                f"{did_you_mean(key, _ROW_KEYS)}",
                key=f"{where}.scenario.{key}",
                value=value,
                file=file,
            )
    for key in _ROW_KEYS:
        if not isinstance(table.get(key), str):
            raise ScenarioError(
                'missing: a cell of an evaluation is { row = "E06", cell = "2 flows, 0.25 BDP", cc '
                '= "bbr" }',
                key=f"{where}.scenario.{key}",
                file=file,
                kind="missing",
            )
    try:
        scenario = cell_of(table["cc"], [table["row"]], table["cell"], folder=folder)
    except UnknownNameError as error:
        raise ScenarioError(
            str(error), key=f"{where}.scenario", value=table["cell"], file=file
        ) from None
    except ScenarioError as error:
        raise _located(error, f"{where}.scenario", file) from None
    return scenario.replace({"name": name})


_ROW_KEYS = ("row", "cell", "cc")


def _located(error: ScenarioError, where: str, file: str) -> ScenarioError:
    key = f"{where}.{error.key}" if error.key else where
    return ScenarioError(error.message, key=key, value=error.value, file=file, kind=error.kind)
