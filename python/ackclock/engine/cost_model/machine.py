"""Free memory and disk of this machine, and the pace of a run's first moments on it."""

from __future__ import annotations

import shutil
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock import _core
from ackclock.core_types.sharing import plan_text

if TYPE_CHECKING:
    from collections.abc import Iterable

    from ackclock.core_types.plan import Plan

__all__ = ["first_moments", "free_disk", "free_memory"]

# The engine reports ten times a second. Simulated time may stand still at first.
_LOOKS = 5
_MOST_LOOKS = 20


def free_memory(root: Path = Path("/")) -> int:
    """Bytes of memory that this process can still take.

    The least of what the system has left without swapping and what the limits of the process's
    control groups (versions 1 and 2) and of its address space leave; caches that the kernel gives
    up count as free.

    Parameters
    ----------
    root
        Where `proc` and `sys` are; another one for tests.
    """
    return min([_system_room(root), *_group_rooms(root), *_address_room(root)])


def _system_room(root: Path) -> int:
    """Bytes that the system has left without swapping."""
    with suppress(OSError, ValueError):
        lines = (root / "proc/meminfo").read_text(encoding="ascii").splitlines()
        for line in lines:
            if line.startswith("MemAvailable:"):
                return int(line.split()[1]) * 1024
    # Loading it takes as long as to read a scenario.
    import psutil

    return int(psutil.virtual_memory().available)


def _address_room(root: Path) -> Iterable[int]:
    """Yield the bytes that a limit of the address space (``ulimit -v``) still allows."""
    with suppress(OSError, ValueError, IndexError, StopIteration):
        for line in (root / "proc/self/limits").read_text(encoding="ascii").splitlines():
            if line.startswith("Max address space") and line.split()[3].isdigit():
                status = (root / "proc/self/status").read_text(encoding="utf-8", errors="replace")
                used = next(entry for entry in status.splitlines() if entry.startswith("VmSize:"))
                yield max(0, int(line.split()[3]) - int(used.split()[1]) * 1024)


def free_disk(folder: str | Path) -> int:
    """Bytes that can be written below a folder, which need not exist yet."""
    there = Path(folder).absolute()
    while not there.exists() and there != there.parent:
        there = there.parent
    return shutil.disk_usage(there).free


def _group_rooms(root: Path) -> Iterable[int]:
    """Yield the bytes that each control group of the process still allows."""
    try:
        lines = (root / "proc/self/cgroup").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return
    for line in lines:
        _, controllers, path = [*line.split(":", 2), "", ""][:3]
        if controllers == "":
            top = root / "sys/fs/cgroup"
            files = ("memory.max", "memory.current", "inactive_file")
        elif "memory" in controllers.split(","):
            top = root / "sys/fs/cgroup/memory"
            files = ("memory.limit_in_bytes", "memory.usage_in_bytes", "total_inactive_file")
        else:
            continue
        # The limit of every group above counts, too; in a container the path may not be there.
        group = top / path.lstrip("/")
        for level in (group, *group.parents):
            room = _room(level, *files)
            if room is not None:
                yield room
            if level == top:
                break


def _room(group: Path, limit_file: str, used_file: str, cache_line: str) -> int | None:
    try:
        limit = (group / limit_file).read_text(encoding="ascii").strip()
        used = int((group / used_file).read_text(encoding="ascii"))
        lines = (group / "memory.stat").read_text(encoding="ascii").splitlines()
    except (OSError, ValueError):
        return None
    if not limit.isdigit():
        return None
    stat = dict(line.split(maxsplit=1) for line in lines if " " in line)
    return max(0, int(limit) - used + int(stat.get(cache_line, "0")))


class _EnoughError(Exception):
    """The run has been looked at long enough."""


def first_moments(plan: Plan, until: float) -> float | None:
    """Return how long a plan's simulation takes, s, from its first half second of wall time.

    None if that cannot be told, or calls code of the user.

    Parameters
    ----------
    plan
        Plan, from `Scenario.plan`.
    until
        Share of the simulated time by which everything can have been sent.
    """
    if any("python:" in flow["cc"] for flow in plan["flows"]):
        return None
    looks: list[tuple[float, float]] = []
    began = time.perf_counter()

    def look(share: float) -> None:
        looks.append((time.perf_counter() - began, share))
        if len(looks) >= (_LOOKS if share > looks[0][1] else _MOST_LOOKS):
            raise _EnoughError

    try:
        _core.run(plan_text(plan), look)
        return looks[-1][0]
    except _EnoughError:
        pass
    except ValueError:
        # The engine refuses the plan, and will say why when it runs.
        return None
    (first, before), (last, share) = looks[0], looks[-1]
    if share <= before:
        return None
    # Until the first look the run was also set up, which counts once.
    return last + (last - first) * max(0.0, until - share) / (share - before)
