"""Limits of queues: constant, or by a schedule."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BeforeValidator, Discriminator, Field, Tag, model_validator

from ackclock.messages import shown
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import Limit, check_limit, time_ps
from ackclock.scenario.steps import check_times
from ackclock.scenario.table import Table, pair

__all__ = ["LimitSchedule", "LinkLimit"]

_Step = Annotated[
    list[str], pair("a step: write a time and the limit from then on, such as ['10s', '8bdp']")
]


class LimitSchedule(Table):
    """A limit that changes at given times; packets that wait then stay."""

    schedule: list[_Step] = Field(min_length=1)
    """Times, ascending from "0s", with limits: [["0s", "1bdp"], ["30s", "8bdp"]]."""

    @model_validator(mode="after")
    def _checked(self) -> LimitSchedule:
        check_times(self.schedule, "schedule", first="limit")
        for index, (_, limit) in enumerate(self.schedule):
            try:
                check_limit(limit)
            except ValueError as error:
                raise problem(str(error), key=f"schedule.{index}") from None
        return self

    def steps(self) -> list[tuple[int, str]]:
        """The limits as text, each with the time from which on it holds, ps."""
        return [(time_ps(time), limit) for time, limit in self.schedule]


def _form(value: Any) -> str:
    return "limit-schedule" if isinstance(value, dict | LimitSchedule) else "limit-text"


def _known_form(value: Any) -> Any:
    if isinstance(value, dict) and "schedule" not in value:
        raise problem(
            f"{shown(value)} is not a limit: write text such as '1bdp', or {{ schedule = [['0s', "
            "'1bdp'], ['30s', '8bdp']] }"
        )
    return value


LinkLimit = Annotated[
    Annotated[Limit, Tag("limit-text")] | Annotated[LimitSchedule, Tag("limit-schedule")],
    Discriminator(_form),
    BeforeValidator(_known_form),
]
