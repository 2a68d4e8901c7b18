"""Repeats runs of a result and compares them with the stored ones."""

from __future__ import annotations

import random
import re
import tempfile
from collections import Counter
from concurrent.futures import FIRST_COMPLETED, wait
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.atomic_io import files_of, has_file, read_bytes, read_json, read_table
from ackclock.atomic_io.contents import our_files
from ackclock.atomic_io.reading import DamagedError
from ackclock.errors import Error
from ackclock.studies.sources import FOLDER
from ackclock.tools.archives.archive import ArchiveError
from ackclock.tools.archives.figures import other_numbers
from ackclock.tools.archives.kinds import kind_in
from ackclock.tools.archives.study import study_folder

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import polars as pl

    from ackclock.engine.cost_model import Estimate
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.task import Outcome, Task

__all__ = ["Changed", "Differing", "NoRunsError", "Verified", "verify"]

_MOST_MEMORY = 400_000_000
"""Most memory that the runs of an experiment may take, bytes: 50 million figures."""
_MOST_REPLICATIONS = 1_000_000
# A run's files that are not of its results alone.
_OF_ITS_MAKING = re.compile(r"timing\.json|contents\.json|report\.html|plots/.*")
# Longest delay of Ctrl-C, s.
_PATIENCE_S = 0.1


class NoRunsError(ArchiveError):
    """A result keeps no runs that could be made again."""


@dataclass(frozen=True)
class Changed:
    """A figure that differs from the stored one."""

    response: str
    packed: float | None
    """Stored value."""
    now: float | None
    """Value of the repeated run."""


@dataclass(frozen=True)
class Differing:
    """A run that did not give the same bytes."""

    experiment: str
    """Name of the experiment in a study, or of the sweep; "run"."""
    where: str
    """Setting and seed in words; of a run the file that differs."""
    changed: tuple[Changed, ...]
    """Figures that differ; none if other figures of the run's summary do."""
    same_plan: bool
    """Whether plan, user code and version of ackclock are unchanged."""


@dataclass(frozen=True)
class Verified:
    """Outcome of a verification."""

    kind: str
    """Kind of the result: study, sweep, run."""
    name: str
    """Name of the study; else of the folder."""
    runs: int
    """Runs that the result has."""
    made: int
    """Runs that were repeated."""
    chosen: tuple[str, ...]
    """Setting and seed of each repeated run: `small, setting 0 (cc=reno), seed 1`."""
    differing: tuple[Differing, ...]
    versions: Mapping[str, Any]
    """Versions of the programs that made the runs."""
    other_version: str
    """A sentence if another version of the results made them; "" if not."""

    def to_dict(self) -> dict[str, Any]:
        """Return the fields for JSON."""
        fields = {**asdict(self), "same": self.made - len(self.differing)}
        if fields["kind"] == "study":
            return {"study": fields.pop("name"), **{k: v for k, v in fields.items() if k != "kind"}}
        return fields


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
    """Repeat some of a result's runs and compare them with the stored ones, to the last bit.

    Of a study and a sweep the digests of each run's summary and figures are compared; runs that a
    study records for their time series are left out, because it keeps their scenarios and not their
    results. Of a single run the files are compared, but for its timing, report and plots.

    Parameters
    ----------
    folder
        A folder of results, as `ackclock.tools.archives.packing.opened` gives it.
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
        runs.
    tell
        Called with an estimate before anything runs, if the runs are long or large.

    Raises
    ------
    ArchiveError
        If the folder lacks what it takes, or keeps no runs that could be made again.
    TooLargeError
        If this machine has no room for the runs.
    """
    kind = kind_in(folder)
    if kind.name == "run":
        return _verified_run(folder, warn, tell)
    if kind.name == "study":
        about = study_folder(folder)
        name, versions = about["name"], about["versions"]
        frames = _frames(folder)
        files = {experiment: folder / FOLDER / f"{experiment}.toml" for experiment in frames}
    elif kind.name == "sweep":
        name = folder.resolve().name
        versions = {"results_version": _version_of(folder, "sweep.json")}
        frames = {name: _frame(folder, "runs.parquet")}
        files = {name: folder / "sweep.toml"}
    else:
        raise NoRunsError(
            f"a {kind.name}, which keeps no runs that could be made again: {kind.command} makes it"
        )
    other = _other_version(versions, kind.name, warn)
    chosen = _chosen(frames, share, runs, seed)
    designs = {name: _design(files[name]) for name in {run.experiment for run in chosen}}
    for run in chosen:
        _check_place(run, designs[run.experiment], is_sweep=kind.name == "sweep")
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
        kind.name,
        name,
        sum(map(len, frames.values())),
        len(chosen),
        names,
        differing,
        versions,
        other,
    )


