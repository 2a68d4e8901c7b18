"""Run golden cells, one sweep after another, through one store."""

from __future__ import annotations

import hashlib
from contextlib import ExitStack
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.atomic_io import make_place, scratch, without_links
from ackclock.golden.states import DIGITS, Figure, State
from ackclock.sweeps.left import left_of
from ackclock.sweeps.running import progress_within, run_design
from ackclock.sweeps.store import Store
from ackclock.sweeps.sweeping import check_room
from ackclock.sweeps.warned import warnings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from ackclock.golden.suite import Case
    from ackclock.sweeps.running import Progress, RunReport

__all__ = ["Measured", "fingerprint", "measure"]


@dataclass(frozen=True)
class Measured:
    """States of cells as they are now, with the story of their runs."""

    states: Mapping[str, State]
    """States by the names of the cells."""
    made: int
    """Number of runs that were made."""
    reused: int
    """Number of runs that were there before."""
    notes: tuple[str, ...]
    """Messages for the user, a sentence each."""


def measure(
    cases: Sequence[Case],
    *,
    store: str | Path | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    force: bool = False,
) -> Measured:
    """Make the missing runs of all cells.

    Parameters
    ----------
    cases
        The cells.
    store
        Folder of runs that are found again; it has a store for each build of ackclock. None: a
        temporary folder.
    workers
        Runs at the same time; by default one per core.
    progress
        Function that is called as runs finish.
    force
        Run even if the free memory does not suffice.

    Raises
    ------
    ScenarioError, TooLargeError, AlgorithmError, MetricError, SweepError, SweepStoppedError
        As from `ackclock.sweep`.
    StoreError
        If the folder holds something else.
    """
    states: dict[str, State] = {}
    made = reused = 0
    notes: list[str] = []
    with ExitStack() as until_the_end:
        top = until_the_end.enter_context(scratch()).new if store is None else Path(store)
        folder = without_links(top, fingerprint())
        left = [left_of(case.design, folder) for case in cases]
        for case, missing in zip(cases, left, strict=True):
            check_room(case.design, missing, workers=workers, force=force)
        weights = [
            case.design.estimate(missing).seconds_on(1)
            for case, missing in zip(cases, left, strict=True)
        ]
        total, before = sum(weights) or 1.0, 0.0
        make_place(top)
        runs = Store.open(folder, create=True)
        for case, weight in zip(cases, weights, strict=True):
            case_progress = progress_within(progress, case.name, before / total, weight / total)
            report = run_design(case.design, runs, workers=workers, progress=case_progress)
            states[case.name] = _state(case, report)
            made, reused = made + report.made, reused + report.reused
            notes += [*report.redone_damaged, *report.notes, *warnings_of(case.design, report.rows)]
            before += weight
    return Measured(states, made, reused, tuple(dict.fromkeys(notes)))


def _state(case: Case, report: RunReport) -> State:
    rows = list(report.rows.values())
    design = case.design
    plan = design.prepared(0).plans.text(design.seed(0))
    return State(
        seed=design.seed(0),
        plan=hashlib.sha256(plan.encode()).hexdigest()[:DIGITS],
        runs=tuple(row.digest[:DIGITS] for row in rows),
        figures={
            check.name: Figure(check.unit, tuple(row.figures[check.name] for row in rows))
            for check in case.checks
        },
    )


_DIGITS = 12


@cache
def fingerprint() -> str:
    """Hash of ackclock's compiled core and Python sources, as hexadecimal digits."""
    root = Path(__file__).parents[1]
    digest = hashlib.sha256()
    for path in [Path(str(_core.__file__)), *sorted(root.rglob("*.py"))]:
        content = path.read_bytes()
        digest.update(f"{path.name} {len(content)}\n".encode())
        digest.update(content)
    return digest.hexdigest()[:_DIGITS]
