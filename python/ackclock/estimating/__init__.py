"""Estimates of a run's time, memory and disk, before it runs.

`estimate` says so of a scenario; `check` refuses what this machine has no room for.
"""

from ackclock.estimating.checking import (
    Estimate,
    TooLargeError,
    check,
    check_many,
    estimate,
    lasting,
    paced,
)
from ackclock.estimating.cost import Size, size_of

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
