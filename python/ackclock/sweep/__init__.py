"""Sweeps: a scenario over axes and seeds, with statistics, on one machine or many."""

from __future__ import annotations

import importlib
import inspect
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ackclock.sweep.design import Design
    from ackclock.sweep.result import SweepResult
    from ackclock.sweep.running import Progress, SweepError
    from ackclock.sweep.store import Store, StoreError
    from ackclock.sweep.sweeping import design_of, open_sweep

__all__ = ["Design", "Progress", "Store", "StoreError", "SweepError", "SweepResult", "design_of", "open_sweep"]

# A worker needs a task and what performs it, and neither frames nor plots.
_HOMES = {
    "Design": "design",
    "Progress": "running",
    "Store": "store",
    "StoreError": "store",
    "SweepError": "running",
    "SweepResult": "result",
    "design_of": "sweeping",
    "open_sweep": "sweeping",
}


def __getattr__(name: str) -> Any:
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module 'ackclock.sweep' has no attribute {name!r}")
    value = getattr(importlib.import_module(f"ackclock.sweep.{home}"), name)
    globals()[name] = value
    return value


class _Callable(ModuleType):
    """`ackclock.sweep` is this package as soon as any part of it is imported, and the function of that name at all times."""

    def __call__(self, *arguments: Any, **options: Any) -> SweepResult:
        """As `ackclock.sweep.sweeping.sweep`."""
        from ackclock.sweep.sweeping import sweep

        return sweep(*arguments, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        """For help and for editors."""
        from ackclock.sweep.sweeping import sweep

        return inspect.signature(sweep)


sys.modules[__name__].__class__ = _Callable
