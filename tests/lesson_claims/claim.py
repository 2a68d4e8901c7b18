"""A figure that a lesson states, and its measure."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

from lesson_claims.bars import Bar
from lesson_claims.cases import CASES
from lesson_runs import run

Of = Callable[[str], Any]
"""From the name of a case to its run."""


@dataclass(frozen=True)
class Claim:
    """A figure that a lesson states."""

    lesson: str
    text: str
    """The figure's meaning in a few words."""
    said: str
    """The figure as the lesson has it."""
    measure: Callable[[Of], float]
    bar: Bar
    unit: str = ""
    digits: int = 0
    cases: tuple[str, ...] = ("base",)

    @property
    def ours(self) -> float:
        """The simulator's figure."""
        return self.measure(lambda name: simulated(self.lesson, name))


@cache
def simulated(lesson: str, name: str) -> Any:
    """The simulator's run of a case, as long as the lesson's."""
    case = CASES[lesson][name]
    return run(lesson, case.thing, *case.settings)
