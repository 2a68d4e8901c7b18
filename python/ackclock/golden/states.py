"""Figures of golden cells at one moment, and the file that keeps them.

A recording and the results of a test have one format, so that each can be compared with any other.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import is_file, read_bytes
from ackclock.errors import FileMissingError, FormatError
from ackclock.messages import nearest_file, said
from ackclock.scenario.errors import ScenarioError
from ackclock.scenario.loading import toml_of
from ackclock.scenario.paths import UnreadableError, decoded, read_text
from ackclock.stats.intervals import mean_and_deviation
from ackclock.verdicts.recorded import known

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

__all__ = ["DIGITS", "MEASURED", "Figure", "State", "read_states", "states_text"]

MEASURED = "measured.toml"
"""File of the figures in a folder of results."""
DIGITS = 16
"""Hexadecimal digits that are kept of a run's hash."""
_KIND = "ackclock golden"
_LAYOUT = 1


@dataclass(frozen=True)
class Figure:
    """Values of a metric."""

    unit: str
    values: tuple[float | None, ...]
    """One value per seed; None: the run has no value."""


@dataclass(frozen=True)
class State:
    """The results of a cell's runs."""

    seed: int
    """First seed; the others count up from it."""
    plan: str
    """Hash of the plan of the first seed: of the scenario with all defaults."""
    runs: tuple[str, ...]
    """Hash of each run's results, by seed."""
    figures: Mapping[str, Figure]
    """Values by the names of the metrics."""

    @property
    def seeds(self) -> range:
        """Seeds of the runs."""
        return range(self.seed, self.seed + len(self.runs))

    @property
    def is_deterministic(self) -> bool:
        """Whether all seeds gave the same bytes."""
        return len(set(self.runs)) == 1


def states_text(states: Mapping[str, State], head: str) -> str:
    """The file of states as TOML; `head` is a comment of one line.

    Values have all their digits, and each metric stands on lines of its own, so that a difference
    of two files shows what has moved. Mean and deviation are for the reader: nothing reads them.
    """
    lines = [f"# {head}", f"kind = {_text(_KIND)}", f"layout = {_LAYOUT}"]
    for name, state in states.items():
        lines += [
            "",
            f"[cells.{_text(name)}]",
            f"seed = {state.seed}",
            f"plan = {_text(state.plan)}",
            f"runs = [{', '.join(map(_text, state.runs))}]",
        ]
        for metric, figure in state.figures.items():
            lines += ["", f"[cells.{_text(name)}.metrics.{_text(metric)}]"]
            lines.append(f"unit = {_text(figure.unit)}")
            values = known(figure.values)
            if values:
                mean, deviation = mean_and_deviation(values)
                lines += [f"mean = {mean:.6g}", f"deviation = {deviation or 0.0:.6g}"]
            lines.append(f"values = [{', '.join(map(_number, figure.values))}]")
    return "\n".join(lines) + "\n"


def _text(value: str) -> str:
    # A text of JSON is a text of TOML.
    return json.dumps(value, ensure_ascii=False)


def _number(value: float | None) -> str:
    return "nan" if value is None else repr(float(value))


def read_states(path: Path, *, is_named: bool = True) -> dict[str, State]:
    """The states in a recording, or in a folder of results.

    Parameters
    ----------
    path
        The recording, or the folder.
    is_named
        Whether the user named the recording, which may be a symbolic link then. The default name
        is that of a stranger's file.

    Raises
    ------
    FileMissingError
        If there is no such file.
    FormatError
        If the file holds no states.
    """
    is_inside = path.is_dir()
    file = path / MEASURED if is_inside else path
    has_links = is_named and not is_inside
    if not (file.is_file() if has_links else is_file(file.parent, file.name)):
        near = nearest_file(file, suffix=".toml")
        raise FileMissingError(
            f"{file}: there is no such file{near}; --record writes a recording, and each test "
            f"writes {MEASURED} into its folder of results"
        )
    try:
        text = read_text(file) if has_links else decoded(read_bytes(file.parent, file.name))
    except UnreadableError as error:
        raise FormatError(f"{file}: {error}") from None
    try:
        data = toml_of(text, str(file), "--record writes it")
    except ScenarioError as error:
        raise FormatError(str(error)) from None
    if data.get("kind") != _KIND:
        raise FormatError(
            f"{file}: no recording of golden cells (kind = {_text(_KIND)} is missing): name the "
            "file that --record wrote"
        )
    if data.get("layout") != _LAYOUT:
        raise FormatError(
            f"{file}: layout {data.get('layout')} is of another ackclock, and this one reads "
            f"{_LAYOUT}: record again"
        )
    try:
        return {name: _state(table) for name, table in data.get("cells", {}).items()}
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise FormatError(f"{file}: damaged ({said(error)}): record again") from None


def _state(table: Mapping[str, Any]) -> State:
    runs = tuple(str(run) for run in table["runs"])
    figures = {
        str(name): Figure(str(metric["unit"]), tuple(map(_value, metric["values"])))
        for name, metric in table.get("metrics", {}).items()
    }
    if not runs or any(len(figure.values) != len(runs) for figure in figures.values()):
        raise ValueError("a value per run is needed")
    return State(int(table["seed"]), str(table["plan"]), runs, figures)


def _value(value: Any) -> float | None:
    number = float(value)
    return None if math.isnan(number) else number
