"""Propagation delays that change at given times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, model_validator

from ackclock.messages import shown
from ackclock.scenario.errors import problem
from ackclock.scenario.impairment.base import Impairment
from ackclock.scenario.quantities import PositiveTime, check_time, time_ps
from ackclock.scenario.steps import check_times
from ackclock.scenario.table import pair, short_form

if TYPE_CHECKING:
    from pathlib import Path

    from ackclock.core_types.plan import DelayScheduleImpairmentPlan

__all__ = ["DelaySchedule", "DelayScheduleTable"]


_Step = Annotated[list[str], pair("a step: give a time and a delay, such as ['10s', '60ms']")]


class DelayScheduleTable(Impairment):
    """Other delays than the link's from given times on."""

    steps: list[_Step] = Field(min_length=1)
    """Times, ascending, with the one-way delay from then on: [["10s", "60ms"], ["20s", "25ms"]].

    Before the first time the delay is `delay`.
    """
    period: PositiveTime | None = None
    """Period after which the schedule starts again with `delay` (default: the last delay stays)."""
    reorder: bool = False
    """Whether packets may overtake others that left under a longer delay; else order is kept."""

    @model_validator(mode="after")
    def _checked(self) -> DelayScheduleTable:
        last = check_times(self.steps, "steps")
        for _, delay in self.steps:
            check_time(delay)
        if self.period is not None and time_ps(self.period) <= last:
            raise problem(
                f"{shown(self.period)} ends before the last step, at {shown(self.steps[-1][0])}",
                key="period",
            )
        return self

    def plan(self, folder: Path | None) -> DelayScheduleImpairmentPlan:  # noqa: ARG002
        """See `Impairment.plan`."""
        return {
            "kind": "delay-schedule",
            "delays": [[time_ps(time), time_ps(delay)] for time, delay in self.steps],
            "period_ps": None if self.period is None else time_ps(self.period),
            "reorder": self.reorder,
        }


DelaySchedule = Annotated[
    DelayScheduleTable, short_form("steps", list, schema=list[_Step] | DelayScheduleTable)
]
