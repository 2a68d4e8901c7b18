"""The form of a measure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.validation.observed import Observed, ObservedFlow

__all__ = ["Measure", "Value"]

Value = float | None
"""None: the run has nothing to measure it from."""


@dataclass(frozen=True)
class Measure:
    """A figure of a run, or of those of its flows that have one algorithm.

    Flows of one algorithm in one scenario stand for each other: which of them is ahead is chance,
    in the kernel as in the simulator.
    """

    name: str
    title: str
    unit: str
    function: Callable[[Observed, Sequence[ObservedFlow]], Value]
    per_algorithm: bool = False
    """Whether the flows of each algorithm are measured apart."""
