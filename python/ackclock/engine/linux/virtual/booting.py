"""Boot a kernel in virtual time, let it work in a folder, and hear what it says."""

from __future__ import annotations

import ctypes
import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING, Any

from ackclock.engine.linux.child import is_answer
from ackclock.engine.linux.machine import LinuxError
from ackclock.engine.linux.virtual.kernels import PROGRAM, SEEDED

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

__all__ = ["work_in_virtual_time"]

_SAID = "said"
"""File of the folder with the messages of `inside`."""

_LOOK_S = 0.05
"""Time between two looks at the messages."""
_SILENCE_S = 120.0
"""A kernel that says nothing for so long hangs: it tells its progress every 50 virtual ms."""
_MEMORY = "mem=512M"
# Some second, so that the machine's date is no input of a run.
_BEGIN = "time-travel-start=1700000000"
# The kernel seeds its random numbers with its command line too, so no folder stands there. On the
# host's files, /proc/self/cwd leads to the current folder of the kernel's process.
_INIT = "init=/proc/self/cwd/init"
# Memory is asked for in large pieces (mallopt(3)): each request costs two switches.
_ALLOCATOR = ("MALLOC_ARENA_MAX=1", "MALLOC_TOP_PAD_=8388608")
_PR_SET_PDEATHSIG = 1
_PANIC = "Kernel panic"


def work_in_virtual_time(
    kernel: Path,
    folder: Path,
    kind: str,
    *,
    seed: int = 0,
    progress: Callable[[float], None] | None = None,
) -> Any:
    """Boot the kernel in the folder `kernel`, and return the answer of its work in `folder`.

    The machine is gone when this returns or raises; it dies with this process, too.

    Raises
    ------
    ScenarioError
        If the kernel lacks something that the scenario wants.
    LinuxError
        If the kernel does not boot, panics or hangs.
    """
    said = folder / _SAID
    said.write_text("", encoding="utf-8")
    (folder / "uml").mkdir(exist_ok=True)
    inside = [sys.executable, "-P", "-m", "ackclock.engine.linux.virtual.inside", folder, kind]
    init = folder / "init"
    init.write_text(
        f"#!/bin/sh\nexec env {shlex.join(_ALLOCATOR)} {shlex.join(map(str, inside))}\n",
        encoding="utf-8",
    )
    init.chmod(0o700)
    libc = ctypes.CDLL(None)
    with tempfile.TemporaryFile("w+", errors="replace") as console:
        try:
            child = subprocess.Popen(
                [
                    str(kernel / PROGRAM),
                    _MEMORY,
                    "rootfstype=hostfs",
                    "rw",
                    "seccomp=auto",
                    "time-travel=inf-cpu",
                    _BEGIN,
                    "con=null",
                    "con0=null",
                    "quiet",
                    f"uml_dir={folder / 'uml'}",
                    _INIT,
                ],
                stdin=subprocess.DEVNULL,
                stdout=console,
                stderr=console,
                start_new_session=True,
                cwd=folder,
                env={
                    "PATH": os.environ.get("PATH", ""),
                    "TMPDIR": str(folder),
                    "LD_PRELOAD": str(kernel / SEEDED),
                    "ACKCLOCK_SEED": str(seed),
                },
                preexec_fn=lambda: _settle(libc),
            )
        except OSError as error:
            raise LinuxError(
                f"{kernel / PROGRAM} does not start ({error.strerror}): build it again on this "
                "machine with ackclock kernel build"
            ) from None
        try:
            return _hear(child, said, progress)
        except _SilentError as error:
            console.seek(0)
            reason = _reason([line.strip() for line in console if line.strip()])
            raise LinuxError(f"the kernel in virtual time {error}{reason}") from None
        finally:
            child.kill()
            child.wait()


def _settle(libc: ctypes.CDLL) -> None:
    """In the child: die with the parent, and stay on the processor where the child has begun.

    The kernel and its programs are processes that take turns. On one processor a turn is a switch;
    between two it wakes a sleeping processor, several times as dear.
    """
    libc.prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    os.sched_setaffinity(0, {libc.sched_getcpu()})


def _reason(lines: Sequence[str]) -> str:
    """The panic on a kernel's console, or its last line."""
    panics = [line[line.index(_PANIC) :] for line in lines if _PANIC in line]
    return "".join(f": {line}" for line in (panics or lines[-1:])[:1])


class _SilentError(Exception):
    """The kernel gave no answer."""


def _hear(
    child: subprocess.Popen[bytes], said: Path, progress: Callable[[float], None] | None
) -> Any:
    silent_s = 0.0
    with said.open(encoding="utf-8") as lines:
        rest = ""
        while True:
            try:
                child.wait(_LOOK_S)
                has_ended = True
            except subprocess.TimeoutExpired:
                has_ended = False
            rest += lines.read()
            *whole, rest = rest.split("\n")
            for line in whole:
                heard: dict[str, Any] = json.loads(line)
                if is_answer(heard, progress):
                    return heard["answer"]
            if has_ended:
                raise _SilentError(f"ended with status {child.returncode} and without an answer")
            silent_s = 0.0 if whole else silent_s + _LOOK_S
            if silent_s > _SILENCE_S:
                raise _SilentError(f"has said nothing for {_SILENCE_S:.0f} s")
