"""Steps of a schedule: pairs of a time of the run and a value from then on."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ackclock.messages import shown
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import check_time, time_ps

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = ["check_times"]


def check_times(steps: Sequence[Sequence[str]], key: str, *, first: str | None = None) -> int:
    """Refuse steps that are not in order of time; return the time of the last, ps.

    With `first`, the word for a value, the first step must be at the start of the run. `key` is the
    key of the list, for messages.
    """
    before = -1
    for index, (time, _) in enumerate(steps):
        try:
            at = time_ps(check_time(time))
        except ValueError as error:
            raise problem(str(error), key=f"{key}.{index}") from None
        if at <= before:
            raise problem(
                f"{shown(time)} is not after the step that precedes it: steps are in order of time",
                key=f"{key}.{index}",
            )
        if first is not None and index == 0 and at > 0:
            raise problem(
                f"{shown(time)}: the first step says the {first} at the start, and is at '0s'",
                key=f"{key}.{index}",
            )
        before = at
    return before
