"""The loop of a sweep: runs of the store are reused, missing runs are made and kept."""

from __future__ import annotations

import math
import queue
import time
from collections import deque
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, NamedTuple

from ackclock.errors import Error
from ackclock.scenario.errors import ScenarioError
from ackclock.sweeps.errors import SweepError, SweepStoppedError
from ackclock.sweeps.executors import Kernel, pool_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Executor, Future

    from ackclock.sweeps.design import Design
    from ackclock.sweeps.executors import WorkerPool
    from ackclock.sweeps.store import Store
    from ackclock.sweeps.task import Outcome, Task

__all__ = [
    "Progress",
    "Row",
    "RunReport",
    "SweepError",
    "SweepStoppedError",
    "progress_within",
    "run_design",
]

# Largest delay of an answer to Ctrl-C, and largest age of the shown progress, s.
_PATIENCE_S = 0.1
# Time between two look-ups of runs that another process makes, s.
_ELSEWHERE_S = 0.25
# Runs that wait in the pool, per worker and in addition, so that no worker is ever idle.
_WAITING_PER_SLOT = 1
_WAITING = 2
# Short runs are submitted and collected in batches of this length, so that this thread and the
# workers do not take turns at each run. Threads keep a run at once. A kill loses the runs that
# processes finished in a batch.
_BATCH_S = 0.05
# Most runs that wait in the pool, and most bytes of their plans beyond the first ones, although
# short runs make a batch longer.
_MOST_WAITING = 256
_MOST_WAITING_BYTES = 4 * 1024 * 1024


@dataclass(frozen=True)
class Progress:
    """Progress of a sweep.

    Examples
    --------
    >>> import ackclock as ac
    >>> from ackclock.sweeps import Progress
    >>> base = ac.dumbbell(rate="5Mbit/s", rtt="20ms", flows=[ac.flow("reno")], duration="3s")
    >>> seen: list[Progress] = []
    >>> _ = ac.sweep(base, axes=[{"flows.cc": ["reno"]}], replications=2, progress=seen.append)
    >>> seen[-1].finished, seen[-1].runs
    (2, 2)
    """

    finished: int
    """Number of finished runs, reused or made."""
    runs: int
    """Number of all runs known so far; a sequential stop may ask for more."""
    reused: int
    """Number of finished runs that the store had before."""
    share: float
    """Share of the work that is done, 0 to 1."""
    rate: float
    """Runs made per second of wall time."""
    left: float | None
    """Expected wall time until the end, s; None: not known yet."""
    experiment: str = ""
    """Experiment of a study that these runs belong to; `share` is then of the whole study."""


def progress_within(
    progress: Callable[[Progress], None] | None, experiment: str, before: float, share: float
) -> Callable[[Progress], None] | None:
    """Progress of an experiment as that of several: `before` is done, and `share` is its own."""
    if progress is None:
        return None
    return lambda now: progress(
        replace(now, share=before + share * now.share, left=None, experiment=experiment)
    )


@dataclass(frozen=True)
class Row:
    """The part of a finished run that the analysis needs; the rest is in the store."""

    key: str
    seed: int
    digest: str
    figures: Mapping[str, float | None]
    warnings: tuple[str, ...] = ()
    """Warnings of the run itself."""


@dataclass(frozen=True)
class RunReport:
    """The runs of a finished sweep, and how they came about."""

    rows: Mapping[tuple[int, int], Row]
    """Runs by (setting, replication), in this order."""
    reused: int
    """Number of runs that the store had."""
    made: int
    """Number of runs that this process, or its workers, made."""
    elsewhere: int
    """Number of runs that another process on this store made meanwhile."""
    same: int
    """Number of runs that repeat another run: two settings with equal plan and seed."""
    redone_damaged: tuple[str, ...]
    """A sentence for each run that was made again because its files were damaged."""
    notes: tuple[str, ...] = ()
    """Further messages for the user, a sentence each, such as a worker that died."""
    timing: Mapping[str, float] = field(default_factory=dict)
    """Wall-clock figures, for timing.json."""


class Job(NamedTuple):
    """A run that is wanted."""

    at: tuple[int, int]
    """Setting and replication."""
    task: Task


class _NotKeptError(Exception):
    """A finished run could not be put into the store."""


class _Counts:
    def __init__(self) -> None:
        self.reused = self.made = self.elsewhere = self.same = 0

    @property
    def finished(self) -> int:
        return self.reused + self.made + self.elsewhere + self.same


