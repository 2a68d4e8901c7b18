"""Estimates of a run's time, memory and disk, before it runs.

`estimate` says so of a scenario; `check` refuses what this machine has no room for.
"""

from ackclock.engine.cost_model.checking import (
    Estimate,
    TooLargeError,
    check,
    check_many,
    estimate,
    lasting,
    paced,
)
from ackclock.engine.cost_model.cost import Size, size_of

__all__ = [
    "Estimate",
    "Size",
    "TooLargeError",
    "check",
    "check_many",
    "estimate",
    "lasting",
    "paced",
    "size_of",
]
