"""How large a sweep is, before anything of it has run."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ackclock.estimating import size_of

if TYPE_CHECKING:
    from ackclock.estimating import Size
    from ackclock.scenario.plan import Plan

__all__ = ["Estimate", "run_size"]

# Looking for a run, writing it down, and what the figures take, s.
_PER_RUN_S = 2.5e-3


@dataclass(frozen=True)
class Estimate:
    """How large a sweep is."""

    settings: int
    runs: int
    """At first; a sequential stop may ask for more."""
    most: int
    """At most."""
    pilots: int
    """Runs that only find the warm-up."""
    core_seconds: float
    """What is left of pilots and first runs takes on one core of this machine: within a factor of two, mostly."""
    longest: float
    """What the longest run that is left takes, s."""
    there: int = 0
    """Of the first runs, how many the store has."""

    def seconds_on(self, workers: int) -> float:
        """Wall time of what is left of pilots and first runs, about."""
        left = self.runs - self.there + self.pilots
        return max(self.longest, self.core_seconds / max(1, min(workers, left)))


def run_size(plan: Plan, *, reads_tables: bool) -> Size:
    """Estimate a run of a sweep, which gives figures and keeps no tables.

    Parameters
    ----------
    plan
        Of the run.
    reads_tables
        Whether a response is made of time series or packets.
    """
    size = size_of(plan, writes=reads_tables, plots=False, bounds=False)
    return replace(size, seconds=size.seconds + _PER_RUN_S, disk=0.0)
