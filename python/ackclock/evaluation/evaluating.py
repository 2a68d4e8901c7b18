"""Evaluate a congestion control: RFC 9743's rows, run and judged."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import make_place, scratch
from ackclock.evaluation.answers import answers_of
from ackclock.evaluation.cell import Cell, Context
from ackclock.evaluation.dossier import Dossier, RowResult
from ackclock.evaluation.judging import Kind, judge_row, row_kind, together, unsettled
from ackclock.evaluation.rows import ROWS
from ackclock.evaluation.running import (
    SUBJECT,
    RowFigures,
    Seeds,
    batches,
    make_runs,
    subject_scenario,
)
from ackclock.evaluation.selecting import KERNEL_RUNS, chosen_cells, chosen_rows, kernel_cells
from ackclock.scenario.engine import SIMULATOR
from ackclock.scenario.errors import ScenarioError
from ackclock.sweeps.engines import chosen_engines

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from concurrent.futures import Executor

    from ackclock.evaluation.row import Row
    from ackclock.scenario import Scenario
    from ackclock.scenario.engine import Engine
    from ackclock.sweeps import Progress

__all__ = ["OTHER_SEEDS", "evaluate", "scenario_of", "seeds_of"]


OTHER_SEEDS = 1000
"""First seed, less one, of a subject that is one of the references.

