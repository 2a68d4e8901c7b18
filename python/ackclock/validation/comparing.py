"""Runs what has to be run, and judges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.validation import storing
from ackclock.validation.cases import Case, simulate
from ackclock.validation.judging import Comparison, judge
from ackclock.validation.kernel import on_kernel

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from ackclock.validation.observed import Observed

    Progress = Callable[[float, str], None]

__all__ = ["compare"]


def compare(
    chosen: Sequence[Case], *, live: bool, record: bool, repetitions: int, seeds: int, progress: Progress | None = None
) -> list[Comparison]:
    """Hold the simulator against the kernel in each of these scenarios.

    Parameters
    ----------
    chosen
        The scenarios.
    live, record
        Whether the kernel runs here, beside what is recorded; whether its runs replace that.
    repetitions
        Runs of the kernel, if it runs.
    seeds
        Runs of the simulator. The kernel's repetitions have the same seeds, so that both lose the same packets to chance.
    progress
        Called with the share that is done and what is being done.
    """
    runs = repetitions if live or record else 0
    tell = progress or (lambda _share, _text: None)
    total = len(chosen) * (runs + seeds)
    found = []
    for place, case in enumerate(chosen):
        done = place * (runs + seeds)
        kernel = [] if record else case.recorded()
        for number in range(runs):
            kernel.append(_on_kernel(case, number + 1, done + number, total, tell))
        if record and case.recordings is not None:
            storing.replace(case.recordings, kernel)
        simulated: list[Observed] = []
        for run in simulate(case.scenario, range(1, seeds + 1)):
            simulated.append(run)
            tell((done + runs + len(simulated)) / total, f"{case.name}: simulator")
        found.append(judge(case.name, case.description, kernel, simulated))
    return found


def _on_kernel(case: Case, number: int, done: int, total: int, tell: Progress) -> Observed:
    return on_kernel(case.scenario, number, lambda share: tell((done + share) / total, f"{case.name}: kernel, run {number}"))
