"""A process that makes runs: ``python -P -m ackclock.sweeps.worker``.

Pickles come in on standard input: first `sys.path`, then tasks. Pickles go out on the original
standard output: shares of the run in progress, then its outcome or error. The process ends with its
input, even in the middle of a run, so that it never outlives its parent.
"""

from __future__ import annotations

import os
import pickle
import queue
import signal
import sys
import threading
from typing import IO, TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.sweeps.task import Task

__all__ = ["main"]


def _read(source: IO[bytes], tasks: queue.SimpleQueue[Task]) -> None:
    try:
        while True:
            tasks.put(pickle.load(source))
    except (EOFError, OSError, pickle.UnpicklingError):
        os._exit(0)


def _sendable(error: BaseException) -> BaseException:
    """The error, if it survives pickling; else a `SweepError` with its text."""
    from ackclock.sweeps.errors import SweepError

    try:
        if type(pickle.loads(pickle.dumps(error))) is type(error):
            return error
    except Exception:
        pass
    return SweepError(f"{type(error).__name__}: {error}")


def main() -> None:
    """Make runs until the input ends."""
    # Only the parent answers Ctrl-C.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    source = sys.stdin.buffer
    answers = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    # Text that the user's code prints must not mix with the answers.
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    sys.path[:] = pickle.load(source)

    from ackclock.sweeps.task import perform

    tasks: queue.SimpleQueue[Task] = queue.SimpleQueue()
    threading.Thread(target=_read, args=(source, tasks), daemon=True).start()

    def say(*what: Any) -> None:
        pickle.dump(what, answers)
        answers.flush()

    while True:
        task = tasks.get()
        try:
            outcome = perform(task, lambda share: say("share", share))
        except BaseException as error:
            say("error", _sendable(error))
        else:
            say("outcome", outcome)


if __name__ == "__main__":
    main()
