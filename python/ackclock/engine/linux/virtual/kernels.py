"""The kernels that were built for virtual time, and where they lie."""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock.engine.linux.machine import Kernel, LinuxError
from ackclock.messages import did_you_mean

if TYPE_CHECKING:
    from ackclock.results.provenance import Build

__all__ = ["FACTS", "PROGRAM", "SEEDED", "VirtualKernel", "built", "folder_of_kernels", "virtual"]

PROGRAM = "linux"
SEEDED = "seeded.so"
"""Library that gives a kernel its random numbers by a seed."""
FACTS = "facts.json"
"""File that is written last, so that a folder without it is an unfinished build."""


@dataclass(frozen=True)
class VirtualKernel:
    """A kernel that runs as a process, in virtual time."""

    name: str
    """Name for ``--virtual=NAME``."""
    folder: Path
    """Folder of the program, of the library for random numbers, and of the facts."""
    kernel: Kernel
    hz: int
    """Ticks per second."""
    digest: str
    """Digest of its program and its configuration, hexadecimal."""

    @property
    def build(self) -> Build:
        """The facts for a run's provenance."""
        return {"hz": self.hz, "digest": self.digest}

    def here(self) -> VirtualKernel:
        """The kernel of this digest, on this machine and now.

        Raises
        ------
        LinuxError
            If there is none: it was built again, or it lies on another machine.
        """
        for kernel in built():
            if kernel.digest == self.digest:
                return kernel
        raise LinuxError(
            f"{self.kernel} with digest {self.digest[:12]} is gone: it was built again since, so "
            f"start again; or this worker's machine needs a copy of {self.folder}"
        )


def folder_of_kernels() -> Path:
    """The user's folder of built kernels, in the cache of the XDG base directories."""
    given = os.environ.get("XDG_CACHE_HOME", "")
    cache = Path(given) if Path(given).is_absolute() else Path.home() / ".cache"
    return cache / "ackclock" / "kernels"


def built() -> list[VirtualKernel]:
    """All kernels that were built, the newest release first."""
    try:
        places = sorted(folder_of_kernels().iterdir())
    except OSError:
        return []
    kernels = [_load(place) for place in places if (place / FACTS).is_file()]
    return sorted(kernels, key=lambda one: one.kernel.version, reverse=True)


def _load(place: Path) -> VirtualKernel:
    try:
        facts = json.loads((place / FACTS).read_text(encoding="utf-8"))
        return VirtualKernel(
            place.name,
            place,
            Kernel(
                facts["release"],
                tuple(facts["congestion_controls"]),
                sysctls=frozenset(facts["sysctls"]),
                name=place.name,
            ),
            facts["hz"],
            facts["digest"],
        )
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise LinuxError(
            f"{place / FACTS} cannot be read ({error}): remove {place} and build again"
        ) from None


def virtual(name: str = "") -> VirtualKernel:
    """The kernel of a name; by default the one with the newest release.

    Raises
    ------
    LinuxError
        If there is none; the text says how to build it.
    """
    kernels = built()
    if not kernels:
        raise LinuxError(
            "no kernel is built for virtual time: ackclock kernel build (some minutes, once)"
        )
    if not name:
        return kernels[0]
    for kernel in kernels:
        if kernel.name == name:
            return kernel
    names = [kernel.name for kernel in kernels]
    raise LinuxError(
        f"there is no kernel '{name}', only {', '.join(names)}{did_you_mean(name, names)}; "
        "ackclock kernel build makes one"
    )
