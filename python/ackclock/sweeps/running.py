"""The loop of a sweep: what is there is reused, what is not is made and kept."""

from __future__ import annotations

import time
from collections import deque
from concurrent.futures import FIRST_COMPLETED, wait
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from ackclock.results.diagnosis.sentences import cautions
from ackclock.scenario.errors import ScenarioError
from ackclock.sweeps.errors import SweepError, SweepStoppedError
from ackclock.sweeps.executors import crew_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping
    from concurrent.futures import Executor, Future

    from ackclock.sweeps.design import Design
    from ackclock.sweeps.executors import Crew
    from ackclock.sweeps.store import Store
    from ackclock.sweeps.task import Outcome, Task

__all__ = ["Progress", "Row", "RunReport", "SweepError", "SweepStoppedError", "run_design"]

# How long Ctrl-C may go unheard, and how old what is shown may be, s.
_PATIENCE_S = 0.1
# How long a run that another process makes is left alone before it is looked at again, s.
_ELSEWHERE_S = 0.25
# Runs that wait beside those that are being made, so that no worker waits for us.
_WAITING_PER_SLOT = 1
_WAITING = 2


@dataclass(frozen=True)
class Progress:
    """How far a sweep is."""

    finished: int
    """Runs that are there: reused and made."""
    runs: int
    """Runs in all, as far as known: a sequential stop may ask for more."""
    reused: int
    """Of those finished, how many the store had."""
    share: float
    """Share of the work that is done, 0 to 1."""
    rate: float
    """Runs made per second of wall time."""
    left: float | None
    """Wall time until all are there, s; None: not known yet."""


@dataclass(frozen=True)
class Row:
    """A run as far as the analysis needs it; the rest is in the store."""

    key: str
    seed: int
    digest: str
    figures: Mapping[str, float | None]
    warnings: tuple[str, ...] = ()
    """What the run itself warns of."""


@dataclass(frozen=True)
class RunReport:
    """What became of a sweep's runs."""

    rows: Mapping[tuple[int, int], Row]
    """By (setting, replication), in this order."""
    reused: int
    """Runs that the store had."""
    made: int
    """Runs that this process, or its workers, made."""
    elsewhere: int
    """Runs that another process on the same store made meanwhile."""
    same: int
    """Runs that are one with another of the sweep: the same plan and seed at two settings."""
    redone_damaged: tuple[str, ...]
    """A sentence for each run whose files were damaged, and that was made again."""
    notes: tuple[str, ...] = ()
    """What else the user should know, a sentence each, such as a worker that died."""
    timing: Mapping[str, float] = field(default_factory=dict)
    """Wall-clock figures, for timing.json."""


class Job(NamedTuple):
    """A run that is wanted."""

    at: tuple[int, int]
    """Setting and replication."""
    task: Task


class _Counts:
    def __init__(self) -> None:
        self.reused = self.made = self.elsewhere = self.same = 0

    @property
    def finished(self) -> int:
        return self.reused + self.made + self.elsewhere + self.same


class _Meter:
    """What is done of what there is to do."""

    def __init__(self, progress: Callable[[Progress], None] | None) -> None:
        self._progress = progress
        self._began = self._told = time.monotonic()
        self.runs = 0
        self.weight = 0.0
        self.done = 0.0
        self.made = 0.0
        """Of what is done, what was made here."""

    @property
    def elapsed(self) -> float:
        return time.monotonic() - self._began

    def tell(self, counts: _Counts, under_way: float, *, at_once: bool = False) -> None:
        now = time.monotonic()
        if self._progress is None or (now - self._told < _PATIENCE_S and not at_once):
            return
        self._told = now
        elapsed = now - self._began
        made, done = self.made + under_way, self.done + under_way
        left = (self.weight - done) * elapsed / made if made > 0.0 and elapsed > 0.0 else None
        rate = counts.made / elapsed if elapsed > 0.0 else 0.0
        share = min(1.0, done / self.weight) if self.weight > 0.0 else 1.0
        self._progress(Progress(counts.finished, self.runs, counts.reused, share, rate, left))


