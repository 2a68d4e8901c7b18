"""The size of a sweep, estimated before its runs."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock.engine.cost_model import size_of

if TYPE_CHECKING:
    from ackclock.core_types.plan import Plan
    from ackclock.engine.cost_model import Size

__all__ = ["Estimate", "Left", "on_virtual_kernel", "run_size"]

# A kernel in virtual time, measured with Linux 7.3: 0.6 s of a core until it has begun, then 0.1 to
# 0.4 ms per packet, the most with many flows. It takes 75 to 205 MB.
_BOOT_S = 0.6
_KERNEL_PACKET_S = 1.5e-4
_KERNEL_BYTES = 150e6

# Time per run to look it up in the store, to compute its figures and to write it, s.
_PER_RUN_S = 2.5e-3


@dataclass(frozen=True)
class Left:
    """Numbers of missing runs, by setting."""

    runs: tuple[int, ...]
    """Number of missing first replications; a sequential stop may ask for more."""
    pilots: tuple[int, ...]
    """Number of missing runs that only find the warm-up."""


@dataclass(frozen=True)
class Estimate:
    """Estimated size of a sweep."""

    settings: int
    runs: int
    """Number of first runs; a sequential stop may ask for more."""
    most: int
    """Largest number of runs that a sequential stop may ask for."""
    pilots: int
    """Number of runs that only find the warm-up."""
    core_seconds: float
    """Time of the missing pilots and first runs on one core, s, of the packets at most."""
    longest: float
    """Time of the longest missing run, s."""
    there: int = 0
    """Number of first runs that the store has."""
    real_seconds: float = 0.0
    """Time of the missing runs on the kernel, which follow one another in real time, s."""

    def seconds_on(self, workers: int) -> float:
        """Approximate wall time of the missing pilots and first runs, s."""
        left = self.runs - self.there + self.pilots
        simulated = max(self.longest, self.core_seconds / max(1, min(workers, left)))
        return simulated + self.real_seconds


def run_size(plan: Plan, *, reads_tables: bool) -> Size:
    """Estimate a run of a sweep, which gives figures and keeps no tables.

    `reads_tables` says whether a response reads time series or packets.
    """
    size = size_of(plan, writes=reads_tables, plots=False)
    return replace(size, seconds=size.seconds + _PER_RUN_S, disk=0.0)


def on_virtual_kernel(size: Size) -> Size:
    """The size of a run on a kernel in virtual time; `size` is that of the simulator's."""
    return replace(
        size,
        seconds=size.seconds + _BOOT_S + _KERNEL_PACKET_S * size.packets,
        own_memory=size.own_memory + _KERNEL_BYTES,
        memory_by={**size.memory_by, "kernel": _KERNEL_BYTES},
    )