With the references' own seeds such a subject would equal a reference by construction.
"""

_QUICK, _QUICK_COMPETING, _FULL = 5, 10, 20


def seeds_of(
    subject: str,
    *,
    quick: bool,
    seeds: int | None = None,
    first: int = 1,
    references: Sequence[str] = ("reno", "cubic"),
) -> Seeds:
    """The seeds of an evaluation."""
    count = seeds or (_QUICK if quick else _FULL)
    competing = seeds or (_QUICK_COMPETING if quick else _FULL)
    known = {*references, *(name for row in ROWS for name in row.references), "prague"}
    other = first + OTHER_SEEDS if subject in known else first
    return Seeds(count, competing, first, other)


def evaluate(
    subject: str | type[Any],
    *,
    quick: bool = True,
    only: Sequence[str] | None = None,
    cell: str | None = None,
    against: Sequence[str] | None = None,
    ecn: str | None = None,
    claims: Sequence[str] = (),
    on: Sequence[str] = ("sim",),
    seeds: int | None = None,
    first_seed: int = 1,
    store: str | Path | None = None,
    folder: str | Path | None = None,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
) -> Dossier:
    """Evaluate a congestion control by the criteria of RFC 9743.

    Parameters
    ----------
    subject
        Congestion control, as ``cc`` takes it: ``"bbr"``, ``"cos+reno"``,
        ``"python:gentle:Gentle"``, or a class of your own.
    quick
        Fewer cells, half the time and 5 or 10 seeds; otherwise all cells and 20 seeds.
    only
        Ids of rows or sections of the RFC: ``["E12", "5.2"]``; a section stands for all below it.
    cell
        Id of one cell, with one row in `only`: that cell alone.
    against
        References in place of Reno and CUBIC.
    ecn
        ECN of the subject's flows: ``"classic"``, ``"accurate"``, ``"l4s"``; by default the
        algorithm's own.
    claims
        Special cases that the subject claims: ``"data-centre"``.
    on
        Engines: ``"sim"``, always, and kernels that run some cells too: ``"linux"``, this machine's
        in real time; ``"virtual"`` or ``"virtual:NAME"``, kernels of ``ackclock kernel list``.
    seeds
        Number of seeds of every row, in place of the default.
    first_seed
        First seed.
    store
        Folder that keeps the runs; by default a temporary one.
    folder
        Folder in which the classes of `subject` are looked for; by default the current one.
    executor, workers, progress
        As for `ackclock.sweep`.

    Returns
    -------
    Dossier
        Verdicts of rows and cells; ``write(folder)`` writes the pages.

    Raises
    ------
    ScenarioError
        If there is no such congestion control or engine, or a kernel cannot run a cell.
    UnknownNameError
        If there is no such row, section or cell.

    Examples
    --------
    >>> import ackclock as ac
    >>> dossier = ac.evaluate("reno", only=["E03"], seeds=2)
    >>> [row.kind for row in dossier.rows]
    ['no concern']
    """
    from ackclock.cc import spec_of
    from ackclock.sweeps.store import Store

    name = subject if isinstance(subject, str) else spec_of(subject)
    home = Path.cwd() if folder is None else Path(folder)
    context = _context(name, quick, ecn, claims, home)
    rows = chosen_rows(only)
    references = against or ("reno", "cubic")
    wanted = seeds_of(name, quick=quick, seeds=seeds, first=first_seed, references=references)
    # A full evaluation begins with a quick one's seeds; only cells that they leave open get all.
    first = (
        wanted
        if quick or seeds is not None
        else replace(wanted, count=_QUICK, competing=_QUICK_COMPETING)
    )
    few = replace(wanted, count=KERNEL_RUNS, competing=KERNEL_RUNS)
    cells = chosen_cells(rows, context, cell)
    kernels = _kernels(on)
    short = kernel_cells(rows, context) if kernels else {}
    plan = partial(batches, rows, context, folder=home, against=against)
    # Everything is planned, and so checked, before anything runs.
    planned = plan(first, cells=cells)
    again = plan(wanted, cells=short)
    there = {kernel.label: plan(few, cells=short, on=kernel) for kernel in kernels}
    counts: Counter[str] = Counter()
    with ExitStack() as until_the_end:
        if store is None:
            store = until_the_end.enter_context(scratch()).new / "runs"
        make_place(Path(store).parent)
        run = partial(
            make_runs,
            store=Store.open(store, create=True),
            counts=counts,
            executor=executor,
            workers=workers,
            progress=progress,
        )
        figures = run(planned)
        if first != wanted:
            for row_id, more in run(plan(wanted, cells=_still_open(rows, cells, figures))).items():
                figures[row_id].update(more)
        simulated = run(again)
        on_kernels = {label: run(batches_there) for label, batches_there in there.items()}
    results = []
    for row in rows:
        result = _result(row, context, cells.get(row.id, ()), figures.get(row.id, {}), home)
        if row.id in short:
            result = replace(
                result,
                simulated=_judged(row, short[row.id], simulated.get(row.id, {})),
                kernels={
                    label: _judged(row, short[row.id], seen.get(row.id, {}))
                    for label, seen in on_kernels.items()
                },
            )
        results.append(result)
    return Dossier(
        context,
        wanted,
        tuple(results),
        made=counts["made"],
        reused=counts["reused"],
        against=against,
        ecn_given=ecn,
        seeds_given=seeds,
        folder=home,
        figures=figures,
    )


def scenario_of(
    subject: str,
    only: Sequence[str],
    cell: str,
    *,
    quick: bool = True,
    ecn: str | None = None,
    claims: Sequence[str] = (),
    folder: str | Path | None = None,
) -> Scenario:
    """The scenario of one cell with the subject in the seat.

    Raises
    ------
    UnknownNameError
        If `only` is not one row, or the row has no such cell.
    """
    from ackclock.scenario import Scenario

    home = Path.cwd() if folder is None else Path(folder)
    context = _context(subject, quick, ecn, claims, home)
    rows = chosen_rows(only)
    ((row, chosen),) = chosen_cells(rows, context, cell).items()
    name = "-".join([row, *re.findall(r"[\w.]+", cell)])
    return Scenario.parse({**subject_scenario(chosen[0], context), "name": name}, folder=home)


def _kernels(on: Sequence[str]) -> list[Engine]:
    """The engines beside the simulator."""
    engines = chosen_engines(on, "on")
    if SIMULATOR not in engines:
        raise ScenarioError(
            "the kernels' verdicts stand beside the simulator's: sim,virtual", key="on", value=on
        )
    return [engine for engine in engines if engine != SIMULATOR]


def _context(
    subject: str, quick: bool, ecn: str | None, claims: Sequence[str], home: Path
) -> Context:
    implied = ecn_of(subject, home)
    return Context(
        subject,
        quick,
        ecn=implied if ecn is None else ecn,
        implies_ecn=implied != "off",
        claims=frozenset(claims),
    )


def _still_open(
    rows: Sequence[Row], cells: Mapping[str, Sequence[Cell]], figures: Mapping[str, RowFigures]
) -> dict[str, list[Cell]]:
    """The cells of each row that a quick evaluation's seeds do not settle."""
    still_open = {}
    for row in rows:
        there = cells.get(row.id, ())
        names = unsettled(row.measures, there, figures.get(row.id, {}), SUBJECT)
        still_open[row.id] = [cell for cell in there if cell.id in names]
    return still_open


def _result(
    row: Row, context: Context, cells: Sequence[Cell], figures: RowFigures, home: Path
) -> RowResult:
    why_not = row.applies(context)
    if why_not is not None:
        return RowResult(row, "not applicable", why_not=why_not)
    if not row.measures:
        answers = answers_of(context.subject, home)
        kind: Kind = "answered" if all(text for _, text in answers) else "not answered"
        return RowResult(row, kind, answers=answers)
    return _judged(row, cells, figures)


def _judged(row: Row, cells: Sequence[Cell], figures: RowFigures) -> RowResult:
    judged = judge_row(row.measures, cells, figures, SUBJECT, row.family)
    judged = together(judged) if row.joint else judged
    return RowResult(row, row_kind(judged), tuple(cells), tuple(judged))


def ecn_of(subject: str, home: Path) -> str:
    """`transport.ecn` that a congestion control implies.

    Raises
    ------
    ScenarioError
        If there is no such congestion control.
    """
    from ackclock import _core
    from ackclock.scenario.own import Finder

    try:
        implied = _core.implied_by_cc(subject, Finder(home))
    except ValueError as error:
        raise ScenarioError(str(error), key="cc", value=subject) from None
    return implied.get("ecn", "off")
