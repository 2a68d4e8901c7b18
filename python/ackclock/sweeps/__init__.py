"""Sweeps: a scenario over axes and seeds, with statistics, on one machine or many."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.sweeps.design import Design
    from ackclock.sweeps.errors import SweepError, SweepStoppedError
    from ackclock.sweeps.result import SweepResult
    from ackclock.sweeps.running import Progress
    from ackclock.sweeps.store import Store, StoreError
    from ackclock.sweeps.sweeping import design_of, open_sweep, sweep

__all__ = [
    "Design",
    "Progress",
    "Store",
    "StoreError",
    "SweepError",
    "SweepResult",
    "SweepStoppedError",
    "design_of",
    "open_sweep",
    "sweep",
]

# Imported on first use: a worker needs neither frames nor plots.
_HOMES = {
    "Design": "design",
    "Progress": "running",
    "Store": "store",
    "StoreError": "store",
    "SweepError": "errors",
    "SweepResult": "result",
    "SweepStoppedError": "errors",
    "design_of": "sweeping",
    "open_sweep": "sweeping",
    "sweep": "sweeping",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'ackclock.sweeps' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"ackclock.sweeps.{home}"), name)
    globals()[name] = value
    return value
