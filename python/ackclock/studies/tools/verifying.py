"""Repeats runs of a study and compares them with the stored ones."""

from __future__ import annotations

import random
import tempfile
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.reading import DamagedError
from ackclock.studies.sources import FOLDER
from ackclock.studies.tools.packing import ArchiveError, study_folder
from ackclock.writing import files_of, read_table

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import polars as pl

    from ackclock.estimating import Estimate
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.task import Outcome, Task

__all__ = ["Changed", "Differing", "Verified", "verify"]

_MOST_MEMORY = 400_000_000
"""Most memory that the runs of an experiment may take, bytes: 50 million figures."""
_MOST_REPLICATIONS = 1_000_000
# Longest delay of Ctrl-C, s.
_PATIENCE_S = 0.1


@dataclass(frozen=True)
class Changed:
    """A figure that differs from the stored one."""

    response: str
    packed: float | None
    """Value in the study."""
    now: float | None
    """Value of the repeated run."""


@dataclass(frozen=True)
class Differing:
    """A run that did not give the same bytes."""

    experiment: str
    where: str
    """Setting and seed in words."""
    changed: tuple[Changed, ...]
    """Figures that differ; none if other figures of the run's summary do."""
    same_plan: bool
    """Whether plan, user code and version of ackclock are unchanged."""