class _Meter:
    """Measures the finished work, and reports it."""

    def __init__(self, progress: Callable[[Progress], None] | None) -> None:
        self._progress = progress
        self._began = self._told = time.monotonic()
        self.runs = 0
        self.weight = 0.0
        self.done = 0.0
        self.made = 0.0
        """Work of the runs that were made here: a part of `done`."""

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._began

    def tell(
        self, counts: _Counts, share_of: Callable[[], float], *, at_once: bool = False
    ) -> None:
        """Report; `share_of` returns the work of the runs under way that is done."""
        now = time.monotonic()
        if self._progress is None or (now - self._told < _PATIENCE_S and not at_once):
            return
        self._told = now
        under_way = share_of()
        elapsed = now - self._began
        made, done = self.made + under_way, self.done + under_way
        left = (self.weight - done) * elapsed / made if made > 0.0 and elapsed > 0.0 else None
        rate = counts.made / elapsed if elapsed > 0.0 else 0.0
        share = min(1.0, done / self.weight) if self.weight > 0.0 else 1.0
        self._progress(Progress(counts.finished, self.runs, counts.reused, share, rate, left))


class _Making:
    """Runs in progress: a window of submitted runs, each claimed, and runs claimed elsewhere."""

    def __init__(
        self,
        store: Store,
        make_pool: Callable[[], WorkerPool],
        meter: _Meter,
        take: Callable[[Job, Outcome], None],
        counts: _Counts,
    ) -> None:
        self._store = store
        self._make_pool = make_pool
        self._meter = meter
        self._take = take
        self.pool: WorkerPool | None = None
        self.notes: list[str] = []
        self.counts = counts
        self._claims: dict[str, ExitStack] = {}
        self._jobs: dict[Future[Outcome], list[Job]] = {}
        self._by_key: dict[str, Future[Outcome]] = {}
        self._elsewhere: deque[Job] = deque()
        self._looked = 0.0
        self._done: queue.SimpleQueue[Future[Outcome]] = queue.SimpleQueue()
        self._waited_since = time.monotonic()
        self._seconds = 0.0
        """Time between two finished runs, s, if they are short; else 0."""
        self._lacking: set[str] = set()
        """Keys of runs that the store has, but without a figure."""
        self._keeps = False
        """Whether the pool keeps the runs."""
        self._bytes = 0
        """Size of the plans that are submitted and not finished."""
        # Keys of all runs that were made here: 32 bytes each.
        self._made: set[bytes] = set()

    def make(self, jobs: Iterator[Job]) -> None:
        is_exhausted = False
        while True:
            while not is_exhausted and not self._is_full:
                job = next(jobs, None)
                if job is None:
                    is_exhausted = True
                else:
                    self._begin(job)
                    self._meter.tell(self.counts, self._under_way)
            self._look_elsewhere()
            if not self._jobs and not self._elsewhere and is_exhausted:
                return
            if self._jobs:
                done = self._wait()
                # In the order of submission, so that the first of several failures is reported.
                for future in [future for future in self._jobs if future in done] if done else ():
                    self._finish(future)
            elif self._elsewhere:
                time.sleep(_PATIENCE_S)
            self._meter.tell(self.counts, self._under_way)

    def _wait(self) -> set[Future[Outcome]]:
        """Wait for a finished run, or for a batch of short ones."""
        if self._seconds:
            time.sleep(min(_BATCH_S, self._seconds * len(self._jobs) / 2))
        done: set[Future[Outcome]] = set()
        with suppress(queue.Empty):
            # Ctrl-C cannot interrupt an endless wait if another thread takes the signal.
            done.add(self._done.get(timeout=_PATIENCE_S))
            while True:
                done.add(self._done.get_nowait())
        now = time.monotonic()
        if done:
            pause = (now - self._waited_since) / len(done)
            # One of several workers is behind another: the pause is for all of them together.
            self._seconds = pause if pause < _BATCH_S else 0.0
            self._waited_since = now
        return done

    def stop(self) -> None:
        """Stop the workers, keep finished runs, and release the claims on all others."""
        if self.pool is None:
            return
        pool, self.pool = self.pool, None
        try:
            pool.stop()
            self.notes += pool.notes
            for future in [
                future
                for future in self._jobs
                if future.done() and not future.cancelled() and future.exception() is None
            ]:
                # If the run cannot be kept, this error has already ended the sweep.
                with suppress(SweepError):
                    self._finish(future)
        finally:
            for claim in self._claims.values():
                claim.close()
            self._claims.clear()

    @property
    def _is_full(self) -> bool:
        if self.pool is None or not self.pool.slots:
            return bool(self._jobs)
        waiting = self.pool.slots * (1 + _WAITING_PER_SLOT) + _WAITING
        if self.pool.is_here and self._seconds and self._bytes < _MOST_WAITING_BYTES:
            batch = math.ceil(2.0 * _BATCH_S / self._seconds)
            waiting = max(waiting, min(batch, _MOST_WAITING))
        return len(self._jobs) >= waiting

    def _under_way(self) -> float:
        if self.pool is None:
            return 0.0
        return sum(
            job.task.weight * self.pool.share(future)
            for future, jobs in self._jobs.items()
            for job in jobs
        )

    def _begin(self, job: Job) -> None:
        task = job.task
        if task.key in self._by_key:
            self._jobs[self._by_key[task.key]].append(job)
            return
        if not self._submit(job):
            # Another process may have finished the run already. Then only figures are added.
            outcome = self._store.get(task.key, task.responses)
            if outcome is None:
                self._elsewhere.append(job)
            else:
                self._reuse(job, outcome)

    def _reuse(self, job: Job, outcome: Outcome) -> None:
        if bytes.fromhex(job.task.key) in self._made:
            self.counts.same += 1
        else:
            self.counts.reused += 1
        self._have(job, outcome)

    def _submit(self, job: Job, *, was_elsewhere: bool = False) -> bool:
        """Find a run, or submit it; False if another process has claimed it.

        The claim comes before the look into the store, which is then needed only once.
        """
        task = job.task
        claim = self._store.claim(task.key)
        if claim is None:
            return False
        with ExitStack() as held:
            held.enter_context(claim)
            outcome, is_missing = self._store.look(task.key, task.responses)
            if outcome is not None:
                if was_elsewhere:
                    self.counts.elsewhere += 1
                    self._have(job, outcome)
                else:
                    self._reuse(job, outcome)
                return True
            if self.pool is None:
                self.pool = self._make_pool()
            if not is_missing:
                self._lacking.add(task.key)
            self._keeps = self.pool.keeps
            future = self.pool.submit(task, self._keep)
            self._bytes += len(task.plan)
            future.add_done_callback(self._done.put)
            self._claims[task.key] = held.pop_all()
            self._jobs[future] = [job]
            self._by_key[task.key] = future
        return True

    def _keep(self, task: Task, outcome: Outcome) -> None:
        """Put a run into the store, from any thread."""
        try:
            self._store.put(outcome, task.responses, is_missing=task.key not in self._lacking)
        except OSError as error:
            why = error.strerror or str(error)
            raise _NotKeptError(
                f"{task.where} could not be kept in {self._store.folder}: {why}; what is "
                "there is whole, and the same call goes on from it"
            ) from error

    def _look_elsewhere(self) -> None:
        if not self._elsewhere or time.monotonic() - self._looked < _ELSEWHERE_S:
            return
        self._looked = time.monotonic()
        for _ in range(len(self._elsewhere)):
            job = self._elsewhere.popleft()
            outcome = self._store.get(job.task.key, job.task.responses)
            if outcome is not None:
                self.counts.elsewhere += 1
                self._have(job, outcome)
            elif self._is_full or not self._submit(job, was_elsewhere=True):
                self._elsewhere.append(job)

    def _finish(self, future: Future[Outcome]) -> None:
        jobs = self._jobs.pop(future)
        task = jobs[0].task
        del self._by_key[task.key]
        self._bytes -= len(task.plan)
        has_kept = self._keeps
        with self._claims.pop(task.key):
            try:
                outcome = future.result()
                if not has_kept:
                    self._keep(task, outcome)
            except _NotKeptError as error:
                raise SweepError(str(error)) from error.__cause__
            except ScenarioError as error:
                # An error in the scenario that only the engine, or the run itself, could find.
                raise ScenarioError(
                    f"{task.where}: {error.message}",
                    key=error.key,
                    value=error.value,
                    file=error.file,
                ) from error
            except Error as error:
                # The user's algorithm or metric, the kernel or a worker failed.
                error.args = (f"{task.where}: {error}",)
                raise
            except Exception as error:
                raise SweepError(f"{task.where}: {error}") from error
        self._made.add(bytes.fromhex(task.key))
        self.counts.made += 1
        self.counts.same += len(jobs) - 1
        self._meter.made += task.weight
        for job in jobs:
            self._have(job, outcome)

    def _have(self, job: Job, outcome: Outcome) -> None:
        self._meter.done += job.task.weight
        self._take(job, outcome)


