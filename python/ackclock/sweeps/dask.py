"""Runs on the workers of a Dask scheduler: on loopback, on a cluster's nodes, wherever one is.

A worker that dies takes its runs with it, and the scheduler gives them to others. Workers must have the ackclock that the sweep was
designed with, and find the user's own modules, if there are any, in the same folder.
"""

from __future__ import annotations

import logging
import threading
import time
import warnings
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ackclock.sweeps.errors import SweepError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.sweeps.task import Outcome, Task

__all__ = ["DaskWorkers"]

_ANSWER_S = 10
# Whose run loses so many workers, or is lost so often, loses the next as well.
_MOST_LOSSES = 3


class DaskWorkers:
    """The workers of a scheduler."""

    def __init__(self, address: str, workers: int | None) -> None:
        """Connect, and look whether the workers can make the runs.

        Raises
        ------
        SweepError
            If there is no scheduler, it has no workers, or they have another ackclock.
        """
        distributed = _imported()
        self.notes: list[str] = []
        self._client = _connected(distributed, address)
        try:
            self._check(address)
            threads = self._client.nthreads()
        except BaseException:
            self.stop()
            raise
        self.slots: int = workers or sum(threads.values())
        self._lost: tuple[type[BaseException], ...] = (distributed.KilledWorker, CancelledError, distributed.client.FutureCancelledError)
        self._jobs: dict[Future[Outcome], Any] = {}
        self._lock = threading.Lock()
        self._count = 0
        self._stopped = False
        self._away_since: float | None = None

    def _check(self, address: str) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_ANSWER_S)
        except TimeoutError:
            raise SweepError(f"the scheduler at {address} has no workers: start some, such as with 'dask worker {address}'") from None
        ours = _versions()
        theirs: Mapping[str, Any] = self._client.run(_versions, on_error="return")
        wrong = [
            f"{worker}: {f'ackclock {found[0]}, results {found[1]}' if isinstance(found, tuple) else f'{type(found).__name__}: {found}'}"
            for worker, found in sorted(theirs.items())
            if found != ours
        ]
        if wrong:
            others = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
            raise SweepError(
                f"the sweep needs ackclock {ours[0]} with version {ours[1]} of the results on every worker, and "
                f"there are others: {'; '.join(wrong[:5])}{others}"
            )

    def submit(self, task: Task) -> Future[Outcome]:
        """See `Crew`."""
        future: Future[Outcome] = Future()
        self._send(future, task, 0)
        return future

    def _send(self, future: Future[Outcome], task: Task, losses: int) -> None:
        with self._lock:
            if self._stopped:
                return
            self._count += 1
            # A name of its own: Dask takes what has one name for one task, whatever became of it.
            job = self._client.submit(_perform, task, _versions(), key=f"ackclock-{self._count}-{task.key[:16]}", pure=False)
            self._jobs[future] = job
        # On the thread of Dask's client, which ends with it: one of ours that waited for a scheduler that is gone would keep this process.
        self._client.loop.add_callback(self._follow, future, task, losses, job)

    async def _follow(self, future: Future[Outcome], task: Task, losses: int, job: Any) -> None:
        try:
            outcome = await job.result()
        except GeneratorExit:
            raise
        except BaseException as error:
            is_lost = isinstance(error, self._lost)
            # Whatever went wrong with a run that did not fail went wrong on the way of its result.
            is_on_the_way = not is_lost and job.status != "error"
            if not is_lost and not is_on_the_way:
                self._settle(future, error=error)
            elif losses + 1 < _MOST_LOSSES and not self._stopped:
                self.notes.append(
                    f"The result of {task.where} did not arrive; that run was made again."
                    if is_on_the_way
                    else f"Workers died in the middle of {task.where}; that run was made again."
                )
                try:
                    self._send(future, task, losses + 1)
                except Exception as refused:
                    self._settle(future, error=SweepError(f"the scheduler is gone ({refused})"))
            else:
                what = "its result did not arrive" if is_on_the_way else "every worker that tried to make it died, or the scheduler did"
                self._settle(future, error=SweepError(f"{what} ({type(error).__name__}: {error})"))
        else:
            # What a worker keeps for nobody fills its memory.
            job.release()
            self._settle(future, outcome=outcome)

    def _settle(self, future: Future[Outcome], *, outcome: Outcome | None = None, error: BaseException | None = None) -> None:
        with self._lock:
            if self._jobs.pop(future, None) is None or future.cancelled():
                return
        if outcome is not None:
            future.set_result(outcome)
        else:
            future.set_exception(error)

    def share(self, _future: Future[Outcome]) -> float:
        """See `Crew`: a run tells nothing before its end."""
        self._miss_the_scheduler()
        return 0.0

    def _miss_the_scheduler(self) -> None:
        """End all jobs when the scheduler has been away for long: of one that was submitted as it went, Dask never says so."""
        if self._client.status == "running":
            self._away_since = None
            return
        now = time.monotonic()
        self._away_since = now if self._away_since is None else self._away_since
        if now - self._away_since > _ANSWER_S:
            with self._lock:
                waiting = list(self._jobs)
            for future in waiting:
                self._settle(future, error=SweepError(f"the scheduler is gone: no word from it for {_ANSWER_S} s"))

    def stop(self) -> None:
        """See `Crew`: a run looks ten times a second whether it is still wanted."""
        jobs = []
        if hasattr(self, "_lock"):
            with self._lock:
                self._stopped = True
                jobs = list(self._jobs.values())
        try:
            if jobs:
                self._client.cancel(jobs, force=True)
        finally:
            # A client that has lost its scheduler may not come to an end; its thread ends with this process.
            with suppress(TimeoutError):
                self._client.close(timeout=1)


def _imported() -> Any:
    try:
        import distributed
        import distributed.client
    except ModuleNotFoundError as error:
        raise SweepError(f"Dask is not installed ({error}): pip install 'ackclock[dask]'") from None
    # What it logs (a worker left, a connection was closed) is for those who run the cluster; what matters here is raised, or a note.
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed."):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return distributed


def _connected(distributed: Any, address: str) -> Any:
    where = {"scheduler_file": address} if Path(address).is_file() else {"address": address}
    try:
        with warnings.catch_warnings():
            # Of other versions of other packages, which are the cluster's business.
            warnings.simplefilter("ignore")
            return distributed.Client(**where, timeout=_ANSWER_S, set_as_default=False, name="ackclock")
    except (OSError, ValueError, TimeoutError) as error:
        raise SweepError(
            f"there is no Dask scheduler at '{address}' ({error}): write its address, such as tcp://10.0.0.1:8786, or the path of the file "
            "that it wrote (--scheduler-file)"
        ) from None


def _versions() -> tuple[str, int]:
    from ackclock import _core

    return _core.__version__, _core.RESULTS_VERSION


def _perform(task: Task, versions: tuple[str, int]) -> Outcome:
    """Make a run on a worker, until nobody wants it any more."""
    from distributed import get_worker

    from ackclock.sweeps.task import perform

    if _versions() != versions:
        raise SweepError(f"a worker that came later has another ackclock: {_versions()}, and not {versions}")
    worker = get_worker()
    name = worker.get_current_task()

    def look(_share: float) -> None:
        state = worker.state.tasks.get(name)
        if state is None or state.state == "cancelled":
            raise SweepError("nobody wants this run any more")

    return perform(task, look)
