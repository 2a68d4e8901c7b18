"""Who makes the runs: threads, processes, Dask's workers, or any executor."""

from __future__ import annotations

import threading
from concurrent.futures import Executor, Future, ThreadPoolExecutor, wait
from typing import TYPE_CHECKING, Protocol

from ackclock.comparing import cores
from ackclock.scenario.watchdog import interrupt_threads
from ackclock.sweeps.errors import SweepError
from ackclock.sweeps.task import perform

if TYPE_CHECKING:
    from ackclock.sweeps.task import Outcome, Task

__all__ = ["Crew", "crew_of"]

# Nobody knows how many workers an executor has that does not say so.
_WINDOW_UNKNOWN = 64
# What a thread may take to notice that its run is not wanted any more, s; what sets up a million flows takes longer.
_GRACE_S = 0.8


class Crew(Protocol):
    """Those who make runs."""

    slots: int
    """How many runs at the same time."""
    notes: list[str]
    """What the user should know, a sentence each."""

    def submit(self, task: Task) -> Future[Outcome]:
        """Have a run made."""
        ...

    def share(self, future: Future[Outcome]) -> float:
        """Share of a run that is done, 0 if it is not known."""
        ...

    def stop(self) -> None:
        """End everything at once, runs that are under way included where that can be."""
        ...


class _EndedError(Exception):
    """Nobody wants the run any more."""


class Threads:
    """Threads of this process: the core needs Python's lock only at a run's beginning and end."""

    def __init__(self, slots: int, executor: ThreadPoolExecutor | None = None) -> None:
        self.slots = slots
        self.notes: list[str] = []
        self._is_ours = executor is None
        self._pool = executor or ThreadPoolExecutor(slots, thread_name_prefix="run")
        self._shares: dict[Future[Outcome], list[float]] = {}
        self._stop = threading.Event()
        self._threads: set[int] = set()

    def submit(self, task: Task) -> Future[Outcome]:
        """See `Crew`."""
        share = [0.0]

        def report(done: float) -> None:
            if self._stop.is_set():
                raise _EndedError
            share[0] = done

        def make() -> Outcome:
            if self._stop.is_set():
                raise _EndedError
            self._threads.add(threading.get_ident())
            return perform(task, report)

        future = self._pool.submit(make)
        self._shares[future] = share
        future.add_done_callback(self._forget)
        return future

    def share(self, future: Future[Outcome]) -> float:
        """See `Crew`."""
        share = self._shares.get(future)
        return 0.0 if share is None else share[0]

    def _forget(self, future: Future[Outcome]) -> None:
        self._shares.pop(future, None)

    def stop(self) -> None:
        """See `Crew`: a run looks ten times a second whether it is still wanted."""
        self._stop.set()
        futures = list(self._shares)
        for future in futures:
            future.cancel()
        if wait(futures, timeout=_GRACE_S).not_done:
            interrupt_threads(self._threads)
        if self._is_ours:
            self._pool.shutdown(wait=False, cancel_futures=True)


class Foreign:
    """An executor of the user's: any that takes a function and arguments which pickle takes."""

    def __init__(self, executor: Executor, slots: int) -> None:
        self.slots = slots
        self.notes: list[str] = []
        self._executor = executor
        self._futures: set[Future[Outcome]] = set()

    def submit(self, task: Task) -> Future[Outcome]:
        """See `Crew`."""
        future = self._executor.submit(perform, task)
        self._futures.add(future)
        future.add_done_callback(self._futures.discard)
        return future

    def share(self, _future: Future[Outcome]) -> float:
        """See `Crew`."""
        return 0.0

    def stop(self) -> None:
        """See `Crew`: what runs in there runs on, for there is no way to end it."""
        for future in list(self._futures):
            future.cancel()


def crew_of(executor: Executor | str | None, workers: int | None, *, has_own_code: bool) -> Crew:
    """Those who make the runs, as `run_design` takes them.

    Raises
    ------
    SweepError
        If there is nobody of that name, or at that address.
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
    return Foreign(executor, workers or getattr(executor, "_max_workers", None) or _WINDOW_UNKNOWN)
