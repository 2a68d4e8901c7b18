"""Runs on the workers of a Dask scheduler, on this machine or on a cluster.

The scheduler gives the runs of a worker that died to others. Workers must have the ackclock that
the sweep was designed with, and must find the user's modules in the same folder.
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

from ackclock.runtime.extras import importing
from ackclock.sweeps.errors import SweepError

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.sweeps.task import Keep, Outcome, Task

__all__ = ["DaskWorkers"]

_ANSWER_S = 10
# A run that has lost so many workers, or so many results, would lose the next one as well.
_MOST_LOSSES = 3


class DaskWorkers:
    """The workers of a scheduler."""

    def __init__(self, address: str, workers: int | None) -> None:
        """Connect, and check that the workers can make the runs.

        Raises
        ------
        SweepError
            If there is no scheduler, it has no workers, or they have another ackclock.
        """
        distributed = _imported()
        self.notes: list[str] = []
        self.is_here = self.keeps = False
        self._client = _connected(distributed, address)
        try:
            self._check(address)
            threads = self._client.nthreads()
        except BaseException:
            self.stop()
            raise
        self.slots: int = workers or sum(threads.values())
        self._lost: tuple[type[BaseException], ...] = (
            distributed.KilledWorker,
            CancelledError,
            distributed.client.FutureCancelledError,
        )
        self._jobs: dict[Future[Outcome], Any] = {}
        self._lock = threading.Lock()
        self._count = 0
        self._stopped = False
        self._away_since: float | None = None

    def _check(self, address: str) -> None:
        try:
            self._client.wait_for_workers(1, timeout=_ANSWER_S)
        except TimeoutError:
            raise SweepError(
                f"the scheduler at {address} has no workers: start some, such as with 'dask "
                f"worker {address}'"
            ) from None
        needed = _versions()
        versions: Mapping[str, Any] = self._client.run(_versions, on_error="return")
        wrong = [
            f"{worker}: ackclock {version[0]}, results {version[1]}"
            if isinstance(version, tuple)
            else f"{worker}: {type(version).__name__}: {version}"
            for worker, version in sorted(versions.items())
            if version != needed
        ]
        if wrong:
            others = f" and {len(wrong) - 5} more" if len(wrong) > 5 else ""
            raise SweepError(
                f"the sweep needs ackclock {needed[0]} with version {needed[1]} of the results on "
                f"every worker, and there are others: {'; '.join(wrong[:5])}{others}"
            )

    def submit(self, task: Task, _keep: Keep | None = None) -> Future[Outcome]:
        """See `WorkerPool`."""
        future: Future[Outcome] = Future()
        self._send(future, task, 0)
        return future

    def _send(self, future: Future[Outcome], task: Task, losses: int) -> None:
        with self._lock:
            if self._stopped:
                return
            self._count += 1
            # A unique name: Dask takes two jobs of one name for one task, even after a failure.
            job = self._client.submit(
                _perform,
                task,
                _versions(),
                key=f"ackclock-{self._count}-{task.key[:16]}",
                pure=False,
            )
            self._jobs[future] = job
        # Runs on the thread of Dask's client, which ends with the client. A thread of ackclock that
        # waits for a lost scheduler would keep this process alive.
        self._client.loop.add_callback(self._follow, future, task, losses, job)

    async def _follow(self, future: Future[Outcome], task: Task, losses: int, job: Any) -> None:
        try:
            outcome = await job.result()
        except GeneratorExit:
            raise
        except BaseException as error:
            is_lost = isinstance(error, self._lost)
            # The run itself did not fail: its result was lost on the way.
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
                what = (
                    "its result did not arrive"
                    if is_on_the_way
                    else "every worker that tried to make it died, or the scheduler did"
                )
                self._settle(future, error=SweepError(f"{what} ({type(error).__name__}: {error})"))
        else:
            # Otherwise the worker keeps the result in its memory.
            job.release()
            self._settle(future, outcome=outcome)

    def _settle(
        self,
        future: Future[Outcome],
        *,
        outcome: Outcome | None = None,
        error: BaseException | None = None,
    ) -> None:
        with self._lock:
            if self._jobs.pop(future, None) is None or future.cancelled():
                return
        if outcome is not None:
            future.set_result(outcome)
        else:
            future.set_exception(error)

    def share(self, _future: Future[Outcome]) -> float:
        """See `WorkerPool`: the share is 0 until a run's end."""
        self._miss_the_scheduler()
        return 0.0

    def _miss_the_scheduler(self) -> None:
        """End all jobs when the scheduler has been away for long.

        Dask never reports a job that was submitted while the scheduler went away.
        """
        if self._client.status == "running":
            self._away_since = None
            return
        now = time.monotonic()
        self._away_since = now if self._away_since is None else self._away_since
        if now - self._away_since > _ANSWER_S:
            with self._lock:
                waiting = list(self._jobs)
            for future in waiting:
                self._settle(
                    future,
                    error=SweepError(f"the scheduler is gone: no word from it for {_ANSWER_S} s"),
                )

    def stop(self) -> None:
        """See `WorkerPool`: a run checks ten times a second whether it is still wanted."""
        jobs = []
        if hasattr(self, "_lock"):
            with self._lock:
                self._stopped = True
                jobs = list(self._jobs.values())
        try:
            if jobs:
                self._client.cancel(jobs, force=True)
        finally:
            # A client without a scheduler may never finish; its thread ends with this process.
            with suppress(TimeoutError):
                self._client.close(timeout=1)


def _imported() -> Any:
    with importing("dask"):
        import distributed
        import distributed.client
    # Dask's log (a worker left, a connection was closed) is for those who run the cluster; errors
    # and notes tell the user what matters here.
    logging.getLogger("distributed").setLevel(logging.CRITICAL + 1)
    for name in list(logging.root.manager.loggerDict):
        if name.startswith("distributed."):
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
    return distributed


def _connected(distributed: Any, address: str) -> Any:
    where = {"scheduler_file": address} if Path(address).is_file() else {"address": address}
    try:
        with warnings.catch_warnings():
            # Dask warns of other versions of other packages, which the cluster decides.
            warnings.simplefilter("ignore")
            return distributed.Client(
                **where, timeout=_ANSWER_S, set_as_default=False, name="ackclock"
            )
    except (OSError, ValueError, TimeoutError) as error:
        raise SweepError(
            f"there is no Dask scheduler at '{address}' ({error}): write its address, such as "
            "tcp://10.0.0.1:8786, or the path of the file that it wrote (--scheduler-file)"
        ) from None


def _versions() -> tuple[str, int]:
    from ackclock import _core

    return _core.__version__, _core.RESULTS_VERSION


def _perform(task: Task, versions: tuple[str, int]) -> Outcome:
    """Make a run on a worker; stop when it is no longer wanted."""
    from distributed import get_worker

    from ackclock.sweeps.task import perform

    if _versions() != versions:
        raise SweepError(
            f"a worker that came later has another ackclock: {_versions()}, and not {versions}"
        )
    worker = get_worker()
    name = worker.get_current_task()

    def look(_share: float) -> None:
        state = worker.state.tasks.get(name)
        if state is None or state.state == "cancelled":
            raise SweepError("this run is no longer wanted")

    return perform(task, look)
