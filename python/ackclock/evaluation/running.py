"""The runs of rows: one store for all subjects, so that a reference's run is made once."""

from __future__ import annotations

import copy
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from ackclock.scenario.engine import SIMULATOR
from ackclock.sweeps.key import canonical

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from concurrent.futures import Executor
    from pathlib import Path

    from ackclock.evaluation.cell import Cell, Context, Response, Table
    from ackclock.evaluation.row import Row
    from ackclock.scenario.engine import Engine
    from ackclock.sweeps import Design, Progress, Store

__all__ = [
    "SUBJECT",
    "Batch",
    "RowFigures",
    "Seeds",
    "batches",
    "make_runs",
    "seat_scenario",
    "subject_scenario",
]

SUBJECT = "subject"
"""Name of the subject's seat."""

RowFigures = dict[tuple[str, str], list[dict[str, float | None]]]
"""Figures of every seed by cell and seat."""


@dataclass(frozen=True)
class Seeds:
    """Seeds of the runs."""

    count: int
    """Seeds of a row with one flow."""
    competing: int
    """Seeds of a row in which flows compete."""
    first: int = 1
    """First seed of the references."""
    subject_first: int = 1
    """First seed of the subject: the references', so that differences are paired, unless the
    subject is one of them.
    """

    def of(self, row: Row) -> int:
        """Number of seeds of a row."""
        return self.competing if row.competing else self.count


@dataclass(frozen=True)
class Batch:
    """Runs that one sweep makes: cells with equal responses and seeds, perhaps of several rows."""

    design: Design
    places: tuple[tuple[str, str, str], ...]
    """Row, cell and seat of each setting."""


def subject_scenario(cell: Cell, context: Context) -> dict[str, Any]:
    """The cell's scenario with the subject in the seat."""
    table = seat_scenario(cell, context.subject, "off" if context.implies_ecn else context.ecn)
    if context.implies_ecn:
        # An algorithm that stands for ECN of one kind refuses a table that names another.
        for flow in table["flows"]:
            if flow.get("name") in cell.slots and "transport" in flow:
                flow["transport"].pop("ecn", None)
    return table


def seat_scenario(cell: Cell, algorithm: str, ecn: str = "off") -> dict[str, Any]:
    """The cell's scenario with an algorithm in the seat."""
    table = copy.deepcopy(cell.scenario)
    for flow in table["flows"]:
        if flow.get("name") in cell.slots:
            flow["cc"] = algorithm
            if ecn != "off":
                flow.setdefault("transport", {}).setdefault("ecn", ecn)
    return table


def batches(
    rows: Sequence[Row],
    context: Context,
    seeds: Seeds,
    *,
    folder: Path,
    cells: Mapping[str, Sequence[Cell]],
    against: Sequence[str] | None = None,
    on: Engine = SIMULATOR,
) -> list[Batch]:
    """The sweeps of some rows; every scenario is checked.

    Parameters
    ----------
    rows
        The rows.
    context
        Subject and choices.
    seeds
        Number and first ones.
    folder
        Folder in which the user's classes and files are looked for.
    cells
        The cells by row; a row without makes no run.
    against
        References in place of the rows' own.
    on
        Engine that makes the runs.
    """
    groups: dict[tuple[str, int, int], _Group] = {}
    for row in rows:
        for cell in cells.get(row.id, ()):
            for seat, table in _seats(row, cell, context, against):
                first = seeds.subject_first if seat == SUBJECT else seeds.first
                key = (canonical(list(cell.responses)), seeds.of(row), first)
                group = groups.setdefault(key, _Group(cell.responses, [], []))
                group.places.append((row.id, cell.id, seat))
                group.scenarios.append(table)
    return [
        _batch(group, count, first, folder=folder, on=on)
        for (_, count, first), group in groups.items()
    ]


class _Group(NamedTuple):
    """Runs with equal responses and seeds."""

    responses: tuple[Response, ...]
    places: list[tuple[str, str, str]]
    scenarios: list[Table]


def _seats(
    row: Row, cell: Cell, context: Context, against: Sequence[str] | None
) -> Iterable[tuple[str, dict[str, Any]]]:
    yield SUBJECT, subject_scenario(cell, context)
    if cell.seats is not None:
        for name, change in cell.seats.items():
            yield name, change(copy.deepcopy(cell.scenario))
        return
    for reference in row.references if against is None else against:
        yield reference, seat_scenario(cell, reference)


def _batch(group: _Group, count: int, first: int, *, folder: Path, on: Engine) -> Batch:
    from ackclock.scenario import Scenario
    from ackclock.sweeps.sweeping import design_of

    base = Scenario.parse({**group.scenarios[0], "seed": first, "name": "evaluate"}, folder=folder)
    axis: dict[str, Any] = {
        "name": "cell",
        "scenario": group.scenarios,
        "labels": [" / ".join(place) for place in group.places],
    }
    if on != SIMULATOR:
        axis["on"] = [str(on)] * len(group.places)
    given = {
        "axes": [axis],
        "replications": count,
        "responses": [
            response if isinstance(response, str) else dict(response)
            for response in group.responses
        ],
        "starts": "fixed",
    }
    return Batch(design_of(base, given), tuple(group.places))


def make_runs(
    planned: Sequence[Batch],
    store: Store,
    counts: Counter[str],
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> dict[str, RowFigures]:
    """Make the missing runs, and return the figures by row.

    `counts` gets the numbers of runs "made" and "reused".
    """
    from ackclock.sweeps.running import progress_within, run_design

    weights = [
        sum(size.seconds for size in batch.design.run_sizes()) * batch.design.replications
        for batch in planned
    ]
    total, before = sum(weights) or 1.0, 0.0
    figures: dict[str, RowFigures] = {}
    for batch, weight in zip(planned, weights, strict=True):
        rows = "/".join(dict.fromkeys(row for row, _, _ in batch.places))
        report = run_design(
            batch.design,
            store,
            executor=executor,
            workers=workers,
            progress=progress_within(progress, rows[:24], before / total, weight / total),
        )
        before += weight
        counts.update(made=report.made, reused=report.reused)
        for (at, _seed), run in report.rows.items():
            row, cell, seat = batch.places[at]
            figures.setdefault(row, {}).setdefault((cell, seat), []).append(dict(run.figures))
    return figures
