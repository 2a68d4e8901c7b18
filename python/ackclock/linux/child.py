"""The process that works in namespaces of its own, as its parent sees it."""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from ackclock.linux.machine import LinuxError
from ackclock.scenario.errors import ScenarioError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["work"]

# -P: a json.py of the user's in the current directory is not Python's.
_WORKER = (sys.executable, "-P", "-m", "ackclock.linux.worker")


def work(arguments: Sequence[str], progress: Callable[[float], None] | None = None) -> Any:
    """Have a worker do something (`ackclock.linux.worker` says what), and return its answer. Nothing is left of it, whatever happens.

    Raises
    ------
    ScenarioError
        What the worker finds wrong with a scenario.
    LinuxError
        What failed otherwise.
    """
    with tempfile.TemporaryFile("w+") as complaints:
        # In a session of its own, so that Ctrl-C is ours alone to hear.
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
        raise LinuxError(f"the process that worked on the kernel ended with status {child.returncode}{last}")


def _listen(child: subprocess.Popen[str], progress: Callable[[float], None] | None) -> dict[str, Any] | None:
    """What it says at the end; raises what it says went wrong. `None`: it ended without a word."""
    assert child.stdout is not None
    for line in child.stdout:
        said: dict[str, Any] = json.loads(line)
        if "progress" in said:
            if progress is not None:
                progress(said["progress"])
        elif "error" in said:
            raise ScenarioError(said["error"], key=said["key"]) if said["kind"] == "scenario" else LinuxError(said["error"])
        else:
            return said
    return None
