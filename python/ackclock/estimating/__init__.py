"""How long and how large a run will be, before it runs.

`estimate` says so of a scenario; `check` refuses what this machine has no room for.
"""

from ackclock.estimating.checking import (
    Estimate,
    TooLargeError,
    check,
    check_many,
    estimate,
    lasting,
    of_sizes,
)
from ackclock.estimating.cost import Size, core_seconds, size_of

__all__ = [
    "Estimate",
    "Size",
    "TooLargeError",
    "check",
    "check_many",
    "core_seconds",
    "estimate",
    "lasting",
    "of_sizes",
    "size_of",
]
