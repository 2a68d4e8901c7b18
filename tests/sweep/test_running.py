"""Does any executor make the same runs, once, kept at once, with few in memory?"""

import multiprocessing
import threading
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ackclock.metrics import UnknownMetricError
from ackclock.sweeps.design import Design
from ackclock.sweeps.responses import Response
from ackclock.sweeps.running import Progress, RunReport, SweepError, run_design
from ackclock.sweeps.store import Store
from ackclock.sweeps.task import Outcome, Task, perform
from sweep_script import SETTINGS, files_of, small_design

REPLICATIONS = 5
RUNS = SETTINGS * REPLICATIONS


def run(folder: Path, **options: Any) -> RunReport:
    return run_design(small_design(REPLICATIONS), Store.open(folder, create=True), **options)


@pytest.fixture(scope="module")
def alone(tmp_path_factory: pytest.TempPathFactory) -> tuple[RunReport, dict[str, bytes]]:
    """The report and the files of one thread."""
    folder = tmp_path_factory.mktemp("alone") / "store"
    return run(folder, executor="threads", workers=1), files_of(folder)


def _given(task: Callable[[int], Task], count: int) -> Design:
    """A design of given runs, one per setting."""
    design = replace(small_design(1), settings=tuple(range(count)))
    design.task = lambda setting, _replication, *, warmup_ps=None: task(setting)  # noqa: ARG005
    return design


def same(report: RunReport, other: RunReport) -> bool:
    return list(report.rows.items()) == list(other.rows.items())


@contextmanager
def _spawned() -> Iterator[Executor]:
    with ProcessPoolExecutor(2, mp_context=multiprocessing.get_context("spawn")) as executor:
        yield executor


@contextmanager
def _threads() -> Iterator[Executor]:
    with ThreadPoolExecutor(3) as executor:
        yield executor


@contextmanager
def _named(name: str) -> Iterator[str]:
    yield name


class _Lazy(Executor):
    """Makes a run when its result is asked for."""

    def submit(
        self, function: Callable[..., Any], /, *arguments: Any, **named: Any
    ) -> "Future[Any]":
        future: Future[Any] = Future()
        threading.Timer(0.0, lambda: future.set_result(function(*arguments, **named))).start()
        return future


@contextmanager
def _lazy() -> Iterator[Executor]:
    yield _Lazy()


@pytest.mark.long
@pytest.mark.parametrize(
    "make", [_spawned, _threads, _lazy, lambda: _named("threads"), lambda: _named("processes")]
)
def test_whoever_makes_the_runs_every_byte_is_the_same(
    tmp_path: Path, alone: tuple[RunReport, dict[str, bytes]], make: Callable[[], Any]
) -> None:
    with make() as executor:
        report = run(tmp_path / "store", executor=executor, workers=3)
    assert same(report, alone[0])
    assert report.made == RUNS
    assert files_of(tmp_path / "store") == alone[1]


@pytest.mark.long
def test_rows_stand_in_order_with_what_their_runs_gave(
    alone: tuple[RunReport, dict[str, bytes]],
) -> None:
    rows = alone[0].rows
    assert list(rows) == [
        (setting, replication) for setting in range(SETTINGS) for replication in range(REPLICATIONS)
    ]
    task = small_design(REPLICATIONS).task(2, 3)
    outcome = perform(task)
    assert (rows[2, 3].key, rows[2, 3].seed, rows[2, 3].digest) == (task.key, 4, outcome.digest)
    assert dict(rows[2, 3].figures) == dict(outcome.figures)


def test_what_is_there_is_reused_and_nothing_is_made(
    tmp_path: Path, alone: tuple[RunReport, dict[str, bytes]]
) -> None:
    run(tmp_path / "store")
    report = run(tmp_path / "store", executor=_Nobody())
    assert (report.reused, report.made) == (RUNS, 0)
    assert same(report, alone[0])


class _Nobody(Executor):
    def submit(
        self, function: Callable[..., Any], /, *arguments: Any, **named: Any
    ) -> "Future[Any]":
        raise AssertionError("nothing was to be made", function, arguments, named)


def test_more_replications_make_only_what_is_more(tmp_path: Path) -> None:
    store = Store.open(tmp_path / "store", create=True)
    run_design(small_design(2), store)
    report = run_design(small_design(REPLICATIONS), store)
    assert (report.reused, report.made) == (2 * SETTINGS, RUNS - 2 * SETTINGS)


@pytest.mark.long
def test_a_damaged_run_is_named_and_made_again(
    tmp_path: Path, alone: tuple[RunReport, dict[str, bytes]]
) -> None:
    run(tmp_path / "store")
    broken = sorted((tmp_path / "store").glob("?/*.json"))[:2]
    broken[0].write_bytes(b"")
    broken[1].unlink()
    report = run(tmp_path / "store")
    assert (report.reused, report.made) == (RUNS - 2, 2)
    [sentence] = report.redone_damaged
    assert broken[0].name in sentence
    assert files_of(tmp_path / "store") == alone[1]


@pytest.mark.long
@pytest.mark.parametrize("workers", [1, 2])
def test_short_runs_wait_in_batches_and_every_byte_is_the_same(
    tmp_path: Path, workers: int
) -> None:
    design = small_design(40, duration="1s")
    for name, executor in (("threads", "threads"), ("small", ThreadPoolExecutor(workers))):
        store = Store.open(tmp_path / name, create=True)
        report = run_design(design, store, executor=executor, workers=workers)
        assert report.made == SETTINGS * 40
    alone = Store.open(tmp_path / "alone", create=True)
    for setting in range(SETTINGS):
        for replication in range(40):
            task = design.task(setting, replication)
            alone.put(perform(task), task.responses)
    expected = files_of(alone.folder)
    for name in ("threads", "small"):
        files = files_of(tmp_path / name)
        files.pop("claims")
        assert files == expected