def _version_of(folder: Path, file: str) -> int:
    try:
        version = read_json(folder, file)["results_version"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise ArchiveError(f"{folder / file}: cannot be read: {error}") from None
    if not isinstance(version, int):
        raise ArchiveError(f"{folder / file}: results_version is wrong")
    return version


def _other_version(
    versions: Mapping[str, Any], thing: str, warn: Callable[[str], None] | None
) -> str:
    """Say that another version of the results made the runs; "" if this one did."""
    from ackclock import _core

    if versions["results_version"] == _core.RESULTS_VERSION:
        return ""
    maker = f" (ackclock {versions['ackclock']})" if "ackclock" in versions else ""
    other = (
        f"version {versions['results_version']} of the results made this {thing}{maker}, and this "
        f"ackclock {_core.__version__} has version {_core.RESULTS_VERSION}: its runs may differ"
    )
    if warn is not None:
        warn(other)
    return other


def _verified_run(
    folder: Path, warn: Callable[[str], None] | None, tell: Callable[[Estimate], None] | None
) -> Verified:
    from ackclock.engine.cost_model import check
    from ackclock.engine.run import run_planned
    from ackclock.results import Result
    from ackclock.results.files import RUN
    from ackclock.scenario import ScenarioError, load

    if has_file(folder, "linux.json"):
        raise NoRunsError("a run on the kernel, which no other run repeats")
    versions = {"results_version": _version_of(folder, "summary.json")}
    other = _other_version(versions, "run", warn)
    try:
        stored = Result.load(folder)
        scenario = load(folder / "scenario.toml")
    except ScenarioError as error:
        raise ArchiveError(f"cannot be run here: {error}") from None
    except Error as error:
        raise ArchiveError(str(error)) from None
    check(scenario, plan=stored.plan, plots=False, tell=tell)
    again = run_planned(scenario, stored.plan)
    with tempfile.TemporaryDirectory(prefix="ackclock-") as temporary:
        new = again.write(Path(temporary) / "run", report=False)
        names = our_files(folder, RUN) | our_files(new, RUN)
        files = [
            name
            for name in sorted(names)
            if not _OF_ITS_MAKING.fullmatch(name) and _content(folder, name) != _content(new, name)
        ]
        changed = _changed(folder, new) if "summary.json" in files else ()
    name, where = folder.resolve().name, f"seed {stored.plan['seed']}"
    differing = [Differing(name, f"{where} ({', '.join(files)})", changed, same_plan=True)]
    return Verified(
        "run", name, 1, 1, (f"{name}, {where}",), tuple(differing if files else ()), versions, other
    )


def _content(folder: Path, name: str) -> bytes | None:
    return read_bytes(folder, name) if has_file(folder, name) else None


def _changed(old: Path, new: Path) -> tuple[Changed, ...]:
    """The figures of a run's summary that differ."""
    summaries = [read_json(where, "summary.json") for where in (old, new)]
    return tuple(Changed(*row) for row in other_numbers(*summaries))


def _check_room(
    chosen: Sequence[_Run],
    designs: Mapping[str, Design],
    workers: int | None,
    tell: Callable[[Estimate], None] | None,
) -> None:
    """Estimate the runs, pilots of a warm-up not included, and refuse what has no room."""
    from ackclock.engine.cost_model import check_many
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


def _check_place(run: _Run, design: Design, *, is_sweep: bool) -> None:
    settings = len(design.settings)
    file = "runs.parquet" if is_sweep else f"{FOLDER}/{run.experiment}.parquet"
    design_file = "sweep.toml" if is_sweep else f"{run.experiment}.toml"
    if not (0 <= run.setting < settings and 0 <= run.replication < _MOST_REPLICATIONS):
        raise ArchiveError(
            f"{file}: a run of setting {run.setting}, seed {run.replication + 1}, which "
            f"{design_file} does not have"
        )


def _task(run: _Run, design: Design, warmup: int | None) -> Task:
    return design.task(run.setting, run.replication, warmup_ps=warmup)


def _frame(folder: Path, name: str) -> pl.DataFrame:
    """The runs of a sweep, as its table has them."""
    import polars as pl

    columns = {"setting": pl.Int64, "replication": pl.Int64, "digest": pl.String, "key": pl.String}
    try:
        frame = read_table(folder, name, most=_MOST_MEMORY, columns=columns)
    except (DamagedError, OSError) as error:
        raise ArchiveError(str(error)) from None
    for column, kind in columns.items():
        is_whole = kind == pl.Int64 and frame[column].dtype.is_integer()
        if not is_whole and frame[column].dtype != kind:
            file = name.rpartition("/")[2]
            raise ArchiveError(f"{file}: no runs of a sweep: column {column} is wrong")
    return frame.drop_nulls(list(columns))


def _frames(folder: Path) -> dict[str, pl.DataFrame]:
    frames = {}
    for name in files_of(folder, FOLDER, ".parquet"):
        frames[name.removesuffix(".parquet")] = _frame(folder, f"{FOLDER}/{name}")
    if not frames:
        raise ArchiveError(
            f"{folder.name}: no runs in it: its claims rest on formulas and recorded runs, there "
            "is nothing to verify"
        )
    return frames


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


def _design(file: Path) -> Design:
    from ackclock.scenario import ScenarioError, load
    from ackclock.sweeps.making import read_design

    try:
        return read_design(load(file))
    except (ScenarioError, FileNotFoundError) as error:
        name = file.name if file.name == "sweep.toml" else f"{FOLDER}/{file.name}"
        raise ArchiveError(f"{name}: cannot be run here: {error}") from None


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
        results = {}
        for future, run in futures.items():
            try:
                results[run] = future.result()
            except Exception as error:
                raise SweepError(f"{run.experiment}, {tasks[run].where}: {error}") from error
        return results
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
