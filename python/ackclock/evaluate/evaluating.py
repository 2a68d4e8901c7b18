"""Evaluate a congestion control: RFC 9743's rows, run and judged."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.evaluate.dossier import Dossier, RowResult
from ackclock.evaluate.judging import judge_row, row_kind
from ackclock.evaluate.row import Cell, Context, Row
from ackclock.evaluate.running import SUBJECT, Seeds, batches, make_runs
from ackclock.evaluate.selecting import chosen_cells, chosen_rows
from ackclock.writing import scratch

if TYPE_CHECKING:
    from concurrent.futures import Executor

    from ackclock.sweeps import Progress

__all__ = ["CLAIMS", "ECN", "OTHER_SEEDS", "evaluate", "seeds_of"]

CLAIMS = ("data-centre",)
ECN = ("off", "classic", "accurate", "l4s")

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
    other = first + OTHER_SEEDS if subject in references else first
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
        If there is no such congestion control.
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
    context = Context(
        name, quick, ecn_of(name) if ecn is None else ecn, frozenset(claims)
    )
    rows = chosen_rows(only)
    known = against or ("reno", "cubic")
    wanted = seeds_of(name, quick=quick, seeds=seeds, first=first_seed, references=known)
    applying = [row for row in rows if row.applies(context) is None]
    cells = {row.id: list(row.cells(context)) for row in applying}
    if cell is not None:
        cells = chosen_cells(rows, cells, cell)
    home = Path.cwd() if folder is None else Path(folder)
    planned = batches(
        applying, context, wanted, folder=home, cells=cells, against=against
    )
    with ExitStack() as until_the_end:
        if store is None:
            store = until_the_end.enter_context(scratch()).new / "runs"
        Path(store).parent.mkdir(parents=True, exist_ok=True)
        runs = Store.open(store, create=True)
        figures, made, reused = make_runs(
            planned, runs, executor=executor, workers=workers, progress=progress
        )
    results = [_result(row, context, cells.get(row.id, ()), figures.get(row.id, {})) for row in rows]
    return Dossier(context, wanted, tuple(results), made=made, reused=reused, against=against)


def _result(
    row: Row,
    context: Context,
    cells: Sequence[Cell],
    figures: dict[tuple[str, str], list[dict[str, float | None]]],
) -> RowResult:
    why_not = row.applies(context)
    if why_not is not None:
        return RowResult(row, "not applicable", (), (), why_not)
    judged = judge_row(row.measures, cells, figures, SUBJECT, row.family)
    return RowResult(row, row_kind(judged, joint=row.joint), tuple(cells), tuple(judged), None)


def ecn_of(subject: str) -> str:
    """`transport.ecn` that a congestion control implies.

    Raises
    ------
    ScenarioError
        If there is no such congestion control.
    """
    from ackclock.evaluate.grid import dumbbell, flow
    from ackclock.scenario import Scenario

    table = dumbbell(10.0, 40.0, 33, [flow(subject)], seconds=1.0)
    plan = Scenario.parse(table, folder=Path.cwd()).plan()
    return str(plan["flows"][0]["transport"].get("ecn", "off"))
