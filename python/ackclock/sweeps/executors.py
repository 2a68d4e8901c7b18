"""Worker pools: threads, processes, Dask's workers, or any executor."""

from __future__ import annotations

import os
import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Protocol

from ackclock.scenario.watchdog import interrupt_threads
from ackclock.sweeps.errors import SweepError
from ackclock.sweeps.task import perform

if TYPE_CHECKING:
    from collections.abc import Callable

    from ackclock.sweeps.task import Keep, Outcome, Task

__all__ = ["Kernel", "WorkerPool", "cores", "pool_of"]

# Runs submitted at the same time to an executor that does not tell its number of workers.
_WINDOW_UNKNOWN = 64
# Time that a thread has to notice that its run is cancelled, s. Setting up a million flows takes
# longer.
_GRACE_S = 0.8


class WorkerPool(Protocol):
    """Makes runs, several at the same time."""

    slots: int
    """Number of runs at the same time; 0: `submit` makes each run before it returns."""
    notes: list[str]
    """Messages for the user, a sentence each."""
    is_here: bool
    """Whether it is on this machine: more runs than a few per slot may wait, if they are short."""
    keeps: bool
    """Whether it puts finished runs into the store; if not, the caller does."""

    def submit(self, task: Task, keep: Keep | None = None) -> Future[Outcome]:
        """Have a run made; a pool that keeps runs then calls `keep`, if it is given."""
        ...

    def share(self, future: Future[Outcome]) -> float:
        """Share of a run that is done; 0 if it is not known."""
        ...

    def stop(self) -> None:
        """End everything at once, including runs in progress where that is possible."""
        ...


class _EndedError(Exception):
    """The run is no longer wanted."""


class Threads:
    """Threads of this process. The engine needs Python's lock only at a run's start and end."""

    def __init__(self, slots: int, executor: ThreadPoolExecutor | None = None) -> None:
        self.slots = slots
        self.notes: list[str] = []
        self.is_here = self.keeps = True
        self._owns_pool = executor is None
        self._pool = executor or ThreadPoolExecutor(slots, thread_name_prefix="run")
        self._shares: dict[Future[Outcome], list[float]] = {}
        self._stop = threading.Event()
        self._threads: set[int] = set()

    def submit(self, task: Task, keep: Keep | None = None) -> Future[Outcome]:
        """See `WorkerPool`. The thread that makes a run keeps it: no other takes Python's lock."""
        share = [0.0]

        def report(done: float) -> None:
            if self._stop.is_set():
                raise _EndedError
            share[0] = done

        def make() -> Outcome:
            if self._stop.is_set():
                raise _EndedError
            self._threads.add(threading.get_ident())
            outcome = perform(task, report)
            if keep is not None:
                keep(task, outcome)
            return outcome

        future = self._pool.submit(make)
        self._shares[future] = share
        future.add_done_callback(self._forget)
        return future

    def share(self, future: Future[Outcome]) -> float:
        """See `WorkerPool`."""
        share = self._shares.get(future)
        return 0.0 if share is None else share[0]

    def _forget(self, future: Future[Outcome]) -> None:
        self._shares.pop(future, None)

    def stop(self) -> None:
        """See `WorkerPool`: a run checks ten times a second whether it is still wanted."""
        self._stop.set()
        futures = list(self._shares)
        for future in futures:
            future.cancel()
        if wait(futures, timeout=_GRACE_S).not_done:
            interrupt_threads(self._threads)
        if self._owns_pool:
            self._pool.shutdown(wait=False, cancel_futures=True)


class UsersExecutor:
    """An executor of the user: any that takes a function and arguments that can be pickled."""

    def __init__(self, executor: Executor, slots: int) -> None:
        self.slots = slots
        self.notes: list[str] = []
        self.is_here = self.keeps = False
        self._executor = executor
        self._futures: set[Future[Outcome]] = set()

    def submit(self, task: Task, _keep: Keep | None = None) -> Future[Outcome]:
        """See `WorkerPool`."""
        future = self._executor.submit(perform, task)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def share(self, _future: Future[Outcome]) -> float:
        """See `WorkerPool`."""
        return 0.0

    def stop(self) -> None:
        """See `WorkerPool`: runs in progress continue, because an executor cannot end them."""
        for future in list(self._futures):
            future.cancel()


class Kernel:
    """The kernel of this machine: one run after another, in this thread."""

    def __init__(self, tell: Callable[[float], None]) -> None:
        """Set the function that is called with the finished work of a run, as it advances."""
        self.slots = 0
        self.notes: list[str] = []
        self.is_here = self.keeps = False
        self._tell = tell

    def submit(self, task: Task, _keep: Keep | None = None) -> Future[Outcome]:
        """See `WorkerPool`."""
        future: Future[Outcome] = Future()
        try:
            future.set_result(perform(task, lambda share: self._tell(task.weight * share)))
        except Exception as error:
            future.set_exception(error)
        return future

    def share(self, _future: Future[Outcome]) -> float:
        """See `WorkerPool`."""
        return 0.0

    def stop(self) -> None:
        """See `WorkerPool`: no run is under way between two submissions."""


def cores() -> int:
    """Number of cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def pool_of(
    executor: Executor | str | None, workers: int | None, *, has_own_code: bool
) -> WorkerPool:
    """The worker pool that `run_design` asks for.

    Raises
    ------
    SweepError
        If there is no pool of that name, or no scheduler at that address.
    """
    if workers is not None and workers < 1:
        raise SweepError(f"workers = {workers}: a sweep needs at least one")
    if executor is None:
        executor = "processes" if has_own_code else "threads"
    if executor == "threads":
        return Threads(workers or cores())
    if executor == "processes":
        from ackclock.sweeps.processes import Processes

        return Processes(workers or cores())
    if isinstance(executor, str):
        from ackclock.sweeps.dask import DaskWorkers

        return DaskWorkers(executor, workers)
    if isinstance(executor, ThreadPoolExecutor):
        return Threads(workers or executor._max_workers, executor)
    slots = workers or getattr(executor, "_max_workers", None) or _WINDOW_UNKNOWN
    return UsersExecutor(executor, slots)
