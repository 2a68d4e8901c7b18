"""Processors, memory, disk, and the compiler for algorithms in Rust."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.tools.doctor.check import Check

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["compiler", "machine"]

_LEAST_RUST = (1, 88)
_PATIENCE_S = 20


def machine() -> Iterator[Check]:
    """Look at processors, memory and disk."""
    import psutil

    from ackclock.sweeps.executors import cores
    from ackclock.tables.quantities import quantity

    group = "Machine"
    count = cores()
    yield Check(
        group, "cores", "fine", f"{count}: a sweep makes as many runs at once" if count > 1 else "1"
    )
    memory = psutil.virtual_memory()
    yield Check(
        group,
        "memory",
        "fine",
        f"{quantity(memory.total, 'bytes', 2)}, {quantity(memory.available, 'bytes', 2)} free",
    )
    try:
        free = shutil.disk_usage(Path.cwd()).free
    except OSError as error:
        yield Check(group, "disk", "broken", f"the current folder cannot be read: {error.strerror}")
        return
    yield Check(group, "disk", "fine", f"{quantity(free, 'bytes', 2)} free in this folder")


def compiler() -> Iterator[Check]:
    """Look at what writing algorithms needs."""
    group = "Algorithms of your own"
    yield Check(group, "in Python", "fine", "yes", "ackclock new NAME")
    version = _version("rustc")
    if version is None or shutil.which("cargo") is None:
        yield Check(
            group,
            "in Rust",
            "absent",
            "no Rust compiler",
            "https://rustup.rs, and a clone of ackclock",
        )
    elif version < _LEAST_RUST:
        yield Check(
            group,
            "in Rust",
            "absent",
            f"rustc {_dotted(version)}; {_dotted(_LEAST_RUST)} or newer is needed",
            "rustup update",
        )
    else:
        yield Check(
            group,
            "in Rust",
            "fine",
            f"yes, in a clone: rustc {_dotted(version)}",
            "ackclock new NAME --rust",
        )


def _dotted(version: tuple[int, int]) -> str:
    return ".".join(map(str, version))


def _version(program: str) -> tuple[int, int] | None:
    place = shutil.which(program)
    if place is None:
        return None
    try:
        said = subprocess.run(
            [place, "--version"], capture_output=True, text=True, check=True, timeout=_PATIENCE_S
        ).stdout
    except (OSError, subprocess.SubprocessError):
        return None
    match = re.search(r"(\d+)\.(\d+)", said)
    return (int(match[1]), int(match[2])) if match else None
