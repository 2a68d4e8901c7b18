"""Free memory and disk of this machine, and how fast it simulates."""

from __future__ import annotations

import json
import shutil
import time
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ackclock import _core

if TYPE_CHECKING:
    from collections.abc import Iterable

__all__ = ["free_disk", "free_memory", "slowness"]

# What the reference run takes on the machine that the costs were measured on, s of a core.
_REFERENCE_S = 4.2e-3
_REPEATS = 5
# A shorter measurement is noise; a machine beyond these is not believed.
_RANGE = (0.2, 10.0)


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
                used = next(one for one in status.splitlines() if one.startswith("VmSize:"))
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
        for each in (group, *group.parents):
            room = _room(each, *files)
            if room is not None:
                yield room
            if each == top:
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


@cache
def slowness() -> float:
    """Return this machine's time over that of the machine whose costs are known; measured once.

    A run of 0.7 million packets per second or so, a few times over: about 30 ms in all.
    """
    from ackclock.scenario.build import dumbbell, flow

    plan = json.dumps(
        dumbbell(
            rate="100Mbit/s",
            rtt="20ms",
            buffer="1bdp",
            flows=[flow("reno")],
            duration="2s",
            record={"samples": "off"},
        ).plan()
    )
    best = float("inf")
    for _ in range(_REPEATS):
        # Of this thread alone: what else the machine does is not its speed.
        began = time.thread_time()
        _core.run(plan)
        best = min(best, time.thread_time() - began)
    low, high = _RANGE
    return min(high, max(low, best / _REFERENCE_S))
