"""Boot a kernel in virtual time, let it work in a folder, and hear what it says."""

from __future__ import annotations

import json
import os
import shlex
import subprocess
import sys
import tempfile
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from ackclock.engine.linux.child import is_answer
from ackclock.engine.linux.machine import LinuxError
from ackclock.engine.linux.virtual.kernels import PROGRAM, SEEDED, folder_of_kernels

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
_START = """
import ctypes, fcntl, os, sys
places, *command = sys.argv[1:]
libc = ctypes.CDLL(None)
libc.prctl(1, 9)
here = libc.sched_getcpu()
for processor in sorted(os.sched_getaffinity(0), key=lambda number: number != here):
    try:
        place = os.open(f"{places}/{processor}", os.O_RDWR | os.O_CREAT, 0o600)
        fcntl.flock(place, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        continue
    os.set_inheritable(place, True)
    os.sched_setaffinity(0, {processor})
    break
try:
    os.execv(command[0], command)
except OSError as error:
    sys.exit(
        f"{command[0]} does not start ({error.strerror}): build it again on this machine with "
        "ackclock kernel build"
    )
"""
"""Starts a kernel that dies with its parent, on a processor of its own if one is left.

PR_SET_PDEATHSIG (1) is SIGKILL (9). The kernel and its programs are processes that take turns. On
one processor a turn is a switch; between two it wakes a sleeping processor, several times as dear.
The lock on a processor's file ends with the kernel. A function between fork and exec, Popen's
`preexec_fn`, would be unsafe beside the threads of a sweep.
"""
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
    with tempfile.TemporaryFile("w+", errors="replace") as console:
        child = subprocess.Popen(
            [
                *(sys.executable, "-I", "-S", "-c", _START, str(_processors())),
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
        )
        try:
            return _hear(child, said, progress)
        except _SilentError as error:
            console.seek(0)
            reason = _reason([line.strip() for line in console if line.strip()])
            raise LinuxError(f"the kernel in virtual time {error}{reason}") from None
        finally:
            child.kill()
            child.wait()


def _processors() -> Path:
    """The folder with a file for each processor, which a kernel locks."""
    folder = folder_of_kernels().parent / "processors"
    with suppress(OSError):
        folder.mkdir(parents=True, exist_ok=True)
    return folder


def _reason(lines: Sequence[str]) -> str:
    """The panic on a kernel's console, or its last line."""
    panics = [line[line.index(_PANIC) :] for line in lines if _PANIC in line]
    return "".join(f": {line}" for line in (panics or lines[-1:])[:1])


class _SilentError(Exception):
    """The kernel gave no answer."""


def _hear(
    child: subprocess.Popen[bytes], said: Path, progress: Callable[[float], None] | None
) -> Any:
    silent_s = share = 0.0

    def tell(now: float) -> None:
        nonlocal share
        share = now
        if progress is not None:
            progress(share)

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
                if is_answer(heard, tell):
                    return heard["answer"]
            if not whole:
                # Again, so that an exception ends a silent kernel soon.
                tell(share)
            if has_ended:
                raise _SilentError(f"ended with status {child.returncode} and without an answer")
            silent_s = 0.0 if whole else silent_s + _LOOK_S
            if silent_s > _SILENCE_S:
                raise _SilentError(f"has said nothing for {_SILENCE_S:.0f} s")
