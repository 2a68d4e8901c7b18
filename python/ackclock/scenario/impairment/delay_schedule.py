"""Propagation delays that change at given times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Any

from pydantic import BeforeValidator, Field, model_validator

from ackclock.scenario.errors import problem, shown
from ackclock.scenario.impairment.base import Impairment, short_form
from ackclock.scenario.quantities import PositiveTime, check_time, time_ps

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["DelaySchedule", "DelayScheduleTable"]


def _pair(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise problem(f"{shown(value)} is not a step: give a time and a delay, such as ['10s', '60ms']")
    return list(value)


class DelayScheduleTable(Impairment):
    """Other delays than the link's from given times on."""

    steps: list[Annotated[list[str], BeforeValidator(_pair)]] = Field(min_length=1)
    """Pairs of a time and the one-way delay from then on, ascending: [["10s", "60ms"], ["20s", "25ms"]]; before the first it is `delay`."""
    period: PositiveTime | None = None
    """The schedule begins anew, with `delay`, whenever so much time has passed (default: the last delay holds for ever)."""
    reorder: bool = False
    """Whether packets overtake those that left under a longer delay; otherwise none arrives before its predecessor."""

    @model_validator(mode="after")
    def _checked(self) -> DelayScheduleTable:
        before = -1
        for index, (time, delay) in enumerate(self.steps):
            check_time(time)
            check_time(delay)
            if time_ps(time) <= before:
                raise problem(f"{shown(time)} is not after the step that precedes it: steps are in order of time", key=f"steps.{index}")
            before = time_ps(time)
        if self.period is not None and time_ps(self.period) <= before:
            raise problem(f"{shown(self.period)} ends before the last step, at {shown(self.steps[-1][0])}", key="period")
        return self

    def plan(self, folder: Path | None) -> dict[str, Any]:  # noqa: ARG002
        """See `Impairment.plan`."""
        return {
            "kind": "delay-schedule",
            "delays": [[time_ps(time), time_ps(delay)] for time, delay in self.steps],
            "period_ps": None if self.period is None else time_ps(self.period),
            "reorder": self.reorder,
        }


DelaySchedule = Annotated[DelayScheduleTable, short_form("steps", list)]
