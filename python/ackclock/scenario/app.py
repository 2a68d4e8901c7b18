"""What a flow has to send."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BeforeValidator, Field, model_validator

from ackclock.scenario.errors import problem, shown
from ackclock.scenario.quantities import Size, check_size, check_time, time_ps
from ackclock.scenario.table import Table, kind_of

__all__ = ["APPS", "App", "Bulk", "File", "Writes"]


class Bulk(Table):
    """Always data to send, until the flow is stopped or the run ends."""

    kind: Literal["bulk"]
    """Which application."""


class File(Table):
    """One file; then the connection is closed. Its completion time counts from the SYN to the last byte acknowledged."""

    kind: Literal["file"]
    """Which application."""
    size: Size
    """Size of the file, such as "1MB" (10^6 bytes)."""


def _pair(value: Any) -> Any:
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise problem(f"{shown(value)} is not a write: give a time and a size, such as ['1s', '10kB']")
    return list(value)


_Write = Annotated[list[str], BeforeValidator(_pair)]


class Writes(Table):
    """Writes at given times; then the connection is closed."""

    kind: Literal["writes"]
    """Which application."""
    writes: list[_Write] = Field(min_length=1)
    """Pairs of a time after the flow's start and a size, ascending: [["0s", "10kB"], ["2s", "1MB"]]."""

    @model_validator(mode="after")
    def _checked(self) -> Writes:
        before = 0
        for index, (time, size) in enumerate(self.writes):
            check_time(time)
            check_size(size)
            if time_ps(time) < before:
                raise problem(f"{shown(time)} is before the write that precedes it: writes are in order of time", key=f"writes.{index}")
            before = time_ps(time)
        return self


APPS: dict[str, type[Table]] = {"bulk": Bulk, "file": File, "writes": Writes}


def _short(value: Any) -> Any:
    if not isinstance(value, str | dict | Table):
        raise problem(f"{shown(value)} is not an application: write one of {', '.join(APPS)}, or a table with that as its kind")
    return kind_of(value)


App = Annotated[
    Bulk | File | Writes,
    Field(discriminator="kind"),
    BeforeValidator(_short, json_schema_input_type=Literal["bulk"] | Bulk | File | Writes),
]
