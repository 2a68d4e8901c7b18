"""Test golden cells against their recording, and record them."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.atomic_io import is_file, write_text
from ackclock.errors import FileMissingError, FormatError
from ackclock.golden.judging import compare, judge_pairs
from ackclock.golden.result import GoldenResult, Moved, Recorded, Tested
from ackclock.golden.running import measure
from ackclock.golden.states import read_states, states_text
from ackclock.golden.suite import read_suite
from ackclock.messages import clean
from ackclock.verdicts.judgement import mean_of
from ackclock.verdicts.recorded import known

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from ackclock.golden.states import Figure, State
    from ackclock.golden.suite import Case, Suite
    from ackclock.sweeps.running import Progress

__all__ = ["check_golden", "prepare", "record_golden"]


def check_golden(
    file: str | Path,
    *,
    only: str | None = None,
    seeds: int | None = None,
    against: str | Path | None = None,
    store: str | Path | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    force: bool = False,
) -> GoldenResult:
    """Run golden cells, and compare their figures with the recording or with an earlier state.

    Parameters
    ----------
    file
        File of the cells (docs/test.md).
    only
        Pattern of the names of cells, as in a shell: ``"bbr-*"``; by default all cells.
    seeds
        Number of seeds of every cell; by default the file's.
    against
        An earlier recording, or the folder of an earlier test: every figure is compared with it
        seed by seed, in place of the recording and of bounds.
    store
        Folder that keeps the runs, so that none is made twice; by default a temporary one.
    workers
        Runs at the same time; by default one per core. The number changes no result.
    progress
        Function that is called as runs finish.
    force
        Run even if the free memory does not suffice.

    Returns
    -------
    GoldenResult
        A result with ``ok``, ``checks``, ``text()``, ``junit()`` and ``to_dict()``.

    Raises
    ------
    ScenarioError
        If the file, or a scenario, is wrong; nothing has run.
    UnknownNameError
        If no cell fits `only`.
    FileMissingError, FormatError
        If a cell is not recorded, or the recording cannot be read; nothing has run.
    AlgorithmError, MetricError, SweepError, StoreError, TooLargeError
        As from `ackclock.sweep`.

    Examples
    --------
    >>> import ackclock as ac
    >>> result = ac.check_golden("golden/golden.toml", only="reno-*")
    >>> result.ok
    True
    """
    suite, before = prepare(file, only=only, seeds=seeds, against=against)
    measured = measure(suite.cases, store=store, workers=workers, progress=progress, force=force)
    is_paired = against is not None
    checks = (
        judge_pairs(suite, before, measured.states)
        if is_paired
        else compare(suite, before, measured.states)
    )
    return GoldenResult(
        file=str(file),
        against=str(suite.recording if against is None else against),
        cells=tuple(_tested(case, before, measured.states[case.name]) for case in suite.cases),
        checks=tuple(checks),
        level=suite.false_alarms if is_paired else suite.level,
        states=measured.states,
        notes=measured.notes,
        made=measured.made,
        reused=measured.reused,
    )


def prepare(
    file: str | Path,
    *,
    only: str | None = None,
    seeds: int | None = None,
    against: str | Path | None = None,
) -> tuple[Suite, dict[str, State]]:
    """The chosen cells of a file, and the states that they are compared with.

    Raises
    ------
    ScenarioError, UnknownNameError, FileMissingError, FormatError
        As from `check_golden`.
    """
    suite = read_suite(file, only=only, seeds=seeds)
    needed = [case for case in suite.cases if against is not None or case.needs_recording]
    if not needed:
        return suite, {}
    source = suite.recording if against is None else Path(against)
    if against is None and not _is_recorded(suite):
        raise FileMissingError(
            f"{file}: nothing is recorded yet (there is no {source}): record with "
            f"ackclock test {file} --record"
        )
    before = read_states(source, is_named=against is not None)
    for case in needed:
        _check_recorded(case, before, source, suite, is_paired=against is not None)
    return suite, before


def _check_recorded(
    case: Case, before: Mapping[str, State], source: Path, suite: Suite, *, is_paired: bool
) -> None:
    """Complain about a cell whose earlier state lacks something."""
    remedy = (
        f"leave it out with --only, or test {suite.file} there, too"
        if is_paired
        else f"record it with ackclock test {suite.file} --record --only {case.name}"
    )
    state = before.get(case.name)
    if state is None:
        raise FormatError(f"{source}: cell '{case.name}' is not in it: {remedy}")
    lacking = [
        check.name
        for check in case.checks
        if (is_paired or not check.is_bounded) and check.name not in state.figures
    ]
    if lacking:
        raise FormatError(
            f"{source}: cell '{case.name}' has no values of {', '.join(lacking)} there: {remedy}"
        )
    if case.is_exact and set(state.figures) != {check.name for check in case.checks}:
        raise FormatError(
            f"{source}: cell '{case.name}' had other metrics, and its hashes are of them, too: "
            f"{remedy}"
        )
    for check in case.checks:
        figure = state.figures.get(check.name)
        if figure is not None and figure.unit != check.unit:
            raise FormatError(
                f"{source}: cell '{case.name}' has {check.name} in {figure.unit!r}, and it is now "
                f"in {check.unit!r}: {remedy}"
            )
    common = set(state.seeds) & {case.design.seed(at) for at in range(case.design.replications)}
    if is_paired and len(common) < 2:
        raise FormatError(
            f"{source}: cell '{case.name}' has seeds {state.seeds[0]} to {state.seeds[-1]} there, "
            f"and {len(common)} of them now: two common seeds are the least"
        )


def _tested(case: Case, before: Mapping[str, State], now: State) -> Tested:
    old = before.get(case.name)
    hashes = {} if old is None else dict(zip(old.seeds, old.runs, strict=True))
    common = [seed for seed in now.seeds if seed in hashes]
    same = None
    # A run's hash is of its figures, too.
    if old is not None and set(old.figures) == set(now.figures):
        runs = dict(zip(now.seeds, now.runs, strict=True))
        same = sum(hashes[seed] == runs[seed] for seed in common)
    return Tested(
        name=case.name,
        cc=case.cc,
        scenario=case.scenario_name,
        seeds=(now.seeds[0], now.seeds[-1]),
        same=same,
        common=len(common),
        is_same_plan=None if old is None else old.plan == now.plan,
    )


def record_golden(
    file: str | Path,
    *,
    only: str | None = None,
    seeds: int | None = None,
    store: str | Path | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    force: bool = False,
) -> Recorded:
    r"""Run golden cells, and keep their figures as those that later tests expect.

    The recording stands beside `file`: ``golden.recorded.toml`` for ``golden.toml``. Parameters and
    errors are those of `check_golden`.

    Parameters
    ----------
    file
        File of the cells.
    only
        Pattern of the names of cells; the recording of all others stays.
    seeds
        Number of seeds of every cell; by default the file's ``record_seeds``.
    store, workers, progress, force
        As for `check_golden`.

    Returns
    -------
    Recorded
        A result with ``file``, ``moved``, ``same``, ``new`` and ``dropped``.

    Raises
    ------
    WriteError
        If the recording cannot be written.

    Examples
    --------
    >>> import ackclock as ac
    >>> from pathlib import Path
    >>> from tempfile import mkdtemp
    >>> folder = Path(mkdtemp())
    >>> _ = (folder / "tiny.toml").write_text(ac.dumbbell(
    ...     rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="3s"
    ... ).to_toml())
    >>> _ = (folder / "golden.toml").write_text(
    ...     '[[cells]]\nname = "tiny"\nscenario = "tiny.toml"\nmetrics = ["goodput"]\n'
    ... )
    >>> ac.record_golden(folder / "golden.toml", seeds=2).new
    ('tiny',)
    >>> ac.check_golden(folder / "golden.toml", seeds=2).ok
    True
    """
    suite = read_suite(file, only=only, seeds=seeds, is_recording=True)
    before = read_states(suite.recording, is_named=False) if _is_recorded(suite) else {}
    measured = measure(suite.cases, store=store, workers=workers, progress=progress, force=force)
    merged = {**before, **measured.states}
    kept = {name: merged[name] for name in suite.names if name in merged}
    name = clean(Path(file).name)
    head = f"Written by `ackclock test {name} --record`: review it, but do not edit it."
    # The name of the recording is ackclock's: a link there is not the user's.
    write_text(suite.recording, states_text(kept, head), beneath=suite.recording.parent)
    names = tuple(measured.states)
    return Recorded(
        file=str(suite.recording),
        cells=names,
        new=tuple(name for name in names if name not in before),
        dropped=tuple(name for name in before if name not in kept),
        same=tuple(name for name in names if _is_same(before.get(name), measured.states[name])),
        moved=tuple(
            figure
            for name in names
            if name in before
            for figure in _moved(name, before[name], measured.states[name])
        ),
        notes=measured.notes,
        made=measured.made,
        reused=measured.reused,
    )


def _is_same(before: State | None, now: State) -> bool:
    return before is not None and replace(before, plan=now.plan) == now


def _moved(name: str, before: State, now: State) -> list[Moved]:
    return [
        Moved(name, metric, figure.unit, _mean(before.figures.get(metric)), _mean(figure))
        for metric, figure in now.figures.items()
        if before.figures.get(metric) != figure
    ]


def _mean(figure: Figure | None) -> float | None:
    return None if figure is None else mean_of(known(figure.values))


def _is_recorded(suite: Suite) -> bool:
    return is_file(suite.recording.parent, suite.recording.name)
