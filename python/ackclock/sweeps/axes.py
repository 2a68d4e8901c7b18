"""The axes of a sweep's table, and the settings that they make."""

from __future__ import annotations

import itertools
import json
import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.messages import shown
from ackclock.runtime.permission import require_in
from ackclock.scenario import Scenario
from ackclock.scenario.engine import Engine
from ackclock.scenario.errors import ScenarioError
from ackclock.sweeps.engines import chosen_engine
from ackclock.sweeps.ranges import base_number, values_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

__all__ = ["Axis", "Label", "Setting", "make_axes", "number_of_settings", "settings_of"]

Label = str | float | int
"""A value as tables show it."""


@dataclass(frozen=True)
class Axis:
    """One or several keys of a scenario that vary together."""

    name: str
    """The axis' name in tables."""
    keys: tuple[str, ...]
    """Keys, dotted as for --set."""
    values: tuple[tuple[Any, ...], ...]
    """`values[i][k]`: i-th value of the k-th key."""
    labels: tuple[Label, ...]
    """Text or number that tables show for each value."""
    numbers: tuple[float, ...] | None
    """The values in the base unit, for plots, if all are numbers or quantities of one kind."""
    unit: str | None
    """Unit of `numbers`: "s", "bit/s", "bytes", "packets" or "bdp"; None if they have none."""


@dataclass(frozen=True)
class Setting:
    """One combination of the axes' values."""

    index: int
    labels: tuple[Label, ...]
    """One per axis."""
    changes: Mapping[str, Any]
    """Values by dotted key."""


def make_axes(
    tables: Sequence[Mapping[str, Any]],
    taken: Sequence[str] = (),
    folder: Path | None = None,
    *,
    finds_kernels: bool = False,
) -> tuple[Axis, ...]:
    """The axes of a table `sweep.axes`, whose form has been checked.

    No axis may have a name in `taken`. Folders of scenarios among the values are relative to
    `folder`. Kernels in virtual time get the name of one that is built, if the runs shall be made.

    Raises
    ------
    ScenarioError
        If an axis makes no sense.
    """
    homes: dict[str, int] = {}
    for index, table in enumerate(tables):
        for key in _keys(table):
            if key in homes:
                raise ScenarioError(
                    f"sweep.axes.{homes[key]} varies this key already: one axis per key",
                    key=f"sweep.axes.{index}.{key}",
                    value=key,
                )
            homes[key] = index
    names = _names(tables, taken)
    return tuple(
        _axis(table, name, index, folder, finds_kernels=finds_kernels)
        for index, (table, name) in enumerate(zip(tables, names, strict=True))
    )


def number_of_settings(axes: Sequence[Axis]) -> int:
    """Number of combinations of the axes' values."""
    return math.prod(len(axis.values) for axis in axes)


def settings_of(axes: Sequence[Axis]) -> Iterator[Setting]:
    """Every combination, the last axis fastest."""
    for index, row in enumerate(itertools.product(*(range(len(axis.values)) for axis in axes))):
        changes = [
            pair
            for axis, at in zip(axes, row, strict=True)
            for pair in zip(axis.keys, axis.values[at], strict=True)
        ]
        # A table comes before the keys inside it, and all flows before one flow, in any order of
        # the axes.
        changes.sort(key=lambda pair: pair[0].count("."))
        yield Setting(
            index, tuple(axis.labels[at] for axis, at in zip(axes, row, strict=True)), dict(changes)
        )


def _keys(table: Mapping[str, Any]) -> list[str]:
    return [key for key in table if key not in {"name", "labels"}]


def _names(tables: Sequence[Mapping[str, Any]], taken: Sequence[str]) -> list[str]:
    """Given names; other axes get the shortest end of their first key that is still unused."""
    given = [table.get("name") for table in tables]
    for index, name in enumerate(given):
        if name is not None and (name in taken or name in given[:index]):
            what = "another axis" if name in given[:index] else "a column of the results"
            raise ScenarioError(
                f"'{name}' is {what} already: give this axis another name",
                key=f"sweep.axes.{index}.name",
                value=name,
            )
    used = {*taken, *(name for name in given if name is not None)}
    firsts = [_keys(table)[0].split(".") for table in tables]
    names: list[str] = []
    for index, name in enumerate(given):
        if name is None:
            parts = firsts[index]
            ends = [".".join(parts[-length:]) for length in range(1, len(parts) + 1)]
            alone = [
                end
                for length, end in enumerate(ends, start=1)
                if all(
                    other == index
                    or given[other] is not None
                    or firsts[other][-length:] != parts[-length:]
                    for other in range(len(tables))
                )
            ]
            name = next((end for end in alone if end not in used), f"{'.'.join(parts)} {index + 1}")
            used.add(name)
        names.append(name)
    return names


