"""Start the process that works in network namespaces, and listen to it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from ackclock.engine.linux.machine import LinuxError
from ackclock.scenario.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["is_answer", "work"]

# -P keeps the current directory off the path: it may have a json.py of the user.
_WORKER = (sys.executable, "-P", "-m", "ackclock.engine.linux.worker")


def work(arguments: Sequence[str], progress: Callable[[float], None] | None = None) -> Any:
    """Run a worker process with arguments of `ackclock.engine.linux.worker`, and return its answer.

    The process and its namespaces are gone when this returns or raises.

    Raises
    ------
    ScenarioError
        If the worker finds an error in the scenario.
    LinuxError
        If the worker fails for another reason.
    """
    with tempfile.TemporaryFile("w+") as complaints:
        # In a new session, so that Ctrl-C reaches the parent only.
        child = subprocess.Popen(
            [*_WORKER, *arguments],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=complaints,
            start_new_session=True,
            text=True,
        )
        try:
            said = _listen(child, progress)
            if said is not None:
                child.wait()
                return said["answer"]
        finally:
            child.kill()
            child.wait()
            if child.stdout is not None:
                child.stdout.close()
        complaints.seek(0)
        lines = [line.strip() for line in complaints if line.strip()]
        last = f": {lines[-1]}" if lines else ""
        raise LinuxError(
            f"the process that worked on the kernel ended with status {child.returncode}{last}"
        )


def _listen(
    child: subprocess.Popen[str], progress: Callable[[float], None] | None
) -> dict[str, Any] | None:
    """The worker's last message, raised if it is an error; `None` if the worker died before."""
    assert child.stdout is not None
    for line in child.stdout:
        said: dict[str, Any] = json.loads(line)
        if is_answer(said, progress):
            return said
    return None


def is_answer(said: dict[str, Any], progress: Callable[[float], None] | None) -> bool:
    """Whether a message is the answer, after it was passed on if it is of progress.

    Raises
    ------
    ScenarioError, LinuxError
        If the message is an error.
    """
    if "error" in said:
        raise (
            ScenarioError(said["error"], key=said["key"], kind="unavailable")
            if said["kind"] == "scenario"
            else LinuxError(said["error"])
        )
    if "progress" in said and progress is not None:
        progress(said["progress"])
    return "answer" in said