class _Making:
    """Runs in the making: a window of those that are submitted, each claimed, and those that another process has claimed."""

    def __init__(self, store: Store, hire: Callable[[], Crew], meter: _Meter, take: Callable[[Job, Outcome], None]) -> None:
        self._store = store
        self._hire = hire
        self._meter = meter
        self._take = take
        self.crew: Crew | None = None
        self.notes: list[str] = []
        self.counts = _Counts()
        self._claims: dict[str, ExitStack] = {}
        self._jobs: dict[Future[Outcome], list[Job]] = {}
        self._by_key: dict[str, Future[Outcome]] = {}
        self._elsewhere: deque[Job] = deque()
        self._looked = 0.0
        # Of all runs that were made here: 32 bytes each.
        self._made: set[bytes] = set()

    def make(self, jobs: Iterator[Job]) -> None:
        """Make all of them."""
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
                # Not without a timeout: where another thread takes the signal, a wait without end is not interrupted by Ctrl-C.
                done, _ = wait(self._jobs, timeout=_PATIENCE_S, return_when=FIRST_COMPLETED)
                # In their order: of several that failed, the first is told.
                for future in [one for one in self._jobs if one in done]:
                    self._finish(future)
            elif self._elsewhere:
                time.sleep(_PATIENCE_S)
            self._meter.tell(self.counts, self._under_way)

    def stop(self) -> None:
        """Stop everybody, keep what is finished, and leave all other runs to whoever wants them."""
        if self.crew is None:
            return
        crew, self.crew = self.crew, None
        try:
            crew.stop()
            self.notes += crew.notes
            for future in [one for one in self._jobs if one.done() and not one.cancelled() and one.exception() is None]:
                # Where it cannot be kept, that is what ended the sweep.
                with suppress(SweepError):
                    self._finish(future)
        finally:
            for claim in self._claims.values():
                claim.close()
            self._claims.clear()

    @property
    def _is_full(self) -> bool:
        waiting = 0 if self.crew is None else self.crew.slots * (1 + _WAITING_PER_SLOT) + _WAITING
        return len(self._jobs) >= max(1, waiting)

    @property
    def _under_way(self) -> float:
        if self.crew is None:
            return 0.0
        return sum(job.task.weight * self.crew.share(future) for future, jobs in self._jobs.items() for job in jobs)

    def _begin(self, job: Job) -> None:
        task = job.task
        if task.key in self._by_key:
            self._jobs[self._by_key[task.key]].append(job)
            return
        found = self._store.get(task.key, task.responses)
        if found is not None:
            if bytes.fromhex(task.key) in self._made:
                self.counts.same += 1
            else:
                self.counts.reused += 1
            self._have(job, found)
        elif not self._submit(job):
            self._elsewhere.append(job)

    def _submit(self, job: Job) -> bool:
        """Have a run made, unless another process has claimed it or just made it."""
        task = job.task
        claim = self._store.claim(task.key)
        if claim is None:
            return False
        with ExitStack() as held:
            held.enter_context(claim)
            found = self._store.get(task.key, task.responses)
            if found is not None:
                self.counts.elsewhere += 1
                self._have(job, found)
                return True
            if self.crew is None:
                self.crew = self._hire()
            future = self.crew.submit(task)
            self._claims[task.key] = held.pop_all()
            self._jobs[future] = [job]
            self._by_key[task.key] = future
        return True

    def _look_elsewhere(self) -> None:
        if not self._elsewhere or time.monotonic() - self._looked < _ELSEWHERE_S:
            return
        self._looked = time.monotonic()
        for _ in range(len(self._elsewhere)):
            job = self._elsewhere.popleft()
            found = self._store.get(job.task.key, job.task.responses)
            if found is not None:
                self.counts.elsewhere += 1
                self._have(job, found)
            elif self._is_full or not self._submit(job):
                self._elsewhere.append(job)

    def _finish(self, future: Future[Outcome]) -> None:
        jobs = self._jobs.pop(future)
        task = jobs[0].task
        del self._by_key[task.key]
        with self._claims.pop(task.key):
            try:
                outcome = future.result()
            except ScenarioError as error:
                # The scenario is wrong, not the machine: only the engine, or the run itself, could tell.
                raise ScenarioError(f"{task.where}: {error.message}", key=error.key, value=error.value, file=error.file) from error
            except Exception as error:
                raise SweepError(f"{task.where}: {error}") from error
            try:
                self._store.put(outcome, task.responses)
            except OSError as error:
                why = error.strerror or str(error)
                raise SweepError(
                    f"{task.where} could not be kept in {self._store.folder}: {why}; what is there is whole, "
                    "and the same call goes on from it"
                ) from error
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
        The sweep; if it has a sequential stop, `ackclock.sweeps.sequential.wanted` says what follows.
    store
        Where runs are, and are kept.
    executor
        `"threads"`, `"processes"`, the address of a Dask scheduler (`"tcp://HOST:PORT"`, or a file that it wrote), or any executor. By
        default threads, and processes where algorithms or metrics are the user's own. It changes no result.
    workers
        Runs at the same time; by default as many as there are cores, or as the executor has workers. It changes no result.
    progress
        Called from this thread, at most ten times a second.
    warmups
        Warm-up of each setting, ps, where it is not the scenario's own.

    Raises
    ------
    ScenarioError
        If the engine refuses a setting's plan, or the run of one does not fit into its record: which, and why.
    SweepError
        If a run fails or cannot be kept: which, why, and how to go on.
    SweepStoppedError
        At Ctrl-C, after runs under way have been stopped; what is finished is kept. It is a KeyboardInterrupt.
    """
    from ackclock.sweeps.sequential import wanted

    def task(setting: int, replication: int) -> Task:
        return design.task(setting, replication, warmup_ps=None if warmups is None else warmups.get(setting))

    weights, has_own_code = [], False
    for setting in range(len(design.settings)):
        one = task(setting, 0)
        weights.append(one.weight)
        has_own_code = has_own_code or bool(one.code or one.carried)
    # The longest first, so that no core waits at the end.
    order = {setting: place for place, setting in enumerate(sorted(range(len(weights)), key=lambda setting: -weights[setting]))}
    rows: dict[tuple[int, int], Row] = {}
    figures: dict[tuple[int, int], Mapping[str, float | None]] = {}

    def take(job: Job, outcome: Outcome) -> None:
        rows[job.at] = Row(outcome.key, outcome.seed, outcome.digest, outcome.figures, tuple(cautions(outcome.summary)))
        figures[job.at] = outcome.figures

    def batches(meter: _Meter) -> Iterator[Iterator[Job]]:
        while todo := wanted(design, figures):
            meter.runs += len(todo)
            meter.weight += sum(weights[setting] for setting, _ in todo)
            ordered = sorted(todo, key=lambda at: (order[at[0]], at))
            yield (Job(at, task(*at)) for at in ordered)

    store.tidy()
    meter = _Meter(progress)
    making = _Making(store, lambda: crew_of(executor, workers, has_own_code=has_own_code), meter, take)
    try:
        for jobs in batches(meter):
            making.make(jobs)
        meter.tell(making.counts, 0.0, at_once=True)
    except ScenarioError as error:
        raise error.located(design.scenario.file) from error
    except KeyboardInterrupt:
        making.stop()
        raise SweepStoppedError(
            f"stopped: {making.counts.finished} of {meter.runs} runs are kept in {store.folder}; the same call goes on from there"
        ) from None
    finally:
        making.stop()
    elapsed, notes = meter.elapsed, making.notes
    if not store.has_locks:
        notes.append(f"{store.folder} is on a file system without locks: two processes that share it may make a run twice.")
    counts = making.counts
    return RunReport(
        rows=dict(sorted(rows.items())),
        reused=counts.reused,
        made=counts.made,
        elsewhere=counts.elsewhere,
        same=counts.same,
        redone_damaged=tuple(store.damaged),
        notes=tuple(notes),
        timing={"seconds": elapsed, "runs_per_second": counts.made / elapsed if elapsed > 0.0 else 0.0},
    )
