"""Run scenarios on this machine's kernel.

The kernel's TCP runs in network namespaces; the simulator's links carry its packets in real time.

Examples
--------
>>> from ackclock.linux import Kernel, linux_plan
>>> import ackclock as ac
>>> scenario = ac.dumbbell(
...     rate="10Mbit/s", rtt="60ms", buffer="1bdp", flows=[ac.flow("reno")], duration="10s"
... )
>>> linux_plan(scenario, Kernel("6.18.0", ("reno", "cubic")))["flows"]
[{'host': 0, 'cc': 'reno', 'maxseg': None, 'is_nodelay': False}]
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.linux.capacity import check_capacity, most_packets_per_second
    from ackclock.linux.machine import Kernel, LinuxError, kernel, obstacle, require_namespaces
    from ackclock.linux.plan import LinuxPlan, linux_plan
    from ackclock.linux.running import run_on_linux

__all__ = [
    "Kernel",
    "LinuxError",
    "LinuxPlan",
    "check_capacity",
    "kernel",
    "linux_plan",
    "most_packets_per_second",
    "obstacle",
    "require_namespaces",
    "run_on_linux",
]

# Imported on first use: the worker process must not import modules that start threads.
_HOMES = {
    "Kernel": "machine",
    "LinuxError": "machine",
    "kernel": "machine",
    "obstacle": "machine",
    "require_namespaces": "machine",
    "check_capacity": "capacity",
    "most_packets_per_second": "capacity",
    "LinuxPlan": "plan",
    "linux_plan": "plan",
    "run_on_linux": "running",
}


def __getattr__(name: str) -> Any:
    if name not in _HOMES:
        raise AttributeError(f"module 'ackclock.linux' has no attribute {name!r}")
    return getattr(importlib.import_module(f"ackclock.linux.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
