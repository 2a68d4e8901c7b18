"""Kernels in virtual time for tests: facts in a cache, and programs that the simulator plays."""

import json
import os
import sys
from pathlib import Path

import pytest

from ackclock.engine.linux.virtual.kernels import FACTS, PROGRAM, SEEDED, built, virtual

FACTS_OF_A_KERNEL = {
    "release": "7.3.4",
    "congestion_controls": ["reno", "cubic", "dctcp"],
    "sysctls": ["tcp_rto_max_ms"],
    "hz": 250,
    "digest": "0123456789abcdef",
}


def keep(cache: Path, name: str, **facts: object) -> Path:
    """Keep the facts of a kernel, and return its folder."""
    folder = cache / "ackclock" / "kernels" / name
    folder.mkdir(parents=True, exist_ok=True)
    (folder / FACTS).write_text(json.dumps({**FACTS_OF_A_KERNEL, **facts}))
    return folder


def program(folder: Path, script: str) -> Path:
    """A stand-in for a kernel's program: a shell script that works in the run's folder."""
    path = folder / PROGRAM
    path.write_text(
        '#!/bin/sh\nunset LD_PRELOAD\nfor word; do case "$word" in uml_dir=*) '
        f'cd "${{word#uml_dir=}}/..";; esac; done\n{script}\n'
    )
    path.chmod(0o755)
    (folder / SEEDED).write_text("")
    return folder


def played(cache: Path, name: str, *, digest: str, cc: str = "-", pause_s: float = 0.0) -> Path:
    """A kernel that the simulator plays, with another algorithm in all flows if there is a `cc`.

    It pauses in the middle of a run. Each run adds a line to the kernel's file "runs".
    """
    folder = keep(cache, name, digest=digest)
    player = Path(__file__).with_name("played_kernel.py")
    return program(
        folder, f"echo $$ >> '{folder / 'runs'}'; exec '{sys.executable}' '{player}' {cc} {pause_s}"
    )


def runs_of(folder: Path) -> list[int]:
    """Process numbers of a played kernel's runs."""
    there = folder / "runs"
    return list(map(int, there.read_text().split())) if there.exists() else []


def is_alive(number: int) -> bool:
    """Whether a process exists."""
    try:
        os.kill(number, 0)
    except ProcessLookupError:
        return False
    return True


def a_real_one() -> str:
    """The name of a kernel that is built here; a test that wants one is skipped without."""
    if not built():
        pytest.skip("no kernel is built for virtual time (ackclock kernel build)")
    return virtual().name
