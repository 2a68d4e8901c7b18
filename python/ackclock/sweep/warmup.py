"""One warm-up for a whole sweep, found by MSER-5 on a pilot run of every setting.

``pilots`` gives a design of one replication whose responses are times of truncation; it is run like any other. ``agreed`` makes of its
figures the warm-up that the sweep's own tasks get: ``design.task(setting, replication, warmup_ps=agreed(design, figures))``.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Mapping

    from ackclock.results import Result
    from ackclock.sweep.design import Design
    from ackclock.sweep.responses import Response

__all__ = ["Truncation", "agreed", "pilots"]


@dataclass(frozen=True)
class Truncation:
    """A response of a pilot run: when the series behind another response becomes steady. It stands where a `Response` stands."""

    of: Response

    @property
    def name(self) -> str:
        """`steady: ` and the response's name."""
        return f"steady: {self.of.name}"

    @property
    def unit(self) -> str:
        """Seconds."""
        return "s"

    @property
    def needs(self) -> tuple[str, ...]:
        """Time series."""
        return ("samples",)

    def value(self, result: Result) -> float | None:
        """The time, s, before which MSER-5 truncates; None if there is no series."""
        raise NotImplementedError


def pilots(design: Design) -> Design:
    """The same settings, one replication, no warm-up, and times of truncation for responses."""
    raise NotImplementedError


def agreed(design: Design, figures: Mapping[tuple[int, int], Mapping[str, float | None]]) -> int:
    """The sweep's warm-up, ps: the largest truncation of the pilots, rounded up.

    Raises
    ------
    ScenarioError
        If a setting has no steady state within its duration.
    """
    raise NotImplementedError
