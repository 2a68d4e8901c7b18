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
        Runs of the simulator, of seeds from 1 on; where a wire loses packets by chance they have the seeds of the kernel's runs, so that
        both lose the same packets.
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
        for run in simulate(case.scenario, _seeds(case, kernel, seeds)):
            simulated.append(run)
            tell((done + runs + min(len(simulated), seeds)) / total, f"{case.name}: simulator")
        found.append(judge(case.name, case.description, kernel, simulated))
    return found


def _seeds(case: Case, kernel: Sequence[Observed], count: int) -> Sequence[int]:
    """The kernel's, where a wire loses by chance: else so many that BBR's random phases have a mean."""
    own = sorted({int(run.conditions["seed"]) for run in kernel if "seed" in run.conditions})
    by_chance = any(link["loss"] is not None for link in case.scenario.plan()["links"])
    return own if own and by_chance else range(1, count + 1)


def _on_kernel(case: Case, number: int, done: int, total: int, tell: Progress) -> Observed:
    return on_kernel(case.scenario, number, lambda share: tell((done + share) / total, f"{case.name}: kernel, run {number}"))
