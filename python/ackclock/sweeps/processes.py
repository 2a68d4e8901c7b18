"""Runs in child processes, for the user's Python code, which would wait for Python's lock.

*Lost: ProcessPoolExecutor.* It imports the user's script again in every process, breaks as a whole
when one process is killed, and cannot stop a run in progress.
"""

from __future__ import annotations

import pickle
import subprocess
import sys
import threading
from collections import deque
from concurrent.futures import Future
from contextlib import suppress
from typing import TYPE_CHECKING

from ackclock.sweeps.errors import SweepError

if TYPE_CHECKING:
    from ackclock.sweeps.task import Keep, Outcome, Task

__all__ = ["Processes"]

# -P keeps the current directory off the path: it may have a json.py of the user.
_WORKER = (sys.executable, "-P", "-m", "ackclock.sweeps.worker")
# A run during which so many processes died would kill the next one as well.
_MOST_DEATHS = 3


class _Job:
    def __init__(self, where: str, pickled: bytes) -> None:
        self.where, self.pickled = where, pickled
        self.future: Future[Outcome] = Future()
        self.share = 0.0
        self.deaths = 0


class Processes:
    """Child processes, each with a thread; a dead process is replaced, and its run repeated."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.notes: list[str] = []
        self.is_here, self.keeps = True, False
        self._jobs: deque[_Job] = deque()
        self._running: dict[Future[Outcome], _Job] = {}
        self._children: set[subprocess.Popen[bytes]] = set()
        self._changed = threading.Condition()
        self._stopped = False
        self._threads = [
            threading.Thread(target=self._serve, name=f"runs-{number}", daemon=True)
            for number in range(slots)
        ]
        for thread in self._threads:
            thread.start()

    def submit(self, task: Task, _keep: Keep | None = None) -> Future[Outcome]:
        """See `WorkerPool`."""
        job = _Job(task.where, pickle.dumps(task))
        with self._changed:
            self._jobs.append(job)
            self._running[job.future] = job
            self._changed.notify()
        return job.future

    def share(self, future: Future[Outcome]) -> float:
        """See `WorkerPool`."""
        job = self._running.get(future)
        return 0.0 if job is None else job.share

    def stop(self) -> None:
        """See `WorkerPool`."""
        with self._changed:
            self._stopped = True
            self._changed.notify_all()
            for child in self._children:
                child.kill()
        for thread in self._threads:
            thread.join()

    def _serve(self) -> None:
        child = None
        try:
            while (job := self._next()) is not None:
                if child is None:
                    child = self._start()
                    if child is None:
                        return
                if not self._have_made(child, job):
                    status = self._end(child)
                    child = None
                    self._after_death(job, status)
        finally:
            if child is not None:
                self._end(child)

    def _next(self) -> _Job | None:
        with self._changed:
            while not self._jobs and not self._stopped:
                self._changed.wait()
            return None if self._stopped else self._jobs.popleft()

    def _start(self) -> subprocess.Popen[bytes] | None:
        # In a new session, so that Ctrl-C reaches the parent only.
        child = subprocess.Popen(
            _WORKER, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
        )
        with self._changed:
            if self._stopped:
                child.kill()
            self._children.add(child)
        # A child that was killed already shows when its answer is read.
        with suppress(OSError):
            _send(child, pickle.dumps(sys.path))
        return child

    def _end(self, child: subprocess.Popen[bytes]) -> int:
        child.kill()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                with suppress(OSError):
                    pipe.close()
        status = child.wait()
        with self._changed:
            self._children.discard(child)
        return status

    def _have_made(self, child: subprocess.Popen[bytes], job: _Job) -> bool:
        """Whether the process lived to the end of the run."""
        assert child.stdout is not None
        try:
            _send(child, job.pickled)
            while True:
                kind, what = pickle.load(child.stdout)
                if kind == "share":
                    job.share = what
                    continue
                with self._changed:
                    self._running.pop(job.future, None)
                if kind == "outcome":
                    job.future.set_result(what)
                else:
                    job.future.set_exception(what)
                return True
        except (EOFError, OSError, pickle.UnpicklingError):
            return False

    def _after_death(self, job: _Job, status: int) -> None:
        job.deaths += 1
        how = f"signal {-status}" if status < 0 else f"status {status}"
        with self._changed:
            if self._stopped:
                return
            if job.deaths < _MOST_DEATHS:
                self.notes.append(
                    f"A process died ({how}) in the middle of {job.where}; that run was made again."
                )
                job.share = 0.0
                self._jobs.appendleft(job)
                self._changed.notify()
                return
            self._running.pop(job.future, None)
        job.future.set_exception(
            SweepError(
                f"the process that made it died ({how}), {_MOST_DEATHS} times: is there memory "
                "enough?"
            )
        )


def _send(child: subprocess.Popen[bytes], pickled: bytes) -> None:
    assert child.stdin is not None
    child.stdin.write(pickled)
    child.stdin.flush()