@pytest.mark.long
def test_a_run_that_was_told_of_is_kept(tmp_path: Path) -> None:
    """Every finished run that progress counts is in the store at that moment."""
    store = Store.open(tmp_path / "store", create=True)
    counts: list[tuple[int, int]] = []

    def look(progress: Progress) -> None:
        kept = len(list(store.folder.glob("?/*.json")))
        counts.append((progress.finished, kept))

    run_design(small_design(40), store, executor="threads", workers=2, progress=look)
    assert counts[-1] == (SETTINGS * 40, SETTINGS * 40)
    assert all(finished <= kept for finished, kept in counts)


def test_settings_with_one_plan_are_one_run(tmp_path: Path) -> None:
    design = small_design(3)
    store = Store.open(tmp_path / "store", create=True)
    tasks = [design.task(0, replication) for replication in (0, 1, 0, 2, 1, 0)]
    report = run_design(_given(tasks.__getitem__, 6), store)
    assert (report.made, report.same, report.reused) == (3, 3, 0)
    assert [row.key for row in report.rows.values()] == [task.key for task in tasks]
    again = run_design(_given(tasks.__getitem__, 6), store)
    assert (again.made, again.reused) == (0, 6)


def test_progress_rises_to_all_and_counts_what_was_reused(tmp_path: Path) -> None:
    reports: list[Progress] = []
    run_design(small_design(1), Store.open(tmp_path / "store", create=True))
    run(tmp_path / "store", progress=reports.append)
    shares = [progress.share for progress in reports]
    assert shares == sorted(shares)
    last = reports[-1]
    assert (last.finished, last.runs, last.reused, last.left) == (RUNS, RUNS, SETTINGS, 0.0)
    assert last.share == pytest.approx(1.0)
    assert last.rate > 0.0


WORKERS = 4


class _Slow(Executor):
    """Counts what is submitted and not yet made, and makes it when as much as fits is there."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Future[Any], Task]] = []
        self.most = 0

    def submit(self, function: Callable[..., Any], /, *arguments: Any, **_: Any) -> "Future[Any]":
        assert function is perform
        future: Future[Any] = Future()
        self.waiting.append((future, arguments[0]))
        self.most = max(self.most, len(self.waiting))
        # Where submitting is slow, fewer than there are workers would wait at any time, and nothing
        # be seen of the window.
        threading.Timer(0.002 if len(self.waiting) >= WORKERS else 0.05, self._make).start()
        return future

    def _make(self) -> None:
        future, task = self.waiting.pop(0)
        future.set_result(
            Outcome(
                task.key,
                1,
                {"flows": []},
                dict.fromkeys((response.name for response in task.responses), 1.0),
                "0",
            )
        )


@pytest.mark.long
def test_no_more_runs_are_in_memory_than_a_window(tmp_path: Path) -> None:
    slow = _Slow()
    store = Store.open(tmp_path / "store", create=True)
    run_design(small_design(50), store, executor=slow, workers=WORKERS)
    assert WORKERS <= slow.most <= 10

    store = Store.open(tmp_path / "large", create=True)
    padded = small_design(1).task(0, 0)
    large = _given(
        lambda number: replace(
            padded, key=f"{number:02x}" * 32, plan=" " * 1_000_000 + padded.plan
        ),
        60,
    )
    tracemalloc.start()
    try:
        run_design(large, store, executor=_Slow(), workers=2)
        most = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert most < 25e6


def test_a_run_that_fails_says_which_and_what_is_finished_is_kept(tmp_path: Path) -> None:
    design = small_design(3)
    tasks = [design.task(0, replication) for replication in range(3)]
    tasks[2] = replace(tasks[2], responses=(Response("no", "goodput@nobody"),))
    store = Store.open(tmp_path / "store", create=True)
    with pytest.raises(UnknownMetricError, match=r"limit=5 packets, cc=reno\), seed 3: .*nobody"):
        run_design(_given(tasks.__getitem__, 3), store, workers=1)
    assert sorted(store.keys()) == sorted(task.key for task in tasks[:2])


class _Failing(Executor):
    """Has failed before anybody looks."""

    def submit(self, _function: Callable[..., Any], /, task: Task, **_: Any) -> "Future[Any]":
        future: Future[Any] = Future()
        future.set_exception(ValueError(f"no idea of {task.where}"))
        return future


def test_of_several_that_failed_the_first_is_told(tmp_path: Path) -> None:
    first = small_design(5).task(0, 0).where
    with pytest.raises(SweepError) as caught:
        run_design(
            small_design(5),
            Store.open(tmp_path / "store", create=True),
            executor=_Failing(),
            workers=WORKERS,
        )
    assert str(caught.value) == f"{first}: no idea of {first}"


def test_a_task_of_another_version_is_refused() -> None:
    with pytest.raises(SweepError, match="version"):
        perform(replace(small_design(1).task(0, 0), results_version=1))


@pytest.mark.long
@pytest.mark.parametrize("executor", ["tcp://127.0.0.1:1", "nonsense"])
def test_nobody_at_an_address_is_told(
    tmp_path: Path, executor: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ackclock.sweeps.dask._ANSWER_S", 1)
    with pytest.raises(SweepError, match=executor):
        run(tmp_path / "store", executor=executor)
