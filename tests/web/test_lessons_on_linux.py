"""The lessons' numbers on this machine's kernel, in some seconds."""

from functools import cache
from statistics import median
from typing import Any

import pytest

import ackclock
from ackclock.engine.linux import run_on_linux
from ackclock_papers.lessons import NUMBERS, scenario
from ackclock_papers.lessons.number import Number
from linux_machine import needs_namespaces

# Seconds of a lesson on this machine's kernel, and the numbers that these show.
BRIEF = {
    "slow-start": (
        "1s",
        (
            "window at 0.17 s",
            "window at 0.31 s",
            "window before the first cut",
            "packets lost in the burst",
            "ssthresh after it",
        ),
    ),
    "bbr-probes": (
        "11s",
        (
            "STARTUP ends",
            "most packets in flight by then",
            "DRAIN ends",
            "probes per second",
            "PROBE_RTT begins",
            "PROBE_RTT takes",
            "window in it",
        ),
    ),
}


@cache
def brief(lesson: str, name: str, attempt: int) -> Any:
    """The first seconds of a variant on this machine's kernel, once more for each attempt."""
    duration, _ = BRIEF[lesson]
    changes = {"duration": duration, "seed": attempt + 1}
    return run_on_linux(scenario(lesson, name, changes))


@needs_namespaces
@pytest.mark.kernel
@pytest.mark.parametrize(
    "number",
    [
        number
        for lesson, (_, names) in BRIEF.items()
        for number in NUMBERS[lesson]
        if number.name in names
    ],
    ids=lambda number: f"{number.lesson}: {number.name}",
)
def test_this_kernel_gives_the_number(number: Number) -> None:
    # The bars are those of the page: docs/lessons.md says why they are as wide as they are.
    def on_kernel(attempt: int) -> float:
        return number.measure.of(lambda name: brief(number.lesson, name, attempt))

    ours = number.measure.of(lambda name: ackclock.run(scenario(number.lesson, name)))
    there = on_kernel(0)
    if not number.kind.agrees(ours, there, there):
        # A busy machine hands single packets over late: then the median of three runs counts.
        there = median([there, on_kernel(1), on_kernel(2)])
    assert number.kind.agrees(ours, there, there), (ours, there, number.kind.bar)