def run_design(
    design: Design,
    store: Store,
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    warmups: Mapping[int, int] | None = None,
) -> RunReport:
    """Make every run of a design that the store does not have.

    Parameters
    ----------
    design
        The sweep. `ackclock.sweeps.sequential.wanted` decides about further runs.
    store
        Store that has, or gets, the runs.
    executor
        `"threads"`, `"processes"`, the address of a Dask scheduler (`"tcp://HOST:PORT"`, or a file
        that it wrote), or any executor. By default threads, or processes if algorithms or metrics
        are the user's code. The executor changes no result.
    workers
        Runs at the same time; by default one per core or worker. The number changes no result.
    progress
        Function that is called from this thread, at most ten times a second.
    warmups
        Warm-up by setting, ps, where it replaces the scenario's.

    Raises
    ------
    ScenarioError
        If the engine refuses the plan of a setting, or a run does not fit into its record.
    AlgorithmError, MetricError, LinuxError
        If the user's algorithm or metric, or the kernel, fails in a run.
    SweepError
        If a run fails for another reason, or cannot be kept; the text says how to go on.
    SweepStoppedError
        At Ctrl-C, after the runs in progress have been stopped; finished runs are kept. It is a
        KeyboardInterrupt.
    """
    from ackclock.sweeps.sequential import wanted

    def task(setting: int, replication: int) -> Task:
        return design.task(
            setting, replication, warmup_ps=None if warmups is None else warmups.get(setting)
        )

    weights, has_own_code = [], False
    real: set[int] = set()
    for setting in range(len(design.settings)):
        first = task(setting, 0)
        weights.append(first.weight)
        has_own_code = has_own_code or bool(first.code or first.carried)
        if first.on_kernel is not None and first.kernel is None:
            real.add(setting)
    # The longest first, so that no core is idle at the end.
    longest_first = sorted(range(len(weights)), key=lambda setting: -weights[setting])
    order = {setting: place for place, setting in enumerate(longest_first)}
    rows: dict[tuple[int, int], Row] = {}
    figures: dict[tuple[int, int], Mapping[str, float | None]] = {}

    def take(job: Job, outcome: Outcome) -> None:
        rows[job.at] = Row(
            outcome.key, outcome.seed, outcome.digest, outcome.figures, outcome.cautions
        )
        figures[job.at] = outcome.figures

    def batches(meter: _Meter) -> Iterator[tuple[_Making, Iterator[Job]]]:
        while todo := wanted(design, figures):
            meter.runs += len(todo)
            meter.weight += sum(weights[setting] for setting, _ in todo)
            ordered = sorted(todo, key=lambda at: (order[at[0]], at))
            yield simulated, (Job(at, task(*at)) for at in ordered if at[0] not in real)
            # Runs on the kernel come after the simulations, which would disturb their timing.
            yield in_real_time, (Job(at, task(*at)) for at in sorted(todo) if at[0] in real)

    store.tidy()
    meter = _Meter(progress)
    counts = _Counts()
    simulated = _Making(
        store, lambda: pool_of(executor, workers, has_own_code=has_own_code), meter, take, counts
    )
    in_real_time = _Making(
        store, lambda: Kernel(lambda done: meter.tell(counts, lambda: done)), meter, take, counts
    )
    try:
        for making, jobs in batches(meter):
            making.make(jobs)
        meter.tell(counts, lambda: 0.0, at_once=True)
    except ScenarioError as error:
        raise error.located(design.scenario.file) from error
    except KeyboardInterrupt:
        simulated.stop()
        raise SweepStoppedError(
            f"stopped: {counts.finished} of {meter.runs} runs are kept in {store.folder}; "
            "the same call goes on from there"
        ) from None
    finally:
        simulated.stop()
        in_real_time.stop()
    elapsed, notes = meter.elapsed, simulated.notes
    if not store.has_locks:
        notes.append(
            f"{store.folder} is on a file system without locks: two processes that share it may "
            "make a run twice."
        )
    return RunReport(
        rows=dict(sorted(rows.items())),
        reused=counts.reused,
        made=counts.made,
        elsewhere=counts.elsewhere,
        same=counts.same,
        redone_damaged=tuple(store.damaged),
        notes=tuple(notes),
        timing={
            "seconds": elapsed,
            "runs_per_second": counts.made / elapsed if elapsed > 0.0 else 0.0,
        },
    )