@dataclass(frozen=True)
class Verified:
    """Outcome of a verification."""

    study: str
    runs: int
    """Runs that the study has."""
    made: int
    """Runs that were repeated."""
    chosen: tuple[str, ...]
    """Setting and seed of each repeated run: `small, setting 0 (cc=reno), seed 1`."""
    differing: tuple[Differing, ...]
    versions: Mapping[str, Any]
    """Versions of the programs that made the study's runs."""
    other_version: str
    """A sentence if another version of the results made them; "" if not."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        return {**asdict(self), "same": self.made - len(self.differing)}


@dataclass(frozen=True, eq=False)
class _Run:
    """A stored run; runs compare by identity, so that they can be keys."""

    experiment: str
    setting: int
    replication: int
    digest: str
    key: str
    values: Mapping[str, float | None]


def verify(
    folder: Path,
    *,
    share: float = 0.05,
    runs: int | None = None,
    seed: int = 1,
    workers: int | None = None,
    progress: Callable[[int, int], None] | None = None,
    warn: Callable[[str], None] | None = None,
    tell: Callable[[Estimate], None] | None = None,
) -> Verified:
    """Repeat some of a study's runs and compare them with the stored ones, to the last bit.

    The digests of each run's summary and figures are compared. Runs recorded for their time series
    are left out, because the study keeps their scenarios and not their results.

    Parameters
    ----------
    folder
        A study's folder, as `ackclock.studies.tools.packing.opened` gives it.
    share
        Share of each experiment's runs to repeat, 0 to 1; at least one of each.
    runs
        Number of runs to repeat in all, instead of a share.
    seed
        Of the choice.
    workers
        Runs at the same time; by default one per core.
    progress
        Called with the numbers of runs made and wanted.
    warn
        Called before anything runs with a sentence, if another version of the results made the
        study.
    tell
        Called with an estimate before anything runs, if the runs are long or large.

    Raises
    ------
    ArchiveError
        If the folder lacks what it takes, or an experiment in it cannot be read.
    TooLargeError
        If this machine has no room for the runs.
    """
    from ackclock import _core

    about = study_folder(folder)
    versions = about["versions"]
    other = ""
    if versions["results_version"] != _core.RESULTS_VERSION:
        other = (
            f"version {versions['results_version']} of the results made this study (ackclock "
            f"{versions['ackclock']}), and this ackclock {_core.__version__} has version "
            f"{_core.RESULTS_VERSION}: its runs may differ"
        )
        if warn is not None:
            warn(other)
    frames = _frames(folder)
    chosen = _chosen(frames, share, runs, seed)
    designs = {name: _design(folder, name) for name in {run.experiment for run in chosen}}
    for run in chosen:
        _check_place(run, designs[run.experiment])
    _check_room(chosen, designs, workers, tell)
    warmups = {name: _warmup(design, workers) for name, design in designs.items()}
    tasks = {run: _task(run, designs[run.experiment], warmups[run.experiment]) for run in chosen}
    differing = tuple(
        _differing(run, tasks[run], outcome)
        for run, outcome in _made(tasks, workers, progress).items()
        if outcome.digest != run.digest
    )
    names = tuple(f"{run.experiment}, {tasks[run].where}" for run in chosen)
    return Verified(
        about["name"],
        sum(map(len, frames.values())),
        len(chosen),
        names,
        differing,
        versions,
        other,
    )


def _check_room(
    chosen: Sequence[_Run],
    designs: Mapping[str, Design],
    workers: int | None,
    tell: Callable[[Estimate], None] | None,
) -> None:
    """Estimate the runs, pilots of a warm-up not included, and refuse what has no room."""
    from ackclock.estimating import check_many
    from ackclock.sweeps.executors import cores

    counts = Counter((run.experiment, run.setting) for run in chosen)
    places = [(designs[name], setting) for name, setting in counts]
    check_many(
        [design.prepared(setting).extent for design, setting in places],
        list(counts.values()),
        lambda at: places[at][0].scenario_at(places[at][1]),
        workers=workers or cores(),
        tell=tell,
    )


def _check_place(run: _Run, design: Design) -> None:
    settings = len(design.settings)
    if not (0 <= run.setting < settings and 0 <= run.replication < _MOST_REPLICATIONS):
        raise ArchiveError(
            f"{FOLDER}/{run.experiment}.parquet: a run of setting {run.setting}, seed "
            f"{run.replication + 1}, which {run.experiment}.toml does not have"
        )


def _task(run: _Run, design: Design, warmup: int | None) -> Task:
    return design.task(run.setting, run.replication, warmup_ps=warmup)


def _frames(folder: Path) -> dict[str, pl.DataFrame]:
    import polars as pl

    columns = {"setting": pl.Int64, "replication": pl.Int64, "digest": pl.String, "key": pl.String}
    found = {}
    for name in files_of(folder, FOLDER, ".parquet"):
        try:
            frame = read_table(folder, f"{FOLDER}/{name}", most=_MOST_MEMORY, columns=columns)
        except (DamagedError, OSError) as error:
            raise ArchiveError(str(error)) from None
        for column, kind in columns.items():
            is_whole = kind == pl.Int64 and frame[column].dtype.is_integer()
            if not is_whole and frame[column].dtype != kind:
                raise ArchiveError(f"{name}: no runs of a sweep: column {column} is wrong")
        found[name.removesuffix(".parquet")] = frame.drop_nulls(list(columns))
    if not found:
        raise ArchiveError(
            f"{folder.name}: no runs in it: its claims rest on formulas and recorded runs, there "
            "is nothing to verify"
        )
    return found


def _chosen(
    frames: Mapping[str, pl.DataFrame], share: float, runs: int | None, seed: int
) -> list[_Run]:
    """Choose runs, in the order of experiments and settings; equal seeds give equal choices."""
    draw = random.Random(seed)
    every = [(name, row) for name, frame in frames.items() for row in range(frame.height)]
    if runs is not None:
        places = draw.sample(every, min(runs, len(every)))
    else:
        places = []
        for name, frame in frames.items():
            count = min(frame.height, max(1, round(share * frame.height)))
            places += [(name, row) for row in draw.sample(range(frame.height), count)]
    order = {place: at for at, place in enumerate(every)}
    return [_run(name, frames[name], row) for name, row in sorted(places, key=order.__getitem__)]


def _run(name: str, frame: pl.DataFrame, at: int) -> _Run:
    row = frame.row(at, named=True)
    return _Run(name, row["setting"], row["replication"], row["digest"], row["key"], row)


def _design(folder: Path, name: str) -> Design:
    from ackclock.scenario import ScenarioError, load
    from ackclock.sweeps.making import read_design

    try:
        return read_design(load(folder / FOLDER / f"{name}.toml"))
    except (ScenarioError, FileNotFoundError) as error:
        raise ArchiveError(f"{FOLDER}/{name}.toml: cannot be run here: {error}") from None


def _warmup(design: Design, workers: int | None) -> int | None:
    """Return the settings that pilots agree on, if the sweep has its warm-up from them."""
    if design.warmup is None:
        return None
    from ackclock.sweeps import Store
    from ackclock.sweeps.sweeping import find_warmup

    with tempfile.TemporaryDirectory(prefix="ackclock-") as temporary:
        return find_warmup(
            design, Store.open(Path(temporary) / "runs", create=True), workers=workers
        )


def _made(
    tasks: Mapping[_Run, Task], workers: int | None, progress: Callable[[int, int], None] | None
) -> dict[_Run, Outcome]:
    """Return each run once, in the order of the tasks."""
    from ackclock.sweeps.errors import SweepError
    from ackclock.sweeps.executors import pool_of

    crew = pool_of(None, workers, has_own_code=any(task.code for task in tasks.values()))
    try:
        futures = {crew.submit(task): run for run, task in tasks.items()}
        waiting = set(futures)
        while waiting:
            _, waiting = wait(waiting, timeout=_PATIENCE_S, return_when=FIRST_COMPLETED)
            if progress is not None:
                progress(len(futures) - len(waiting), len(futures))
        found = {}
        for future, run in futures.items():
            try:
                found[run] = future.result()
            except Exception as error:
                raise SweepError(f"{run.experiment}, {tasks[run].where}: {error}") from error
        return found
    finally:
        crew.stop()


def _differing(run: _Run, task: Task, outcome: Outcome) -> Differing:
    changed = [
        Changed(name, run.values[name], value)
        for name, value in outcome.figures.items()
        if name in run.values and not _same(run.values[name], value)
    ]
    return Differing(run.experiment, task.where, tuple(changed), task.key == run.key)


def _same(a: float | None, b: float | None) -> bool:
    return a is b or (a is not None and b is not None and float(a).hex() == float(b).hex())
