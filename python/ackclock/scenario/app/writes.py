"""Writes at given times."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field, model_validator

from ackclock.messages import shown
from ackclock.scenario.app.base import Transfer
from ackclock.scenario.errors import problem
from ackclock.scenario.quantities import check_size, check_time, size_bytes, time_ps
from ackclock.scenario.table import pair

if TYPE_CHECKING:
    from ackclock.core_types.plan import WritesAppPlan
    from ackclock.scenario.app.place import Place

__all__ = ["Writes"]


_Write = Annotated[list[str], pair("a write: give a time and a size, such as ['1s', '10kB']")]


class Writes(Transfer):
    """Writes at given times; then the connection is closed."""

    kind: Literal["writes"]
    """Name of the application."""
    writes: list[_Write] = Field(min_length=1)
    """Times after the flow's start, ascending, with sizes: [["0s", "10kB"], ["2s", "1MB"]]."""

    @model_validator(mode="after")
    def _checked(self) -> Writes:
        before = 0
        for index, (time, size) in enumerate(self.writes):
            check_time(time)
            check_size(size)
            if time_ps(time) < before:
                raise problem(
                    f"{shown(time)} is before the write that precedes it: writes are in order of "
                    "time",
                    key=f"writes.{index}",
                )
            before = time_ps(time)
        return self

    def plan(self, place: Place) -> WritesAppPlan:  # noqa: ARG002
        """See `Transfer.plan`."""
        return {
            "kind": "writes",
            "writes": [[time_ps(time), size_bytes(size)] for time, size in self.writes],
        }