def _axis(
    table: Mapping[str, Any], name: str, index: int, folder: Path | None, *, finds_kernels: bool
) -> Axis:
    where = f"sweep.axes.{index}"
    keys = _keys(table)
    for key in keys:
        _check_key(key, f"{where}.{key}")
    columns = {key: values_of(table[key], f"{where}.{key}") for key in keys}
    if "scenario" in columns:
        columns["scenario"] = _scenarios(columns["scenario"], f"{where}.scenario", folder)
    if "on" in columns:
        columns["on"] = [
            chosen_engine(text, f"{where}.on", finds_kernel=finds_kernels) for text in columns["on"]
        ]
    lengths = {key: len(column) for key, column in columns.items()}
    if len(set(lengths.values())) > 1:
        listing = ", ".join(f"{key} has {length}" for key, length in lengths.items())
        raise ScenarioError(
            f"keys of one axis vary together and have equally many values, but {listing}",
            key=where,
            value=lengths,
        )
    labels = _labels(table.get("labels"), list(columns.values()), where)
    for at, label in enumerate(labels):
        if label in labels[:at]:
            raise ScenarioError(
                f"{shown(label)} is there twice", key=f"{where}.{keys[0]}", value=label
            )
    numbers, unit = _numbers(table.get("labels"), list(columns.values()))
    return Axis(
        name, tuple(keys), tuple(zip(*columns.values(), strict=True)), labels, numbers, unit
    )


_NOT_VARIED = {
    "seed": "the seeds are those of the replications: sweep.replications",
    "compare": "it is another table of the same kind",
    "sweep": "a sweep cannot vary itself",
    "name": "it does not change a run",
    "description": "it does not change a run",
    "record": "the responses decide what is recorded",
}


def _scenarios(tables: Sequence[Any], where: str, folder: Path | None) -> list[Scenario]:
    """Whole scenarios as values of an axis, each with the folder that its files are relative to."""
    scenarios = []
    for index, table in enumerate(tables):
        if not isinstance(table, dict):
            raise ScenarioError(
                f"{shown(table)} is not a scenario: write a table of its keys",
                key=f"{where}.{index}",
                value=table,
            )
        inside = table.get("folder")
        home = folder if inside is None else Path(folder or "") / str(inside)
        given = {key: value for key, value in table.items() if key != "folder"}
        if inside is not None:
            require_in(given, [folder, home], "")
        try:
            scenarios.append(Scenario.parse(given, folder=home))
        except ScenarioError as error:
            raise ScenarioError(
                error.message, key=f"{where}.{index}.{error.key}", value=error.value
            ) from None
    return scenarios


def _check_key(key: str, where: str) -> None:
    if not all(key.split(".")):
        raise ScenarioError(
            f"{shown(key)} is not a key: write names with dots between them", key=where, value=key
        )
    why = _NOT_VARIED.get(key.split(".")[0])
    if why is not None:
        raise ScenarioError(f"'{key}' cannot vary: {why}", key=where, value=key)


def _label(value: Any) -> Label:
    if isinstance(value, str | int | float) and not isinstance(value, bool):
        return value
    if isinstance(value, Scenario):
        return value.name
    if isinstance(value, Engine):
        return value.label
    # TOML has dates, too; the check of the scenario refuses them.
    return json.dumps(value, default=str)


def _labels(
    given: Sequence[Label] | None, columns: Sequence[Sequence[Any]], where: str
) -> tuple[Label, ...]:
    count = len(columns[0])
    if given is not None:
        if len(given) != count:
            raise ScenarioError(
                f"{len(given)} labels for {count} values: give one each",
                key=f"{where}.labels",
                value=list(given),
            )
        return _alike(given)
    texts = [[str(_label(value)) for value in column] for column in columns]
    if len(columns) == 1 or len(set(texts[0])) == count:
        return _alike([_label(value) for value in columns[0]])
    return tuple(", ".join(row) for row in zip(*texts, strict=True))


def _alike(labels: Sequence[Label]) -> tuple[Label, ...]:
    """Numbers if all are, else text: one column of a table has one type."""
    if all(isinstance(label, int | float) for label in labels):
        whole = all(isinstance(label, int) for label in labels)
        return tuple(labels) if whole else tuple(float(label) for label in labels)
    return tuple(str(label) for label in labels)


def _numbers(
    given: Sequence[Label] | None, columns: Sequence[Sequence[Any]]
) -> tuple[tuple[float, ...] | None, str | None]:
    # The user's labels of several keys decide: words are categories and have no numbers.
    column = columns[0] if given is None or len(columns) == 1 else given
    amounts = [base_number(value) for value in column]
    numbers = [amount[0] for amount in amounts if amount is not None]
    units = {amount[1] for amount in amounts if amount is not None}
    if len(numbers) < len(amounts) or len(units) != 1 or len(set(numbers)) < len(numbers):
        return None, None
    return tuple(numbers), units.pop()
