"""The loop of a sweep: what is there is reused, what is not is made and kept."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from concurrent.futures import Executor

    from ackclock.sweep.design import Design
    from ackclock.sweep.store import Store
    from ackclock.sweep.task import Outcome, Task

__all__ = ["Progress", "Row", "RunReport", "SweepError", "make_runs", "run_design"]


class SweepError(RuntimeError):
    """A sweep that cannot go on; what is finished is kept."""


@dataclass(frozen=True)
class Progress:
    """How far a sweep is."""

    finished: int
    """Runs that are there: reused and made."""
    runs: int
    """Runs in all, as far as known: a sequential stop may ask for more."""
    reused: int
    """Of those finished, how many the store had."""
    share: float
    """Share of the work that is done, 0 to 1."""
    rate: float
    """Runs made per second of wall time."""
    left: float | None
    """Wall time until all are there, s; None: not known yet."""


@dataclass(frozen=True)
class Row:
    """A run as far as the analysis needs it; the rest is in the store."""

    key: str
    seed: int
    digest: str
    figures: Mapping[str, float | None]


@dataclass(frozen=True)
class RunReport:
    """What became of a sweep's runs."""

    rows: Mapping[tuple[int, int], Row]
    """By (setting, replication), in this order."""
    reused: int
    """Runs that the store had."""
    made: int
    """Runs that this process, or its workers, made."""
    elsewhere: int
    """Runs that another process on the same store made meanwhile."""
    redone_damaged: tuple[str, ...]
    """A sentence for each file that was damaged, and its run made again."""
    notes: tuple[str, ...] = ()
    """What else the user should know, a sentence each, such as a worker that died."""
    timing: Mapping[str, float] = field(default_factory=dict)
    """Wall-clock figures, for timing.json."""


def run_design(
    design: Design,
    store: Store,
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    warmups: Mapping[int, int] | None = None,
) -> RunReport:
    """Make every run of a design that the store does not have.

    Parameters
    ----------
    design
        The sweep; if it has a sequential stop, `ackclock.sweep.sequential.wanted` says what follows.
    store
        Where runs are, and are kept.
    executor
        `"threads"`, `"processes"`, the address of a Dask scheduler (`"tcp://HOST:PORT"`, or a file that it wrote), or any executor. By
        default threads, and processes where algorithms or metrics are the user's own.
    workers
        Runs at the same time; by default as many as there are cores, or as the executor has workers.
    progress
        Called from this thread, at most ten times a second.
    warmups
        Warm-up of each setting, ps, where it is not the scenario's own.

    Raises
    ------
    SweepError
        If a run fails or cannot be kept: which, why, and how to go on.
    KeyboardInterrupt
        Ctrl-C, after runs under way have been stopped; what is finished is kept.
    """
    raise NotImplementedError


def make_runs(
    tasks: Iterable[Task],
    store: Store,
    *,
    executor: Executor | str | None = None,
    workers: int | None = None,
    progress: Callable[[Progress], None] | None = None,
    take: Callable[[int, Outcome], None],
) -> RunReport:
    """Make those of some runs that the store does not have, and hand each over: `take(index, outcome)`, in this thread, in any order.

    What `run_design` stands on; pilots use it as they are.
    """
    raise NotImplementedError
